import type { DeferralStore } from '../../graph/deferral.ts';
import { failureCode, failureOf, isAway } from '../../graph/errors.ts';
import type { EventReader } from '../../graph/event.ts';
import type { LeasedShard, Stage } from '../../graph/shard.ts';
import type { AppliedBatch, EffectStage, PendingEvent, ShardStep, StageStore } from '../../graph/stage.ts';
import type { Clock } from '../clock.ts';
import { DEFERRALS_OPEN, STAGE_LANES } from '../limits.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Consolidator } from './consolidator.ts';
import type { ExtractedBatch, Extraction } from './extraction.ts';
import { lanesOf } from './lanes.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { RecentEvent, RecentEvents, Span } from './recent-events.ts';
import { READS_ENVELOPE, STAGE_WORK } from './stage-effects.ts';
import type { StagePlaces } from './stage-places.ts';
import type { Turns } from './turns.ts';
import { Suspicion } from './suspicion.ts';

/** What a runner of one stage needs. */
export interface StageRunnerParts {
  readonly store: StageStore;
  readonly consolidator: Consolidator;
  readonly events: EventReader;
  readonly leases: LeaseKeeper;
  readonly recent: RecentEvents;
  readonly turns: Turns;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly places: StagePlaces;
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
  private readonly suspicion: Suspicion;
  /** With which of the shards the next look for events whose waiting is over begins. */
  private turn = 0;

  constructor(stage: Stage, parts: StageRunnerParts) {
    this.stage = stage;
    this.parts = parts;
    this.suspicion = new Suspicion(parts.awayTries);
  }

  /** Does at most one batch of the given shards; answers whether more may be waiting. */
  async batch(numbers: readonly number[]): Promise<boolean> {
    const leases = this.leasesOf(numbers);
    const spans = [...leases.values()].flatMap((shard) => this.span(shard));
    this.noteIdle(leases, spans);
    if (spans.length === 0) return false;
    const most = this.parts.turns.mostEvents(this.parts.batchEvents);
    const { found, unknown } = await this.pending(spans, most);
    const events = this.withinBytes(found);
    await this.processInLanes({ events, leases });
    const more = found.length === most || events.length < found.length;
    this.notePlaces({ spans, unknown }, leases, more ? events.at(-1) : undefined);
    return more;
  }

