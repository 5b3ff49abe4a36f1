import type { Bench } from '../bench.ts';
import type { CpuUse } from '../proc.ts';
import { percentiles, type Goal } from '../statistics.ts';
import { person, pump, type World } from '../statements.ts';
import { recordDurations } from './visible.ts';

const RATE_GOAL: Goal = { of: 'value', sense: 'at_least', floor: 500, aim: 1000 };
/** Seconds until what a steady load left is derived; what does not keep pace leaves more the longer it lasts. */
const PACE_GOAL: Goal = { of: 'value', sense: 'at_most', floor: 5, aim: 2 };
/** A steady load: events a second, in requests of so many, for so many seconds. */
const PACE = 500;
const PACE_SIZE = 20;
const PACE_SECONDS = 60;
const GROWTH_GOAL: Goal = { of: 'ratio', sense: 'at_most', floor: 1.5, aim: 1.2 };
/** Statements to each person. */
const TOLD_EACH = 10;
/** Scopes of the figure of many. */
const SPREAD = 16;
/** People whose facts are read. */
const ASKED = 8;
const LEAST = 1000;
/** Facts from which on a rate is one that has to be sustained. */
const MANY = 20_000;
/** Events of such a rate: a minute of them. In the first seconds of a burst captures go first, and derivation rests beside them. */
const SUSTAINED_EVENTS = 30_000;
const PROCESSES = ['service', 'service_database', 'load'];

/** Scopes that are filled with statements by turns. */
interface Store {
  readonly scopes: readonly string[];
  /** Statements that it holds when it is measured. */
  readonly there: number;
  readonly world: World;
  /** Half of them were recorded by then, epoch milliseconds. */
  halfwayAt: number;
}

/**
 * How fast structured statements are derived, with few facts there and with many, and what it costs to read facts as they are and as
 * they were; of people of whom some things are told each, and of one claim with a very long history.
 */
export async function derivation(bench: Bench): Promise<void> {
  const { quick } = bench.options;
  bench.say('derivation: warming up');
  await fill(bench, store('warm', LEAST * 5, { people: 500 }));
  const people = await grow(bench, {
    name: 'derivation',
    kind: 'people',
    sizes: [LEAST, quick ? 10_000 : 100_000],
  });
  await paced(bench, people);
  await spread(bench, quick ? 2_000 : 20_000);
  await grow(bench, { name: 'history', kind: 'claim', sizes: [LEAST, quick ? 2_000 : 10_000] });
}

/** Whether derivation keeps up with a load that does not end: what is left to derive when it has lasted for a while. */
async function paced(bench: Bench, one: Store): Promise<void> {
  const { scopes, world, there } = one;
  const seconds = bench.options.quick ? 10 : PACE_SECONDS;
  const pace = { rate: PACE / PACE_SIZE, seconds };
  const count = pace.rate * seconds;
  await bench.load.order('prepare', { count, size: PACE_SIZE, tag: bench.tag(), scopes, statements: world });
  bench.say(`deriving ${PACE} a second for ${seconds} s with ${there} there`);
  const meter = bench.meter();
  const { left, acks } = await meter.during(PROCESSES, async () => {
    const { latencies } = await bench.load.order('paced', pace);
    const ended = performance.now();
    await bench.settle(scopes);
    return { left: (performance.now() - ended) / 1000, acks: percentiles(latencies) };
  });
  bench.record({
    name: `derivation.paced.${there}`,
    value: left,
    unit: 's',
    n: count * PACE_SIZE,
    cpu: meter.used,
    note: `until all is derived behind ${PACE} events/s for ${seconds} s, in requests of ${PACE_SIZE}, of which half are answered within ${acks.p50} ms and 95 % within ${acks.p95} ms`,
    goal: PACE_GOAL,
  });
}

/** The rate of many scopes at once, beside everything that is there by now. */
async function spread(bench: Bench, there: number): Promise<void> {
  const one = {
    ...store('spread', there, { people: Math.ceil(there / TOLD_EACH / SPREAD) }),
    scopes: Array.from({ length: SPREAD }, (_, i) => `org:derived/project:spread${i}`),
  };
  await fill(bench, one);
  const { rate, cpu, events } = await sustained(bench, one);
  bench.record({
    name: 'derivation.rate_scopes',
    value: rate,
    unit: 'events/s',
    n: events,
    cpu,
    note: `structured statements of ${SPREAD} scopes, captured and derived, after the figures of derivation.rate`,
    goal: RATE_GOAL,
  });
}

async function grow(
  bench: Bench,
  { name, kind, sizes }: { name: string; kind: 'people' | 'claim'; sizes: readonly [number, number] },
): Promise<Store> {
  const [small, large] = sizes.map((there) =>
    store(`${kind}${there}`, there, { people: kind === 'claim' ? 0 : there / TOLD_EACH }),
  ) as [Store, Store];
  const stores = [small, large];
  const rates: number[] = [];
  for (const one of stores) {
    await fill(bench, one);
    const { rate, cpu, events } = await sustained(bench, one);
    const [first] = rates;
    bench.record({
      name: `${name}.rate.${one.there}`,
      value: rate,
      unit: 'events/s',
      n: events,
      cpu,
      note: `structured statements, captured and derived, with ${one.there} there${first === undefined ? '' : '; ratio to the smallest'}`,
      ...(first === undefined ? {} : { raw: first, rawN: events }),
      ...(one.there === sizes[1] ? { goal: RATE_GOAL } : {}),
    });
    rates.push(rate);
  }
  await read(bench, name, stores);
  return large;
}

