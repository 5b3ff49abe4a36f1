import type { DeferralStore } from '../../graph/deferral.ts';
import { failureCode } from '../../graph/errors.ts';
import type { EventReader } from '../../graph/event.ts';
import type { LeasedShard, Stage } from '../../graph/shard.ts';
import type { ShardStep } from '../../graph/shard-step.ts';
import type { PendingEvent } from '../../graph/pending-event.ts';
import type { AppliedBatch, StageStore } from '../../graph/stage.ts';
import type { Clock } from '../clock.ts';
import { STAGE_FIRST_PAUSE_MS } from '../limits.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { AppliedConsolidation, Consolidator } from './consolidator.ts';
import type { Backpressure } from './backpressure.ts';
import type { ClaimRebuilds } from './claim-rebuilds.ts';
import type { Extraction } from './extraction.ts';
import { partition } from './partition.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import { LongClaim } from './long-claim.ts';
import type { RecentEvents, Span } from './recent-events.ts';
import type { ReplaySize } from './replay-size.ts';
import { StageInputs } from './stage-inputs.ts';
import type { StageOffsets } from './stage-offsets.ts';
import { StageSpans } from './stage-spans.ts';
import type { WriteQueue, WriteScheduler } from './write-scheduler.ts';
import { reasonOf, Suspicion } from './suspicion.ts';

/** Scopes whose waiting events are looked up together; they are consolidated one after the other. */
const DEFERRALS_OPEN = 4;

/** Transactions in which a batch is consolidated beside one another, each with shards of its own: one waits for the database while the other thinks. */
const STAGE_PARTITIONS = 2;

/** What a runner of one stage needs. */
export interface StageRunnerParts {
  readonly store: StageStore;
  readonly consolidator: Consolidator;
  /** How many of the events that are repeated go in one transaction. */
  readonly replaySize: Pick<ReplaySize, 'together'>;
  /** Has scopes rebuilt that the stage cannot derive as they are. */
  readonly rebuilds: Pick<ClaimRebuilds, 'leave'>;
  readonly events: EventReader;
  readonly leases: LeaseKeeper;
  readonly recent: RecentEvents;
  readonly turns: WriteScheduler;
  readonly pace: Pick<Backpressure, 'mostEvents'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly places: StageOffsets;
  /** What the stage that extracts asks a model; without it, events pass. */
  readonly extraction?: Extraction;
  /** Events in one transaction at most. */
  readonly batchEvents: number;
  /** Bytes of envelopes in one transaction at most; one larger event goes alone. */
  readonly batchBytes: number;
  /** Tries for an event that fails by itself before it is given up. */
  readonly tries: number;
  /** Failures as if the database were away, while it is well otherwise, from which on the events are at fault. */
  readonly awayTries: number;
  /** Waits so many milliseconds, or until the process stops. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Up to which offset the log can be read without a hole. */
  readonly settledHead: () => number;
  /** Called after each transaction with what it moved. */
  readonly onProgress: (progress: StageAdvance) => void;
}

/** What one transaction of a stage moved. */
export interface StageAdvance {
  readonly stage: Stage;
  /** How far each shard is now, by number. */
  readonly moved: ReadonlyMap<number, number>;
  /** Number of the newest lifecycle frame when the batch was committed; 0 when it wrote none. */
  readonly newestFrame: number;
}

/** Does one stage of the shards that this worker holds, batch by batch. */
export class StageRunner {
  private readonly stage: Stage;
  private readonly parts: StageRunnerParts;
  private readonly inputs: StageInputs;
  private readonly suspicion: Suspicion;
  private readonly spans: StageSpans;
  /** With which of the shards the next look for events that are repeated, or whose waiting is over, begins. */
  private turn = 0;

  constructor(stage: Stage, parts: StageRunnerParts) {
    this.stage = stage;
    this.parts = parts;
    this.inputs = new StageInputs(stage, parts.events, parts.batchBytes, this.extraction);
    this.suspicion = new Suspicion(parts);
    const { places, settledHead, extraction } = parts;
    this.spans = new StageSpans(stage, { places, settledHead, asksModel: extraction !== undefined });
  }

