import type { KnownKey, Revocation } from '../../src/access/token-state.ts';
import { silentLog } from '../../src/log.ts';
import type { Credentials, Principal } from '../../src/services/access.ts';
import { CallerWatch } from '../../src/services/caller-watch.ts';
import { TokenCallers } from '../../src/services/token-recognition.ts';
import { KeyRing, type TrustedIssuer } from '../../src/tokens/key-ring.ts';
import type { SigningKey } from '../../src/tokens/key.ts';
import { Revocations } from '../../src/tokens/revocations.ts';
import { anotherSigningKey, craft, HandClock, instantIn } from '../support/tokens.ts';

const NOW = 1_800_000_000_000;
const WEEK_MS = 604_800_000;

const known = ({ kid, text }: SigningKey, more: Partial<KnownKey> = {}): KnownKey => ({
  kid,
  public_key: text,
  active: true,
  retires_at: null,
  ...more,
});

let own: SigningKey;
let former: SigningKey;
let foreign: SigningKey;
let stranger: SigningKey;
let issuer: TrustedIssuer;
beforeAll(async () => {
  [own, former, foreign, stranger] = (await Promise.all([1, 2, 3, 4].map(anotherSigningKey))) as [
    SigningKey,
    SigningKey,
    SigningKey,
    SigningKey,
  ];
  issuer = {
    iss: 'https://idp',
    kid: foreign.kid,
    public_key: foreign.text,
    audience: 'strata-api',
    tenant: 'acme',
  };
});

/** A recognition with its clock and its revocations at hand. */
function rig(late: KnownKey[] = []) {
  const clock = new HandClock(NOW);
  const keys = new KeyRing([own], [issuer], clock);
  keys.learn([known(own), known(former, { active: false, retires_at: NOW + WEEK_MS })]);
  const revocations = new Revocations();
  let refreshed = 0;
  const feed = {
    fresh: () => Promise.resolve(),
    refresh: () => {
      refreshed += 1;
      keys.learn(late);
      return Promise.resolve();
    },
  };
  const callers = new TokenCallers({ keys, revocations, feed, clock });
  const recognise = (
    token: string,
    credentials: Credentials = { actor: 'user:a' },
  ): Promise<Principal | null> => callers.recognise(token, { actorRequired: true, ...credentials });
  const revoke = (...revoked: Revocation[]): void => {
    revocations.add(revoked);
  };
  return { clock, keys, recognise, revoke, revocations, refreshed: () => refreshed };
}

