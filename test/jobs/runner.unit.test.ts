import type { Job, RunOutcome } from '../../src/jobs/job.ts';
import { JobRunner } from '../../src/jobs/runner.ts';
import { silentLog } from '../../src/log.ts';
import { Metrics } from '../../src/metrics.ts';
import { FakeTimer, settled } from '../support/fake-timer.ts';

const FAILURE = { message: 'the job rests' };

/** A runner whose time stands still, with what it logged and when its job ran. */
function world() {
  const timer = new FakeTimer();
  const warned: unknown[] = [];
  const metrics = new Metrics({ version: '0.0.0', git_sha: 'unknown', built_at: 'unknown' });
  const log = {
    ...silentLog,
    warn: (message: string, fields?: object) => warned.push({ message, ...fields }),
  };
  const runner = new JobRunner({ log, metrics, timer });
  const ranAt: number[] = [];
  const start = (
    job: Partial<Job>,
    outcome: (run: number) => RunOutcome | Promise<RunOutcome> = () => 'idle',
  ) =>
    runner.start({
      name: 'example',
      failure: FAILURE,
      run: async () => {
        ranAt.push(timer.now());
        return await outcome(ranAt.length);
      },
      ...job,
    });
  const series = async (name: string): Promise<string[]> =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith(name));
  return { timer, warned, runner, ranAt, start, series };
}

const fails = (): never => {
  throw new Error('broken');
};

describe('a job', () => {
  it('runs at the start, and again after each interval', async () => {
    const { timer, ranAt, start } = world();
    const job = start({ everyMs: 100 });
    await timer.pass(250);
    expect(ranAt).toEqual([0, 100, 200]);
    await job.stop();
    await timer.pass(1000);
    expect(ranAt).toHaveLength(3);
  });

  it('without an interval runs when it is woken, however often meanwhile, once', async () => {
    const { timer, ranAt, start } = world();
    const job = start({});
    await timer.pass(1000);
    job.wake();
    job.wake();
    await timer.pass(1000);
    expect(ranAt).toEqual([0, 1000]);
    await job.stop();
  });

  it('never runs twice at once; woken during a run it runs once more', async () => {
    const { ranAt, start } = world();
    const ends: (() => void)[] = [];
    const job = start(
      {},
      () =>
        new Promise((resolve) =>
          ends.push(() => {
            resolve('idle');
          }),
        ),
    );
    await settled();
    job.wake();
    await settled();
    expect(ranAt).toHaveLength(1);
    ends[0]?.();
    await settled();
    expect(ranAt).toHaveLength(2);
    const over = job.stop();
    ends[1]?.();
    await over;
    expect(ranAt).toHaveLength(2);
  });

  it('goes on at once while there is more, or after the time that it leaves in between', async () => {
    const { timer, ranAt, start } = world();
    const job = start({ everyMs: 1000, betweenMs: 25 }, (run) => (run < 4 ? 'more' : 'idle'));
    await timer.pass(500);
    expect(ranAt).toEqual([0, 25, 50, 75]);
    await job.stop();
  });

  it('gathers what comes together, and rests for as long as its run asks', async () => {
    const { timer, ranAt, start } = world();
    const job = start({ gatherMs: 20, leastRestMs: () => 50 });
    await timer.pass(10);
    job.wake();
    await timer.pass(100);
    job.wake();
    await timer.pass(100);
    expect(ranAt).toEqual([0, 50, 130]);
    await job.stop();
  });

  it('runs nothing while it has no lease, and is given what it holds', async () => {
    const { timer, runner } = world();
    let lease: readonly number[] | null = null;
    const given: (readonly number[])[] = [];
    const job = runner.start<readonly number[]>({
      name: 'leased',
      everyMs: 10,
      failure: FAILURE,
      lease: () => lease,
      run: ({ held }) => {
        given.push(held);
        return Promise.resolve('idle');
      },
    });
    await timer.pass(15);
    expect(given).toEqual([]);
    lease = [3, 7];
    await timer.pass(10);
    expect(given).toEqual([[3, 7]]);
    await job.stop();
  });

  it('that is over does not run again, and its name is free', async () => {
    const { timer, ranAt, start } = world();
    const job = start({ everyMs: 1 }, () => 'over');
    expect(() => start({})).toThrow('example runs already');
    await timer.pass(10);
    job.wake();
    await timer.pass(10);
    expect(ranAt).toEqual([0]);
    await start({}).stop();
  });

  it('says how much it did since it was idle last', async () => {
    const { timer, runner, series } = world();
    const done: number[] = [];
    let runs = 0;
    const job = runner.start({
      name: 'counting',
      everyMs: 10,
      failure: FAILURE,
      run: ({ did }) => {
        runs += 1;
        did(runs);
        return Promise.resolve(runs % 3 === 0 ? 'idle' : 'more');
      },
      onIdle: (items) => done.push(items),
    });
    await timer.pass(15);
    expect(done).toEqual([6, 15]);
    expect(await series('strata_job_items_total')).toEqual(['strata_job_items_total{job="counting"} 21']);
    await job.stop();
  });
});

