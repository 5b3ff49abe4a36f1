import type { Transaction, Writer } from '../../graph/driver.ts';
import { failureCode } from '../../graph/errors.ts';
import type { EventReader } from '../../graph/event.ts';
import type { HeldJob, JobLeases, JobStore } from '../../graph/job.ts';
import { RebuildStep, type ScopeState } from '../../graph/rebuild.ts';
import type { RebuildReader, RebuiltScope } from '../../graph/rebuild-read.ts';
import { scopeRef, shardOf } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import { errorText } from '../errors.ts';
import { REBUILD_BATCH } from '../limits.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Consolidator } from './consolidator.ts';
import { LongClaim } from './long-claim.ts';
import { sealBehind } from './episode-batch.ts';
import { Portions, type Portion } from './portions.ts';
import type { ReplaySize } from './replay-size.ts';
import { RebuildBatches, type RebuildBatch } from './rebuild-batch.ts';
import { Suspicion } from './suspicion.ts';

/** Rest of a job that cannot go on, because the database is away or another job is at its scope, milliseconds. */
const JOB_REST_MS = 1000;

/** Time for which a job can be looked at after its end, milliseconds. */
const JOB_KEPT_MS = 7 * 24 * 3600 * 1000;

/** Ended jobs that are removed at once, with the end of another. */
const JOBS_SWEPT = 100;

/** What a rebuilder needs. */
export interface RebuilderParts {
  readonly writer: Writer;
  readonly worker: string;
  readonly jobs: JobStore;
  readonly leases: JobLeases;
  readonly reader: RebuildReader;
  readonly events: EventReader;
  readonly consolidator: Consolidator;
  /** How many events that a job names go in one transaction. */
  readonly replaySize: Pick<ReplaySize, 'head'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Milliseconds that a lease of a job holds. */
  readonly leaseMs: number;
  /** Events in one transaction at most. */
  readonly batchEvents: number;
  /** Bytes of envelopes in one transaction at most; one larger event goes alone. */
  readonly batchBytes: number;
  /** Told of the newest frame of each transaction that wrote one. */
  readonly onFrames: (newestFrame: number) => void;
}

/** The scope that the job is at, and how far it was when that was last read or written. */
interface Place {
  readonly at: RebuiltScope;
  readonly state: ScopeState;
}

/** What became of a scope in one transaction; null for the state of one that is through. */
interface Derived {
  readonly newestFrame: number;
  readonly state: ScopeState | null;
}

/** What is derived in one transaction. */
interface DerivedPart {
  readonly now: ScopeState;
  readonly batch: RebuildBatch;
  readonly portion: Portion;
}

/** What one step came to: whether the job is still this worker's, and how far it is. */
type Outcome = 'goes on' | 'over' | 'rests' | 'lost';

/** Nothing done. */
const NONE = { events: 0, stating: 0, excluded: 0, held: 0 };
const NOTHING: RebuildBatch = { events: [], isLast: false };

/**
 * Works at jobs that derive again: takes one, goes through its scopes, drops what was derived of each and consolidates its events in
 * the order of the log, until it has come to where the stage is. A step is one transaction, which says how far the job is then; so whoever takes the
 * job over goes on there.
 */
export class Rebuilder {
  private readonly parts: RebuilderParts;
  private job: HeldJob | null = null;
  private place: Place | null = null;
  private readonly portions: Portions;
  private readonly batches: RebuildBatches;

  constructor(parts: RebuilderParts) {
    this.parts = parts;
    this.batches = new RebuildBatches(parts);
    this.portions = new Portions(parts.batchEvents, 'consolidated, in a rebuild,', new Suspicion());
  }

  /** Does one step of a job; `true` when there is more to do at once. */
  async round(): Promise<boolean> {
    this.job ??= await this.claim();
    const { job } = this;
    if (job === null) return false;
    try {
      const outcome = job.event_ids === null ? await this.step(job) : await this.repeat(job, job.event_ids);
      if (outcome === 'rests') await this.parts.leases.release(job.id, { error: null, restMs: JOB_REST_MS });
      if (outcome !== 'goes on') {
        this.portions.over(job.id);
        this.forget();
      }
      return true;
    } catch (error) {
      const { place } = this;
      // What was written is not known any more.
      this.place = null;
      if (error instanceof LongClaim && place !== null) await this.restart(job, place.at);
      else if (error instanceof LongClaim && job.event_ids !== null) await this.widen(job);
      else await this.failed(job, error);
      return true;
    }
  }

  /** Gives the job back, so that another process need not wait for the end of the lease. */
  async stop(): Promise<void> {
    const { job } = this;
    this.forget();
    if (job !== null) await this.parts.leases.release(job.id, { error: null, restMs: 0 });
  }

  private forget(): void {
    this.job = null;
    this.place = null;
  }

