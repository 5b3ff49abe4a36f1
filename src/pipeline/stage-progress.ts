import type { ShardReader, Stage, Watermarks } from '../../graph/shard.ts';
import { STAGES } from '../../graph/shard.ts';
import { errorText } from '../errors.ts';
import type { Log } from '../log.ts';

/** How often the watermarks of other processes are looked at while somebody waits, milliseconds. */
const WAIT_POLL_MS = 50;

/** A place in the log of one shard. */
export interface Place {
  readonly shard: number;
  readonly wal_offset: number;
}

interface Waiter {
  readonly stage: Stage;
  readonly places: readonly Place[];
  readonly resolve: () => void;
}

/** Lets requests wait until a stage has passed certain places, whichever process does the stage. */
export class StageProgress {
  private readonly shards: ShardReader;
  private readonly log: Log;
  private readonly marks = new Map<number, Watermarks>();
  private readonly waiters = new Set<Waiter>();
  private polling: Promise<void> | null = null;

  constructor(shards: ShardReader, log: Log) {
    this.shards = shards;
    this.log = log;
  }

  /** Notes how far a stage got, by shard. */
  note(stage: Stage, moved: ReadonlyMap<number, number>): void {
    for (const [number, offset] of moved) {
      const known = this.marks.get(number) ?? { extracted: 0, indexed: 0, consolidated: 0 };
      this.marks.set(number, { ...known, [stage]: Math.max(known[stage], offset) });
    }
    this.settle();
  }

  /** Resolves `true` when the stage has passed every place, `false` when the signal fires first. */
  async until(stage: Stage, places: readonly Place[], signal: AbortSignal): Promise<boolean> {
    if (this.passed(stage, places)) return true;
    if (signal.aborted) return false;
    let waiter: Waiter | undefined;
    let onAbort: (() => void) | undefined;
    try {
      return await new Promise<boolean>((resolve) => {
        waiter = {
          stage,
          places,
          resolve: () => {
            resolve(true);
          },
        };
        onAbort = () => {
          resolve(false);
        };
        this.waiters.add(waiter);
        signal.addEventListener('abort', onAbort, { once: true });
        this.polling ??= this.poll().finally(() => {
          this.polling = null;
        });
      });
    } finally {
      if (waiter) this.waiters.delete(waiter);
      if (onAbort) signal.removeEventListener('abort', onAbort);
    }
  }

  private passed(stage: Stage, places: readonly Place[]): boolean {
    return places.every(({ shard, wal_offset }) => (this.marks.get(shard)?.[stage] ?? 0) >= wal_offset);
  }

  private settle(): void {
    for (const waiter of this.waiters) if (this.passed(waiter.stage, waiter.places)) waiter.resolve();
  }

  private async poll(): Promise<void> {
    while (this.waiters.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, WAIT_POLL_MS));
      const missing = new Set([...this.waiters].flatMap(({ places }) => places.map(({ shard }) => shard)));
      if (missing.size === 0) continue;
      try {
        const found = await this.shards.watermarks([...missing]);
        for (const stage of STAGES)
          this.note(stage, new Map([...found].map(([number, marks]) => [number, marks[stage]])));
      } catch (error) {
        // Whoever waits has a budget that ends the waiting; nobody awaits this loop, so it must not throw.
        this.log.warn('the progress of stages could not be read', { error: errorText(error) });
      }
    }
  }
}
