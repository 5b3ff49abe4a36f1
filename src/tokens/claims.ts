import { z } from 'zod';

import { actorId } from '../../schemas/actor.ts';
import { capabilityPattern, type CallerTier, type CapabilityPattern } from '../../schemas/policy.ts';
import { MAX_TOKEN_CAPS, MAX_TOKEN_SCOPES, tokenId } from '../../schemas/token.ts';
import { grantText, parseGrant, type Grant } from '../access/grant.ts';
import { MAX_FOREIGN_TOKEN_S, MAX_TOKEN_LINEAGE } from '../limits.ts';
import { fieldPath } from '../validation.ts';
import { invalid, secondsOf } from './paseto.ts';

/** What a token says, in the terms of the service; instants are Unix seconds. */
export interface TokenClaims {
  readonly sub: string;
  readonly aud: string;
  readonly iss: string;
  readonly jti: string;
  /** Ids of the tokens that it was minted from, the first one first. */
  readonly lineage: readonly string[];
  readonly iat: number;
  readonly exp: number;
  /** Instant before which it is not good; null where it does not say. */
  readonly nbf: number | null;
  readonly tier: CallerTier;
  /** Capabilities that it is narrowed to; null for all. */
  readonly caps: readonly CapabilityPattern[] | null;
  /** Where it may be used and for what; null for everywhere. */
  readonly grants: readonly Grant[] | null;
}

const instant = z.string().transform(secondsOf).pipe(z.number());
const grant = z.string().transform((text, context) => {
  const read = parseGrant(text);
  if (typeof read !== 'string') return read;
  context.addIssue({ code: 'custom', message: read });
  return z.NEVER;
});

/** Claims that we do not know are left alone: other issuers have their own. */
const schema = z.object({
  sub: actorId,
  aud: z.string().min(1).max(256),
  iss: z.string().min(1).max(256),
  jti: tokenId,
  iat: instant,
  exp: instant,
  nbf: instant.optional(),
  strata_lineage: z.array(tokenId).max(MAX_TOKEN_LINEAGE).optional(),
  tier: z.literal('free').optional(),
  caps: z.array(capabilityPattern).max(MAX_TOKEN_CAPS).optional(),
  scopes: z.array(grant).max(MAX_TOKEN_SCOPES).optional(),
});

/** Reads verified claims. Throws `INVALID_TOKEN_SIGNATURE` naming the claim that is missing or not well-formed. */
export function readClaims(claims: object): TokenClaims {
  const read = schema.safeParse(claims);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw invalid(`has a bad claim: ${fieldPath(issue?.path ?? [])} ${issue?.message ?? ''}`);
  }
  const {
    tier = 'standard',
    caps = null,
    scopes = null,
    nbf = null,
    strata_lineage: lineage = [],
    ...rest
  } = read.data;
  if (rest.exp - rest.iat > MAX_FOREIGN_TOKEN_S) throw invalid('lives longer than a year');
  return { ...rest, lineage, nbf, tier, caps, grants: scopes };
}

/** The claims of a token to sign, in whole seconds. */
export function claimsOf(token: Omit<TokenClaims, 'nbf'>): Record<string, string | readonly string[]> {
  const { tier, caps, grants, iat, exp, lineage, ...rest } = token;
  return {
    ...rest,
    iat: instantOf(iat),
    exp: instantOf(exp),
    ...(caps === null ? {} : { caps }),
    ...(grants === null ? {} : { scopes: grants.map(grantText) }),
    ...(tier === 'free' ? { tier } : {}),
    ...(lineage.length === 0 ? {} : { strata_lineage: lineage }),
  };
}

function instantOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