  /** Does at most one batch of the given shards; answers whether more may be waiting. */
  async batch(numbers: readonly number[]): Promise<boolean> {
    const leases = this.leasesOf(numbers);
    const spans = this.spans.open(leases.values());
    if (spans.length === 0) return false;
    const most = this.parts.pace.mostEvents(this.parts.batchEvents);
    const { found, unknown } = await this.pending(spans, most);
    const events = this.inputs.head(found);
    await this.processInPartitions({ events, leases });
    const more = found.length === most || events.length < found.length;
    this.spans.done({ spans, unknown }, leases, more ? events.at(-1) : undefined);
    return more;
  }

  /** The events to be done next: those of `unknown` spans were read, the others this process captured itself. */
  private async pending(
    spans: readonly Span[],
    most: number,
  ): Promise<{ found: readonly PendingEvent[]; unknown: readonly Span[] }> {
    const { recent, store } = this.parts;
    const { found: known, unknown } = recent.take(spans, most);
    const read = unknown.length === 0 ? [] : await store.pending(unknown, most);
    return { found: [...read, ...known.slice(0, most - read.length)], unknown };
  }

  /** Repeats the stage for held events that somebody asked to try again, a batch at most; answers whether more may be waiting. */
  async repeat(): Promise<boolean> {
    const leases = this.leasesOf(this.parts.leases.shards.map(({ number }) => number));
    if (leases.size === 0) return false;
    const { store, replaySize, pace, batchEvents } = this.parts;
    const most = pace.mostEvents(batchEvents);
    const events = await store.queued(this.inTurn(leases), this.stage, most);
    // Asked about together, then done one by one.
    if (this.extraction && (await this.extraction.prepare(events)) === null) return false;
    const isTakenOut = this.stage === 'consolidated';
    const part = isTakenOut ? await replaySize.together(this.inputs.head(events)) : events;
    // What is taken out goes together; a stage that failed before is tried event by event.
    if (isTakenOut) await this.process({ events: part, leases });
    else for (const event of part) await this.process({ events: [event], leases });
    this.extraction?.settled(part);
    return events.length === most || part.length < events.length;
  }

  /** Consolidates events whose waiting is over, in the order of the log, a batch of each of some scopes in turn; `false` when there are none. */
  async release(deferrals: DeferralStore, now: number): Promise<boolean> {
    const leases = this.leasesOf(this.parts.leases.shards.map(({ number }) => number));
    if (leases.size === 0) return false;
    const { pace, batchEvents } = this.parts;
    const open = await deferrals.next(this.inTurn(leases), pace.mostEvents(batchEvents), DEFERRALS_OPEN);
    const done = open.filter(({ events }) => events.length === 0).map(({ scope_ref }) => scope_ref);
    if (done.length > 0) await deferrals.close(done, now);
    for (const { events } of open)
      if (events.length > 0) await this.process({ events: this.inputs.head(events), leases });
    return open.length > 0;
  }

  /** Numbers of the shards, another one first each time, so that the work of one does not come before that of all others. */
  private inTurn(leases: ReadonlyMap<number, LeasedShard>): number[] {
    const numbers = [...leases.keys()];
    this.turn += 1;
    const from = this.turn % numbers.length;
    return [...numbers.slice(from), ...numbers.slice(0, from)];
  }

  /** The leases as they are now. What is read under them is applied under them, or not at all. */
  private leasesOf(numbers: readonly number[]): Map<number, LeasedShard> {
    return new Map(
      numbers.flatMap((number) => {
        const shard = this.parts.leases.get(number);
        return shard ? [[number, shard] as const] : [];
      }),
    );
  }

