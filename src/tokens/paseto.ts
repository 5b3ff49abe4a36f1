import { InspectFooter, PublicProtocol, type Claims } from 'paseto';
import { SignFactory, VerifyFactory } from 'paseto/v4/public';

import type { Clock } from '../clock.ts';
import { StrataError } from '../errors.ts';
import { MAX_TOKEN_LENGTH, TOKEN_SKEW_S } from '../limits.ts';
import type { SigningKey, VerifyingKey } from './key.ts';

const v4 = new PublicProtocol(SignFactory, VerifyFactory);

/** What every token that is looked at here begins with; other versions and purposes are no tokens to this service. */
export const TOKEN_HEADER = 'v4.public.';

/** The library judges instants by itself unless told to be patient: expiry is decided by {@link refuseOutOfTime}. */
const PATIENT = { clockTolerance: 1e12, allowNonExpiring: true };
const BAD_SIGNATURE = 'Token signature verification failed';

/** A token whose signature is good. */
export interface OpenedToken {
  /** The key named by the footer; null where the footer names none. */
  readonly kid: string | null;
  readonly claims: Claims;
}

/** How signatures are checked. */
export interface SignatureRules {
  /** The key of a name, `null` standing for a footer that names none; null where there is no such key. */
  readonly keyOf: (kid: string | null) => Promise<VerifyingKey | null>;
  /** What the signature covers beside the token; default nothing. */
  readonly implicitAssertion?: Uint8Array;
}

/**
 * Checks the signature of a token, whatever its claims say. Throws `INVALID_TOKEN_SIGNATURE` for what is no v4.public
 * token, names no known key, carries no claims or is not signed by that key.
 */
export async function openToken(text: string, rules: SignatureRules): Promise<OpenedToken> {
  if (!text.startsWith(TOKEN_HEADER)) throw invalid('is no v4.public token');
  if (text.length > MAX_TOKEN_LENGTH) throw invalid(`has more than ${MAX_TOKEN_LENGTH} characters`);
  const kid = kidIn(text);
  const key = await rules.keyOf(kid);
  if (key === null) throw invalid('is signed with a key that is not known here');
  const { implicitAssertion } = rules;
  try {
    const options = { ...PATIENT, ...(implicitAssertion === undefined ? {} : { implicitAssertion }) };
    const { claims } = await v4.Verify(key.key, text, options);
    return { kid, claims };
  } catch (error) {
    throw refusalOf(error);
  }
}

/**
 * The one step from a text to claims that hold now: signature, then `exp`, `iat` and `nbf` by the clock. Throws as
 * {@link openToken} and {@link refuseOutOfTime} do.
 */
export async function verifyToken(
  text: string,
  { clock, ...rules }: SignatureRules & { readonly clock: Clock },
): Promise<OpenedToken> {
  const opened = await openToken(text, rules);
  refuseOutOfTime(opened.claims, clock);
  return opened;
}

/**
 * Throws `TOKEN_EXPIRED` behind `exp` and `INVALID_TOKEN_SIGNATURE` before `iat` or `nbf`, each with 30 seconds for clocks that differ;
 * `INVALID_TOKEN_SIGNATURE` too for a token without `exp`.
 */
export function refuseOutOfTime(claims: Pick<Claims, 'exp' | 'iat' | 'nbf'>, clock: Clock): void {
  const now = clock.now() / 1000;
  const { exp, iat, nbf } = claims;
  if (exp === undefined) throw invalid('has no exp: it would never end');
  for (const [name, from] of Object.entries({ iat, nbf })) {
    if (from !== undefined && secondsOf(from) > now + TOKEN_SKEW_S) {
      throw invalid(`is not good yet: its ${name} lies in the future`);
    }
  }
  // Whole seconds, as everywhere behind this: nothing may be ended that would still be let in.
  if (isExpired(Math.floor(secondsOf(exp)), clock)) {
    throw new StrataError('TOKEN_EXPIRED', 'the token has expired; have a new one minted');
  }
}

/** Whether a token that ends at `exp` (Unix seconds) is no longer taken. */
export function isExpired(exp: number, clock: Clock): boolean {
  return clock.now() / 1000 > exp + TOKEN_SKEW_S;
}

/** Unix seconds of an instant that the library has found to be one. */
export function secondsOf(instant: string): number {
  return Date.parse(instant) / 1000;
}

/** Signs claims; the footer names the key. What is signed for good has no `exp`; a token would be refused without one. */
export function signToken(
  key: SigningKey,
  claims: Claims,
  { forGood = false }: { readonly forGood?: boolean } = {},
): Promise<string> {
  const footer = new TextEncoder().encode(JSON.stringify({ kid: key.kid }));
  return v4.Sign(key.secret, claims, { footer, addIssuedAt: false, nonExpiring: forGood });
}

/** A refusal of a token that is none, or none that can be used. */
export function invalid(what: string): StrataError {
  return new StrataError('INVALID_TOKEN_SIGNATURE', `the token ${what}`);
}

function kidIn(text: string): string | null {
  try {
    const footer = InspectFooter(text);
    if (footer.byteLength === 0) return null;
    const parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(footer)) as unknown;
    const { kid = null } = (parsed ?? {}) as { kid?: unknown };
    return typeof kid === 'string' ? kid : null;
  } catch (cause) {
    throw new StrataError('INVALID_TOKEN_SIGNATURE', 'the token is malformed, or its footer is no JSON', {
      cause,
    });
  }
}

function refusalOf(error: unknown): StrataError {
  const { message, code } = error as { message?: unknown; code?: unknown };
  if (message === BAD_SIGNATURE) {
    return new StrataError('INVALID_TOKEN_SIGNATURE', 'the signature of the token is not good');
  }
  if (code === 'ERR_PASETO_INVALID_TOKEN' || code === 'ERR_PASETO_CLAIM_VALIDATION') {
    return new StrataError('INVALID_TOKEN_SIGNATURE', 'the token is malformed, or holds no claims', {
      cause: error,
    });
  }
  throw error;
}