  private claim(): Promise<HeldJob | null> {
    return this.parts.leases.claim(this.parts.clock.now());
  }

  /** Goes on with less, or without what is to blame; where nothing is, the job rests, and goes on where it is, with the failure told. */
  private async failed(job: HeldJob, error: unknown): Promise<void> {
    const { log, leases, writer, worker, leaseMs } = this.parts;
    const probe = (): Promise<unknown> =>
      writer.transaction((transaction) => new RebuildStep(transaction, job, worker).at(leaseMs));
    if (await this.portions.failed(job.id, error, probe)) return;
    this.forget();
    log.warn('a rebuild rests', { job_id: job.id, error: errorText(error) });
    await leases.release(job.id, { error: failureCode(error), restMs: JOB_REST_MS });
  }

  /** Says that a part of a job was done. */
  private done({ id }: HeldJob, { givenUp }: Portion): void {
    if (givenUp !== null) this.parts.metrics.count('strata_stage_parked_total', 'consolidated');
    this.portions.done(id);
  }

  /** Begins anew with a scope of which something was taken out that had been derived again already, from a claim that is too long for that. */
  private async restart(job: HeldJob, at: RebuiltScope): Promise<void> {
    const { writer, worker, leaseMs } = this.parts;
    await writer.transaction(async (transaction) => {
      const step = new RebuildStep(transaction, job, worker);
      const now = await step.hold(at, leaseMs);
      if (now !== null) await step.restart(at, Math.max(now.head, now.cursor));
    });
  }

  /** Goes on as a job of the whole scope where a claim of the events that it names is too long to be replayed for them. */
  private async widen(job: HeldJob): Promise<void> {
    const { writer, worker, leases, log } = this.parts;
    log.warn('a job derives its whole scope again: a claim of its events is too long to be replayed', {
      job_id: job.id,
    });
    await writer.transaction((transaction) => new RebuildStep(transaction, job, worker).widen());
    this.forget();
    await leases.release(job.id, { error: null, restMs: 0 });
  }

  private async step(job: HeldJob): Promise<Outcome> {
    if (this.place !== null) return this.advance(job, this.place);
    const { writer, worker, leaseMs } = this.parts;
    const where = await writer.transaction(async (transaction) => {
      const step = new RebuildStep(transaction, job, worker);
      const found = await step.at(leaseMs);
      if (found === null) return null;
      return { ...found, state: found.at && (await step.hold(found.at, leaseMs)) };
    });
    if (where === null) return 'lost';
    const { at, through, state } = where;
    if (at !== null && state !== null) {
      this.place = { at, state };
      return 'goes on';
    }
    const next = await this.next(job, through);
    return next === null ? this.complete(job) : this.begin(job, next, through === null);
  }

  private async next(
    { of_tenant, scope }: HeldJob,
    through: Pick<RebuiltScope, 'tenant' | 'scope'> | null,
  ): Promise<RebuiltScope | null> {
    if (scope !== null && of_tenant !== null) {
      if (through !== null) return null;
      const ref = scopeRef(of_tenant, scope);
      return { tenant: of_tenant, scope, scope_ref: ref, shard: shardOf(ref) };
    }
    const after = through ?? { tenant: of_tenant ?? '', scope: '' };
    const found = await this.parts.reader.nextScope(of_tenant, after);
    return found && { ...found, shard: shardOf(found.scope_ref) };
  }

  private async begin(job: HeldJob, next: RebuiltScope, first: boolean): Promise<Outcome> {
    const { writer, worker, reader } = this.parts;
    const total = !first
      ? null
      : job.scope === null
        ? { scopes: await reader.scopes(job.of_tenant) }
        : { events: await reader.events(next.scope_ref) };
    const begun = await writer.transaction(async (transaction) => {
      const step = new RebuildStep(transaction, job, worker);
      if (!(await step.begin(next))) return false;
      if (total !== null) await step.total(total);
      return true;
    });
    // Another job is at the scope, its events are being redacted, or the lease is lost: whoever comes next finds out.
    return begun ? 'goes on' : 'rests';
  }

  private async complete(job: HeldJob): Promise<Outcome> {
    const { writer, worker, clock, jobs } = this.parts;
    await writer.transaction((transaction) =>
      new RebuildStep(transaction, job, worker).complete(clock.now()),
    );
    await jobs.sweep(clock.now() - JOB_KEPT_MS, JOBS_SWEPT);
    return 'over';
  }