  /** After a batch nothing is left up to its last event, or to the end of the spans when it was all. */
  private notePlaces(
    { spans, unknown }: { spans: readonly Span[]; unknown: readonly Span[] },
    leases: ReadonlyMap<number, LeasedShard>,
    last: PendingEvent | undefined,
  ): void {
    for (const span of spans) {
      const shard = leases.get(span.number);
      // Spans known from memory come after those that were read: a batch that ends before them says nothing of them.
      const untouched = last && !('envelope' in last) && !unknown.includes(span);
      if (shard && !untouched)
        this.parts.places.passed(this.stage, shard, Math.min(span.to, last?.wal_offset ?? span.to));
    }
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

  private noteIdle(leases: ReadonlyMap<number, LeasedShard>, spans: readonly { number: number }[]): void {
    const busy = new Set(spans.map(({ number }) => number));
    for (const shard of leases.values()) {
      if (!busy.has(shard.number)) this.parts.places.idle(this.stage, shard, this.parts.settledHead());
    }
  }

  /** Repeats the stage for held events that somebody asked to try again. */
  async repeat(): Promise<void> {
    const leases = this.leasesOf(this.parts.leases.shards.map(({ number }) => number));
    if (leases.size === 0) return;
    const { store, turns, batchEvents } = this.parts;
    const events = await store.queued([...leases.keys()], this.stage, turns.mostEvents(batchEvents));
    // Asked about together, then done one by one.
    if (this.extraction && (await this.extraction.prepare(events)) === null) return;
    // What is taken out goes together; a stage that failed before is tried event by event.
    if (this.stage === 'consolidated') await this.process({ events: this.withinBytes(events), leases });
    else for (const event of events) await this.process({ events: [event], leases });
    this.extraction?.settled(events);
  }

  /** Consolidates events whose waiting is over, in the order of the log, a batch of each of some scopes in turn; `false` when there are none. */
  async release(deferrals: DeferralStore, now: number): Promise<boolean> {
    const leases = this.leasesOf(this.parts.leases.shards.map(({ number }) => number));
    if (leases.size === 0) return false;
    const numbers = [...leases.keys()];
    this.turn += 1;
    const from = this.turn % numbers.length;
    const inTurn = [...numbers.slice(from), ...numbers.slice(0, from)];
    const { turns, batchEvents } = this.parts;
    const open = await deferrals.next(inTurn, turns.mostEvents(batchEvents), DEFERRALS_OPEN);
    const done = open.filter(({ events }) => events.length === 0).map(({ scope_ref }) => scope_ref);
    if (done.length > 0) await deferrals.close(done, now);
    for (const { events } of open)
      if (events.length > 0) await this.process({ events: this.withinBytes(events), leases });
    return open.length > 0;
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

  private span(shard: LeasedShard): Span[] {
    const { extracted, indexed } = shard.watermarks;
    const to = this.stage === 'consolidated' ? Math.min(extracted, indexed) : this.parts.settledHead();
    const from = shard.watermarks[this.stage];
    return from < to ? [{ number: shard.number, from, to }] : [];
  }

  /**
   * Applies a batch; where it is consolidated and lies in several shards, in transactions beside one another first, in one turn: the
   * database works for the one while the other is thought out. Two that need a shard of each other block each other, and one is refused:
   * what is refused goes once more, by itself; so does what fails in another way, as any batch that stands alone.
   */
  private async processInLanes({ events, leases }: Batch): Promise<void> {
    const lanes = this.stage === 'consolidated' ? lanesOf(events, STAGE_LANES) : [events];
    const refused =
      lanes.length < 2 ? lanes : await this.parts.turns.take(() => this.together(lanes, leases));
    for (const lane of refused) await this.process({ events: lane, leases });
  }

  /** Applies each lane once, beside one another; answers those that are to go by themselves. */
  private async together(lanes: readonly Events[], leases: Leases): Promise<readonly Events[]> {
    const outcomes = await Promise.allSettled(lanes.map((events) => this.once(events, leases, null)));
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

  /** Applies events in one transaction, in a turn of its own; null: in a turn that others share. Errors are the driver's own. */
  private async once(events: Events, leases: Leases, turns: Turns | null): Promise<void> {
    const steps = this.steps({ events, leases });
    const work = await this.prepare(events, steps, turns === null);
    if (work === null) return;
    const apply = (): Promise<AppliedBatch> => this.apply(events, work);
    this.settle(leases, steps, await (turns === null ? apply() : turns.take(apply)));
    this.extraction?.settled(events);
    this.suspicion.cleared(events);
  }

  /**
   * Applies a batch; when the database refuses it for what is in it, in halves, until the offender stands alone. While the
   * database is away as a whole, nobody is blamed: the failure is thrown on, to be tried again later.
   */
  private async process({ events, leases, blamed = false }: Batch, attempt = 1): Promise<void> {
    const held = events.filter(({ shard }) => leases.has(shard));
    if (held.length === 0) return;
    try {
      await this.once(held, leases, this.parts.turns);
    } catch (error) {
      const away = isAway(failureOf(error));
      if (away && !(await this.areAtFault({ events: held, leases, blamed }))) throw error;
      if (held.length > 1) {
        const middle = Math.ceil(held.length / 2);
        await this.process({ events: held.slice(0, middle), leases, blamed: away });
        await this.process({ events: held.slice(middle), leases, blamed: away });
      } else if (!away && attempt < this.parts.tries) {
        this.parts.metrics.count('strata_retries_total', 'stage');
        await this.process({ events: held, leases }, attempt + 1);
      } else {
        const attempts = away ? this.parts.awayTries : this.parts.tries;
        await this.giveUp({ events: held, leases }, { attempts, error });
      }
    }
  }

  /**
   * Whether events that fail as if the database were away are the cause themselves: the stage can write otherwise, and
   * they failed often enough, or are part of a batch that did. An event that stands alone has to fail as often by itself.
   */
  private async areAtFault({ events, leases, blamed = false }: Batch): Promise<boolean> {
    if (!(await this.canWrite(leases))) return false;
    this.parts.metrics.count('strata_retries_total', 'stage');
    return (blamed && events.length > 1) || this.suspicion.failed(events);
  }

  /** Whether an empty transaction of the stage succeeds, and a write that changes something. */
  private async canWrite(leases: ReadonlyMap<number, LeasedShard>): Promise<boolean> {
    const [shard] = leases.values();
    if (!shard) return false;
    try {
      await this.parts.store.probe(this.stage, shard);
      await this.parts.leases.prove(shard);
      return true;
    } catch (error) {
      this.parts.log.debug('a stage cannot write', { stage: this.stage, error: failureCode(error) });
      return false;
    }
  }

  /** Reads what a batch needs; what it answers writes it, `beside` others or alone. */
  private async prepare(
    events: readonly PendingEvent[],
    steps: readonly ShardStep[],
    beside: boolean,
  ): Promise<((now: number) => Promise<AppliedBatch>) | null> {
    const { stage, parts } = this;
    const { store, consolidator } = parts;
    if (stage === 'consolidated') {
      const envelopes = await this.envelopes(events);
      const all = events.map((event) => ({ ...event, envelope: envelopes.get(event.event_id) ?? '{}' }));
      return (now) => consolidator.apply(steps, all, now, beside);
    }
    const work = await this.work(stage, events);
    return work && ((now) => store.apply(stage, steps, work.effects, now, work.within));
  }

  private async apply(
    events: readonly PendingEvent[],
    work: (now: number) => Promise<AppliedBatch>,
  ): Promise<AppliedBatch> {
    const began = performance.now();
    const applied = await work(this.parts.clock.now());
    const done = events.filter(({ shard }) => applied.owned.has(shard)).length;
    this.measure(done, performance.now() - began);
    return applied;
  }

  private measure(events: number, ms: number): void {
    this.parts.metrics.count('strata_stage_events_total', this.stage, events);
    this.parts.metrics.observe('strata_stage_batch_seconds', ms / 1000, this.stage);
  }

  /** The longest head of a batch whose envelopes fit into one transaction; a stage that reads none takes all. */
  private withinBytes(events: readonly PendingEvent[]): readonly PendingEvent[] {
    if (this.extraction) return this.extraction.head(events);
    let bytes = 0;
    const end = events.findIndex((event, i) => {
      if (READS_ENVELOPE.has(this.stage)) bytes += event.bytes;
      return bytes > this.parts.batchBytes && i > 0;
    });
    return end < 0 ? events : events.slice(0, end);
  }

  private get extraction(): Extraction | undefined {
    return this.stage === 'extracted' ? this.parts.extraction : undefined;
  }

  /** What is to be done; events that the stage only passes over are left out. Null when the process stops before that is known. */
  private async work(stage: EffectStage, events: readonly PendingEvent[]): Promise<ExtractedBatch | null> {
    const due = events.filter(({ excluded, hold_id }) => !excluded || hold_id !== null);
    const batch = this.extraction ? await this.extraction.batch(due) : await this.plain(stage, due);
    if (batch === null) return null;
    const effects = batch.effects.filter(
      ({ event, frame, passage }) => frame !== null || passage !== null || event.hold_id !== null,
    );
    return { ...batch, effects };
  }

  private async plain(stage: EffectStage, events: readonly PendingEvent[]): Promise<ExtractedBatch> {
    const envelopes = READS_ENVELOPE.has(stage) ? await this.envelopes(events) : new Map<string, string>();
    return {
      effects: events.map((event) => STAGE_WORK[stage](event, envelopes.get(event.event_id) ?? '{}')),
    };
  }

  private async envelopes(events: readonly PendingEvent[]): Promise<ReadonlyMap<string, string>> {
    const known = new Map(
      events.flatMap((event) =>
        'envelope' in event ? [[event.event_id, (event as RecentEvent).envelope]] : [],
      ),
    );
    const missing = events.filter(({ event_id }) => !known.has(event_id)).map(({ event_id }) => event_id);
    if (missing.length === 0) return known;
    return new Map([...known, ...(await this.parts.events.envelopes(missing))]);
  }

  /** How far the batch moves each shard; a repeated event moves nothing. */
  private steps({ events, leases }: Batch): ShardStep[] {
    const last = new Map<number, number | null>();
    for (const { shard, hold_id, wal_offset } of events)
      last.set(shard, hold_id === null ? wal_offset : null);
    return [...last].flatMap(([number, to]) => {
      const shard = leases.get(number);
      return shard ? [{ shard, from: to === null ? null : shard.watermarks[this.stage], to }] : [];
    });
  }

  private async giveUp(
    { events, leases }: Batch,
    { attempts, error }: { attempts: number; error: unknown },
  ): Promise<void> {
    const [event] = events;
    const steps = this.steps({ events, leases });
    const [step] = steps;
    if (!event || !step) return;
    const reason = `${this.stage} failed ${attempts} times: ${failureCode(error)}`;
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
    this.suspicion.cleared(events);
    this.extraction?.settled(events);
    if (kept) this.parts.metrics.count('strata_stage_parked_total', this.stage);
    const owned = new Set(kept ? [step.shard.number] : []);
    this.settle(leases, steps, { owned, newestFrame: 0 });
  }

  private settle(
    leases: Map<number, LeasedShard>,
    steps: readonly ShardStep[],
    { owned, newestFrame }: AppliedBatch,
  ): void {
    const moved = new Map<number, number>();
    for (const { shard, to } of steps) {
      if (!owned.has(shard.number)) {
        leases.delete(shard.number);
        this.parts.leases.lost(shard.number, shard.epoch);
      } else if (to !== null) {
        leases.set(shard.number, { ...shard, watermarks: { ...shard.watermarks, [this.stage]: to } });
        this.parts.leases.advanced(shard.number, shard.epoch, this.stage, to);
        moved.set(shard.number, to);
      }
    }
    this.parts.onProgress({ stage: this.stage, moved, newestFrame });
  }
}

type Events = readonly PendingEvent[];
type Leases = Map<number, LeasedShard>;

/** Events, and the leases that they were read under. */
interface Batch {
  readonly events: Events;
  readonly leases: Leases;
  /** Half of a batch that failed too often while the database was well. */
  readonly blamed?: boolean;
}
