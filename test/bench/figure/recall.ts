import { RECALL_TURNS } from '../../../src/services/recall-search.ts';
import neo4j from 'neo4j-driver';

import { turnQuery } from '../../../graph/passage/query.ts';
import { levelRefs, scopeRef } from '../../../src/capture/scope-key.ts';
import { queryWords, soughtTerms } from '../../../src/capture/search-words.ts';
import { Random } from '../../drill/random.ts';
import { send } from '../../support/client.ts';
import type { Bench } from '../bench.ts';
import { percentiles, type Goal } from '../statistics.ts';
import { Talk } from '../talk.ts';
import { recordDurations } from './visible.ts';

const [LEAST, MOST] = [1_000, 100_000];
const TREE = 1_000;
const QUERIES = 25;
const CLIENTS = 32;
const BULK = 1_000;
/** Events after which the stages are waited for, so that no backlog grows. */
const PORTION = 10_000;
/** An instant in the middle of what is observed. */
const MIDDLE = (events: number): string => new Date(Talk.BEGAN + (events / 2) * Talk.STEP_MS).toISOString();

const FAST: Goal = { of: 'p95', sense: 'at_most', floor: 50, aim: 20 };
const FLAT: Goal = { of: 'ratio', sense: 'at_most', floor: 2, aim: 1.3 };
const THEN: Goal = { of: 'ratio', sense: 'at_most', floor: 1.5, aim: 1.2 };
const WIDE: Goal = { of: 'ratio', sense: 'at_most', floor: 2, aim: 1.5 };

const scopeOf = (events: number): string => `org:recalled/project:n${events}`;

/** Recall in scopes of 1k to 100k events: now, as of an instant, over a tree of 1000 scopes, and by 32 clients at once. */
export async function recall(bench: Bench): Promise<void> {
  const most = bench.options.quick ? 10_000 : MOST;
  await seed(bench, [scopeOf(LEAST)], LEAST);
  await seed(bench, [scopeOf(most)], most);
  await seed(
    bench,
    Array.from({ length: TREE }, (_, i) => `org:wood/project:t${i}`),
    10 * TREE,
  );
  const queries = new Talk(7).queries(QUERIES);
  const cases = [
    { name: 'recall.1000', scope: scopeOf(LEAST), view: 'local' },
    { name: `recall.${most}`, scope: scopeOf(most), view: 'local', against: 'recall.1000', goal: FLAT },
    {
      name: `recall.as_of.${most}`,
      scope: scopeOf(most),
      view: 'local',
      temporal: { as_of_valid: MIDDLE(most) },
      against: `recall.${most}`,
      goal: THEN,
    },
    { name: 'recall.local.10', scope: 'org:wood/project:t500', view: 'local' },
    { name: 'recall.descend', scope: 'org:wood', view: 'descend', against: 'recall.1000', goal: WIDE },
  ] as const;
  const medians = new Map<string, number>();
  for (const one of cases) {
    const { durations, cpu } = await timed(bench, one, queries);
    const { p50 } = percentiles(durations);
    medians.set(one.name, p50);
    const raw = 'against' in one ? medians.get(one.against) : undefined;
    const note = `${QUERIES} queries of 3 to 6 words${'against' in one ? `; ratio to ${one.against}` : ''}`;
    const goal = 'goal' in one ? { goal: one.goal } : {};
    recordDurations(bench, {
      name: one.name,
      note,
      durations,
      cpu,
      ...(raw === undefined ? {} : { raw }),
      ...goal,
    });
    if (one.name === `recall.${most}`) await limits(bench, one.scope, queries, durations);
  }
  await crowd(bench, scopeOf(most), queries);
}

