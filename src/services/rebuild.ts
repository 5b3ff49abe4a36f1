import type { DeferralRelease } from '../../graph/deferral.ts';
import type { DerivationReader } from '../../graph/derivation.ts';
import type { JobStore, JobTarget, StoredJob } from '../../graph/job.ts';
import type { RebuildReader } from '../../graph/rebuild-read.ts';
import {
  buildRequest,
  MAX_BUILT_ITEMS,
  rederiveRequest,
  type BuiltBeliefs,
  type BuiltEpisodes,
  type RederiveAccepted,
  type RederiveJob,
} from '../../schemas/rebuild.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import { passesRosters } from '../access/principal.ts';
import { scopeRef, shardOf } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import { StrataError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import { MAX_COUNTED_LAG, WAIT_RETRY_POLL_MS } from '../limits.ts';
import { timeLimit } from '../time-limit.ts';
import { parseInput } from '../validation.ts';
import { Wakeup } from '../wakeup.ts';
import type { AccessService, Call } from './access.ts';
import type { BeliefOperations, EpisodeOperations } from './operations.ts';
import type { RecordGate } from './record-gate.ts';

/** What the service needs. */
export interface RebuildParts {
  readonly access: AccessService;
  readonly gate: RecordGate;
  readonly jobs: JobStore;
  readonly reader: RebuildReader;
  readonly derivation: DerivationReader;
  readonly beliefs: Pick<BeliefOperations, 'list'>;
  readonly episodes: Pick<EpisodeOperations, 'list'>;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Milliseconds that a build is waited for. */
  readonly waitBudgetMs: number;
  /** Told that there is a job. */
  readonly onAsked: () => void;
  readonly deferrals: DeferralRelease;
  /** Told that the waiting of a scope is over. */
  readonly onReleased: () => void;
}

/** What a job is to be about, with the key that no two such jobs share. */
type Wanted = JobTarget & { readonly active: string };

/** Asks for jobs that derive again, tells how far they are, and waits for them. */
export class RebuildService {
  private readonly parts: RebuildParts;

  constructor(parts: RebuildParts) {
    this.parts = parts;
  }

  /**
   * Asks for a job; the same caller is answered the one about the same that is not over. Throws `POLICY_DENIED`, `NOT_A_MEMBER`,
   * `NO_TARGETS`, `NO_ELIGIBLE_EVENTS`, `REDERIVE_IN_PROGRESS`.
   */
  async rederive(call: Call, body: unknown): Promise<RederiveAccepted> {
    const { scope, everything, event_ids, dry_run } = parseInput(rederiveRequest, body, 'INVALID_BODY');
    if (scope === undefined && everything === undefined)
      throw noTargets('name a scope, or say how much with everything');
    if (event_ids?.length === 0 || (everything !== undefined && (scope ?? event_ids) !== undefined))
      throw noTargets('event_ids are some events of a scope, and everything stands alone');
    const found =
      scope === undefined
        ? await this.everything(call, everything === 'store')
        : await this.ofScope(call, scope, event_ids ?? null);
    const { wanted, eligible } = found;
    if (dry_run) return { job_id: null, status: 'planned', eligible_events: eligible };
    const job = await this.ask(call, wanted);
    const { tenant, actor } = call.principal;
    if (job.tenant !== tenant || job.actor !== actor)
      throw new StrataError('REDERIVE_IN_PROGRESS', 'the same is being derived again for another caller');
    return { job_id: job.id, status: job.state, eligible_events: eligible };
  }

  /** How far a job of the caller is. Throws `JOB_NOT_FOUND`. */
  async job(call: Call, id: string): Promise<RederiveJob> {
    const { gate, jobs } = this.parts;
    const { tenant, actor } = call.principal;
    const question = { kind: 'job', ids: [id], tenant } as const;
    const [mine] = await gate.read(call, question, async ([admitted = '']) => {
      const found = await jobs.byId(admitted, { tenant, actor });
      return found === null ? [] : [found];
    });
    if (mine === undefined) throw new StrataError('JOB_NOT_FOUND', 'job not found');
    return toJob(mine);
  }

  /** Derives a scope again, with whatever waits in it, and waits for that. Throws `POLICY_DENIED`, `NOT_A_MEMBER`, `WAIT_TIMEOUT`. */
  async buildBeliefs(call: Call, body: unknown): Promise<BuiltBeliefs> {
    const { job, scope, ref, built } = await this.build(call, body);
    const { items } = await this.parts.beliefs.list(call, { scope, limit: MAX_BUILT_ITEMS });
    const nothing = job.events_done - job.stating - job.excluded - job.held;
    return {
      built: built.beliefs,
      items,
      facts_scanned: await this.parts.reader.facts(ref),
      groups_considered: built.beliefs,
      groups_rejected: 0,
      events_scanned: job.events_done,
      belief_events_found: job.stating,
      reasons: { ...reasonsOf(job), ...(nothing > 0 ? { states_nothing: nothing } : {}) },
      job_id: job.id,
    };
  }

  /** Derives a scope again, with whatever waits in it, and waits for that. Throws `POLICY_DENIED`, `NOT_A_MEMBER`, `WAIT_TIMEOUT`. */
  async buildEpisodes(call: Call, body: unknown): Promise<BuiltEpisodes> {
    const { job, scope, built } = await this.build(call, body);
    const { items } = await this.parts.episodes.list(call, { scope, limit: MAX_BUILT_ITEMS });
    return {
      built: built.episodes,
      items,
      events_scanned: job.events_done,
      reasons: reasonsOf(job),
      job_id: job.id,
    };
  }

  private async everything(call: Call, store: boolean): Promise<{ wanted: Wanted; eligible: null }> {
    await this.parts.access.authorize(call, 'admin', null);
    const { principal } = call;
    if (!passesRosters(principal))
      throw new StrataError('POLICY_DENIED', 'everything is derived again for the operator key alone', {
        details: { capability: 'admin', decided_by_tier: 'deployment' },
      });
    const of_tenant = store ? null : principal.tenant;
    const active = of_tenant === null ? 'store' : `tenant ${of_tenant}`;
    return { wanted: { of_tenant, scope: null, event_ids: null, active }, eligible: null };
  }

  private async ofScope(
    call: Call,
    scope: string,
    named: readonly string[] | null,
  ): Promise<{ wanted: Wanted; eligible: number }> {
    const { access, reader, ids } = this.parts;
    await access.authorize(call, 'admin', scope);
    await access.authorize(call, 'scope.manage', scope);
    const of_tenant = call.principal.tenant;
    const ref = scopeRef(of_tenant, scope);
    const event_ids =
      named && (await reader.eligible({ scope_ref: ref, shard: shardOf(ref) }, [...new Set(named)]));
    const eligible = event_ids === null ? await reader.events(ref) : event_ids.length;
    if (eligible === 0)
      throw new StrataError('NO_ELIGIBLE_EVENTS', 'there is no event in the scope that can be derived again');
    const active = event_ids === null ? `scope ${ref}` : ids.job();
    return { wanted: { of_tenant, scope, event_ids, active }, eligible };
  }

  private async ask({ principal }: Call, wanted: Wanted): Promise<StoredJob> {
    const { jobs, ids, clock, onAsked } = this.parts;
    const { tenant, actor } = principal;
    const job = await jobs.ask({ ...wanted, id: ids.job(), tenant, actor, requested_at: clock.now() });
    onAsked();
    return job;
  }

  private async build(call: Call, body: unknown) {
    const { scope } = parseInput(buildRequest, body, 'INVALID_BODY');
    const { access, derivation, deferrals, clock, onReleased } = this.parts;
    await access.authorizeWhole(call, 'scope.write', scope);
    await access.authorize(call, 'scope.read.local', scope);
    const of_tenant = call.principal.tenant;
    const ref = scopeRef(of_tenant, scope);
    const waited = await deferrals.all({ ref, shard: shardOf(ref) }, clock.now());
    const asked = await this.ask(call, { of_tenant, scope, event_ids: null, active: `scope ${ref}` });
    if (waited) onReleased();
    const job = await this.finished(asked, call.signal, waited ? ref : null);
    const built = await derivation.scopeProgress(ref, shardOf(ref), MAX_COUNTED_LAG);
    return { job, scope, ref, built };
  }

  /** Resolves with the job when it is over, and nothing of the scope waits that was asked for. Throws `WAIT_TIMEOUT`. */
  private async finished(asked: StoredJob, signal: AbortSignal, ref: string | null): Promise<StoredJob> {
    const { jobs, clock, waitBudgetMs, deferrals } = this.parts;
    const started = clock.now();
    const limit = timeLimit(waitBudgetMs, signal);
    try {
      for (;;) {
        const job = await jobs.byId(asked.id);
        if (job?.state === 'completed' && (ref === null || !(await deferrals.isOpen(ref)))) return job;
        if (limit.signal.aborted)
          throw new StrataError(
            'WAIT_TIMEOUT',
            'The build goes on as a job; send the request again to wait for it.',
            {
              details: { waited_ms: clock.now() - started, waiting_on: 'consolidated', job_id: asked.id },
            },
          );
        await new Wakeup().wait(WAIT_RETRY_POLL_MS);
      }
    } finally {
      limit.end();
    }
  }
}

function noTargets(message: string): StrataError {
  return new StrataError('NO_TARGETS', message);
}

function reasonsOf({ excluded, held }: StoredJob): Record<string, number> {
  return {
    ...(excluded > 0 ? { taken_out: excluded } : {}),
    ...(held > 0 ? { held } : {}),
  };
}

function toJob(job: StoredJob): RederiveJob {
  const instant = (at: number | null): string | null => (at === null ? null : toRfc3339(at));
  return {
    job_id: job.id,
    status: job.state,
    phase: job.phase,
    scope: job.scope,
    everything: job.scope !== null ? null : job.of_tenant === null ? 'store' : 'tenant',
    scopes_done: job.scopes_done,
    scopes_total: job.scopes_total,
    events_done: job.events_done,
    events_total: job.event_ids?.length ?? job.events_total,
    events_stating: job.stating,
    events_taken_out: job.excluded,
    events_held: job.held,
    requested_at: toRfc3339(job.requested_at),
    started_at: instant(job.started_at),
    finished_at: instant(job.finished_at),
    error: job.error,
  };
}
