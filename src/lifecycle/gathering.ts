import type { LifecycleItem } from '../../schemas/lifecycle.ts';

/** A stream of frames, or of what was made of them; `return()` ends it at once. */
interface Frames extends AsyncIterableIterator<LifecycleItem, undefined> {
  readonly abandoned: AbortSignal;
  next(): Promise<Result>;
  return(): Promise<Result>;
}

type Result = IteratorResult<LifecycleItem, undefined>;

/** Frames that came together, in their order. */
export type Gathered = [LifecycleItem, ...LifecycleItem[]];

/** Frames that are gathered into one item, at most. */
const MOST_FRAMES = 200;
/** Frames that come within so many milliseconds of the first are gathered with it. */
const GATHERING_MS = 200;

/** First an item, then one that `make` makes of the frames that came together, at least one. Throws what either throws. */
export function gatherFrames(
  frames: Frames,
  first: LifecycleItem,
  make: (gathered: Gathered) => Promise<LifecycleItem>,
): Frames {
  const gathering = new Gathering(frames);
  let begun = false;
  const next = async (): Promise<Result> => {
    if (!begun) {
      begun = true;
      return { done: false, value: first };
    }
    const gathered = await gathering.next();
    if (gathered === null) return { done: true, value: undefined };
    try {
      return { done: false, value: await make(gathered) };
    } catch (error) {
      await frames.return();
      throw error;
    }
  };
  return {
    abandoned: frames.abandoned,
    next,
    return: () => frames.return(),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Frames by those that came together. */
class Gathering {
  private readonly frames: Frames;
  /** The frame that is waited for, where one is. */
  private coming: Promise<Result> | null = null;

  constructor(frames: Frames) {
    this.frames = frames;
  }

  /** At least one frame, and those that come soon behind it; null at the end. */
  async next(): Promise<Gathered | null> {
    const first = await this.look();
    if (first.done === true) return null;
    this.coming = null;
    const gathered: Gathered = [first.value];
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, GATHERING_MS, null);
    });
    try {
      while (gathered.length < MOST_FRAMES) {
        const result = await Promise.race([this.look(), over]);
        // The end is kept as what is coming, so that it is found again.
        if (result === null || result.done === true) break;
        this.coming = null;
        gathered.push(result.value);
      }
      return gathered;
    } finally {
      clearTimeout(timer);
    }
  }

  private look(): Promise<Result> {
    return (this.coming ??= this.frames.next());
  }
}
