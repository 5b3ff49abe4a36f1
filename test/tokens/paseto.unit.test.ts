import { readFileSync } from 'node:fs';

import { readVerifyingKey } from '../../src/tokens/key.ts';
import { openToken, verifyToken, type SignatureRules } from '../../src/tokens/paseto.ts';
import { anotherSigningKey, craft, HandClock } from '../support/tokens.ts';

// The published vectors of the standard; where they come from stands in the file.
interface Vector {
  readonly name: string;
  readonly 'expect-fail': boolean;
  readonly 'public-key'?: string;
  readonly token: string;
  readonly payload: string | null;
  readonly footer: string;
  readonly 'implicit-assertion': string;
}

const { tests } = JSON.parse(readFileSync(new URL('fixtures/paseto-v4.json', import.meta.url), 'utf8')) as {
  tests: Vector[];
};
/** Before the tokens of the vectors expire. */
const clock = new HandClock(Date.parse('2021-06-01T00:00:00Z'));

async function rulesFor(vector: Vector): Promise<SignatureRules> {
  const any = tests.find((test) => test['public-key'] !== undefined)?.['public-key'] ?? '';
  const hex = vector['public-key'] ?? any;
  const key = await readVerifyingKey('any', `k4.public.${Buffer.from(hex, 'hex').toString('base64url')}`);
  return {
    keyOf: () => Promise.resolve(key),
    implicitAssertion: Buffer.from(vector['implicit-assertion']),
  };
}

describe('the published vectors', () => {
  const good = tests.filter((vector) => !vector['expect-fail']);
  const bad = tests.filter((vector) => vector['expect-fail']);

  it('are there', () => {
    expect(good.map(({ name }) => name)).toEqual(['4-S-1', '4-S-2', '4-S-3']);
    expect(bad.map(({ name }) => name)).toEqual(['4-F-1', '4-F-2', '4-F-3']);
  });

  it.each(good)('$name gives its payload', async (vector) => {
    const { claims, kid } = await verifyToken(vector.token, { ...(await rulesFor(vector)), clock });
    expect(claims).toEqual(JSON.parse(vector.payload ?? ''));
    const named = vector.footer === '' ? null : (JSON.parse(vector.footer) as { kid: string }).kid;
    expect(kid).toBe(named);
  });

  it.each(good)('$name is refused with another implicit assertion', async (vector) => {
    const rules = { ...(await rulesFor(vector)), implicitAssertion: Buffer.from('{"another":1}') };
    await expect(verifyToken(vector.token, { ...rules, clock })).rejects.toMatchObject({
      code: 'INVALID_TOKEN_SIGNATURE',
    });
  });

  it.each(good)('$name expires by the clock that is handed in', async (vector) => {
    const rules = await rulesFor(vector);
    const end = Date.parse((JSON.parse(vector.payload ?? '') as { exp: string }).exp);
    const at = (time: number): Promise<unknown> =>
      verifyToken(vector.token, { ...rules, clock: new HandClock(time) });
    await expect(at(end + 30_000)).resolves.toBeDefined();
    await expect(at(end + 30_001)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
  });

  it.each(bad)('$name is refused', async (vector) => {
    await expect(verifyToken(vector.token, { ...(await rulesFor(vector)), clock })).rejects.toMatchObject({
      code: 'INVALID_TOKEN_SIGNATURE',
    });
  });
});

describe('the signature of a token', () => {
  const NOW = 1_800_000_000_000;

  it('covers every character of it', async () => {
    const key = await anotherSigningKey();
    const text = await craft(key, {}, NOW);
    const rules = { keyOf: () => Promise.resolve(key) };
    await expect(openToken(text, rules)).resolves.toMatchObject({ kid: key.kid });
    for (let place = 'v4.public.'.length; place < text.length; place += 1) {
      const other = text[place] === 'A' ? 'B' : 'A';
      const tampered = text.slice(0, place) + other + text.slice(place + 1);
      await expect(openToken(tampered, rules)).rejects.toMatchObject({
        code: 'INVALID_TOKEN_SIGNATURE',
      });
    }
  });

  it('is not looked at twice as long as it may be', async () => {
    const key = await anotherSigningKey();
    const text = `v4.public.${'A'.repeat(1 << 20)}`;
    await expect(openToken(text, { keyOf: () => Promise.resolve(key) })).rejects.toMatchObject({
      code: 'INVALID_TOKEN_SIGNATURE',
      message: expect.stringContaining('16384'),
    });
  });
});
