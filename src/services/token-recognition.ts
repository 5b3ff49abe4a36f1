import { createHash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import type { Clock } from '../clock.ts';
import { StrataError } from '../errors.ts';
import { TOKENS_REMEMBERED_CHARS } from '../limits.ts';
import { readClaims, type TokenClaims } from '../tokens/claims.ts';
import type { KeyOwner, KeyRing } from '../tokens/key-ring.ts';
import { invalid, openToken, refuseOutOfTime, TOKEN_HEADER } from '../tokens/paseto.ts';
import type { Revocations } from '../tokens/revocations.ts';
import type { AccessFeed } from './access-feed.ts';
import type { Credentials, Principal, TokenRecognition } from './access.ts';

/** What `iss` is in tokens of our own. */
export const OWN_ISSUER = 'strata';

/** What the recognition rests on. */
export interface TokenRecognitionParts {
  readonly keys: KeyRing;
  readonly revocations: Revocations;
  /** Brings keys and revocations up to date. */
  readonly feed: Pick<AccessFeed, 'fresh' | 'refresh'>;
  readonly clock: Clock;
}

/** A token whose signature is good and whose claims are well-formed. */
interface Read {
  readonly kid: string;
  readonly claims: TokenClaims;
  readonly instants: { readonly exp: string; readonly iat: string; readonly nbf?: string };
}

/**
 * Recognises callers by their tokens. A signature that was good is remembered for as long as its key is; time, revocation and
 * what the headers say are looked at in every call.
 */
export class TokenCallers implements TokenRecognition {
  private readonly parts: TokenRecognitionParts;
  private readonly good = new LRUCache<string, Read>({ maxSize: TOKENS_REMEMBERED_CHARS });

  constructor(parts: TokenRecognitionParts) {
    this.parts = parts;
  }

  /**
   * The principal behind a token; null for what does not begin like one. Throws, in this order,
   * `INVALID_TOKEN_SIGNATURE`, `UNKNOWN_ISSUER`, `TOKEN_EXPIRED`, `REVOKED_TOKEN`, `ACTOR_MISMATCH`, `WRONG_TENANT`; and
   * `DATABASE_UNAVAILABLE` while it is not known what was revoked in the last second.
   */
  async recognise(bearer: string, credentials: Credentials): Promise<Principal | null> {
    if (!bearer.startsWith(TOKEN_HEADER)) return null;
    const { feed, revocations, clock, keys } = this.parts;
    await feed.fresh();
    const { kid, claims, instants } = await this.read(bearer);
    const owner = keys.ownerOf(kid);
    if (owner === null) throw invalid('is signed with a key that is retired');
    const { tenant, audience, own } = issuerOf(owner, claims);
    refuseOutOfTime(instants, clock);
    if (revocations.has(tenant, claims)) throw new StrataError('REVOKED_TOKEN', 'the token was revoked');
    requireActor(claims.sub, credentials, own);
    requireAudience(claims.aud, audience);
    requireTenantHeader(tenant, credentials);
    return principalOf(claims, tenant);
  }

  private async read(text: string): Promise<Read> {
    const digest = createHash('sha256').update(text, 'utf8').digest('base64');
    const known = this.good.get(digest);
    if (known !== undefined) return known;
    const { kid, claims } = await openToken(text, { keyOf: (name) => this.keyOf(name) });
    const parsed = readClaims(claims);
    if (kid === null) throw invalid('names no key in its footer');
    const { exp = '', iat = '', nbf } = claims;
    const read = { kid, claims: parsed, instants: { exp, iat, ...(nbf === undefined ? {} : { nbf }) } };
    this.good.set(digest, read, { size: text.length });
    return read;
  }

  /** A key that another process has just begun to sign with is looked for before its tokens are refused. */
  private async keyOf(kid: string | null): Promise<Awaited<ReturnType<KeyRing['keyOf']>>> {
    const { keys, feed } = this.parts;
    const key = await keys.keyOf(kid);
    if (key !== null || kid?.startsWith('sk_') !== true) return key;
    await feed.refresh();
    return keys.keyOf(kid);
  }
}

/** Which tenant a token belongs to, what its audience has to be, and whether it is our own. */
function issuerOf(
  owner: KeyOwner,
  { iss, aud }: TokenClaims,
): { tenant: string; audience: string; own: boolean } {
  if (owner === 'own' && iss === OWN_ISSUER) return { tenant: aud, audience: aud, own: true };
  const trusted = owner === 'own' ? undefined : owner.filter((issuer) => issuer.iss === iss);
  const issuer = trusted?.find(({ audience }) => audience === aud) ?? trusted?.[0];
  if (issuer !== undefined) return { tenant: issuer.tenant, audience: issuer.audience, own: false };
  throw new StrataError('UNKNOWN_ISSUER', 'the issuer of the token is not the one of its key');
}

function requireActor(subject: string, { actor, actorRequired }: Credentials, own: boolean): void {
  if (actor === subject || (actor === undefined && !(own && actorRequired === true))) return;
  const fault = actor === undefined ? 'is required' : 'is required to name the subject of the token';
  throw new StrataError(
    'ACTOR_MISMATCH',
    `X-Strata-Actor header ${fault} (X-Cortex-Actor or another alias will do too)`,
    { details: { header: 'x-strata-actor' } },
  );
}

function requireAudience(aud: string, audience: string): void {
  if (aud === audience) return;
  throw new StrataError(
    'WRONG_TENANT',
    'the audience of the token is not the one agreed upon with its issuer',
  );
}

function requireTenantHeader(own: string, { tenant }: Credentials): void {
  if (tenant === undefined || tenant === own) return;
  throw new StrataError('WRONG_TENANT', 'X-Strata-Tenant names another tenant than the token');
}

function principalOf(
  { sub, exp, iss, jti, lineage, tier, caps, grants }: TokenClaims,
  tenant: string,
): Principal {
  return {
    tenant,
    actor: sub,
    posture: 'token',
    tier,
    expires_at: Math.floor(exp),
    crossTenantById: false,
    issuer: iss,
    jti,
    lineage,
    caps,
    grants,
  };
}