  /**
   * Applies a batch; where it is consolidated and lies in several shards, in transactions beside one another first, in one turn: the
   * database works for the one while the other is thought out. Two that need a shard of each other block each other, and one is refused:
   * what is refused goes once more, by itself; so does what fails in another way, as any batch that stands alone.
   */
  private async processInPartitions({ events, leases }: Batch): Promise<void> {
    const lanes = this.stage === 'consolidated' ? partition(events, STAGE_PARTITIONS) : [events];
    const refused =
      lanes.length < 2 ? lanes : await this.parts.turns.take(() => this.together(lanes, leases));
    for (const lane of refused) await this.process({ events: lane, leases });
  }

  /** Applies each lane once, beside one another; answers those that are to go by themselves. */
  private async together(lanes: readonly Events[], leases: Leases): Promise<readonly Events[]> {
    const outcomes = await Promise.allSettled(lanes.map((events) => this.once(events, leases, 'beside')));
    return lanes.filter((_, lane) => {
      const outcome = outcomes[lane];
      if (outcome?.status !== 'rejected') return false;
      this.parts.metrics.count('strata_retries_total', 'stage');
      this.parts.log.debug('a lane goes once more', {
        stage: this.stage,
        error: failureCode(outcome.reason),
      });
      return true;
    });
  }

  /** Applies events in one transaction, in a turn of its own; or beside others in one that they share. Errors are the driver's own. */
  private async once(events: Events, leases: Leases, when: 'in turn' | 'beside'): Promise<void> {
    const steps = this.steps({ events, leases });
    const work = await this.prepare(events, steps, when === 'beside');
    if (work === null) return;
    const timed = (): Promise<AppliedConsolidation> => this.timed(work);
    const applied = await (when === 'in turn' ? this.parts.turns.take(timed, this.rowOf(steps)) : timed());
    const done = events.filter(({ shard }) => applied.owned.has(shard)).length;
    const stages = this.spans.together(steps);
    for (const stage of stages) this.parts.metrics.count('strata_stage_events_total', stage, done);
    this.settle(leases, steps, applied, stages);
    this.extraction?.settled(events);
    for (const place of applied.emptied ?? []) await this.parts.rebuilds.leave(place, leases);
  }

  /**
   * Applies a batch; when the database refuses it for what is in it, in halves, until the offender stands alone. While the
   * database is away as a whole, nobody is blamed: the failure is thrown on, to be tried again later.
   */
  private process({ events, leases }: Batch): Promise<void> {
    const { metrics, pause } = this.parts;
    return this.suspicion.through(events, {
      keyOf: ({ event_id }) => event_id,
      work: (part) => this.all(part, leases),
      probe: () => this.probe(leases),
      giveUp: (event, why) => this.giveUp({ event, leases }, why),
      onRetry: async (attempts) => {
        metrics.count('strata_retries_total', 'stage');
        if (attempts > 0) await pause(STAGE_FIRST_PAUSE_MS * 2 ** (attempts - 1));
      },
    });
  }

  /** Applies events of shards that are still held, in one transaction; once more where a scope of them is left to a rebuild. */
  private async all(events: Events, leases: Leases): Promise<void> {
    const held = events.filter(({ shard }) => leases.has(shard));
    if (held.length === 0) return;
    try {
      await this.once(held, leases, 'in turn');
    } catch (error) {
      if (!(error instanceof LongClaim) || !(await this.parts.rebuilds.leave(error.place, leases)))
        throw error;
      await this.all(held, leases);
    }
  }

  /** An empty transaction of the stage, and a write that changes something; fails where these do. */
  private async probe(leases: ReadonlyMap<number, LeasedShard>): Promise<void> {
    const [shard] = leases.values();
    if (!shard) throw new Error('no shard is held');
    await this.parts.store.probe(this.stage, shard);
    await this.parts.leases.prove(shard);
  }