describe('a job that fails', () => {
  it('is told, counted, and tried again after a pause that doubles up to the longest and that nothing wakes', async () => {
    const { timer, warned, ranAt, start, series } = world();
    const backoff = { firstMs: 10, longestMs: 40 };
    const job = start({ everyMs: 1000, backoff }, (run) => (run < 6 ? fails() : 'idle'));
    await timer.pass(5);
    expect(job.failing).toBe(true);
    job.wake();
    await timer.pass(200);
    expect(ranAt).toEqual([0, 10, 30, 70, 110, 150]);
    expect(warned.slice(0, 3)).toEqual(
      [10, 20, 40].map((again_in_ms) => ({
        ...{ message: 'the job rests', job: 'example', error: 'broken' },
        again_in_ms,
      })),
    );
    expect(warned).toHaveLength(5);
    expect(await series('strata_job_failures_total')).toEqual(['strata_job_failures_total{job="example"} 5']);
    expect(await series('strata_job_failing')).toEqual(['strata_job_failing{job="example"} 0']);
    expect(await series('strata_job_seconds_count')).toEqual(['strata_job_seconds_count{job="example"} 6']);
    await job.stop();
  });

  it('without pauses of its own waits for its interval, and can be woken', async () => {
    const { timer, warned, ranAt, start } = world();
    const job = start({ everyMs: 100, failure: { ...FAILURE, once: true } }, fails);
    await timer.pass(110);
    job.wake();
    await timer.pass(5);
    expect(ranAt).toEqual([0, 100, 110]);
    expect(warned).toHaveLength(1);
    await job.stop();
  });

  it('holds no other up', async () => {
    const { timer, ranAt, start } = world();
    start({ name: 'broken', everyMs: 1, run: () => Promise.reject(new Error('broken')) });
    start({ everyMs: 10 });
    await timer.pass(25);
    expect(ranAt).toEqual([0, 10, 20]);
  });
});

describe('a stop', () => {
  it('waits for the run that is under way, which is told of it', async () => {
    const { start, runner } = world();
    let end = (): void => undefined;
    const told: boolean[] = [];
    start({
      run: async ({ signal }) => {
        await new Promise<void>((resolve) => {
          end = resolve;
        });
        told.push(signal.aborted);
        return 'more';
      },
    });
    await settled();
    let stopped = false;
    const over = runner.stop().then(() => {
      stopped = true;
    });
    await settled();
    expect(stopped).toBe(false);
    end();
    await over;
    expect(told).toEqual([true]);
  });

  it('waits for no pause', async () => {
    const { timer, ranAt, start, runner } = world();
    start({ backoff: { firstMs: 1000, longestMs: 1000 } }, fails);
    await timer.pass(1);
    await runner.stop();
    expect(ranAt).toEqual([0]);
  });
});