function store(name: string, there: number, world: World): Store {
  return { scopes: [`org:derived/project:${name}`], there, world, halfwayAt: 0 };
}

/** Writes what a store is to hold, and waits until it is derived. */
async function fill(bench: Bench, one: Store): Promise<void> {
  bench.say(
    `deriving ${one.there} statements in ${one.scopes.length > 1 ? `${one.scopes.length} scopes` : scopeOf(one)}`,
  );
  for (const half of [0, 1]) {
    await write(bench, one, one.there / 2);
    if (half === 0) one.halfwayAt = Date.now();
  }
}

/** Writes statements as fast as they are taken, and waits until all are derived. */
async function write(bench: Bench, { scopes, world }: Store, events: number): Promise<void> {
  const size = Math.min(500, events);
  await bench.load.order('prepare', {
    count: Math.ceil(events / size),
    size,
    tag: bench.tag(),
    scopes,
    statements: world,
  });
  await bench.load.order('sendAll', undefined);
  await bench.settle(scopes);
}

/** Events a second, from the first capture until the last is derived. */
async function sustained(bench: Bench, one: Store): Promise<{ rate: number; cpu: CpuUse; events: number }> {
  const events = bench.options.quick ? 2000 : one.there < MANY ? 10_000 : SUSTAINED_EVENTS;
  bench.say(`deriving ${events} more with ${one.there} there`);
  const meter = bench.meter();
  const began = performance.now();
  await meter.during(PROCESSES, () => write(bench, one, events));
  return { rate: (events * 1000) / (performance.now() - began), cpu: meter.used, events };
}

/** A way to ask for facts; some scopes are asked about several subjects. */
interface Question {
  readonly name: string;
  readonly note: string;
  readonly paths: (store: Store) => string[];
  /** Name of the question, of the same store, that it may not cost much more than. */
  readonly likes?: string;
}

const QUESTIONS: readonly Question[] = [
  { name: 'current', note: 'the current value of a claim', paths: (one) => claims(one, '') },
  {
    name: 'as_of',
    note: 'its value as it was half-way',
    paths: (one) => claims(one, asOf(one)),
    likes: 'current',
  },
  { name: 'page', note: '50 facts of the scope', paths: (one) => [page(one, '')] },
  {
    name: 'page_as_of',
    note: '50 facts as they were half-way',
    paths: (one) => [page(one, asOf(one))],
    likes: 'page',
  },
  {
    name: 'timeline',
    note: '50 values of a claim over time',
    paths: (one) => subjects(one).map((id) => timeline(one, id)),
  },
];

async function read(bench: Bench, group: string, stores: readonly Store[]): Promise<void> {
  const asked = stores.flatMap((one) =>
    QUESTIONS.map((question) => ({ one, question, paths: question.paths(one) })),
  );
  const reads = asked.flatMap(({ paths }) => paths.map((path) => ({ path })));
  bench.say(`${group}: warming up readings`);
  await bench.load.order('read', { reads, rounds: 10 });
  bench.say(`${group}: reading`);
  const meter = bench.meter();
  const durations = await meter.during(PROCESSES, () =>
    bench.load.order('read', { reads, rounds: bench.options.quick ? 10 : 40 }),
  );
  const found = new Map<string, number[]>();
  for (const { one, question, paths } of asked)
    found.set(`${question.name}.${one.there}`, durations.splice(0, paths.length).flat());
  const medianOf = (name: string): number => percentiles(found.get(name) ?? []).p50;
  for (const { one, question } of asked) {
    const key = `${question.name}.${one.there}`;
    const smallest = `${question.name}.${LEAST}`;
    const compare = (name: string, against: string): void => {
      recordDurations(bench, {
        name: `${group}.${name}`,
        note: `${question.note}, ${one.there} statements there; ratio to ${group}.${against}`,
        durations: found.get(key) ?? [],
        cpu: meter.used,
        raw: medianOf(against),
        goal: GROWTH_GOAL,
      });
    };
    if (one.there !== LEAST) compare(key, smallest);
    if (question.likes !== undefined)
      compare(`${question.name}_to_${question.likes}.${one.there}`, `${question.likes}.${one.there}`);
  }
}

function subjects({ there, world: { people } }: Store): string[] {
  if (people === 0) return [pump()];
  return Array.from({ length: ASKED }, (_, i) => person(Math.floor((i * there) / TOLD_EACH / ASKED)));
}

function claims(one: Store, when: string): string[] {
  const predicate = one.world.people === 0 ? 'status' : 'works_at';
  return subjects(one).map((id) => `${facts(one)}&subject=${id}&predicate=${predicate}${when}`);
}

function scopeOf({ scopes: [scope = ''] }: Store): string {
  return scope;
}

function facts(one: Store): string {
  return `/v1/facts?scope=${encodeURIComponent(scopeOf(one))}`;
}

function page(one: Store, when: string): string {
  return `${facts(one)}&limit=50${when}`;
}

function timeline(one: Store, subject: string): string {
  return `/v1/facts/timeline?scope=${encodeURIComponent(scopeOf(one))}&subject=${subject}&limit=50`;
}

function asOf({ halfwayAt }: Store): string {
  return `&as_of=${encodeURIComponent(new Date(halfwayAt).toISOString())}`;
}
