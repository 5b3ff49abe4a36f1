import { CAPABILITIES, NEVER_EXPIRES, type Capability, type DeploymentPreset } from '../../schemas/policy.ts';
import {
  effectivePolicyQuery,
  type CapabilityDecision,
  type DeploymentPolicy,
  type EffectivePolicy,
} from '../../schemas/policy-record.ts';
import { presetPolicy } from '../access/decide.ts';
import { isWithin } from '../access/grant.ts';
import { passesRosters } from '../access/principal.ts';
import { governingRoster, type ScopeWithRules } from '../access/rules.ts';
import type { AccessService, Call, Principal } from './access.ts';
import { parseQuery } from './query-input.ts';
import type { RateSettings } from './rate-limit.ts';
import type { ScopeDirectory } from './scope-directory.ts';

/** What the service needs. */
export interface PolicyParts {
  readonly access: AccessService;
  readonly directory: ScopeDirectory;
  readonly allowedScopeTypes: readonly string[];
  /** Days that rows of the audit log are kept; 0: for ever. */
  readonly auditRetentionDays: number;
  readonly rateLimits: Pick<RateSettings, 'read' | 'write'>;
}

/** Tells who may do what. It decides nothing itself: every answer is that of the gate. */
export class PolicyService {
  private readonly parts: PolicyParts;

  constructor(parts: PolicyParts) {
    this.parts = parts;
  }

  /**
   * What an actor may do in a scope: the caller with the credential he shows, or another actor with one that is not narrowed.
   * Throws `INVALID_QUERY`, `POLICY_DENIED`, `NOT_A_MEMBER`.
   */
  async effective(call: Call, query: unknown): Promise<EffectivePolicy> {
    const { actor = call.principal.actor, scope = null } = parseQuery(effectivePolicyQuery, query);
    const { access } = this.parts;
    const isOther = actor !== call.principal.actor;
    await access.authorize(call, 'scope.read', null);
    if (isOther && scope !== null) await access.authorize(call, 'scope.manage', scope);
    if (isOther && scope === null) await access.authorize(call, 'audit.read.cross_actor', null);
    const principal = isOther ? holderOf(call.principal.tenant, actor) : call.principal;
    const place = scope === null ? null : await this.placeOf(principal.tenant, scope);
    const decided = CAPABILITIES.map(
      (capability) => [capability, this.decision(principal, capability, place)] as const,
    );
    const named = (wanted: CapabilityDecision['decision']): Capability[] =>
      decided.flatMap(([capability, { decision }]) => (decision === wanted ? [capability] : []));
    const allowed = named('allow');
    return {
      actor,
      scope,
      deployment_preset: access.preset,
      natural_level: this.naturalLevel(principal, place),
      allowed,
      denied: named('deny'),
      capabilities: allowed,
      decisions: Object.fromEntries(decided),
      rate_limits: this.rateTexts(),
    };
  }

  /** Preset and defaults of the deployment. Throws `POLICY_DENIED`. */
  async deployment(call: Call): Promise<DeploymentPolicy> {
    const { access, allowedScopeTypes, auditRetentionDays } = this.parts;
    await access.authorize(call, 'scope.read', null);
    const { allow, deny } = presetPolicy(access.preset);
    const rates = this.rateTexts();
    return {
      preset: access.preset,
      allow: [...allow],
      deny: [...deny],
      defaults: {
        'actor.require_signed': requiresSigned(access.preset),
        'scope.auto_register': true,
        'forget.cascade.default': 'derived_only',
        'audit.retention': auditRetentionDays === 0 ? null : `P${auditRetentionDays}D`,
        'rate_limit.write': rates.write,
        'rate_limit.read': rates.read,
        allowed_scope_types: [...allowedScopeTypes],
      },
    };
  }

  private async placeOf(tenant: string, path: string): Promise<ScopeWithRules> {
    const [place] = await this.parts.directory.places([{ tenant, path }]);
    if (place === undefined) throw new Error('a scope without a place');
    return place;
  }

  private decision(
    principal: Principal,
    capability: Capability,
    place: ScopeWithRules | null,
  ): CapabilityDecision {
    const { outcome, decidedBy } = this.parts.access.decideAt(principal, capability, place);
    return { decision: outcome === 'allowed' ? 'allow' : 'deny', decided_by_tier: decidedBy };
  }

  private naturalLevel(principal: Principal, place: ScopeWithRules | null): EffectivePolicy['natural_level'] {
    if (passesRosters(principal)) return 'operator';
    if (place === null) return 'none';
    const roster = governingRoster(place);
    if (roster !== null) return roster.get(principal.actor) ?? 'none';
    const { ungoverned } = this.parts.access.policyOf(principal);
    return ungoverned === 'tenant' || isWithin(place.path, principal.actor) ? 'owner' : 'none';
  }

  private rateTexts(): Record<'read' | 'write', string | null> {
    const text = (perMinute: number): string | null => (perMinute === 0 ? null : `${perMinute}/min`);
    const { read, write } = this.parts.rateLimits;
    return { read: text(read), write: text(write) };
  }
}

function requiresSigned(preset: DeploymentPreset): boolean {
  return preset === 'cloud_strict';
}

/** Whoever holds a token of an actor that is not narrowed. */
function holderOf(tenant: string, actor: string): Principal {
  return {
    tenant,
    actor,
    posture: 'token',
    tier: 'standard',
    expires_at: NEVER_EXPIRES,
    crossTenantById: false,
    issuer: '',
    jti: null,
    lineage: [],
    caps: null,
    grants: null,
  };
}
