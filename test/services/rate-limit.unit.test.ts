import { install } from '@sinonjs/fake-timers';

import type { Principal } from '../../src/access/principal.ts';
import type { StrataError } from '../../src/errors.ts';
import { RateLimits, type RateState } from '../../src/services/rate-limit.ts';
import { holder, OPERATOR } from '../support/principals.ts';

const counted: string[] = [];
const metrics = { count: (_name: string, kind: string): unknown => counted.push(kind) };

function limits(settings: { read?: number; write?: number; signup?: number }): RateLimits {
  return new RateLimits({ read: 0, write: 0, signup: 0, ...settings }, metrics);
}

async function errorOf(work: Promise<void>): Promise<StrataError | null> {
  try {
    await work;
    return null;
  } catch (error) {
    return error as StrataError;
  }
}

let clock: ReturnType<typeof install>;

beforeEach(() => {
  counted.length = 0;
  clock = install({ now: 1_800_000_000_000 });
});
afterEach(() => {
  clock.uninstall();
});

describe('the rate of a caller', () => {
  it('lets as many through as the limit says, tells what is left, and refuses the rest until the minute is over', async () => {
    const rates = limits({ write: 600 });
    const told: (RateState | null)[] = [];
    const outcomes = [];
    for (let i = 0; i < 1000; i += 1) {
      outcomes.push(await errorOf(rates.take(holder('user:a'), 'write', (state) => told.push(state))));
    }
    expect(outcomes.filter((error) => error === null)).toHaveLength(600);
    expect(outcomes.slice(0, 600).every((error) => error === null)).toBe(true);
    expect(told.slice(0, 2).map((state) => state?.remaining)).toEqual([599, 598]);
    expect(told[999]).toEqual({ limit: 600, remaining: 0, resetSeconds: 60 });
    expect(outcomes[600]).toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAfterSeconds: 60 });
    expect(counted).toEqual(Array.from({ length: 400 }, () => 'write'));

    clock.tick(45_500);
    expect(await errorOf(rates.take(holder('user:a'), 'write', jest.fn()))).toMatchObject({
      retryAfterSeconds: 15,
    });
    clock.tick(15_000);
    expect(await errorOf(rates.take(holder('user:a'), 'write', jest.fn()))).toBeNull();
  });

  it('is counted by the token and what was minted from it; without one by tenant and actor', async () => {
    const rates = limits({ read: 1 });
    const passes = async (principal: Principal): Promise<boolean> =>
      (await errorOf(rates.take(principal, 'read', jest.fn()))) === null;
    expect(await passes(holder('user:a'))).toBe(true);
    expect(await passes(holder('user:a'))).toBe(false);
    expect(await passes(holder('user:a', { jti: 'tok_other' }))).toBe(true);
    expect(await passes(holder('user:a', { jti: 'tok_minted', lineage: ['tok_other', 'tok_b'] }))).toBe(
      false,
    );
    expect(await passes(holder('user:b', { jti: 'tok_minted', lineage: ['tok_other'] }))).toBe(true);
    expect(await passes(OPERATOR)).toBe(true);
    expect(await passes({ ...OPERATOR, actor: 'user:b' })).toBe(true);
    expect(await passes({ ...OPERATOR, tenant: 'acme' })).toBe(true);
    expect(await passes(OPERATOR)).toBe(false);
  });

  it('counts reads and writes apart, and several at once', async () => {
    const rates = limits({ read: 2, write: 3 });
    const take = (kind: 'read' | 'write', requests?: number) =>
      errorOf(rates.take(OPERATOR, kind, jest.fn(), requests));
    expect(await take('write', 3)).toBeNull();
    expect(await take('read')).toBeNull();
    expect(await take('write')).toMatchObject({ code: 'RATE_LIMITED' });
    expect(await take('read', 2)).toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('is unbounded, and told as that, where no limit is set', async () => {
    const tell = jest.fn();
    for (let i = 0; i < 5000; i += 1) await limits({}).take(OPERATOR, 'write', tell);
    expect(tell).toHaveBeenCalledTimes(5000);
    expect(tell).not.toHaveBeenCalledWith(expect.anything());
  });

  it('is forgotten with its window', async () => {
    const rates = limits({ read: 5 });
    const before = clock.countTimers();
    for (let i = 0; i < 500; i += 1) await rates.take(holder(`user:u${i}`), 'read', jest.fn());
    expect(clock.countTimers()).toBe(before + 500);
    clock.tick(60_000);
    expect(clock.countTimers()).toBe(before);
  });
});

describe('the gate of sign-ups', () => {
  it('counts an hour by the address', async () => {
    const rates = limits({ signup: 2 });
    const passes = async (address: string) => (await errorOf(rates.signupGate(address))) === null;
    expect(await passes('192.0.2.1')).toBe(true);
    expect(await passes('::ffff:192.0.2.1')).toBe(true);
    expect(await passes('192.0.2.1')).toBe(false);
    expect(await passes('192.0.2.2')).toBe(true);
    expect(counted).toEqual(['signup']);
    expect(await errorOf(rates.signupGate('192.0.2.1'))).toMatchObject({
      retryAfterSeconds: 3600,
      status: 429,
    });
    clock.tick(3_600_000);
    expect(await passes('192.0.2.1')).toBe(true);
  });

  it('takes a network of 64 bits as one address', async () => {
    const rates = limits({ signup: 1 });
    expect(await errorOf(rates.signupGate('2001:db8::1'))).toBeNull();
    expect(await errorOf(rates.signupGate('2001:db8::ffff'))).not.toBeNull();
    expect(await errorOf(rates.signupGate('2001:db8:0:1::1'))).toBeNull();
  });

  it('is open where it is set to 0', async () => {
    const rates = limits({});
    for (let i = 0; i < 100; i += 1) await rates.signupGate('192.0.2.1');
  });
});
