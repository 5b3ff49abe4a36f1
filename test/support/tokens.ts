import type { Clock } from '../../src/clock.ts';
import { newSecretKey, readSigningKey, type SigningKey } from '../../src/tokens/key.ts';
import { signToken } from '../../src/tokens/paseto.ts';
import { TokenIds } from '../../src/tokens/token-ids.ts';
import { TEST_KEY, TEST_TOKEN_KEY, type Client } from './client.ts';

/** A clock that a test moves, epoch milliseconds. */
export class HandClock implements Clock {
  time: number;

  constructor(time: number) {
    this.time = time;
  }

  now(): number {
    return this.time;
  }
}

/** The key that services under test sign with. */
export function testSigningKey(): Promise<SigningKey> {
  return readSigningKey(TEST_TOKEN_KEY);
}

/** An id that the service under test could have given to a token, and has not. */
export function unknownTokenId(): string {
  return new TokenIds(TEST_KEY).make();
}

/** A key that nobody knows, or a part of a test makes known. */
export async function anotherSigningKey(): Promise<SigningKey> {
  return readSigningKey(await newSecretKey());
}

/** The instant so many seconds from one (epoch milliseconds), as tokens write it. */
export function instantIn(seconds: number, from: number): string {
  return new Date(from + seconds * 1000).toISOString();
}

/** Signs a token that is good for an hour from `now` on but for what `claims` says; undefined leaves a claim out. */
export async function craft(
  key: SigningKey,
  claims: Readonly<Record<string, unknown>> = {},
  now: number,
): Promise<string> {
  const whole: Record<string, unknown> = {
    sub: 'user:a',
    aud: 'default',
    iss: 'strata',
    jti: 'tok_crafted',
    iat: instantIn(0, now),
    exp: instantIn(3600, now),
    ...claims,
  };
  const given = Object.entries(whole).filter(([, value]) => value !== undefined);
  return signToken(key, Object.fromEntries(given) as Parameters<typeof signToken>[1]);
}

/** The headers of a caller with a token: the bearer and its actor. */
export function bearer(token: string, actor = 'user:a'): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'x-strata-actor': actor };
}

/** A token as the service hands it out. */
export interface Minted {
  readonly token: string;
  readonly jti: string;
  readonly expires_at: string;
}

/** Has a service mint a token, for `user:a` unless the body says otherwise, by the operator unless the headers do. */
export async function mintFrom(
  service: Client,
  body: Record<string, unknown> = {},
  headers?: Record<string, string>,
): Promise<Minted> {
  const given = headers === undefined ? {} : { headers };
  const answer = await service.post('/v1/auth/tokens', { subject: 'user:a', ...body }, given);
  if (answer.status !== 201) throw new Error(`no token was minted: ${answer.text}`);
  return answer.json as Minted;
}
