import type { Writer } from '../../graph/driver.ts';
import { LifecycleRemover } from '../../graph/lifecycle-retention.ts';
import type { Statement } from '../../graph/statement.ts';
import { systemClock } from '../../src/clock.ts';
import { JobRunner } from '../../src/jobs/runner.ts';
import {
  FrameRetention,
  FRAME_SWEEP_BATCH,
  FRAME_SWEEP_REST_MS,
} from '../../src/lifecycle/frame-retention.ts';
import { silentLog } from '../../src/log.ts';
import { Metrics } from '../../src/metrics.ts';
import { FakeTimer } from '../support/fake-timer.ts';

describe('a sweep', () => {
  it('rests between its batches, and says how much went', async () => {
    const timer = new FakeTimer();
    const metrics = new Metrics({ version: '0.0.0', git_sha: 'unknown', built_at: 'unknown' });
    const jobs = new JobRunner({ log: silentLog, metrics, timer });
    const batches = [FRAME_SWEEP_BATCH, FRAME_SWEEP_BATCH, 7];
    const at: number[] = [];
    const unused = (): Promise<never> => Promise.reject(new Error('removing is one repeatable statement'));
    const writer: Writer = {
      writeRepeatable: <R>(_statement: Statement<never, R>): Promise<R[]> => {
        at.push(timer.now());
        return Promise.resolve([{ removed: batches[at.length - 1] } as R]);
      },
      read: unused,
      write: unused,
      transaction: unused,
    };
    const told: unknown[] = [];
    const log = { ...silentLog, info: (_message: string, fields?: object) => told.push(fields) };
    const retention = new FrameRetention({
      remover: new LifecycleRemover(writer),
      clock: systemClock,
      log,
      days: 30,
    });
    retention.start(jobs);
    await timer.pass(60_000);
    await retention.stop();
    expect(at).toEqual([0, FRAME_SWEEP_REST_MS, 2 * FRAME_SWEEP_REST_MS]);
    expect(told).toEqual([{ frames: 2 * FRAME_SWEEP_BATCH + 7 }]);
  });
});
