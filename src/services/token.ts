import type { RevocationStore, TenantStore } from '../../graph/token.ts';
import { CAPABILITIES, type CallerTier } from '../../schemas/policy.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import {
  MAX_TOKEN_TTL_S,
  mintRequest,
  revokeRequest,
  signupRequest,
  type MintResponse,
  type SignupResponse,
  type Whoami,
} from '../../schemas/token.ts';
import { covers } from '../access/capability.ts';
import type { Principal } from '../access/principal.ts';
import { EVERY_TENANT } from '../access/token-state.ts';
import { levelRefs, scopeRef } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import type { ChangeAudit } from '../commit/change-audit.ts';
import { StrataError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import { MAX_FOREIGN_TOKEN_S, MAX_TOKEN_LENGTH, MAX_TOKEN_LINEAGE, TOKEN_SKEW_S } from '../limits.ts';
import { claimsOf, type TokenClaims } from '../tokens/claims.ts';
import type { KeyRing } from '../tokens/key-ring.ts';
import { signToken } from '../tokens/paseto.ts';
import type { TokenIds } from '../tokens/token-ids.ts';
import { parseInput } from '../validation.ts';
import type { AccessFeed } from './access-feed.ts';
import type { AccessService, Call } from './access.ts';
import { narrowed } from './narrowing.ts';
import { OWN_ISSUER } from './token-recognition.ts';

/** Life of the token that a sign-up answers, seconds: a week, the longest that is signed here. */
const SIGNUP_TOKEN_S = 604_800;

/** What the service needs. */
export interface TokenServiceParts {
  readonly access: AccessService;
  readonly keys: KeyRing;
  readonly tenants: Pick<TenantStore, 'signUp'>;
  readonly revocations: Pick<RevocationStore, 'revoke'>;
  readonly feed: Pick<AccessFeed, 'refresh'>;
  readonly changes: ChangeAudit;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'account'>;
  readonly tokenIds: TokenIds;
  /** Whether tokens are minted here, and whether strangers may sign up. */
  readonly enabled: { readonly minter: boolean; readonly signup: boolean };
}

/** Hands out tokens, tells what they are, and takes them back. */
export class TokenService {
  private readonly parts: TokenServiceParts;

  constructor(parts: TokenServiceParts) {
    this.parts = parts;
  }

  /**
   * Makes a tenant with an actor who owns two scopes, and a token of the tier free that lives seven days. Throws
   * `INVALID_BODY`, `NOT_CONFIGURED`.
   */
  async signup(body: unknown): Promise<SignupResponse> {
    const request = parseInput(signupRequest, body, 'INVALID_BODY');
    requireEnabled(this.parts.enabled.signup, 'takes no sign-ups', 'STRATA_SIGNUP_ENABLE');
    const { clock, ids, tenants, feed } = this.parts;
    const id = ids.account();
    const [tenant, actor] = [`t_${id}`, `user:u_${id}`];
    const scope = `org:u_${id}/${actor}`;
    const claims = { sub: actor, aud: tenant, lineage: [], tier: 'free', caps: null, grants: null } as const;
    const minted = await this.sign(claims, SIGNUP_TOKEN_S);
    await tenants.signUp({
      id: tenant,
      actor,
      now: clock.now(),
      source: request.source ?? null,
      email: request.email ?? null,
      displayName: request.display_name ?? null,
      scopes: [actor, scope].map((path) => ({
        path,
        ref: scopeRef(tenant, path),
        levelRefs: levelRefs(tenant, path),
      })),
    });
    await feed.refresh();
    return { ...minted, user_id: actor, scope, tier: 'free' };
  }

  /**
   * A token for an actor of the caller's tenant, which never allows more than the caller may, nor for longer. Throws
   * `INVALID_BODY`, `POLICY_DENIED`, `NOT_CONFIGURED`.
   */
  async mint(call: Call, body: unknown): Promise<MintResponse> {
    const { access } = this.parts;
    const request = parseInput(mintRequest, body, 'INVALID_BODY');
    await access.authorize(call, 'auth.mint', request.scope ?? null);
    requireSubject(call.principal, request.subject);
    const lineage = lineageOf(call.principal);
    const narrow = await narrowed(access, call, request);
    requireEnabled(this.parts.enabled.minter, 'mints no tokens', 'STRATA_V1_MINTER_ENABLE');
    const { tenant, tier, posture, expires_at: end } = call.principal;
    const handed: CallerTier = tier === 'free' ? 'free' : 'standard';
    const left = end - Math.floor(this.parts.clock.now() / 1000);
    if (left <= 0) throw new StrataError('TOKEN_EXPIRED', 'the token has expired; have a new one minted');
    const seconds = posture === 'token' ? Math.min(request.ttl_seconds, left) : request.ttl_seconds;
    return this.sign({ sub: request.subject, aud: tenant, lineage, tier: handed, ...narrow }, seconds);
  }

  /** Who calls, and what policy and token leave it. */
  whoami({ principal }: Call): Whoami {
    const { access } = this.parts;
    const { actor, tenant, jti, issuer, tier, expires_at: exp } = principal;
    return {
      caller: actor,
      tenant_id: tenant,
      deployment_preset: access.preset,
      token: { jti, iss: issuer, exp },
      effective_capabilities: CAPABILITIES.filter(
        (capability) => access.decideAt(principal, capability, null).outcome === 'allowed',
      ),
      actor,
      tier,
      expires_at: toRfc3339(exp * 1000),
    };
  }

  /**
   * Takes a token back for good, whether or not it is known; in every tenant when the operator does. Resolves when this
   * process refuses it. Throws `INVALID_BODY`, `POLICY_DENIED`.
   */
  async revoke(call: Call, body: unknown): Promise<void> {
    const { access, revocations, tokenIds, clock, feed } = this.parts;
    const { jti, reason = null } = parseInput(revokeRequest, body, 'INVALID_BODY');
    const { principal } = call;
    if (principal.jti !== jti) {
      await access.authorize(call, 'auth.revoke', null);
      this.requireOwn(principal, jti);
    }
    const life = tokenIds.isOwn(jti) ? LONGEST_LIFE_S : MAX_FOREIGN_TOKEN_S;
    const now = clock.now();
    const row = this.parts.changes.of(call);
    const newest = await revocations.revoke(
      {
        tenant: principal.crossTenantById ? EVERY_TENANT : principal.tenant,
        jti,
        by: principal.actor,
        reason,
        now,
        keepUntil: now + (life + 2 * TOKEN_SKEW_S) * 1000,
      },
      row.batches(),
    );
    row.committed(newest);
    await feed.refresh();
  }

  /** What is revoked is remembered by every process: a token takes back only ids that were handed out here. */
  private requireOwn({ posture }: Principal, jti: string): void {
    if (posture !== 'token' || this.parts.tokenIds.isOwn(jti)) return;
    const reason =
      'is no id of a token of this service; those of other issuers are revoked by the operator or their bearer';
    throw new StrataError('INVALID_BODY', `jti: ${reason}`, { details: { field_path: 'jti', reason } });
  }

  /** Signs a token that lives so many seconds, or as long as its key is good. */
  private async sign(claims: Unsigned, seconds: number): Promise<MintResponse> {
    const { keys, clock, tokenIds } = this.parts;
    const signer = keys.signer();
    const iat = Math.floor(clock.now() / 1000);
    const until = signer?.until ?? null;
    const life = until === null ? seconds : Math.min(seconds, Math.floor(until / 1000) - TOKEN_SKEW_S - iat);
    if (signer === null || life <= 0) {
      throw new StrataError(
        'NOT_CONFIGURED',
        'the signing key of this process is retired; start it with the present one',
      );
    }
    const jti = tokenIds.make();
    const exp = iat + life;
    const token = await signToken(signer.key, claimsOf({ ...claims, iss: OWN_ISSUER, jti, iat, exp }));
    if (token.length > MAX_TOKEN_LENGTH) {
      throw new StrataError(
        'INVALID_BODY',
        `caps and scopes make a token of more than ${MAX_TOKEN_LENGTH} characters`,
        { details: { limit: MAX_TOKEN_LENGTH } },
      );
    }
    return { token, jti, expires_at: toRfc3339(exp * 1000) };
  }
}

function requireEnabled(enabled: boolean, what: string, setting: string): void {
  if (enabled) return;
  throw new StrataError('NOT_CONFIGURED', `this server ${what}; set ${setting}=1`, { details: { setting } });
}

/**
 * Rosters know actors, so whoever may act as another holds what that one holds: a token does for others only what the
 * operator meant it to, by naming `admin` among its capabilities.
 */
function requireSubject({ posture, actor, caps }: Principal, subject: string): void {
  if (posture !== 'token' || subject === actor || caps?.some((pattern) => covers(pattern, 'admin')) === true)
    return;
  throw new StrataError('POLICY_DENIED', 'a token mints for its own actor only, unless its caps name admin', {
    details: { capability: 'auth.mint', decided_by_tier: 'actor', field_path: 'subject' },
  });
}

/** A token falls with those that it was minted from, so it names them. */
function lineageOf({ jti, lineage }: Principal): readonly string[] {
  if (jti === null) return [];
  if (lineage.length < MAX_TOKEN_LINEAGE) return [...lineage, jti];
  throw new StrataError(
    'POLICY_DENIED',
    `a token that stands behind ${MAX_TOKEN_LINEAGE} others mints no more`,
    { details: { capability: 'auth.mint', decided_by_tier: 'actor', limit: MAX_TOKEN_LINEAGE } },
  );
}

type Unsigned = Pick<TokenClaims, 'sub' | 'aud' | 'lineage' | 'tier' | 'caps' | 'grants'>;

/** Longest life of a token of our own, seconds. */
export const LONGEST_LIFE_S = Math.max(SIGNUP_TOKEN_S, MAX_TOKEN_TTL_S);