  /** One transaction of the rebuild of a scope. */
  private async advance(job: HeldJob, { at, state }: Place): Promise<Outcome> {
    const { writer, worker, leaseMs } = this.parts;
    const portion = this.portions.of(job.id);
    const batch = state.phase === 'deriving' ? await this.batches.behind(at, state, portion) : NOTHING;
    const came = await writer.transaction(async (transaction) => {
      const step = new RebuildStep(transaction, job, worker);
      const now = await step.hold(at, leaseMs);
      if (now === null) return null;
      if (now.phase === 'dropping') return { newestFrame: 0, state: await this.drop(step, at, now, portion) };
      return this.derive(step, { at, state, now, batch, portion }, transaction);
    });
    if (came === null) return 'lost';
    this.done(job, portion);
    this.place = came.state && { at, state: came.state };
    if (came.newestFrame > 0) this.parts.onFrames(came.newestFrame);
    return 'goes on';
  }

  private async drop(
    step: RebuildStep,
    at: RebuiltScope,
    state: ScopeState,
    { size }: Portion,
  ): Promise<ScopeState> {
    const limit = Math.min(size, REBUILD_BATCH);
    let after = state;
    if (state.dropped < state.head) {
      const through = await step.dropStatements(at.scope_ref, state.dropped, limit);
      after = { ...state, dropped: through ?? state.head };
    } else if (await step.dropRecords(at.scope_ref, limit)) {
      after = { ...state, phase: 'deriving' };
    }
    await step.move(at, after, NONE);
    return after;
  }

  /** Consolidates a batch, and is through with the scope when no event lies behind it. */
  private async derive(
    step: RebuildStep,
    { at, state, now, batch, portion }: Place & DerivedPart,
    transaction: Transaction,
  ): Promise<Derived> {
    // What was read is the next batch, or the end, only if nobody went on.
    if (now.cursor !== state.cursor) return { newestFrame: 0, state: now };
    const { events, isLast } = await this.batches.withRest(step, batch, { at, state, now, portion });
    const last = events.at(-1);
    const after = last === undefined ? now : { ...now, cursor: last.wal_offset };
    if (last !== undefined && portion.givenUp !== null) {
      await this.giveUp(step, last.event_id, portion.givenUp);
      await step.move(at, after, { ...NONE, events: 1, held: 1 });
      return { newestFrame: 0, state: after };
    }
    let newestFrame = 0;
    if (last !== undefined) {
      const done = await this.parts.consolidator.consolidate(transaction, {
        events,
        shards: [at.shard],
        now: this.parts.clock.now(),
        mode: 'rebuilt',
        replayedThrough: now.head,
      });
      await step.move(at, after, { ...done, events: events.length });
      ({ newestFrame } = done);
    }
    if (!isLast) return { newestFrame, state: after };
    await sealBehind(transaction, at);
    await step.leave(at);
    return { newestFrame, state: null };
  }

  /** An event that is given up is left to whoever sends it again. */
  private async giveUp(
    step: RebuildStep,
    event_id: string,
    why: { reason: string; attempts: number },
  ): Promise<void> {
    const { clock, log } = this.parts;
    log.error('a rebuild gave an event up', { event_id });
    await step.park(event_id, { ...why, now: clock.now() });
  }

  /** One transaction of a job that names events: they are derived again where they are. */
  private async repeat(job: HeldJob, ids: readonly string[]): Promise<Outcome> {
    const { writer, worker, reader, consolidator, replaySize, clock } = this.parts;
    if (job.of_tenant === null || job.scope === null) throw new Error('events of no scope');
    const ref = scopeRef(job.of_tenant, job.scope);
    const shard = shardOf(ref);
    const done = await writer.transaction((transaction) =>
      new RebuildStep(transaction, job, worker).repeated(shard, this.parts.leaseMs),
    );
    if (done === null) return 'lost';
    const portion = this.portions.of(job.id);
    const { givenUp } = portion;
    const batch = ids.slice(done, done + portion.size);
    if (batch.length === 0) return this.complete(job);
    const found = givenUp === null ? await reader.named(ref, batch) : [];
    const inOrder = found.sort((a, b) => batch.indexOf(a.event_id) - batch.indexOf(b.event_id));
    const events = await this.batches.opened(await replaySize.head(inOrder));
    const counts = await writer.transaction(async (transaction) => {
      const step = new RebuildStep(transaction, job, worker);
      if ((await step.repeated(shard, this.parts.leaseMs)) !== done) return null;
      if (givenUp !== null) {
        for (const id of batch) await this.giveUp(step, id, givenUp);
        await step.repeatedMore({ ...NONE, events: batch.length, held: batch.length });
        return NONE;
      }
      const came = await consolidator.consolidate(transaction, {
        events,
        shards: [shard],
        now: clock.now(),
        mode: 'repeated',
        replayedThrough: Number.MAX_SAFE_INTEGER,
      });
      const through = events.length === 0 ? batch.length : batch.indexOf(events.at(-1)?.event_id ?? '') + 1;
      await step.repeatedMore({ ...came, events: through });
      return came;
    });
    if (counts === null) return 'lost';
    this.done(job, portion);
    return 'goes on';
  }
}
