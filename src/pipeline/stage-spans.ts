import type { LeasedShard, Stage } from '../../graph/shard.ts';
import type { ShardStep } from '../../graph/shard-step.ts';
import type { PendingEvent } from '../../graph/pending-event.ts';
import type { Span } from './recent-events.ts';
import type { StageOffsets } from './stage-offsets.ts';

/** What is to be known of a process to say what there is to do in its shards. */
export interface StageSpansParts {
  readonly places: StageOffsets;
  /** Up to which offset the log can be read without a hole. */
  readonly settledHead: () => number;
  /** Whether extraction asks a model. */
  readonly asksModel: boolean;
}

/** Which stretches of the log one stage has to do, and which stages are done of them together. */
export class StageSpans {
  private readonly stage: Stage;
  private readonly parts: StageSpansParts;

  constructor(stage: Stage, parts: StageSpansParts) {
    this.stage = stage;
    this.parts = parts;
  }

  /** What is open in shards; notes where nothing is. */
  open(shards: Iterable<LeasedShard>): Span[] {
    const { places, settledHead } = this.parts;
    return [...shards].flatMap((shard) => {
      const from = shard.watermarks[this.stage];
      const to = this.end(shard);
      if (from < to) return [{ number: shard.number, from, to }];
      places.idle(this.stage, shard, this.follows ? places.of('indexed', shard) : settledHead());
      return [];
    });
  }

  /**
   * Notes that after a batch nothing is left up to its last event, or (undefined) to the end of the spans when it was all. `unknown`: the
   * spans of which events were read.
   */
  done(
    { spans, unknown }: { spans: readonly Span[]; unknown: readonly Span[] },
    leases: ReadonlyMap<number, LeasedShard>,
    last: PendingEvent | undefined,
  ): void {
    for (const span of spans) {
      const shard = leases.get(span.number);
      // Spans known from memory come after those that were read: a batch that ends before them says nothing of them.
      const untouched = last && !('envelope' in last) && !unknown.includes(span);
      if (!shard || untouched) continue;
      const place = Math.min(span.to, last?.wal_offset ?? span.to);
      for (const stage of this.together([{ shard, to: place }]))
        this.parts.places.passed(stage, shard, place);
    }
  }

  /** The stages that are done together: indexing extracts too where no model is asked and both are as far, unless it repeats something. */
  together(steps: readonly Pick<ShardStep, 'shard' | 'to'>[]): readonly Stage[] {
    const both =
      this.stage === 'indexed' &&
      !this.parts.asksModel &&
      steps.every(
        ({ shard: { watermarks }, to }) => to !== null && watermarks.extracted === watermarks.indexed,
      );
    return both ? ['extracted', 'indexed'] : [this.stage];
  }

  private end({ watermarks: { extracted, indexed } }: LeasedShard): number {
    if (this.stage === 'consolidated') return Math.min(extracted, indexed);
    return this.follows ? indexed : this.parts.settledHead();
  }

  /** Extraction that asks no model follows indexing: by itself it does what that left. */
  private get follows(): boolean {
    return this.stage === 'extracted' && !this.parts.asksModel;
  }
}
