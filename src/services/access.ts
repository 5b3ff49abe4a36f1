import { createHash, timingSafeEqual } from 'node:crypto';

import { ACTOR_ID } from '../../schemas/actor.ts';
import { NEVER_EXPIRES, type Capability, type DeploymentPreset } from '../../schemas/policy.ts';
import { levelPaths } from '../../schemas/scope.ts';
import type { Call } from '../access/call.ts';
import {
  decide,
  presetPolicy,
  rulesUnder,
  type Decision,
  type Policy,
  type TierPolicy,
} from '../access/decide.ts';
import { belongsToOther } from '../access/personal.ts';
import { passesRosters, type Principal } from '../access/principal.ts';
import type { ScopeWithRules } from '../access/rules.ts';
import { auditOf } from '../access/scope-uses.ts';
import { StrataError } from '../errors.ts';
import type { ScopeName } from './scope-directory.ts';

export type { Call } from '../access/call.ts';
export type { Principal } from '../access/principal.ts';

/** The tenant of a caller who names none. */
export const DEFAULT_TENANT = 'default';
/** The actor of a caller who names none. */
export const DEFAULT_ACTOR = 'user:local';

/** What a caller shows, as its transport found it. */
export interface Credentials {
  /** The bearer; left out where none is shown, empty where it is not clear which one is meant. */
  readonly bearer?: string;
  /** Value of `X-Strata-Actor`. */
  readonly actor?: string;
  /** Value of `X-Strata-Tenant`. */
  readonly tenant?: string;
  /** Whether a token of our own has to come with its actor; so it is on REST. */
  readonly actorRequired?: boolean;
}

/** How the server recognises callers: by its operator key, or not at all. */
export type Posture = { readonly kind: 'keyed'; readonly key: string } | { readonly kind: 'open' };

/** Recognises tokens. */
export interface TokenRecognition {
  /** The principal behind a token; null when the text does not look like one. Throws the 401 codes. */
  recognise(bearer: string, credentials: Credentials): Promise<Principal | null>;
}

/** Knows which tenants there are beside the configured ones. */
export interface TenantDirectory {
  knows(tenant: string): Promise<boolean>;
}

/** A scope in which something is to be read, and what that asks for where it is not the same everywhere. */
export interface ReadRequest extends ScopeName {
  readonly capability?: Capability;
}

/** Knows the rules along scope paths. */
export interface RuleDirectory {
  places(scopes: readonly ScopeName[]): Promise<ScopeWithRules[]>;
  /** With an actor: for decisions about him alone. */
  placesNow(scopes: readonly ScopeName[], actor?: string): Promise<ScopeWithRules[]>;
}

/** Options of {@link AccessService}. */
export interface AccessOptions {
  readonly posture: Posture;
  readonly preset: DeploymentPreset;
  /** Tenants known beside `default`. */
  readonly tenants: readonly string[];
  /** What the configuration says of tenants and actors, by their ids. */
  readonly policies?: {
    readonly tenant: Readonly<Record<string, TierPolicy>>;
    readonly actor: Readonly<Record<string, TierPolicy>>;
  };
  readonly rules: RuleDirectory;
  /** Without it no bearer but the operator key is known. */
  readonly tokens?: TokenRecognition;
  readonly signedUp?: TenantDirectory;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** Says who calls and what a caller may do. Every transport and every service asks here and nowhere else. */
export class AccessService {
  readonly #keyDigest: Buffer | null;
  readonly #options: AccessOptions;
  readonly #deployment: TierPolicy;
  readonly #tenants: ReadonlySet<string>;

  constructor(options: AccessOptions) {
    this.#keyDigest = options.posture.kind === 'keyed' ? digest(options.posture.key) : null;
    this.#options = options;
    this.#deployment = presetPolicy(options.preset);
    this.#tenants = new Set([DEFAULT_TENANT, ...options.tenants]);
  }

  /** The policy preset of this deployment. */
  get preset(): DeploymentPreset {
    return this.#options.preset;
  }

