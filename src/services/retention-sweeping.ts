import type { RetentionScopes } from '../../graph/retention/scope.ts';
import type { RetentionSweeps, SweepLast } from '../../graph/retention/sweep.ts';
import {
  retentionSweepRequest,
  type RetentionStatus,
  type RetentionSweepReport,
  type RetentionSweepRequest,
  type RetentionSweepRunning,
} from '../../schemas/retention.ts';
import type { Capability } from '../../schemas/policy.ts';
import { belongsToOther } from '../access/personal.ts';
import { passesRosters } from '../access/principal.ts';
import { StrataError } from '../errors.ts';
import {
  RETENTION_ANSWER_MS,
  RETENTION_POLICIES_LISTED,
  RETENTION_SCOPE_PAGE,
  RETENTION_SCOPES_LISTED,
} from '../limits/retention.ts';
import { parseInput } from '../validation.ts';
import { Wakeup } from '../wakeup.ts';
import type { AccessService, Call } from './access.ts';
import type { RetentionJobParts } from './retention-job.ts';
import type { RetentionSweeper } from './retention-sweeper.ts';
import type { SweepTask } from './retention-tick.ts';
import { eventRuleOf } from './retention-view.ts';
import { policiesOf } from './scope-view.ts';

const STATUS_PATH = '/v1/admin/retention';

/** What sweeping at somebody's wish needs. */
export interface RetentionSweepingParts {
  readonly access: AccessService;
  readonly sweeper: RetentionSweeper;
  readonly sweeps: RetentionSweeps;
  readonly scopes: RetentionScopes;
  /** Newest offset of the log that every committed capture lies at or below. */
  readonly head: { refresh(): Promise<unknown>; readonly settled: number };
  readonly settings: RetentionJobParts['settings'];
  /** Milliseconds that a request waits for its sweep. */
  readonly answerMs?: number;
}

/** Sweeps when somebody asks, and says how the sweeps stand. */
export class RetentionSweeping {
  private readonly parts: RetentionSweepingParts;

  constructor(parts: RetentionSweepingParts) {
    this.parts = parts;
  }

  /** How the sweeps of the tenant stand. Throws `POLICY_DENIED`. */
  async status(call: Call): Promise<RetentionStatus> {
    const { access, sweeps, head, settings } = this.parts;
    await access.authorize(call, 'diagnostics.read', null);
    await head.refresh();
    const { after, passed, default_days, running, last } = await sweeps.status(call.principal.tenant);
    const { sweepIntervalMs, defaultDays } = settings;
    return {
      backend: 'neo4j',
      enabled: sweepIntervalMs > 0,
      scheduler_disabled: sweepIntervalMs === 0,
      sweep_interval_secs: sweepIntervalMs / 1000,
      deployment_default_days: defaultDays,
      max_events_per_tick: settings.maxEventsPerTick,
      tick_budget_secs: settings.tickBudgetMs / 1000,
      compact_after_sweep: false,
      cursor: passesRosters(call.principal) ? passed : null,
      watermark: head.settled,
      fingerprint_ok: after === '' || default_days === defaultDays,
      running,
      native_profile_blocked: false,
      ...(await this.stated(call)),
      last: last === null ? null : await this.shown(call, last),
    };
  }

  /** Sweeps now, or says at the end of a dry run what would go. Throws `INVALID_BODY`, `POLICY_DENIED`, `NOT_A_MEMBER`, `RETENTION_SWEEP_RUNNING`, `SERVER_BUSY`. */
  async sweep(call: Call, body: unknown): Promise<RetentionSweepReport | RetentionSweepRunning> {
    const { sweeper, answerMs = RETENTION_ANSWER_MS } = this.parts;
    const request = parseInput(retentionSweepRequest, body ?? {}, 'INVALID_BODY');
    await this.authorize(call, request);
    const task = this.taskOf(call, request);
    const { rescan } = request;
    if (request.dry_run) return sweeper.look(task, { rescan, signal: call.signal });
    const held = await sweeper.hold(call.principal.tenant, Number.MAX_SAFE_INTEGER);
    if (held === null)
      throw new StrataError(
        'RETENTION_SWEEP_RUNNING',
        'a sweep of the tenant is under way; nothing was begun',
      );
    const late = new Wakeup();
    // A race settles once: what fails behind its end is in the log of the sweeper.
    return Promise.race([
      sweeper.sweep(held, task, { rescan }),
      late.wait(answerMs).then((): RetentionSweepRunning => ({ running: true, poll: STATUS_PATH })),
    ]).finally(() => {
      late.raise();
    });
  }

