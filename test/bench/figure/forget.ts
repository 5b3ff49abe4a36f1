import { send } from '../../support/client.ts';
import { eventually } from '../../support/wait.ts';
import type { Bench } from '../bench.ts';
import { residentMiB } from '../proc.ts';
import { person } from '../statements.ts';
import { median, percentiles, type Goal } from '../statistics.ts';
import { recordDurations } from './visible.ts';

/** Events of the scope that goes, and scopes in which somebody is named. */
const EVENTS = { whole: 100_000, quick: 2_000 };
const SCOPES_NAMED = { whole: 10_000, quick: 200 };
/** Captures a second beside it, in other scopes. */
const PACE = 100;
/** Seconds of captures that are ordered at a time. */
const PACED_SECONDS = 2;
/** One event of so many is a statement, the others are talk. */
const STATEMENT_EVERY = 10;
const BULK = 500;
const PREVIEWS = 3;
const NAMED_PREVIEWS = 20;
const MEMORY_EVERY_MS = 250;
/** An erasure is waited for so long for each of its events, milliseconds. */
const PATIENCE_MS_AN_EVENT = 60;

const PREVIEW_GOAL: Goal = { of: 'value', sense: 'at_most', floor: 5_000, aim: 2_500 };
const NAMED_GOAL: Goal = { of: 'ratio', sense: 'at_most', floor: 1.5, aim: 1.2 };
const PROCESSES = ['service', 'service_database', 'load'];

/** A way to have a whole scope go. */
interface Removal {
  readonly name: 'forget' | 'erase';
  readonly preview: string;
  readonly body: object;
  /** Resolves when nothing of the scope is left. */
  readonly carriedOut: (bench: Bench, body: object, events: number) => Promise<void>;
}

const REMOVALS: readonly Removal[] = [
  {
    name: 'forget',
    preview: '/v1/forget/preview',
    body: { confirm_all: true, cascade: 'redact_events' },
    carriedOut: async (bench, body) => {
      await bench.load.order('post', { path: '/v1/forget', body, status: 200 });
    },
  },
  { name: 'erase', preview: '/v1/erasures/preview', body: { confirm_all: true }, carriedOut: erased },
];

/**
 * What it takes to forget, and to erase, everything of a large scope, and what captures elsewhere notice of it; and what it takes to find
 * all about somebody in one of very many scopes.
 */
export async function forget(bench: Bench): Promise<void> {
  const { quick, events = quick ? EVENTS.quick : EVENTS.whole } = bench.options;
  bench.say(`captures at ${PACE}/s alone`);
  await supplied(bench);
  const alone = await bench.load.order('paced', { rate: PACE, seconds: bench.options.seconds * 2 });
  for (const removal of REMOVALS) await remove(bench, removal, { events, alone: alone.latencies });
  await named(bench, quick ? SCOPES_NAMED.quick : SCOPES_NAMED.whole);
}

async function remove(
  bench: Bench,
  { name, preview, body, carriedOut }: Removal,
  { events, alone }: { readonly events: number; readonly alone: readonly number[] },
): Promise<void> {
  const scope = `org:forgotten/project:${name}`;
  const asked = { scope, ...body };
  await fill(bench, scope, events);
  await previewed(bench, { name: `${name}.preview.${events}`, path: preview, body: asked });
  await supplied(bench);
  bench.say(`${name} of ${events} events beside captures at ${PACE}/s`);
  const meter = bench.meter();
  const began = performance.now();
  const memory = new MemoryWatch(bench.service.pid);
  const [beside, tookMs] = await meter
    .during(PROCESSES, async () => {
      const gone = carriedOut(bench, asked, events).then(() => performance.now() - began);
      return [await capturedUntil(bench, gone), await gone] as const;
    })
    .finally(() => {
      memory.end();
    });
  bench.record({
    name: `${name}.rate.${events}`,
    value: (events * 1000) / tookMs,
    unit: 'events/s',
    n: events,
    cpu: meter.used,
    note: 'everything of a scope, from the request until nothing is left of what was derived',
  });
  const [own, before] = [percentiles(beside), percentiles(alone)];
  bench.record({
    name: `${name}.captures_beside.${events}`,
    value: own.p95,
    unit: 'ms',
    raw: before.p95,
    percentiles: own,
    rawPercentiles: before,
    n: beside.length,
    rawN: alone.length,
    cpu: meter.used,
    note: `95 % of the acknowledgements at ${PACE}/s elsewhere; raw is without it`,
  });
  bench.record({
    name: `${name}.memory.${events}`,
    value: memory.most,
    unit: 'MiB',
    n: memory.looks,
    cpu: {},
    note: `the most that the service had in memory meanwhile; ${Math.round(memory.first ?? 0)} MiB before`,
  });
}