describe('a token', () => {
  it('makes the principal that it speaks of', async () => {
    const token = await craft(own, { caps: ['scope.*'], scopes: ['scope.read:org:a/*'], tier: 'free' }, NOW);
    expect(await rig().recognise(token)).toEqual({
      tenant: 'default',
      actor: 'user:a',
      posture: 'token',
      tier: 'free',
      expires_at: NOW / 1000 + 3600,
      crossTenantById: false,
      issuer: 'strata',
      jti: 'tok_crafted',
      lineage: [],
      caps: ['scope.*'],
      grants: [{ pattern: 'scope.read', path: 'org:a', subtree: true }],
    });
  });

  it('without narrowing allows all that the policy allows', async () => {
    expect(await rig().recognise(await craft(own, {}, NOW))).toMatchObject({
      caps: null,
      grants: null,
      tier: 'standard',
    });
  });

  it.each([
    ['30 s before it was issued', { iat: instantIn(30, NOW), nbf: instantIn(30, NOW) }],
    ['30 s after its end', { iat: instantIn(-100, NOW), exp: instantIn(-30, NOW) }],
    ['with a claim of somebody else', { role: 'admin', nested: { deep: [1] } }],
    ['narrowed to nothing', { caps: [], scopes: [] }],
  ])('is taken %s', async (_, claims) => {
    expect(await rig().recognise(await craft(own, claims, NOW))).not.toBeNull();
  });

  it.each([
    ['issued in the future', { iat: instantIn(31, NOW) }, 'INVALID_TOKEN_SIGNATURE'],
    ['good only in the future', { nbf: instantIn(31, NOW) }, 'INVALID_TOKEN_SIGNATURE'],
    ['expired', { iat: instantIn(-100, NOW), exp: instantIn(-31, NOW) }, 'TOKEN_EXPIRED'],
    ['without a subject', { sub: undefined }, 'INVALID_TOKEN_SIGNATURE'],
    ['with a subject that is no actor', { sub: 'user a' }, 'INVALID_TOKEN_SIGNATURE'],
    ['without an id', { jti: undefined }, 'INVALID_TOKEN_SIGNATURE'],
    ['without an audience', { aud: undefined }, 'INVALID_TOKEN_SIGNATURE'],
    ['without iat', { iat: undefined }, 'INVALID_TOKEN_SIGNATURE'],
    ['with an unknown capability', { caps: ['scope.fly'] }, 'INVALID_TOKEN_SIGNATURE'],
    ['with caps that are no list', { caps: 'scope.read' }, 'INVALID_TOKEN_SIGNATURE'],
    ['with a bare path among its scopes', { scopes: ['org:a/user:b'] }, 'INVALID_TOKEN_SIGNATURE'],
    ['with a scope of bad grammar', { scopes: ['scope.read:org:a//user:b'] }, 'INVALID_TOKEN_SIGNATURE'],
    ['with a tier of its own making', { tier: 'operator' }, 'INVALID_TOKEN_SIGNATURE'],
    ['that lives longer than a year', { exp: instantIn(400 * 86_400, NOW) }, 'INVALID_TOKEN_SIGNATURE'],
    ['of another issuer', { iss: 'https://idp' }, 'UNKNOWN_ISSUER'],
  ])('%s is refused', async (_, claims, code) => {
    await expect(rig().recognise(await craft(own, claims, NOW))).rejects.toMatchObject({ code });
  });

  it('of another version, purpose or kind is not looked at', async () => {
    const token = await craft(own, {}, NOW);
    const others = ['v2.public.', 'v3.public.', 'v4.local.', 'V4.public.', ''].map((header) =>
      token.replace('v4.public.', header),
    );
    const jwt = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c2VyOmEifQ.';
    for (const other of [...others, jwt, '']) expect(await rig().recognise(other)).toBeNull();
  });

  it('that is tampered with, cut short or has another footer is refused', async () => {
    const token = await craft(own, {}, NOW);
    const [, , payload = '', footer = ''] = token.split('.');
    // In the middle of the signature: of its last characters some bits say nothing, and one signature in sixteen ends with a zero byte.
    const tampered = `${payload.slice(0, -20)}${payload.at(-20) === 'A' ? 'B' : 'A'}${payload.slice(-19)}`;
    const footerOf = (value: unknown): string =>
      Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
    const codes: [string, string][] = [
      [`v4.public.${tampered}.${footer}`, 'INVALID_TOKEN_SIGNATURE'],
      [`v4.public.A${payload.slice(1)}.${footer}`, 'INVALID_TOKEN_SIGNATURE'],
      [`v4.public.${payload}.${footerOf({ kid: own.kid, x: 1 })}`, 'INVALID_TOKEN_SIGNATURE'],
      [`v4.public.${payload}.${footerOf({ kid: former.kid })}`, 'INVALID_TOKEN_SIGNATURE'],
      [`v4.public.${payload}.${footerOf({ kid: stranger.kid })}`, 'INVALID_TOKEN_SIGNATURE'],
      [`v4.public.${payload}.${footerOf({ kid: 1 })}`, 'INVALID_TOKEN_SIGNATURE'],
      [`v4.public.${payload}.${footerOf('null')}`, 'INVALID_TOKEN_SIGNATURE'],
      [`v4.public.${payload}.${footerOf('{')}`, 'INVALID_TOKEN_SIGNATURE'],
      [`v4.public.${payload}`, 'INVALID_TOKEN_SIGNATURE'],
      [token.slice(0, -1), 'INVALID_TOKEN_SIGNATURE'],
      [`${token}.x`, 'INVALID_TOKEN_SIGNATURE'],
      [`${token}=`, 'INVALID_TOKEN_SIGNATURE'],
      [`v4.public.${payload.slice(0, 40)}.${footer}`, 'INVALID_TOKEN_SIGNATURE'],
      ['v4.public.', 'INVALID_TOKEN_SIGNATURE'],
      [`v4.public.${'A'.repeat(1 << 20)}.${footer}`, 'INVALID_TOKEN_SIGNATURE'],
    ];
    for (const [text, code] of codes) {
      await expect([text.slice(0, 60), rig().recognise(text)][1]).rejects.toMatchObject({ code });
    }
  });

  it('of a key that nobody knows is refused, of one that another process has just made it is not', async () => {
    const token = await craft(stranger, {}, NOW);
    await expect(rig().recognise(token)).rejects.toMatchObject({ code: 'INVALID_TOKEN_SIGNATURE' });
    const rotated = rig([known(stranger)]);
    expect(await rotated.recognise(token)).toMatchObject({ actor: 'user:a' });
    expect(rotated.refreshed()).toBe(1);
    await rotated.recognise(token);
    expect(rotated.refreshed()).toBe(1);
  });

  it('of a former key is good until that retires, whether or not it was seen before', async () => {
    const exp = instantIn(30 * 86_400, NOW);
    const { recognise, clock } = rig();
    const seen = await craft(former, { exp }, NOW);
    await recognise(seen);
    clock.time = NOW + WEEK_MS + 1;
    for (const token of [seen, await craft(former, { exp, jti: 'tok_other' }, NOW)]) {
      await expect(recognise(token)).rejects.toMatchObject({ code: 'INVALID_TOKEN_SIGNATURE' });
    }
  });

  it('expires and is revoked though its signature is remembered', async () => {
    const { recognise, clock, revoke } = rig();
    const [token, other] = [await craft(own, {}, NOW), await craft(own, { jti: 'tok_2' }, NOW)];
    await recognise(token);
    await recognise(other);
    revoke({ tenant: 'default', jti: 'tok_crafted', keep_until: NOW + WEEK_MS });
    await expect(recognise(token)).rejects.toMatchObject({ code: 'REVOKED_TOKEN' });
    expect(await recognise(other)).not.toBeNull();
    clock.time = NOW + 3_631_000;
    await expect(recognise(other)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
  });

  it('falls with any that it was minted from', async () => {
    const { recognise, revoke } = rig();
    const minted = async (lineage: string[]): Promise<string> =>
      craft(own, { jti: `tok_${lineage.length}`, strata_lineage: lineage }, NOW);
    const [child, grandchild] = [await minted(['tok_root']), await minted(['tok_root', 'tok_1'])];
    expect(await recognise(grandchild)).toMatchObject({ lineage: ['tok_root', 'tok_1'] });
    revoke({ tenant: 'default', jti: 'tok_1', keep_until: NOW + WEEK_MS });
    await expect(recognise(grandchild)).rejects.toMatchObject({ code: 'REVOKED_TOKEN' });
    await expect(recognise(child)).rejects.toMatchObject({ code: 'REVOKED_TOKEN' });
    const sibling = await craft(own, { jti: 'tok_s', strata_lineage: ['tok_root'] }, NOW);
    expect(await recognise(sibling)).not.toBeNull();
    revoke({ tenant: 'default', jti: 'tok_root', keep_until: NOW + WEEK_MS });
    await expect(recognise(sibling)).rejects.toMatchObject({ code: 'REVOKED_TOKEN' });
  });

  it('is revoked by the operator in every tenant, by others in their own', async () => {
    const { recognise, revoke } = rig();
    const token = await craft(own, {}, NOW);
    revoke({ tenant: 'acme', jti: 'tok_crafted', keep_until: NOW + 1 });
    expect(await recognise(token)).not.toBeNull();
    revoke({ tenant: '*', jti: 'tok_crafted', keep_until: NOW + 1 });
    await expect(recognise(token)).rejects.toMatchObject({ code: 'REVOKED_TOKEN' });
  });
});

describe('what comes beside a token', () => {
  it.each([
    ['no actor', {}, 'ACTOR_MISMATCH'],
    ['another actor', { actor: 'user:b' }, 'ACTOR_MISMATCH'],
    ['an actor of another case', { actor: 'user:A' }, 'ACTOR_MISMATCH'],
    ['another tenant', { actor: 'user:a', tenant: 'acme' }, 'WRONG_TENANT'],
  ])('%s is refused', async (_, credentials, code) => {
    await expect(
      rig().recognise(await craft(own, {}, NOW), credentials as Credentials),
    ).rejects.toMatchObject({
      code,
    });
  });

  it('has to be the actor on REST, which the refusal says', async () => {
    await expect(rig().recognise(await craft(own, {}, NOW), {})).rejects.toThrow(
      /X-Strata-Actor header is required.*X-Cortex-Actor/,
    );
  });

  it('may be its own tenant, and nothing where no actor is asked for', async () => {
    const token = await craft(own, {}, NOW);
    expect(await rig().recognise(token, { actor: 'user:a', tenant: 'default' })).not.toBeNull();
    expect(await rig().recognise(token, { actorRequired: false })).not.toBeNull();
    await expect(rig().recognise(token, { actorRequired: false, actor: 'user:b' })).rejects.toMatchObject({
      code: 'ACTOR_MISMATCH',
    });
  });
});

describe('a token of a trusted issuer', () => {
  const claims = { iss: 'https://idp', aud: 'strata-api', jti: '0815' };

  it('belongs to the tenant of the issuer, and needs no actor', async () => {
    expect(await rig().recognise(await craft(foreign, claims, NOW), {})).toMatchObject({
      tenant: 'acme',
      actor: 'user:a',
      issuer: 'https://idp',
    });
  });

  it.each([
    ['for another audience', { ...claims, aud: 'acme' }, 'WRONG_TENANT'],
    ['of another issuer', { ...claims, iss: 'https://other' }, 'UNKNOWN_ISSUER'],
    ['that passes for ours', { ...claims, iss: 'strata', aud: 'default' }, 'UNKNOWN_ISSUER'],
  ])('%s is refused', async (_, changed, code) => {
    await expect(rig().recognise(await craft(foreign, changed, NOW))).rejects.toMatchObject({ code });
  });
});

describe('who signs', () => {
  it('is the active key, and a former one only until it retires', () => {
    const clock = new HandClock(NOW);
    const keys = new KeyRing([own, former], [], clock);
    expect(keys.signer()).toBeNull();
    keys.learn([known(own), known(former, { active: false, retires_at: NOW + 1000 })]);
    expect(keys.signer()).toEqual({ key: own, until: null });
    const ahead = new KeyRing([former, own], [], clock);
    ahead.learn([known(own), known(former, { active: false, retires_at: NOW + 1000 })]);
    expect(ahead.signer()).toEqual({ key: own, until: null });
    const behind = new KeyRing([former], [], clock);
    behind.learn([known(own), known(former, { active: false, retires_at: NOW + 1000 })]);
    expect(behind.signer()).toEqual({ key: former, until: NOW + 1000 });
    clock.time = NOW + 1000;
    expect(behind.signer()).toBeNull();
  });
});

describe('the watch', () => {
  it('tells once that a token was revoked, and nothing of others', async () => {
    const { clock, revocations, recognise } = rig();
    const watch = new CallerWatch({ revocations, clock, log: silentLog });
    const principal = (await recognise(await craft(own, {}, NOW)))!;
    const told: string[] = [];
    const note = ({ code }: { code: string }): void => void told.push(code);
    watch.watch(principal, note);
    watch.watch({ ...principal, jti: 'tok_2' }, note)();
    watch.watch({ ...principal, jti: null }, note);
    watch.look();
    expect(told).toEqual([]);
    revocations.add(['tok_crafted', 'tok_2'].map((jti) => ({ tenant: 'default', jti, keep_until: NOW + 1 })));
    watch.look();
    watch.look();
    expect(told).toEqual(['REVOKED_TOKEN']);
    expect(watch.refusalOf(principal)).toMatchObject({ code: 'REVOKED_TOKEN' });
  });

  it('tells the others when one does not take it', async () => {
    const { clock, revocations, recognise } = rig();
    const logged: string[] = [];
    const log = { ...silentLog, error: (message: string) => void logged.push(message) };
    const watch = new CallerWatch({ revocations, clock, log });
    const principal = (await recognise(await craft(own, {}, NOW)))!;
    const told: string[] = [];
    watch.watch(principal, () => {
      throw new Error('broken');
    });
    watch.watch(principal, ({ code }) => void told.push(code));
    revocations.add([{ tenant: 'default', jti: 'tok_crafted', keep_until: NOW + 1 }]);
    watch.look();
    expect(told).toEqual(['REVOKED_TOKEN']);
    expect(logged).toHaveLength(1);
  });

  it('looks for tokens that expire by itself', async () => {
    const { clock, revocations, recognise } = rig();
    const watch = new CallerWatch({ revocations, clock, log: silentLog });
    const principal = (await recognise(await craft(own, {}, NOW)))!;
    const told = new Promise<string>((resolve) => {
      watch.watch(principal, ({ code }) => {
        resolve(code);
      });
    });
    clock.time = NOW + 3_631_000;
    expect(await told).toBe('TOKEN_EXPIRED');
  });
});