  private async authorize(call: Call, { scope, dry_run }: RetentionSweepRequest): Promise<void> {
    const { access } = this.parts;
    const capability: Capability = dry_run ? 'diagnostics.read' : 'forget.gdpr';
    if (scope === undefined) {
      await access.authorize(call, capability, null);
      if (passesRosters(call.principal)) return;
      throw new StrataError(
        'POLICY_DENIED',
        'all scopes are swept for the operator key alone; name a scope',
        {
          details: { capability, decided_by_tier: 'deployment' },
        },
      );
    }
    if (dry_run) await access.authorize(call, capability, scope);
    else await access.authorizeWhole(call, capability, scope);
  }

  private taskOf(
    call: Call,
    { dry_run, scope, older_than_secs, max_events }: RetentionSweepRequest,
  ): SweepTask {
    const { settings } = this.parts;
    const { tenant, actor } = call.principal;
    return {
      tenant,
      author: { actor, endpoint: `POST ${STATUS_PATH}/sweep`, requestId: call.requestId },
      scope: scope ?? null,
      olderThanMs: older_than_secs === undefined ? null : older_than_secs * 1000,
      maxEvents: max_events ?? settings.maxEventsPerTick,
      budgetMs: settings.tickBudgetMs,
      deploymentDays: settings.defaultDays,
      admits: (paths) => this.admitted(call, paths, dry_run),
      authorizeElsewhere: (path) => this.parts.access.authorize(call, 'forget.gdpr.cross_workspace', path),
    };
  }

  /** In which of some scopes the caller may have things erased, or see what would be. */
  private async admitted(
    call: Call,
    paths: readonly string[],
    dryRun: boolean,
  ): Promise<(path: string) => boolean> {
    const { tenant, actor } = call.principal;
    const scopes = paths.map((path) => ({ tenant, path }));
    const may = await this.parts.access.readableNow(
      call,
      scopes,
      dryRun ? 'scope.read.local' : 'forget.gdpr',
    );
    const isOwn = (path: string): boolean =>
      dryRun || passesRosters(call.principal) || !belongsToOther(actor, path);
    return (path) => isOwn(path) && may({ tenant, path });
  }

  /** What scopes of the tenant state, as far as the caller may read them. */
  private async stated(call: Call): Promise<Pick<RetentionStatus, 'policies' | 'policies_truncated'>> {
    const { access, scopes } = this.parts;
    const { tenant } = call.principal;
    const policies: RetentionStatus['policies'] = [];
    let after = '';
    for (let looked = 0; looked < RETENTION_SCOPES_LISTED; looked += RETENTION_SCOPE_PAGE) {
      const page = await scopes.walk(tenant, after, RETENTION_SCOPE_PAGE);
      const stating = page.flatMap(({ path, policies: text }) => {
        const policy = eventRuleOf(policiesOf(text));
        return policy === null ? [] : [{ scope: path, policy }];
      });
      const may = await access.readableNow(
        call,
        stating.map(({ scope: path }) => ({ tenant, path })),
      );
      policies.push(...stating.filter(({ scope: path }) => may({ tenant, path })));
      if (policies.length > RETENTION_POLICIES_LISTED) break;
      const last = page.at(-1);
      if (last === undefined || page.length < RETENTION_SCOPE_PAGE)
        return { policies, policies_truncated: false };
      after = last.path;
    }
    return { policies: policies.slice(0, RETENTION_POLICIES_LISTED), policies_truncated: true };
  }

  /** The last report, for the operator and who asked for it, as far as he may read. */
  private async shown(call: Call, { report, actor }: SweepLast): Promise<RetentionSweepReport | null> {
    const last = JSON.parse(report) as RetentionSweepReport;
    const { principal } = call;
    if (passesRosters(principal)) return last;
    if (last.scope === null || actor !== principal.actor) return null;
    const { tenant } = principal;
    const named = [last.scope, ...last.errors.map(({ scope }) => scope)];
    const may = await this.parts.access.readableNow(
      call,
      named.map((path) => ({ tenant, path })),
    );
    return named.every((path) => may({ tenant, path })) ? last : null;
  }
}
