import { createHash, timingSafeEqual } from 'node:crypto';

import { ACTOR_ID } from '../../schemas/actor.ts';
import { NEVER_EXPIRES, type Capability, type DeploymentPreset } from '../../schemas/policy.ts';
import type { Call } from '../access/call.ts';
import { decide, presetPolicy, type Decision, type Policy } from '../access/decide.ts';
import type { Principal } from '../access/principal.ts';
import { StrataError } from '../errors.ts';

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
}

/** How the server recognises callers: by its operator key, or not at all. */
export type Posture = { readonly kind: 'keyed'; readonly key: string } | { readonly kind: 'open' };

/** Options of {@link AccessService}. */
export interface AccessOptions {
  readonly posture: Posture;
  readonly preset: DeploymentPreset;
  /** Tenants known beside `default`. */
  readonly tenants: readonly string[];
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** Says who calls and what a caller may do. Every transport and every service asks here and nowhere else. */
export class AccessService {
  readonly #keyDigest: Buffer | null;
  readonly #policy: Policy;
  readonly #tenants: ReadonlySet<string>;

  constructor(options: AccessOptions) {
    this.#keyDigest = options.posture.kind === 'keyed' ? digest(options.posture.key) : null;
    this.#policy = [presetPolicy(options.preset)];
    this.#tenants = new Set([DEFAULT_TENANT, ...options.tenants]);
  }

  /**
   * The caller behind the credentials. With a key: no bearer is `MISSING_TOKEN`, any other bearer than the key
   * `INVALID_TOKEN`; the actor may be any. In the open posture a bearer says nothing and is not looked at.
   * An actor that is no actor id: `ACTOR_MISMATCH`. A tenant that is not known: `WRONG_TENANT`.
   */
  authenticate(credentials: Credentials): Principal {
    if (this.#keyDigest !== null) checkKey(this.#keyDigest, credentials.bearer);
    return {
      tenant: this.#tenant(credentials.tenant ?? DEFAULT_TENANT),
      actor: actorOf(credentials.actor ?? DEFAULT_ACTOR),
      posture: this.#keyDigest === null ? 'open' : 'operator_key',
      tier: 'operator',
      expires_at: NEVER_EXPIRES,
      crossTenantById: true,
    };
  }

  /** Refuses with `POLICY_DENIED`, naming capability and deciding tier, what {@link AccessService.decide} does not allow. */
  authorize(call: Call, capability: Capability, scope: string | null): void {
    const decision = this.decide(call, capability, scope);
    if (decision.allowed) return;
    throw new StrataError('POLICY_DENIED', `the policy of this deployment refuses ${capability}`, {
      details: { capability, decided_by_tier: decision.decidedBy },
    });
  }

  /** Whether the caller may use the capability in the scope; `null` asks for no scope in particular. */
  decide(call: Call, capability: Capability, scope: string | null): Decision {
    return decide(call.principal, capability, scope, this.#policy);
  }

  #tenant(name: string): string {
    if (this.#tenants.has(name)) return name;
    throw new StrataError('WRONG_TENANT', 'the tenant named by X-Strata-Tenant is not known here');
  }
}

function checkKey(keyDigest: Buffer, bearer: string | undefined): void {
  if (bearer === undefined) {
    throw new StrataError('MISSING_TOKEN', 'send the operator key as Authorization: Bearer <key>');
  }
  // Digests have one length, so that the comparison tells nothing about the key, its length included.
  if (timingSafeEqual(digest(bearer), keyDigest)) return;
  throw new StrataError('INVALID_TOKEN', 'the bearer is not the operator key of this server');
}

function actorOf(id: string): string {
  if (ACTOR_ID.test(id)) return id;
  throw new StrataError(
    'ACTOR_MISMATCH',
    'X-Strata-Actor must be an actor id: 1 to 256 visible characters without spaces',
  );
}
