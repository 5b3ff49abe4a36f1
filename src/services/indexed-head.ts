import type { VisibleHighWatermark } from '../../graph/high-watermark.ts';
import type { Clock } from '../clock.ts';
import { errorText } from '../errors.ts';
import type { Log } from '../log.ts';

/** How long what is known of the head is good enough for whoever found nothing behind it, milliseconds. */
const GOOD_ENOUGH_MS = 10_000;

/** What the head of the index is told by. */
export interface IndexedHeadParts {
  /** The head of the log. */
  readonly head: Pick<VisibleHighWatermark, 'settled' | 'refresh'>;
  /** The first offset up to a settled head that was not indexed yet; null when all were. */
  readonly firstUnindexed: (head: number) => Promise<number | null>;
  /** Resolves when all that is indexed by now can be found. */
  readonly refreshed: () => Promise<void>;
  readonly log: Log;
  readonly clock: Clock;
}

/** Knows up to where everything in the log can be found by the index, which is refreshed now and then. */
export class IndexedHead {
  private readonly parts: IndexedHeadParts;
  private offset = 0;
  private looking = false;
  private lookedAt = -Infinity;

  constructor(parts: IndexedHeadParts) {
    this.parts = parts;
  }

  /** An offset up to which every event that has words is found by them. */
  get through(): number {
    return this.offset;
  }

  /** Finds out anew how far that is, beside whoever asks; one look at a time. Never throws: the offset only stays behind. */
  look(): void {
    if (this.looking) return;
    this.looking = true;
    this.lookedAt = this.parts.clock.now();
    void this.find().finally(() => {
      this.looking = false;
    });
  }

  /**
   * The same where the last look is older than some seconds. Whoever finds nothing behind the head may have passed over hundreds of events
   * that have long been in the index: so it is in a process that has just begun.
   */
  lookNowAndThen(): void {
    if (this.parts.clock.now() - this.lookedAt >= GOOD_ENOUGH_MS) this.look();
  }

  private async find(): Promise<void> {
    const { head, firstUnindexed, refreshed, log } = this.parts;
    try {
      await head.refresh();
      const { settled } = head;
      const first = await firstUnindexed(settled);
      // Behind the refresh everything is found that was indexed when the places were read.
      await refreshed();
      this.offset = Math.max(this.offset, first === null ? settled : first - 1);
    } catch (error) {
      log.debug('it is not known how far the index is', { error: errorText(error) });
    }
  }
}
