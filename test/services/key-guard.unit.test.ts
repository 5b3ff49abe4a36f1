import { KeyGuard } from '../../src/services/key-guard.ts';
import type { Attempt, Authenticator } from '../../src/services/authenticator.ts';
import { StrataError } from '../../src/errors.ts';
import { HandClock } from '../support/tokens.ts';
import { holder, OPERATOR } from '../support/principals.ts';

const LIMIT = 20;
const KEY = 'the-one-good-key';
const TOKEN = 'v4.public.good';
const OLD = 'v4.public.old';
const access: Authenticator = {
  authenticate: ({ bearer }) =>
    bearer === KEY
      ? Promise.resolve(OPERATOR)
      : bearer === TOKEN
        ? Promise.resolve(holder('user:neighbour'))
        : Promise.reject(
            bearer === OLD
              ? new StrataError('TOKEN_EXPIRED', 'over')
              : new StrataError('INVALID_TOKEN_SIGNATURE', 'wrong'),
          ),
  admit: () => Promise.resolve(),
};

function rig(limit = LIMIT) {
  const clock = new HandClock(1_800_000_000_000);
  const rows: Attempt[] = [];
  const counted: string[] = [];
  const metrics = { count: (_name: string, outcome: string): unknown => counted.push(outcome) };
  const auditing = { stranger: (attempt: Attempt): unknown => rows.push(attempt) };
  const guard = new KeyGuard({ access, auditing, metrics, clock, limit });
  const show = async (bearer: string | undefined, address = '192.0.2.1'): Promise<unknown> => {
    const attempt = { address, endpoint: 'GET /v1/events', requestId: 'req_1', began: 0 };
    try {
      await guard.authenticate(bearer === undefined ? {} : { bearer }, attempt);
      return 'good';
    } catch (error) {
      return (error as StrataError).code;
    }
  };
  const guess = async (times: number, address?: string): Promise<unknown[]> => {
    const codes = [];
    for (let i = 0; i < times; i += 1) codes.push(await show(`guess ${i}`, address));
    return codes;
  };
  return { clock, rows, counted, guard, show, guess };
}

describe('wrong keys from one address', () => {
  it('are looked at so many times in a minute, and no longer then', async () => {
    const { clock, counted, guess, show, guard } = rig();
    expect(new Set(await guess(LIMIT))).toEqual(new Set(['INVALID_TOKEN_SIGNATURE']));
    expect(await guess(3)).toEqual(['RATE_LIMITED', 'RATE_LIMITED', 'RATE_LIMITED']);
    clock.time += 20_000;
    const attempt = { address: '192.0.2.1', endpoint: 'GET /v1/events', requestId: 'req_1', began: 0 };
    await expect(guard.authenticate({ bearer: KEY }, attempt)).rejects.toMatchObject({
      status: 429,
      retriable: true,
      retryAfterSeconds: 40,
      details: { limit: LIMIT, retry_after_seconds: 40 },
    });
    expect([counted.filter((one) => one === 'refused').length, counted.slice(LIMIT)]).toEqual([
      LIMIT,
      ['throttled', 'throttled', 'throttled', 'throttled'],
    ]);
    clock.time += 40_000;
    expect(await show(KEY)).toBe('good');
    expect(await guess(1)).toEqual(['INVALID_TOKEN_SIGNATURE']);
  });

  it('shut out neither other addresses nor what was good from there before', async () => {
    const { guess, show } = rig();
    expect(await show(KEY)).toBe('good');
    await guess(LIMIT);
    expect(await show(KEY)).toBe('good');
    expect(await show('guess')).toBe('RATE_LIMITED');
    expect(await show(KEY, '192.0.2.2')).toBe('good');
  });

  it('shut out no token that verifies: a neighbour behind the same address comes in', async () => {
    const { counted, guess, show } = rig();
    await guess(LIMIT);
    expect(await show(TOKEN)).toBe('good');
    expect(await show(OLD)).toBe('TOKEN_EXPIRED');
    expect(await show('v4.public.guess')).toBe('RATE_LIMITED');
    expect(await show(KEY)).toBe('RATE_LIMITED');
    expect(counted.slice(LIMIT)).toEqual(['throttled', 'throttled']);
  });

  it('are those of a network of 64 bits', async () => {
    const { guess, show } = rig();
    await guess(LIMIT, '2001:db8::1');
    expect(await show('guess', '2001:db8::ffff')).toBe('RATE_LIMITED');
    expect(await show('guess', '2001:db8:0:1::1')).toBe('INVALID_TOKEN_SIGNATURE');
  });

  it('leave a row a minute for each address, and of a flood from many a hundred', async () => {
    const { clock, rows, guess } = rig();
    await guess(LIMIT + 5);
    await guess(3, '192.0.2.2');
    expect(rows.map(({ address }) => address)).toEqual(['192.0.2.1', '192.0.2.2']);
    clock.time += 60_000;
    await guess(2);
    expect(rows).toHaveLength(3);
    for (let i = 0; i < 300; i += 1) await guess(1, `198.51.${Math.floor(i / 200)}.${i % 200}`);
    expect(rows).toHaveLength(2 + 100);
  });
});

describe('what is no wrong key', () => {
  it('is not counted', async () => {
    const { counted, rows, show, guess } = rig();
    for (let i = 0; i < 2 * LIMIT; i += 1) {
      expect(await show(OLD)).toBe('TOKEN_EXPIRED');
      expect(await show(KEY)).toBe('good');
      expect(await show(undefined)).toBe('INVALID_TOKEN_SIGNATURE');
    }
    expect([counted, rows]).toEqual([[], []]);
    expect(await guess(1)).toEqual(['INVALID_TOKEN_SIGNATURE']);
  });

  it('is nothing where there is no limit', async () => {
    const { counted, guess } = rig(0);
    expect(new Set(await guess(3 * LIMIT))).toEqual(new Set(['INVALID_TOKEN_SIGNATURE']));
    expect(counted).toEqual([]);
  });
});
