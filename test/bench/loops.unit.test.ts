import { closedLoop, OpenLoop } from './loops.ts';

describe('a closed loop', () => {
  it('has each client act one at a time until the time is over', async () => {
    let [now, most, acts] = [0, 0, 0];
    const run = await closedLoop({ clients: 3, seconds: 0.05, events: 10 }, async () => {
      now += 1;
      acts += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
    });
    expect(most).toBe(3);
    expect(run.events).toBe(run.latencies.length * 10);
    expect(run.latencies).toHaveLength(acts);
    expect(run.rate).toBeLessThanOrEqual(run.events / 0.05);
    expect(run.rate).toBeGreaterThan(0);
  });

  it('fails when an act does', async () => {
    const act = (): Promise<void> => Promise.reject(new Error('refused'));
    await expect(closedLoop({ clients: 2, seconds: 1 }, act)).rejects.toThrow('refused');
  });
});

describe('an open loop', () => {
  it('begins acts at their instants although none ends, and times them from there', async () => {
    let begun = 0;
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const started = performance.now();
    const run = await new OpenLoop({ rate: 200, seconds: 0.1 }, async () => {
      begun += 1;
      if (begun === 20) release();
      await gate;
    }).run();
    expect(begun).toBe(20);
    expect(performance.now() - started).toBeGreaterThanOrEqual(95);
    // The first was due at once and ended with the last, 95 ms later.
    expect(Math.max(...run.latencies)).toBeGreaterThanOrEqual(94);
    expect(run.late).toHaveLength(20);
    expect(Math.min(...run.late)).toBeGreaterThanOrEqual(0);
  });

  it('fails when an act does', async () => {
    const act = (): Promise<void> => Promise.reject(new Error('refused'));
    await expect(new OpenLoop({ rate: 100, seconds: 0.02 }, act).run()).rejects.toThrow('refused');
    // Of a long one at once; of one act, whose failure comes after the last has begun, too.
    await expect(new OpenLoop({ rate: 100, seconds: 3600 }, act).run()).rejects.toThrow('refused');
    await expect(new OpenLoop({ rate: 100, seconds: 0.01 }, act).run()).rejects.toThrow('refused');
  });
});
