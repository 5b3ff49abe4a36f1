import type { Bench } from '../bench.ts';
import { send } from '../../support/client.ts';
import { percentiles, type Goal } from '../statistics.ts';
import { recordDurations } from './visible.ts';

const LISTING_GOAL: Goal = { of: 'ratio', sense: 'at_most', floor: 1.5, aim: 1.2 };
/** The least and the most that are compared by the goal. */
const [LEAST, MOST] = [1_000, 100_000];
const TREE = Array.from({ length: 1000 }, (_, i) => `org:tree/project:t${i}`);

interface Reading {
  readonly name: string;
  readonly note: string;
  readonly path: string;
  /** Name of the reading that it is compared with. */
  readonly against?: string;
  readonly goal?: Goal;
  /** Who reads; default the operator. */
  readonly caller?: { readonly token: string; readonly actor: string };
}

/** The name of the scope that holds so many events. */
export function listedScope(events: number): string {
  return `org:listed/project:n${events}`;
}

/** Reading pages of 50 of scopes of 1k to 100k events, at the newest and in the middle, and of a tree of 1000 scopes. */
export async function listing(bench: Bench): Promise<void> {
  const sizes = bench.options.quick ? [LEAST, 10_000] : [LEAST, 10_000, MOST];
  for (const events of sizes) await seed(bench, [listedScope(events)], events);
  await seed(bench, TREE, 10_000);
  bench.say('waiting for the stages');
  await bench.settle([...sizes.map(listedScope), ...TREE.filter((_, i) => i % 10 === 0)]);
  const readings = [
    ...sizes.map((events) => firstPage(events)),
    ...(await Promise.all(sizes.map((events) => middlePage(bench, events)))),
    {
      name: 'listing.tree',
      note: '50 newest of 1000 scopes by view=descend, compared with one scope of 10000',
      path: pagePath('org:tree', '&view=descend'),
      against: 'listing.first.10000',
    },
  ];
  await measure(bench, [...readings, await oneReadable(bench)]);
}

/** The tree as somebody sees it who may read one of its scopes: everything else is governed by a roster that he is not on. */
async function oneReadable(bench: Bench): Promise<Reading> {
  const [actor, subject] = ['user:reader', { subject: 'user:reader', ttl_seconds: 7200 }];
  const rosters = [
    { path: 'org:tree', owner: 'user:owner' },
    { path: TREE[500], members: [{ actor, role: 'reader' }] },
  ];
  for (const body of rosters) await succeeds(bench, '/v1/scopes', body);
  const { token } = await succeeds(bench, '/v1/auth/tokens', subject);
  return {
    name: 'listing.one_readable',
    note: 'the same of which one scope with 10 events is readable; ratio to all of them',
    path: pagePath('org:tree', '&view=descend'),
    against: 'listing.tree',
    caller: { token, actor },
  };
}

async function succeeds(bench: Bench, path: string, body: unknown): Promise<any> {
  const answer = await send(bench.service.url, 'POST', path, { body });
  if (answer.status === 201) return answer.json;
  throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
}

/** Writes events into scopes, one after another, as fast as it goes. */
async function seed(bench: Bench, scopes: readonly string[], events: number): Promise<void> {
  bench.say(
    `writing ${events} events into ${scopes.length === 1 ? (scopes[0] ?? '') : `${scopes.length} scopes`}`,
  );
  await bench.load.order('prepare', { count: events / 1000, size: 1000, tag: bench.tag(), scopes });
  await bench.load.order('sendAll', undefined);
}

function firstPage(events: number): Reading {
  return {
    name: `listing.first.${events}`,
    note: `50 newest of ${events} events`,
    path: pagePath(listedScope(events)),
    ...comparison('first', events),
  };
}

/** The page that begins behind half of the events. */
async function middlePage(bench: Bench, events: number): Promise<Reading> {
  const scope = listedScope(events);
  let cursor = '';
  for (let passed = 0; passed < events / 2; passed += 500) {
    const { json } = await send(bench.service.url, 'GET', pagePath(scope, cursor, 500));
    cursor = `&cursor=${encodeURIComponent(json.next_cursor)}`;
  }
  return {
    name: `listing.middle.${events}`,
    note: `50 in the middle of ${events} events`,
    path: pagePath(scope, cursor),
    ...comparison('middle', events),
  };
}

function comparison(kind: string, events: number): Pick<Reading, 'against' | 'goal'> {
  if (events === LEAST) return {};
  return { against: `listing.${kind}.${LEAST}`, ...(events === MOST ? { goal: LISTING_GOAL } : {}) };
}

function pagePath(scope: string, more = '', limit = 50): string {
  return `/v1/events?scope=${encodeURIComponent(scope)}&limit=${limit}${more}`;
}

async function measure(bench: Bench, readings: readonly Reading[]): Promise<void> {
  const reads = readings.map(({ path, caller }) => ({ path, ...(caller === undefined ? {} : { caller }) }));
  bench.say('listing: warming up');
  await bench.load.order('read', { reads, rounds: 50 });
  bench.say('listing');
  const meter = bench.meter();
  const durations = await meter.during(['service', 'service_database', 'load'], () =>
    bench.load.order('read', { reads, rounds: bench.options.quick ? 50 : 300 }),
  );
  const medians = new Map(readings.map(({ name }, i) => [name, percentiles(durations[i] ?? []).p50]));
  readings.forEach(({ name, note, against, goal }, i) => {
    const raw = against === undefined ? undefined : medians.get(against);
    recordDurations(bench, {
      name,
      note: against === undefined ? note : `${note}; ratio to ${against}`,
      durations: durations[i] ?? [],
      cpu: meter.used,
      ...(raw === undefined ? {} : { raw }),
      ...(goal === undefined ? {} : { goal }),
    });
  });
}
