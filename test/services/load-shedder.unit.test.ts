import {
  LoadShedder,
  EVENT_LOOP_SAMPLE_MS,
  EVENT_LOOP_LATE_SAMPLES,
  EVENT_LOOP_RECENT_SAMPLES,
} from '../../src/services/load-shedder.ts';
import fc from '../support/property.ts';

const BOUND_MS = 1000;

function shedder(maxDelayMs = BOUND_MS) {
  let now = 5;
  const counted: string[] = [];
  const load = new LoadShedder({
    maxDelayMs,
    metrics: { count: (name, label) => counted.push(`${name} ${label}`) },
    now: () => now,
  });
  /** Measures as often as there are delays; whether new work is refused after each. */
  const after = (...delaysMs: number[]): boolean[] =>
    delaysMs.map((delayMs) => {
      now += EVENT_LOOP_SAMPLE_MS + delayMs;
      load.measure();
      return load.refusalOf('rest') !== null;
    });
  return { load, counted, after };
}

const LATE = Array.from({ length: EVENT_LOOP_LATE_SAMPLES }, () => BOUND_MS + 1);

describe('new work', () => {
  it('is let in by a loop that keeps up, and before it was measured', () => {
    const { load, after } = shedder();
    expect(load.refusalOf('rest')).toBeNull();
    expect(after(0, 3, 20, BOUND_MS, 0)).not.toContain(true);
  });

  it('is let in after a single stretch, however long', () => {
    expect(shedder().after(0, 600_000, 0, 600_000, 0)).not.toContain(true);
  });

  it('is let in where two late measurements are followed by one in time', () => {
    expect(shedder().after(5000, 5000, 10, 5000, 5000, 10)).not.toContain(true);
  });

  it('is refused when the delay lasts, and let in with the first that is half the bound', () => {
    const { after } = shedder();
    expect(after(...LATE)).toEqual([false, false, true]);
    expect(after(BOUND_MS * 0.9, BOUND_MS * 0.6, BOUND_MS / 2, BOUND_MS * 0.9)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('is never refused with a bound of 0', () => {
    expect(shedder(0).after(...LATE, ...LATE)).not.toContain(true);
  });

  it('is refused from the third late measurement on, until one is half the bound: any delays', () => {
    const delay = fc.integer({ min: 0, max: 2 * BOUND_MS });
    fc.assert(
      fc.property(fc.array(delay, { maxLength: 40 }), (delays) => {
        const expected = delays.map((_, i) => {
          const begin = delays.findLastIndex(
            (_delay, at) =>
              at <= i &&
              at + 1 >= EVENT_LOOP_LATE_SAMPLES &&
              delays.slice(at + 1 - EVENT_LOOP_LATE_SAMPLES, at + 1).every((one) => one > BOUND_MS),
          );
          return begin >= 0 && delays.slice(begin, i + 1).every((one) => one > BOUND_MS / 2);
        });
        expect(shedder().after(...delays)).toEqual(expected);
      }),
    );
  });

  it('that is refused is counted by its transport and told when to come again', () => {
    const { load, counted, after } = shedder();
    after(...LATE);
    counted.splice(0);
    expect(() => {
      load.admit('graphql');
    }).toThrow(
      expect.objectContaining({
        code: 'SERVER_BUSY',
        status: 503,
        retryAfterSeconds: 1,
        details: { reason: 'event_loop_delay', limit_ms: BOUND_MS },
      }),
    );
    expect(counted).toEqual(['strata_shed_requests_total graphql']);
  });
});

describe('the published delay', () => {
  it('is the longest of the last ones, and forgets what is over', () => {
    const { load, after } = shedder();
    expect(load.delaySeconds).toBe(0);
    after(10, 2000, 30);
    expect(load.delaySeconds).toBe(2);
    after(...Array.from({ length: EVENT_LOOP_RECENT_SAMPLES }, () => 40));
    expect(load.delaySeconds).toBe(0.04);
  });
});
