import type { LifecycleItem } from '../../schemas/lifecycle.ts';

/** A stream of frames, or of what was made of them; `return()` ends it at once. */
interface Frames extends AsyncIterableIterator<LifecycleItem, undefined> {
  readonly abandoned: AbortSignal;
  next(): Promise<Result>;
  return(): Promise<Result>;
}

type Result = IteratorResult<LifecycleItem, undefined>;

/** Frames that are gathered into one item, at most. */
const MOST_FRAMES = 200;
/** Frames that come within so many milliseconds of the first are gathered with it. */
const GATHERING_MS = 200;

/** First an item, then one for the frames that came together, as far as `make` makes one of them. Throws what either throws. */
export function gatherFrames(
  frames: Frames,
  first: LifecycleItem,
  make: (gathered: readonly LifecycleItem[]) => Promise<LifecycleItem | null>,
): Frames {
  const gathering = new Gathering(frames);
  let begun = false;
  const next = async (): Promise<Result> => {
    if (!begun) {
      begun = true;
      return { done: false, value: first };
    }
    for (;;) {
      const gathered = await gathering.next();
      if (gathered === null) return { done: true, value: undefined };
      try {
        const made = await make(gathered);
        if (made !== null) return { done: false, value: made };
      } catch (error) {
        await frames.return();
        throw error;
      }
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
  async next(): Promise<LifecycleItem[] | null> {
    const gathered: LifecycleItem[] = [];
    let timer: NodeJS.Timeout | undefined;
    const over = (): Promise<null> =>
      new Promise((resolve) => {
        timer = setTimeout(resolve, GATHERING_MS, null);
      });
    try {
      let end: Promise<null> | null = null;
      while (gathered.length < MOST_FRAMES) {
        this.coming ??= this.frames.next();
        const result = await (end === null ? this.coming : Promise.race([this.coming, end]));
        if (result === null) break;
        // The end is kept as what is coming, so that it is found again.
        if (result.done === true) return gathered.length === 0 ? null : gathered;
        this.coming = null;
        gathered.push(result.value);
        end ??= over();
      }
      return gathered;
    } finally {
      clearTimeout(timer);
    }
  }
}
