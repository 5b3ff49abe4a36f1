import { RecentBytes, BODY_RATE_WINDOW_MS, BODY_RATE_STEP_MS } from '../../src/services/recent-bytes.ts';
import fc from '../support/property.ts';

const BEGIN = 1234.5;

/** The bytes of the step at hand, and of those before it that make a window, by each second of these. */
function naive(came: readonly { readonly at: number; readonly bytes: number }[], at: number): number {
  const steps = BODY_RATE_WINDOW_MS / BODY_RATE_STEP_MS;
  const from = Math.max(0, Math.floor(at / BODY_RATE_STEP_MS) - steps) * BODY_RATE_STEP_MS;
  const bytes = came.reduce((sum, one) => sum + (one.at >= from ? one.bytes : 0), 0);
  return at === from ? 0 : (bytes / (at - from)) * 1000;
}

describe('how fast bytes came of late', () => {
  it('is what a list of all that came says', () => {
    const event = fc.record({
      passMs: fc.oneof(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 0, max: 20_000 })),
      bytes: fc.integer({ min: 0, max: 100_000 }),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const recent = new RecentBytes(BEGIN);
        const came: { at: number; bytes: number }[] = [];
        let at = 0;
        for (const { passMs, bytes } of events) {
          at += passMs;
          expect(recent.bytesASecond(BEGIN + at)).toBeCloseTo(naive(came, at), 6);
          recent.add(bytes, BEGIN + at);
          came.push({ at, bytes });
          expect(recent.bytesASecond(BEGIN + at)).toBeCloseTo(naive(came, at), 6);
        }
      }),
    );
  });
});
