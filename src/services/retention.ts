import type { ScopeStore } from '../../graph/scope-record.ts';
import {
  retentionPolicyInput,
  retentionPolicyQuery,
  type RetentionPolicyRecord,
  type RetentionPolicySet,
  type RetentionStatus,
  type RetentionSweepReport,
  type RetentionSweepRunning,
} from '../../schemas/retention.ts';
import type { ScopePolicies } from '../../schemas/scope-policy.ts';
import { keptDays } from '../access/retention.ts';
import { levelRefs, scopeRef } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import { StrataError } from '../errors.ts';
import { parseInput } from '../validation.ts';
import type { AccessService, Call } from './access.ts';
import { policyChange, statesOtherRetention } from './policy-change.ts';
import { parseQuery } from './query-input.ts';
import type { RecordGate } from './record-gate.ts';
import type { RetentionOperations } from './retention-operations.ts';
import type { RetentionSweeping } from './retention-sweeping.ts';
import { eventRuleOf, statedRule, withoutEvents } from './retention-view.ts';
import type { ScopeChanging } from './scope-changing.ts';
import type { ScopeTypes } from './scope-types.ts';
import { foundAt, policiesOf, retentionLevels, type ScopeFound } from './scope-view.ts';

/** What it takes to say how long records are kept: what an erasure takes. */
const CAPABILITY = 'forget.gdpr';

/** What the service needs. */
export interface RetentionParts {
  readonly access: AccessService;
  readonly gate: RecordGate;
  readonly store: ScopeStore;
  readonly changing: ScopeChanging;
  readonly types: ScopeTypes;
  readonly clock: Clock;
  readonly sweeping: RetentionSweeping;
  /** Days that events are kept of which nobody states anything; null for ever. */
  readonly deploymentDays: number | null;
}

/** Keeps how long records are kept. */
export class RetentionService implements RetentionOperations {
  private readonly parts: RetentionParts;

  constructor(parts: RetentionParts) {
    this.parts = parts;
  }

  status(call: Call): Promise<RetentionStatus> {
    return this.parts.sweeping.status(call);
  }

  sweep(call: Call, body: unknown): Promise<RetentionSweepReport | RetentionSweepRunning> {
    return this.parts.sweeping.sweep(call, body);
  }

  async getPolicy(call: Call, query: unknown): Promise<RetentionPolicyRecord> {
    const { scope } = parseQuery(retentionPolicyQuery, query);
    const { access, gate, store, deploymentDays } = this.parts;
    const { place, there } = await gate.scope(call, scope);
    const sees = access.seesAt(call, 'diagnostics.read', place) && access.seesAt(call, 'scope.read', place);
    if (!sees || !there) throw ruleNotFound();
    const found = foundAt(scope, await store.read(levelRefs(call.principal.tenant, scope)));
    const policy = eventRuleOf(policiesOf(found.own?.policies ?? null));
    if (policy === null) throw ruleNotFound();
    return {
      scope,
      policy,
      effective_days: keptDays(retentionLevels(scope, found.stored), deploymentDays).events,
    };
  }

  async setPolicy(call: Call, body: unknown): Promise<RetentionPolicySet> {
    const { scope, ...stated } = parseInput(retentionPolicyInput, body, 'INVALID_BODY', ([field]) =>
      field === 'default_retention_days' || field === 'per_source_days' ? 'INVALID_RETENTION_POLICY' : null,
    );
    const { access, types } = this.parts;
    await access.authorizeWhole(call, CAPABILITY, scope);
    await types.check(call.principal.tenant, scope, 'scope');
    const rule = statedRule(stated);
    const { changed, after } = await this.change(call, scope, (before) => ({
      ...before,
      retention: { ...withoutEvents(before.retention), ...rule },
    }));
    return { scope, policy: eventRuleOf(after) ?? { per_source_days: {} }, cursor_reset: changed };
  }

  async deletePolicy(call: Call, query: unknown): Promise<void> {
    const { scope } = parseQuery(retentionPolicyQuery, query);
    const { access, gate } = this.parts;
    const { place, there } = await gate.scope(call, scope);
    if (!access.requireSeenAt(call, CAPABILITY, place) || !there) throw ruleNotFound();
    await access.authorizeWhole(call, CAPABILITY, scope);
    await this.change(call, scope, ({ retention, ...others }) => {
      if (eventRuleOf({ retention }) === null) throw ruleNotFound();
      const kept = withoutEvents(retention);
      return Object.keys(kept).length === 0 ? others : { ...others, retention: kept };
    });
  }

  /** Has a scope state something else of retention, whether or not it is registered, or there. */
  private async change(
    call: Call,
    scope: string,
    policiesAfter: (before: ScopePolicies) => ScopePolicies,
  ): Promise<{ readonly changed: boolean; readonly after: ScopePolicies }> {
    const { access, changing, clock } = this.parts;
    const { tenant, actor } = call.principal;
    const ref = scopeRef(tenant, scope);
    let outcome = { changed: false, after: {} as ScopePolicies };
    await changing.run(call, { path: scope }, async (changes, { own, place }: ScopeFound, id) => {
      access.requireAt(call, CAPABILITY, place);
      if (own !== null && own.deleting_through !== null) throw beingDeleted();
      const before = policiesOf(own?.policies ?? null);
      const after = policiesAfter(before);
      outcome = { changed: statesOtherRetention(before, after), after };
      if (!outcome.changed) return undefined;
      const change = { id, policies: policyChange(tenant, after) };
      const now = clock.now();
      if (own === null) {
        const levels = levelRefs(tenant, scope);
        await changes.register({ ref, tenant, path: scope, levels, created_by: actor, now }, change, {
          auto: true,
        });
      } else await changes.change(ref, change, { actor, now });
      await changes.logRetention({ tenant, scope, scope_ref: ref, actor }, now);
      return undefined;
    });
    return outcome;
  }
}

function ruleNotFound(): StrataError {
  return new StrataError('NOT_FOUND', 'the scope states nothing itself of how long events are kept');
}

function beingDeleted(): StrataError {
  return new StrataError('DESTRUCTIVE_OPERATION_IN_PROGRESS', 'the scope is being deleted; try again');
}
