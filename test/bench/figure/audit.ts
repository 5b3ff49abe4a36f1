import { send, TEST_KEY } from '../../support/client.ts';
import { inPairs, type Bench, type Pairs } from '../bench.ts';
import type { Run } from '../loops.ts';
import type { Service } from '../service.ts';
import { median, percentiles, type Goal } from '../statistics.ts';

const CLIENTS = 32;
/** Captures a second at which the acknowledgement is timed. */
const PACE = 200;
/** Captures made beforehand for each second of a run. */
const SINGLES_PER_SECOND = 6000;

const RATE_GOAL: Goal = { of: 'ratio', sense: 'at_least', floor: 0.95, aim: 0.97 };
const ACK_GOAL: Goal = { of: 'ratio', sense: 'at_most', floor: 1.1, aim: 1.05 };
const NOTE = 'the service with audit.captures on, sealing included; raw is the same service with it off';

/**
 * What rows of the audit log cost captures: the service with them against another one on the same database that leaves none,
 * with everything else that both do.
 */
export async function audit(bench: Bench): Promise<void> {
  bench.say('starting a second service without audit rows');
  const without = await bench.startAnother({ STRATA_AUDIT_CAPTURES: 'false' });
  try {
    await prepare(bench, without, { count: 0, tag: bench.tag() });
    await bench.load.order('closed', { clients: CLIENTS, seconds: bench.options.quick ? 4 : 10, size: 1 });
    await rates(bench, without);
    await acknowledgements(bench, without);
  } finally {
    await target(bench, bench.service);
    await bench.stopOthers();
  }
}

async function rates(bench: Bench, without: Service): Promise<void> {
  const { seconds } = bench.options;
  const pairs = await both(bench, without, {
    what: `captures of ${CLIENTS} clients`,
    seconds,
    count: SINGLES_PER_SECOND * seconds,
    run: (length) => bench.load.order('closed', { clients: CLIENTS, seconds: length, size: 1 }),
  });
  const of = (runs: readonly Run[]): number[] => runs.map(({ rate }) => rate);
  record(bench, pairs, { name: `audit.${CLIENTS}`, unit: 'events/s', goal: RATE_GOAL, of });
}

async function acknowledgements(bench: Bench, without: Service): Promise<void> {
  const seconds = bench.options.seconds * 2;
  const pairs = await both(bench, without, {
    what: `acknowledgement at ${PACE}/s`,
    seconds,
    count: PACE * seconds,
    run: (length) => bench.load.order('paced', { rate: PACE, seconds: length }),
  });
  const of = (runs: readonly Run[]): number[] => runs.map(({ latencies }) => percentiles(latencies).p50);
  record(bench, pairs, { name: 'audit.paced', unit: 'ms', goal: ACK_GOAL, of });
}

function both(
  bench: Bench,
  without: Service,
  plan: { what: string; seconds: number; count: number; run: (seconds: number) => Promise<Run> },
): Promise<Pairs> {
  return inPairs(bench, {
    what: `${plan.what} with and without audit rows`,
    seconds: plan.seconds,
    rawProcesses: { service_2: 'raw', service_database: 'raw_database' },
    prepare: (side, tag) =>
      prepare(bench, side === 'raw' ? without : bench.service, { count: Math.ceil(plan.count), tag }),
    raw: plan.run,
    ours: plan.run,
  });
}

/** Points the load at a service once nothing is left to be done of what was written before, its seals included. */
async function prepare(bench: Bench, to: Service, supply: { count: number; tag: string }): Promise<void> {
  await bench.settle();
  await send(bench.service.url, 'GET', '/v1/audit/chain');
  await target(bench, to);
  await bench.load.order('prepare', { ...supply, size: 1 });
}

function target(bench: Bench, { url }: Service): Promise<void> {
  return bench.load.order('target', { url, key: TEST_KEY });
}

function record(
  bench: Bench,
  { ours, raw, cpu }: Pairs,
  {
    of,
    ...figure
  }: { name: string; unit: 'ms' | 'events/s'; goal: Goal; of: (runs: readonly Run[]) => number[] },
): void {
  const events = (runs: readonly Run[]): number => runs.reduce((sum, one) => sum + one.events, 0);
  bench.record({
    ...figure,
    value: median(of(ours)),
    raw: median(of(raw)),
    runs: { ours: of(ours), raw: of(raw) },
    percentiles: percentiles(ours.flatMap(({ latencies }) => latencies)),
    rawPercentiles: percentiles(raw.flatMap(({ latencies }) => latencies)),
    n: events(ours),
    rawN: events(raw),
    cpu,
    note: NOTE,
  });
}