  /**
   * The caller behind the credentials: the operator by the key, anybody else by a token. With a key set, no bearer is
   * `MISSING_TOKEN`, one that is neither `INVALID_TOKEN_SIGNATURE`; in the open posture a bearer that is no good token says nothing.
   * An actor that is no actor id: `ACTOR_MISMATCH`. A tenant that is not known: `WRONG_TENANT`. Beyond these, the codes
   * of tokens.
   */
  async authenticate(credentials: Credentials): Promise<Principal> {
    if (this.#keyDigest === null)
      return (await this.#tokenWhereGood(credentials)) ?? this.#operator(credentials);
    const { bearer } = credentials;
    if (bearer === undefined) {
      throw new StrataError(
        'MISSING_TOKEN',
        'send a token or the operator key as Authorization: Bearer <token>',
      );
    }
    // Digests have one length, so that the comparison tells nothing about the key, its length included.
    if (timingSafeEqual(digest(bearer), this.#keyDigest)) return this.#operator(credentials);
    const principal = await this.#token(bearer, credentials);
    if (principal !== null) return principal;
    throw new StrataError(
      'INVALID_TOKEN_SIGNATURE',
      'the bearer is neither a token nor the operator key of this server',
    );
  }

  /** Refuses with `POLICY_DENIED` a capability that the caller may use in no scope at all; of several, where that is so of each. */
  async admit(call: Call, ...capabilities: readonly [Capability, ...Capability[]]): Promise<void> {
    const [first, ...others] = capabilities;
    // Which of several the request uses is known, and noted, once its body is read.
    if (others.length > 0 && capabilities.some((one) => this.#isAdmitted(call, one))) return;
    await this.authorize(call, first, null);
  }

  /**
   * Refuses with `POLICY_DENIED`, naming capability and deciding tier, what the policy or the token does not allow, and with
   * `NOT_A_MEMBER` what only the roster of the scope does not.
   */
  async authorize(call: Call, capability: Capability, scope: string | null): Promise<void> {
    const place = scope === null ? null : await this.#placeOf(call, scope);
    const decision = this.decideAt(call.principal, capability, place);
    noteAt(call, decision, place);
    requireAllowed(decision);
  }

  /**
   * {@link AccessService.authorize} for what works on the whole of a scope, whoever wrote into it: one that belongs to another actor by its
   * path is refused with `POLICY_DENIED`, though its caller may write there.
   */
  async authorizeWhole(call: Call, capability: Capability, scope: string): Promise<void> {
    await this.authorize(call, capability, scope);
    const { principal, request } = call;
    if (passesRosters(principal) || !belongsToOther(principal.actor, scope)) return;
    const { tier } = principal;
    const decision: Decision = { outcome: 'refused', tier, capability, decidedBy: 'deployment' };
    request?.note(decision, scope);
    throw policyDenied(decision);
  }

  /**
   * {@link AccessService.requireAt} for a change of a scope that the caller names: false where he may not even read there, and
   * then the answer, and the row of the audit log, have to be as if there were no such scope.
   */
  requireSeenAt(call: Call, capability: Capability, place: ScopeWithRules): boolean {
    const { principal, request } = call;
    if (request !== undefined) request.named = { capability, scope: place.path };
    const decision = this.decideAt(principal, capability, place);
    if (decision.outcome === 'not_a_member' && !this.mayRead(principal, place)) return false;
    noteAt(call, decision, place);
    requireAllowed(decision);
    return true;
  }

  /** {@link AccessService.authorize} for a place whose rules are at hand. */
  requireAt(call: Call, capability: Capability, place: ScopeWithRules): void {
    const decision = this.decideAt(call.principal, capability, place);
    noteAt(call, decision, place);
    requireAllowed(decision);
  }

  /**
   * Whether the caller sees what the capability lets read in the scope: false where only membership is missing, and then the
   * answer has to be as if there were nothing. Throws `POLICY_DENIED` as {@link AccessService.authorize} does.
   */
  async sees(call: Call, capability: Capability, scope: string): Promise<boolean> {
    return this.seesAt(call, capability, await this.#placeNow(call.principal, scope));
  }

  /** {@link AccessService.sees} for a place whose rules are at hand. */
  seesAt(call: Call, capability: Capability, place: ScopeWithRules): boolean {
    const decision = this.decideAt(call.principal, capability, place);
    if (decision.outcome === 'refused') {
      call.request?.note(decision, place.path);
      throw policyDenied(decision);
    }
    return decision.outcome === 'allowed';
  }

  /**
   * Where a scope and those above it stand, the root first, to ask {@link AccessService.seesAt} about any of them: one look, as
   * {@link AccessService.sees} takes.
   */
  async lineageNow({ principal }: Call, scope: string): Promise<[...ScopeWithRules[], ScopeWithRules]> {
    const place = await this.#placeNow(principal, scope);
    const above = levelPaths(scope).slice(0, -1);
    return [...above.map((path, i) => ({ path, levels: place.levels.slice(0, i + 1) })), place];
  }

  /** Where the scopes of the caller's tenant stand, in their order, to decide about many at once by {@link AccessService.decideAt}. */
  placesOf({ principal: { tenant } }: Call, paths: readonly string[]): Promise<ScopeWithRules[]> {
    return this.#options.rules.places(paths.map((path) => ({ tenant, path })));
  }

  /** Says which scopes of the caller's tenant a request has read, for the row that it may leave. */
  async noteRead(call: Call, paths: readonly string[]): Promise<void> {
    for (const place of await this.placesOf(call, paths)) call.request?.concerns(auditOf(place));
  }

  /** Whether the caller may use the capability in the scope; `null` asks for no scope in particular. */
  async decide(call: Call, capability: Capability, scope: string | null): Promise<Decision> {
    const place = scope === null ? null : await this.#placeOf(call, scope);
    return this.decideAt(call.principal, capability, place);
  }

  /**
   * In which of the scopes the caller may use the capability (to read, unless another is named, for all or with a scope), by the rules as
   * they are now.
   * For a caller that rosters bind it takes exactly one round trip, for no scope as for many, so that its time does not tell
   * whether something was found. `also` names a capability that each scope takes beside that.
   */
  async readableNow(
    call: Call,
    scopes: readonly ReadRequest[],
    capability: Capability = 'scope.read.local',
    also: Capability | null = null,
  ): Promise<(scope: ReadRequest) => boolean> {
    const { rules } = this.#options;
    const { principal } = call;
    const names = [
      ...new Map(scopes.map(({ tenant, path }) => [`${tenant}\n${path}`, { tenant, path }])).values(),
    ];
    const places = passesRosters(principal)
      ? await rules.places(names)
      : await rules.placesNow(names, principal.actor);
    const placeOf = new Map(names.map(({ tenant, path }, i) => [`${tenant}\n${path}`, places[i]]));
    const decided = new Map<string, boolean>();
    return ({ tenant, path, capability: wanted = capability }) => {
      const key = `${wanted}\n${tenant}\n${path}`;
      const place = placeOf.get(`${tenant}\n${path}`);
      const isAllowed =
        decided.get(key) ??
        (place !== undefined &&
          [wanted, ...(also === null ? [] : [also])].every(
            (one) => this.decideAt(principal, one, place).outcome === 'allowed',
          ));
      decided.set(key, isAllowed);
      return isAllowed;
    };
  }

  /** Whether the caller may read in a place whose rules are at hand. */
  mayRead(principal: Principal, place: ScopeWithRules): boolean {
    return this.decideAt(principal, 'scope.read.local', place).outcome === 'allowed';
  }

  /** Whether the caller may follow what happens in a place whose rules are at hand. */
  mayFollow(principal: Principal, place: ScopeWithRules): boolean {
    const { outcome } = this.decideAt(principal, 'lifecycle.subscribe', place);
    return outcome === 'allowed' && this.mayRead(principal, place);
  }

  /** The decision of {@link AccessService.decide} for a place whose rules are at hand; null for no scope in particular. */
  decideAt(principal: Principal, capability: Capability, place: ScopeWithRules | null): Decision {
    return decide(principal, capability, place, this.policyOf(principal));
  }

  /** The tiers of the stack that apply to a caller, outermost first, without those of scopes. */
  policyOf({ tenant, actor }: Pick<Principal, 'tenant' | 'actor'>): Policy {
    const { policies, preset } = this.#options;
    const tiers = [this.#deployment, policies?.tenant[tenant], policies?.actor[actor]];
    return { tiers: tiers.filter((tier) => tier !== undefined), ...rulesUnder(preset) };
  }

  /** Throws `WRONG_TENANT` for a tenant that is not known here. */
  async requireTenant(name: string, said: string): Promise<void> {
    if (this.#tenants.has(name) || (await this.#options.signedUp?.knows(name)) === true) return;
    throw new StrataError('WRONG_TENANT', `the tenant named by ${said} is not known here`);
  }

  #isAdmitted({ principal }: Call, capability: Capability): boolean {
    return this.decideAt(principal, capability, null).outcome === 'allowed';
  }

  /** The caller behind a token; null for a bearer that is none. A tenant that is not known: `WRONG_TENANT`. */
  async #token(bearer: string, credentials: Credentials): Promise<Principal | null> {
    const principal = (await this.#options.tokens?.recognise(bearer, credentials)) ?? null;
    if (principal !== null) await this.requireTenant(principal.tenant, 'the token');
    return principal;
  }

  async #placeOf(call: Call, scope: string): Promise<ScopeWithRules> {
    const [place] = await this.placesOf(call, [scope]);
    if (place === undefined) throw new Error('a scope without a place');
    return place;
  }

  /** Always one round trip for whom rosters bind: what a process remembers of others' scopes must not show in the time it takes. */
  async #placeNow(principal: Principal, path: string): Promise<ScopeWithRules> {
    const names = [{ tenant: principal.tenant, path }];
    const { rules } = this.#options;
    const [place] = passesRosters(principal)
      ? await rules.places(names)
      : await rules.placesNow(names, principal.actor);
    if (place === undefined) throw new Error('a scope without a place');
    return place;
  }

  async #tokenWhereGood(credentials: Credentials): Promise<Principal | null> {
    if (credentials.bearer === undefined) return null;
    try {
      return await this.#token(credentials.bearer, credentials);
    } catch (error) {
      if (error instanceof StrataError && error.definition.status === 401) return null;
      throw error;
    }
  }

  async #operator(credentials: Credentials): Promise<Principal> {
    const tenant = credentials.tenant ?? DEFAULT_TENANT;
    const actor = actorOf(credentials.actor ?? DEFAULT_ACTOR);
    await this.requireTenant(tenant, 'X-Strata-Tenant');
    if (this.#options.preset === 'cloud_strict' && actor !== DEFAULT_ACTOR) {
      throw new StrataError(
        'ACTOR_MISMATCH',
        'X-Strata-Actor: under this policy only a token names an actor',
      );
    }
    return {
      tenant,
      actor,
      posture: this.#keyDigest === null ? 'open' : 'operator_key',
      tier: 'operator',
      expires_at: NEVER_EXPIRES,
      crossTenantById: true,
      issuer: this.#keyDigest === null ? 'auth-disabled' : 'static-api-key',
      jti: null,
      lineage: [],
      caps: null,
      grants: null,
    };
  }
}

/** Notes a decision that was acted upon, and what the scope states of rows in the audit log. */
function noteAt({ request }: Call, decision: Decision, place: ScopeWithRules | null): void {
  request?.note(decision, place?.path ?? null);
  if (place !== null && decision.outcome === 'allowed') request?.concerns(auditOf(place));
}

function requireAllowed(decision: Decision): void {
  if (decision.outcome === 'allowed') return;
  throw decision.outcome === 'refused' ? policyDenied(decision) : notAMember(decision);
}

function policyDenied({ capability, decidedBy }: Decision): StrataError {
  return new StrataError(
    'POLICY_DENIED',
    `the policy refuses ${capability} (decided by the tier ${decidedBy})`,
    {
      details: { capability, decided_by_tier: decidedBy },
    },
  );
}

function notAMember({ capability }: Decision): StrataError {
  return new StrataError('NOT_A_MEMBER', 'the roster of the scope does not let the caller do this', {
    details: { capability, decided_by_tier: 'scope' },
  });
}

function actorOf(id: string): string {
  if (ACTOR_ID.test(id)) return id;
  throw new StrataError(
    'ACTOR_MISMATCH',
    'X-Strata-Actor must be an actor id: 1 to 256 visible characters without spaces',
  );
}