  /** Reads what a batch needs; what it answers writes it, `beside` others or alone. */
  private async prepare(
    events: readonly PendingEvent[],
    steps: readonly ShardStep[],
    beside: boolean,
  ): Promise<PreparedBatch | null> {
    const { stage, inputs } = this;
    const { store, consolidator, turns } = this.parts;
    if (stage === 'consolidated') {
      const opened = await inputs.opened(events);
      return (now) =>
        turns.compute((committing) => consolidator.apply(steps, opened, now, beside, committing));
    }
    const intake = this.spans.together(steps).length > 1 ? 'both' : stage;
    const work = await inputs.effects(intake, events);
    if (work === null) return null;
    const { effects, within } = work;
    return (now) => store.apply(intake, steps, effects, now, within);
  }

  /** What is repeated before events are derived waits for what is derived: it asks how far that is. */
  private rowOf(steps: readonly ShardStep[]): WriteQueue {
    const isRepeat = steps.some(({ to }) => to === null);
    return this.stage === 'consolidated' || isRepeat ? 'derivation' : 'intake';
  }

  private async timed(work: PreparedBatch): Promise<AppliedConsolidation> {
    const began = performance.now();
    const applied = await work(this.parts.clock.now());
    const seconds = (performance.now() - began) / 1000;
    this.parts.metrics.observe('strata_stage_batch_seconds', seconds, this.stage);
    return applied;
  }

  private get extraction(): Extraction | undefined {
    return this.stage === 'extracted' ? this.parts.extraction : undefined;
  }

  /** How far the batch moves each shard; a repeated event moves nothing. */
  private steps({ events, leases }: Batch): ShardStep[] {
    const last = new Map<number, number | null>();
    for (const { shard, retry_id, wal_offset } of events)
      last.set(shard, retry_id === null ? wal_offset : null);
    return [...last].flatMap(([number, to]) => {
      const shard = leases.get(number);
      return shard ? [{ shard, from: to === null ? null : shard.watermarks[this.stage], to }] : [];
    });
  }

  private async giveUp(
    { event, leases }: { event: PendingEvent; leases: Leases },
    { attempts, error }: { attempts: number; error: unknown },
  ): Promise<void> {
    const steps = this.steps({ events: [event], leases });
    const [step] = steps;
    if (!step) return;
    const reason = reasonOf(this.stage, attempts, error);
    this.parts.log.error('a stage gave an event up', {
      stage: this.stage,
      event_id: event.event_id,
      error: failureCode(error),
    });
    const kept = await this.parts.store.park(this.stage, step, event, {
      reason,
      attempts,
      now: this.parts.clock.now(),
    });
    this.extraction?.settled([event]);
    if (kept) this.parts.metrics.count('strata_stage_parked_total', this.stage);
    const owned = new Set(kept ? [step.shard.number] : []);
    this.settle(leases, steps, { owned, newestFrame: 0 }, [this.stage]);
  }

  private settle(
    leases: Map<number, LeasedShard>,
    steps: readonly ShardStep[],
    { owned, newestFrame }: AppliedBatch,
    stages: readonly Stage[],
  ): void {
    const moved = new Map<number, number>();
    for (const { shard, to } of steps) {
      if (!owned.has(shard.number)) {
        leases.delete(shard.number);
        this.parts.leases.lost(shard.number, shard.epoch);
      } else if (to !== null) {
        const reached = Object.fromEntries(stages.map((stage) => [stage, to]));
        leases.set(shard.number, { ...shard, watermarks: { ...shard.watermarks, ...reached } });
        for (const stage of stages) this.parts.leases.advanced(shard.number, shard.epoch, stage, to);
        moved.set(shard.number, to);
      }
    }
    for (const stage of stages) this.parts.onProgress({ stage, moved, newestFrame });
  }
}

type Events = readonly PendingEvent[];
type Leases = Map<number, LeasedShard>;

/** Writes a batch of which everything was read, in a transaction of its own, at an instant in epoch milliseconds. */
type PreparedBatch = (now: number) => Promise<AppliedConsolidation>;

/** Events, and the leases that they were read under. */
interface Batch {
  readonly events: Events;
  readonly leases: Leases;
}