/** Captures at a pace until something is over; answers the milliseconds of each acknowledgement. */
async function capturedUntil(bench: Bench, work: Promise<unknown>): Promise<number[]> {
  const over = new AbortController();
  const end = (): void => {
    over.abort();
  };
  work.then(end, end);
  const latencies: number[] = [];
  while (!over.signal.aborted)
    latencies.push(...(await bench.load.order('paced', { rate: PACE, seconds: PACED_SECONDS })).latencies);
  return latencies;
}

/** Requests of captures elsewhere, made beforehand. */
function supplied(bench: Bench): Promise<void> {
  return bench.load.order('prepare', { count: PACE * 60, size: 1, tag: bench.tag() });
}

async function fill(bench: Bench, scope: string, events: number): Promise<void> {
  bench.say(`${events} events into ${scope}`);
  const statements = Math.floor(events / STATEMENT_EVERY);
  for (const [count, of] of [
    [statements, { statements: { people: Math.ceil(statements / STATEMENT_EVERY) } }],
    [events - statements, {}],
  ] as const) {
    const size = Math.min(BULK, count);
    const supply = { count: Math.ceil(count / size), size, tag: bench.tag(), scopes: [scope], ...of };
    await bench.load.order('prepare', supply);
    await bench.load.order('sendAll', undefined);
  }
  await bench.settle([scope]);
}

async function previewed(
  bench: Bench,
  { name, path, body }: { readonly name: string; readonly path: string; readonly body: object },
): Promise<void> {
  bench.say(name);
  const meter = bench.meter();
  const reads = [{ path, body }];
  const [durations = []] = await meter.during(PROCESSES, () =>
    bench.load.order('read', { reads, rounds: PREVIEWS }),
  );
  bench.record({
    name,
    value: median(durations),
    unit: 'ms',
    percentiles: percentiles(durations),
    n: durations.length,
    cpu: meter.used,
    goal: PREVIEW_GOAL,
    note: 'a preview of everything of the scope',
  });
}

async function erased(bench: Bench, body: object, events: number): Promise<void> {
  const { answer } = await bench.load.order('post', { path: '/v1/erasures', body, status: 202 });
  const { erasure_id: id } = answer as { erasure_id: string };
  const record = await eventually(
    `the end of ${id}`,
    async () => {
      const { json } = await send(bench.service.url, 'GET', `/v1/erasures/${id}`);
      return json.completed_at !== null && (json as { status: string });
    },
    60_000 + events * PATIENCE_MS_AN_EVENT,
    200,
  );
  if (record.status !== 'completed') throw new Error(`the erasure is ${JSON.stringify(record)}`);
}

/** Previews of all about one who is named once in each of so many scopes, against the same in a few. */
async function named(bench: Bench, most: number): Promise<void> {
  const found: number[][] = [];
  const meter = bench.meter();
  for (const count of [most / 100, most]) {
    const scopes = Array.from({ length: count }, (_, i) => `org:named${count}/project:p${i}`);
    bench.say(`one statement about a person in each of ${count} scopes`);
    const size = Math.min(BULK, count);
    const supply = { count: Math.ceil(count / size), size, tag: bench.tag(), scopes };
    await bench.load.order('prepare', { ...supply, statements: { people: 1 } });
    await bench.load.order('sendAll', undefined);
    await bench.settle(scopes);
    const body = { scope: scopes[count >> 1], selector: { about_entity: person(0) } };
    const reads = [{ path: '/v1/forget/preview', body }];
    const order = (): Promise<number[][]> => bench.load.order('read', { reads, rounds: NAMED_PREVIEWS });
    await order();
    found.push((await meter.during(PROCESSES, order))[0] ?? []);
  }
  const [few = [], many = []] = found;
  recordDurations(bench, {
    name: `forget.about_entity.${most}`,
    note: `a preview by about_entity in one of ${most} scopes that name it; ratio to one of ${most / 100}`,
    durations: many,
    raw: percentiles(few).p50,
    cpu: meter.used,
    goal: NAMED_GOAL,
  });
}

/** The most memory that a process is seen to have, MiB. */
class MemoryWatch {
  readonly first: number | null;
  most: number | null;
  looks = 1;
  private readonly timer: NodeJS.Timeout;

  constructor(pid: number) {
    this.first = residentMiB(pid);
    this.most = this.first;
    this.timer = setInterval(() => {
      const now = residentMiB(pid);
      this.looks += 1;
      if (now !== null) this.most = Math.max(this.most ?? 0, now);
    }, MEMORY_EVERY_MS);
  }

  end(): void {
    clearInterval(this.timer);
  }
}