async function seed(bench: Bench, scopes: readonly string[], events: number): Promise<void> {
  bench.say(`writing ${events} events of talk into ${scopes.length} scopes`);
  const talk = new Talk(events);
  for (let from = 0; from < events; from += BULK) {
    const items = Array.from({ length: Math.min(BULK, events - from) }, (_, i) =>
      talk.next(scopes[(from + i) % scopes.length] ?? ''),
    );
    const { status, text } = await send(bench.service.url, 'POST', '/v1/experience/bulk', {
      body: { items },
    });
    if (status !== 202) throw new Error(`a bulk was answered ${status}: ${text.slice(0, 400)}`);
    if ((from + BULK) % PORTION !== 0 && from + BULK < events) continue;
    await bench.settle([scopes[0] ?? '', scopes[scopes.length - 1] ?? '']);
    bench.say(`${from + items.length} of ${events} derived`);
  }
}

interface Case {
  readonly scope: string;
  readonly view: string;
  readonly temporal?: object;
}

function bodyOf({ scope, view, temporal }: Case, query: string): object {
  return { scope, view, query, ...(temporal === undefined ? {} : { temporal }) };
}

async function timed(
  bench: Bench,
  one: Case,
  queries: readonly string[],
): Promise<{ durations: number[]; cpu: Record<string, number | null> }> {
  const reads = queries.map((query) => ({ path: '/v1/recall', body: bodyOf(one, query) }));
  await bench.load.order('read', { reads, rounds: 4 });
  const meter = bench.meter();
  const durations = await meter.during(['service', 'service_database', 'load'], () =>
    bench.load.order('read', { reads, rounds: bench.options.quick ? 4 : 12 }),
  );
  return { durations: durations.flat(), cpu: meter.used };
}

/** The bare query of the index for the same words, by the driver alone, and whether recall is fast enough beside it. */
async function limits(
  bench: Bench,
  scope: string,
  queries: readonly string[],
  own: readonly number[],
): Promise<void> {
  const { uri, user, password, database } = bench.service.address;
  const driver = neo4j.driver(uri, neo4j.auth.basic(user, password));
  const refs = levelRefs('default', scope);
  const selection = { scopes: [scopeRef('default', scope)], subtrees: [] };
  const durations: number[] = [];
  try {
    for (let round = 0; round < (bench.options.quick ? 4 : 12); round += 1)
      for (const query of queries) {
        const words = queryWords(query).map(soughtTerms);
        const text = turnQuery(words, {
          selection,
          filter: null,
          observed: null,
          recorded: null,
          refers: false,
        });
        const began = performance.now();
        await driver.executeQuery(
          `CALL db.index.fulltext.queryNodes('passage_text', $text, {limit: $limit}) YIELD node, score RETURN node.event_id, score`,
          { text, limit: neo4j.int(RECALL_TURNS) },
          { database },
        );
        if (round > 0) durations.push(performance.now() - began);
      }
  } finally {
    await driver.close();
  }
  const bare = percentiles(durations);
  recordDurations(bench, {
    name: 'recall.latency',
    note: `recall in ${scope} (level ${refs.length}); ratio to the bare query of the full-text index by the driver`,
    durations: own,
    cpu: {},
    raw: bare.p50,
    goal: FAST,
  });
}

/** 32 clients that recall one after the other: how long each waits. */
async function crowd(bench: Bench, scope: string, queries: readonly string[]): Promise<void> {
  const random = new Random(3);
  const durations: number[] = [];
  const each = bench.options.quick ? 5 : 20;
  const meter = bench.meter();
  const began = performance.now();
  await meter.during(['service', 'service_database'], async () => {
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (let i = 0; i < each; i += 1) {
          const body = bodyOf({ scope, view: 'local' }, random.pick(queries));
          const sent = performance.now();
          const { status, text } = await send(bench.service.url, 'POST', '/v1/recall', { body });
          if (status !== 200) throw new Error(`a recall was answered ${status}: ${text.slice(0, 400)}`);
          durations.push(performance.now() - sent);
        }
      }),
    );
  });
  const rate = (CLIENTS * each) / ((performance.now() - began) / 1000);
  recordDurations(bench, {
    name: `recall.clients.${CLIENTS}`,
    note: `${CLIENTS} clients at once, ${rate.toFixed(1)} recalls a second together`,
    durations,
    cpu: meter.used,
  });
}
