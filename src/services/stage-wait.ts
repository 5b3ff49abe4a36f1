import type { DeferralRelease } from '../../graph/deferral.ts';
import type { DerivationReader, EventProgress } from '../../graph/derivation.ts';
import type { PassageReader } from '../../graph/passage/write.ts';
import type { Stage } from '../../graph/shard.ts';
import type { VectorsMissing } from '../../graph/embedding/work.ts';
import { scopeRef } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import { grouped } from '../derive/grouped.ts';
import { StrataError, type ErrorDetails } from '../errors.ts';
import type { Place, StageProgress } from '../pipeline/stage-progress.ts';
import { SharedRun } from './shared-run.ts';
import { WAIT_RETRY_POLL_MS } from '../limits.ts';
import { timeLimit } from '../time-limit.ts';
import type { VectorWait } from './vector-wait.ts';

/** A cancel waits so long for what was derived from its event to be taken out, milliseconds; it is cancelled in any case. */
const WAIT_TAKEN_OUT_MS = 5_000;

/** What a caller may wait for beyond the acknowledgement. */
export type WaitStage = Extract<Stage, 'indexed' | 'consolidated'>;

/** An event that is waited for. */
export interface WaitedEvent extends Place {
  readonly event_id: string;
}

/** Lets a capture wait until its events have passed a stage. */
export class StageWait {
  private readonly progress: StageProgress;
  private readonly derivation: DerivationReader;
  private readonly clock: Clock;
  private readonly refresh: SharedRun;
  private readonly onQueued: () => void;
  private readonly deferrals: DeferralRelease;
  private readonly onReleased: () => void;
  private readonly vectors: VectorWait | undefined;

  constructor(parts: {
    progress: StageProgress;
    derivation: DerivationReader;
    passages: PassageReader;
    clock: Clock;
    /** Told that a stage has something to repeat. */
    onQueued: () => void;
    deferrals: DeferralRelease;
    /** Told that the waiting of a scope is over. */
    onReleased: () => void;
    /** Left out when no vectors are made. */
    vectors?: VectorWait;
  }) {
    this.progress = parts.progress;
    this.derivation = parts.derivation;
    this.refresh = new SharedRun(() => parts.passages.refreshed());
    this.clock = parts.clock;
    this.onQueued = parts.onQueued;
    this.deferrals = parts.deferrals;
    this.onReleased = parts.onReleased;
    this.vectors = parts.vectors;
  }

  /**
   * Resolves when every event has passed the stage and, from `indexed` on, its words can be found. With `vectors` those are waited for
   * too, as long as what makes them works and the budget lasts; answers the events whose vectors are not there, and why.
   * Throws `WAIT_TIMEOUT` when the budget (milliseconds) runs out or the caller goes, `INDEXING_FAILED` when a stage gave an event up.
   */
  async until(
    stage: WaitStage,
    events: readonly WaitedEvent[],
    options: { budgetMs: number; signal: AbortSignal; where: ErrorDetails; vectors?: true },
  ): Promise<ReadonlyMap<string, VectorsMissing>> {
    const started = this.clock.now();
    const limit = timeLimit(options.budgetMs, options.signal);
    const { signal } = limit;
    try {
      const reached = await this.progress.until(stage, events, signal);
      if (!reached || !(await this.throughHolds(stage, events, signal))) {
        throw new StrataError(
          'WAIT_TIMEOUT',
          `The write is captured and durable, but not ${stage} yet; poll its status or resend with the same key.`,
          { details: { waited_ms: this.clock.now() - started, waiting_on: stage, ...options.where } },
        );
      }
      await this.refresh.run();
      if (options.vectors !== true || this.vectors === undefined) return new Map();
      const ids = events.map(({ event_id }) => event_id);
      return await this.vectors.until(ids, signal);
    } finally {
      limit.end();
    }
  }

  /**
   * Resolves when nothing of an event is queued to be repeated any more, or after {@link WAIT_TAKEN_OUT_MS}: what was derived from an
   * event that was taken out has gone by then, or goes soon.
   */
  async repeated(eventId: string, signal: AbortSignal): Promise<void> {
    this.onQueued();
    const limit = timeLimit(WAIT_TAKEN_OUT_MS, signal);
    try {
      for (;;) {
        const rows = await this.derivation.progress([eventId], null);
        const isQueued = rows.some(({ holds }) => holds.some(({ state }) => state === 'queued'));
        if (limit.signal.aborted || !isQueued) return;
        await new Promise((resolve) => setTimeout(resolve, WAIT_RETRY_POLL_MS));
      }
    } finally {
      limit.end();
    }
  }

  /**
   * A watermark passes events that are held, or whose scope is being rebuilt: those queued again and those that the rebuild has still to
   * come to are waited for (false when the signal fires first), those given up are reported. What waits for its scope to be consolidated
   * is asked for, with all before it.
   */
  private async throughHolds(
    stage: WaitStage,
    events: readonly WaitedEvent[],
    signal: AbortSignal,
  ): Promise<boolean> {
    const ids = events.map(({ event_id }) => event_id);
    const asked = new Set<string>();
    for (;;) {
      const rows = await this.derivation.progress(ids, null);
      const holds = rows.flatMap(({ event_id, holds: all }) =>
        all
          .filter((hold) => stage === 'consolidated' || hold.stage === 'indexed')
          .map((hold) => ({ ...hold, event_id })),
      );
      const [first] = holds;
      if (stage === 'consolidated') await this.release(rows, asked);
      const awaitsRebuild = stage === 'consolidated' && rows.some(({ consolidated }) => !consolidated);
      if (!first && !awaitsRebuild) return true;
      if (signal.aborted) return false;
      if (first && holds.some(({ state }) => state === 'failed')) {
        throw new StrataError(
          'INDEXING_FAILED',
          `The event is in the log, but ${first.reason}; resend with the same key to try again.`,
          {
            details: { event_id: first.event_id, stage: first.stage, reason: first.reason },
          },
        );
      }
      await new Promise((resolve) => setTimeout(resolve, WAIT_RETRY_POLL_MS));
    }
  }

  /** Asks for the scopes of events that wait for it, each up to its last one, once for each event. */
  private async release(rows: readonly EventProgress[], asked: Set<string>): Promise<void> {
    const waiting = rows.filter(
      ({ event_id, holds }) => !asked.has(event_id) && holds.some(({ state }) => state === 'deferred'),
    );
    for (const [ref, events] of grouped(waiting, ({ tenant, scope }) => scopeRef(tenant, scope)))
      await this.deferrals.through(
        ref,
        Math.max(...events.map(({ wal_offset }) => wal_offset)),
        this.clock.now(),
      );
    for (const { event_id } of waiting) asked.add(event_id);
    if (waiting.length > 0) this.onReleased();
  }
}
