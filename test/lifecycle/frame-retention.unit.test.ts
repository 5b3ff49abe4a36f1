import type { Writer } from '../../graph/driver.ts';
import { LifecycleRemover } from '../../graph/lifecycle-retention.ts';
import type { Statement } from '../../graph/statement.ts';
import { systemClock } from '../../src/clock.ts';
import {
  FrameRetention,
  FRAME_SWEEP_BATCH,
  FRAME_SWEEP_REST_MS,
} from '../../src/lifecycle/frame-retention.ts';
import { silentLog } from '../../src/log.ts';

/** A timer may fire this much early, milliseconds. */
const EARLY_MS = 2;

describe('a sweep', () => {
  it('rests between its batches', async () => {
    const batches = [FRAME_SWEEP_BATCH, FRAME_SWEEP_BATCH, 7];
    const at: number[] = [];
    const unused = (): Promise<never> => Promise.reject(new Error('removing is one repeatable statement'));
    const writer: Writer = {
      writeRepeatable: <R>(_statement: Statement<never, R>): Promise<R[]> => {
        at.push(performance.now());
        return Promise.resolve([{ removed: batches[at.length - 1] } as R]);
      },
      read: unused,
      write: unused,
      transaction: unused,
    };
    const remover = new LifecycleRemover(writer);
    const retention = new FrameRetention({ remover, clock: systemClock, log: silentLog, days: 30 });
    expect(await retention.sweep()).toBe(2 * FRAME_SWEEP_BATCH + 7);
    const [first = 0, second = 0, third = 0] = at;
    expect(Math.min(second - first, third - second)).toBeGreaterThan(FRAME_SWEEP_REST_MS - EARLY_MS);
  });
});
