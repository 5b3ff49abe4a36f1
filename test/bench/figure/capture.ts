import { inPairs, type Bench, type Pairs } from '../bench.ts';
import type { Run } from '../loops.ts';
import type { Goal, Percentiles } from '../statistics.ts';
import { median, percentiles } from '../statistics.ts';

/** Captures a second at which the acknowledgement is timed. */
const PACE = 200;
const CLIENTS = [1, 8, 32, 128];
/** Requests made beforehand for each second of a run; what goes beyond is made on the way. */
const SINGLES_PER_SECOND = 6000;
const BULK_EVENTS_PER_SECOND = 10_000;

const ACK_GOAL: Goal = { of: 'ratio', sense: 'at_most', floor: 2, aim: 1.5 };
const BULK_GOAL: Goal = { of: 'ratio', sense: 'at_least', floor: 0.7, aim: 0.85 };
const CLIENTS_GOAL: Goal = { of: 'ratio', sense: 'at_least', floor: 0.4, aim: 0.6 };

/**
 * Fills both stores and writes to both until their Java has compiled what it runs. The first statements of a server take
 * seconds, and so do those after a small store has grown fourfold, when the server makes its plans anew: neither is what
 * these figures are about.
 */
export async function warmUp(bench: Bench): Promise<void> {
  const { quick } = bench.options;
  const seed = { clients: 1, seconds: quick ? 3 : 6, size: 500 };
  const single = { seconds: quick ? 4 : 10, size: 1 };
  for (const load of [seed, { ...single, clients: 4 }, { ...single, clients: 64 }]) {
    bench.say(`warming up: ${load.clients} clients, ${load.size} events a call`);
    for (const side of ['raw', 'ours'] as const) {
      await prepare(bench, side, { count: side === 'raw' ? 1000 : 10, size: load.size, tag: bench.tag() });
    }
    await bench.raw.order('closed', load);
    await bench.load.order('closed', load);
    await bench.settle();
  }
}

/** Time from the instant at which a capture was due to its acknowledgement, at a steady pace, with all stages running. */
export async function acknowledgement(bench: Bench): Promise<void> {
  const seconds = bench.options.seconds * 2;
  const pace = { rate: PACE, seconds };
  const pairs = await inPairs(bench, {
    what: `acknowledgement at ${PACE}/s`,
    seconds,
    prepare: (side, tag) => prepare(bench, side, { count: PACE * seconds, size: 1, tag }),
    raw: (length) => bench.raw.order('paced', { ...pace, seconds: length }),
    ours: (length) => bench.load.order('paced', { ...pace, seconds: length }),
  });
  const latencies = latenciesOf(pairs);
  const late = percentiles(pairs.ours.flatMap((run) => run.late)).p50;
  bench.record({
    name: 'acknowledgement.paced',
    value: median(latencies.runs.ours),
    unit: 'ms',
    raw: median(latencies.runs.raw),
    ...latencies,
    n: eventsOf(pairs.ours),
    rawN: eventsOf(pairs.raw),
    cpu: pairs.cpu,
    goal: ACK_GOAL,
    note: `${PACE}/s; includes the lateness of the load's own timer, median ${late} ms`,
  });
}

/** Captures a second from so many clients that each wait for their answer. */
export async function throughput(bench: Bench): Promise<void> {
  for (const clients of bench.options.quick ? [1, 128] : CLIENTS) {
    const { seconds } = bench.options;
    const pairs = await inPairs(bench, {
      what: `throughput of ${clients} clients`,
      seconds,
      prepare: (side, tag) =>
        prepare(bench, side, { count: SINGLES_PER_SECOND * seconds * (clients > 8 ? 1 : 0.3), size: 1, tag }),
      raw: (length) => bench.raw.order('closed', { clients, seconds: length, size: 1 }),
      ours: (length) => bench.load.order('closed', { clients, seconds: length, size: 1 }),
    });
    recordRate(bench, pairs, {
      name: `throughput.${clients}`,
      ...(clients === 128 ? { goal: CLIENTS_GOAL } : {}),
    });
  }
}

/** Events a second from one client that sends them in bulks. */
export async function bulk(bench: Bench): Promise<void> {
  for (const size of [100, 1000]) {
    const { seconds } = bench.options;
    const events = BULK_EVENTS_PER_SECOND * seconds;
    const pairs = await inPairs(bench, {
      what: `bulk of ${size}`,
      seconds,
      prepare: (side, tag) =>
        prepare(bench, side, { count: side === 'raw' ? events : Math.ceil(events / size), size, tag }),
      raw: (length) => bench.raw.order('closed', { clients: 1, seconds: length, size }),
      ours: (length) => bench.load.order('closed', { clients: 1, seconds: length, size }),
    });
    recordRate(bench, pairs, { name: `bulk.${size}`, goal: BULK_GOAL });
  }
}

async function prepare(
  bench: Bench,
  side: 'raw' | 'ours',
  supply: { count: number; size: number; tag: string },
): Promise<void> {
  const whole = { ...supply, count: Math.ceil(supply.count) };
  if (side === 'raw') await bench.raw.order('prepare', whole);
  else await bench.load.order('prepare', whole);
}

function recordRate(bench: Bench, pairs: Pairs, figure: { name: string; goal?: Goal }): void {
  const runs = { ours: pairs.ours.map(({ rate }) => rate), raw: pairs.raw.map(({ rate }) => rate) };
  const { percentiles: own, rawPercentiles } = latenciesOf(pairs);
  bench.record({
    ...figure,
    value: median(runs.ours),
    unit: 'events/s',
    raw: median(runs.raw),
    runs,
    percentiles: own,
    rawPercentiles,
    n: eventsOf(pairs.ours),
    rawN: eventsOf(pairs.raw),
    cpu: pairs.cpu,
    note: `the stages were done ${Math.round(median(pairs.settledAfterMs))} ms after a run`,
  });
}

function eventsOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { events }) => sum + events, 0);
}

/** Percentiles over all runs, and the median of each. */
function latenciesOf({ ours, raw }: Pairs): {
  percentiles: Percentiles;
  rawPercentiles: Percentiles;
  runs: { ours: number[]; raw: number[] };
} {
  return {
    percentiles: percentiles(ours.flatMap(({ latencies }) => latencies)),
    rawPercentiles: percentiles(raw.flatMap(({ latencies }) => latencies)),
    runs: {
      ours: ours.map(({ latencies }) => percentiles(latencies).p50),
      raw: raw.map(({ latencies }) => percentiles(latencies).p50),
    },
  };
}
