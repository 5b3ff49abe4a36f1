import { inPairs, type Bench } from '../bench.ts';
import type { Run } from '../loops.ts';
import type { Goal } from '../statistics.ts';
import { median, percentiles } from '../statistics.ts';

const CLIENTS = 128;
/** Captures made beforehand for each second of a run. */
const SINGLES_PER_SECOND = 8000;

const GOAL: Goal = { of: 'ratio', sense: 'at_least', floor: 0.95, aim: 0.97 };

/**
 * What rows of the audit log cost captures: the raw driver with them, sealing included, against itself without them. No
 * transport and no stage is in the way, so that it is the largest share that they can have.
 */
export async function audit(bench: Bench): Promise<void> {
  const { seconds } = bench.options;
  const run = (length: number, rows: boolean): Promise<Run> =>
    bench.raw.order('closed', { clients: CLIENTS, seconds: length, size: 1, audit: rows });
  const pairs = await inPairs(bench, {
    what: `captures of ${CLIENTS} clients with and without audit rows`,
    seconds,
    prepare: (_side, tag) =>
      bench.raw.order('prepare', { count: Math.ceil(SINGLES_PER_SECOND * seconds), tag }),
    raw: (length) => run(length, false),
    ours: (length) => run(length, true),
  });
  const rates = (runs: readonly Run[]): number[] => runs.map(({ rate }) => rate);
  const events = (runs: readonly Run[]): number => runs.reduce((sum, one) => sum + one.events, 0);
  bench.record({
    name: `audit.${CLIENTS}`,
    value: median(rates(pairs.ours)),
    unit: 'events/s',
    raw: median(rates(pairs.raw)),
    runs: { ours: rates(pairs.ours), raw: rates(pairs.raw) },
    percentiles: percentiles(pairs.ours.flatMap(({ latencies }) => latencies)),
    rawPercentiles: percentiles(pairs.raw.flatMap(({ latencies }) => latencies)),
    n: events(pairs.ours),
    rawN: events(pairs.raw),
    cpu: pairs.cpu,
    goal: GOAL,
    note: 'the raw driver on both sides; ours leaves audit rows and seals them, raw leaves none',
  });
}
