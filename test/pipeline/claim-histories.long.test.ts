import type { Statement } from '../../src/derive/claim/statement.ts';
import type { Driver } from 'neo4j-driver';

import type { Database } from '../../graph/driver.ts';
import { OPEN_END, toEpochMs } from '../../schemas/time.ts';
import { defaultCardinality } from '../../src/derive/vocabulary.ts';
import { valueAt } from '../derive/oracle.ts';
import { patientDatabase, query, testDriver } from '../support/database.ts';
import { factsOf, statement, type StoredFact } from '../support/facts.ts';
import { unrefused } from '../support/resend.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import fc from '../support/property.ts';
import { inDepth, SEED } from '../support/depth.ts';
import { wish } from '../support/wish.ts';
import { DERIVING_PATIENCE_MS } from '../support/patience.ts';

// Random histories through the whole service, each in a scope of its own: what stands at every pair of instants is what a naive
// reading of the events says that are left.

const HISTORIES = inDepth(30, 300);
const STEPS = 9;

const year = fc.integer({ min: 2010, max: 2016 });
const saying = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant('asserted' as const) },
    { weight: 1, arbitrary: fc.constant('denied' as const) },
    { weight: 1, arbitrary: fc.constant('never' as const) },
  ),
  subject: fc.constantFrom('ent_a', 'ent_b'),
  predicate: fc.constantFrom('lives in', 'likes', 'owner of'),
  object: fc.constantFrom('ent_x', 'ent_y', 'ent_z'),
  from: year,
  length: fc.option(fc.integer({ min: 0, max: 3 })),
});
/** A declaration is of a literal, and holds with no stated end. */
const declaring = fc.record({
  subject: fc.constantFrom('ent_a', 'ent_b'),
  predicate: fc.constantFrom('lives in', 'likes', 'owner of'),
  object: fc.constantFrom('x', 'y'),
  from: year,
});
const step = fc.oneof(
  { weight: 8, arbitrary: saying.map((stated) => ({ do: 'say' as const, stated })) },
  { weight: 2, arbitrary: declaring.map((declared) => ({ do: 'declare' as const, declared })) },
  { weight: 1, arbitrary: fc.nat(STEPS).map((which) => ({ do: 'cancel' as const, which })) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('replace' as const), which: fc.nat(STEPS), stated: saying }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('forget' as const), which: fc.nat(STEPS), all: fc.boolean() }),
  },
);
const histories = fc.array(step, { minLength: 2, maxLength: STEPS });

type Saying = Extract<ReturnType<typeof saying.generate>['value'], object>;
type Declaring = ReturnType<typeof declaring.generate>['value'];

interface Step {
  readonly do: string;
  readonly which?: number;
  readonly all?: boolean;
  readonly stated?: Saying;
  readonly declared?: Declaring;
}

let service: TestService;
let driver: Driver;
let database: Database;

beforeAll(async () => {
  service = await startTestService({ STRATA_PIPELINE_POLL_MS: '200' });
  driver = testDriver();
  database = patientDatabase();
});
afterAll(async () => {
  await database.close();
  await driver.close();
  await service.stop();
});

const scopeOf = (i: number): string => `org:h/ws:${i}`;

function item(scope: string, stated: Saying, more: Record<string, unknown>): Record<string, unknown> {
  const { kind, subject, predicate, object, from, length } = stated;
  return statement(scope, [subject, predicate, object], {
    ...more,
    ...(kind === 'never' ? {} : { valid_from: `${from}-01-01` }),
    ...(kind === 'asserted' && length !== null ? { valid_to: `${from + length}-01-01` } : {}),
    ...(kind === 'asserted' ? {} : { polarity: 'negative' }),
  });
}

/** Declares a belief; answers the id of its event. */
async function declare(scope: string, { subject, predicate, object, from }: Declaring): Promise<string> {
  const body = { scope, subject, predicate, statement: object, confidence: 1, valid_from: `${from}-01-01` };
  expect((await unrefused('a declaration', () => service.post('/v1/beliefs', body))).status).toBe(201);
  const { json } = await unrefused('its event', () => service.get(`/v1/events?scope=${scope}&limit=1`));
  return json.items[0].id;
}

/** Has what an event states forgotten, by the id of its statement, or before it has one. */
async function forget(event_id: string, all: boolean): Promise<void> {
  const found = await query<{ id: string }>(
    driver,
    'MATCH (s:Statement {event_id: $event_id}) RETURN s.id AS id',
    { event_id },
  );
  const ids = all || found.length === 0 ? null : found.map(({ id }) => id);
  await wish(database, [{ event_id, layer: 'facts', ids }]);
}

async function allConsolidated(): Promise<void> {
  const done = async (): Promise<boolean | undefined> => {
    const [state] = await query<{ done: boolean }>(
      driver,
      `MATCH (wal:Counter {name: 'wal'})
       RETURN NOT EXISTS { MATCH (h:StageRetry) } AND NOT EXISTS {
         MATCH (e:Event) MATCH (s:Shard {number: e.shard}) WHERE s.consolidated < e.wal_offset } AS done`,
    );
    return state?.done;
  };
  await eventually('everything is consolidated', done, DERIVING_PATIENCE_MS);
}

/** Plays the histories side by side, a step of all of them at a time. */
async function play(all: readonly (readonly Step[])[]): Promise<void> {
  const written = all.map((): string[] => []);
  for (let at = 0; at < STEPS; at += 1) {
    const items: { history: number; item: Record<string, unknown>; place: number }[] = [];
    for (const [i, history] of all.entries()) {
      const next = history[at];
      const ids = written[i] ?? [];
      if (next?.do === 'say' && next.stated !== undefined) {
        items.push({
          history: i,
          place: ids.length,
          item: item(scopeOf(i), next.stated, { idempotency_key: `k${ids.length}` }),
        });
      } else if (next?.do === 'replace' && next.stated !== undefined && ids.length > 0) {
        const place = (next.which ?? 0) % ids.length;
        items.push({
          history: i,
          place,
          item: item(scopeOf(i), next.stated, { idempotency_key: `k${place}`, on_conflict: 'replace' }),
        });
      } else if (next?.do === 'declare' && next.declared !== undefined) {
        ids.push(await declare(scopeOf(i), next.declared));
      } else if (next?.do === 'cancel' && ids.length > 0) {
        const id = ids[(next.which ?? 0) % ids.length];
        // One that was replaced meanwhile is gone already.
        const path = `/v1/lifecycle/memory-event/${id}/cancel`;
        expect([200, 404]).toContain((await unrefused('a cancel', () => service.post(path))).status);
      } else if (next?.do === 'forget' && ids.length > 0) {
        await forget(ids[(next.which ?? 0) % ids.length] ?? '', next.all === true);
      }
    }
    if (items.length === 0) continue;
    const body = { items: items.map((one) => one.item) };
    const { json } = await unrefused('a bulk', () => service.post('/v1/experience/bulk', body));
    expect(json.failures ?? []).toEqual([]);
    for (const [n, { event_id }] of json.results.entries()) {
      const { history, place } = items[n] ?? { history: 0, place: 0 };
      const ids = written[history];
      if (ids) ids[place] = event_id;
    }
    // Some derive in the middle of the histories, some at their end.
    if (at % 3 === 0) await allConsolidated();
  }
  await allConsolidated();
}

interface Left {
  readonly scope: string;
  readonly id: string;
  readonly position: number;
  readonly recorded_at: number;
  readonly observed_at: number;
  readonly envelope: string;
}

/** What the events of a scope state that are left, by claim. */
async function statementsLeft(): Promise<Map<string, Map<string, Statement[]>>> {
  const left = await query<Left>(
    driver,
    `MATCH (e:Event) WHERE NOT EXISTS { (e)<-[:CANCELS|FORGETS]-() } AND NOT EXISTS { (e)-[:SUPERSEDED_BY]->() }
     RETURN e.scope AS scope, e.id AS id, e.wal_offset AS position, e.recorded_at AS recorded_at, e.observed_at AS observed_at,
       e.envelope AS envelope ORDER BY e.wal_offset`,
  );
  const scopes = new Map<string, Map<string, Statement[]>>();
  for (const { scope, envelope, ...event } of left) {
    const triple = tripleOf(JSON.parse(envelope).content);
    const [claim, value] = claimOf(triple.subject.id, triple.predicate, nameOf(triple.object));
    const claims = scopes.get(scope) ?? new Map<string, Statement[]>();
    scopes.set(scope, claims);
    const negative = triple.polarity === 'negative';
    const stated: Statement = {
      id: event.id,
      event_id: event.id,
      position: event.position,
      recorded_at: event.recorded_at,
      value,
      kind: !negative ? 'asserted' : triple.valid_from === undefined ? 'never' : 'denied',
      valid: {
        from: triple.valid_from === undefined ? event.observed_at : toEpochMs(triple.valid_from),
        to: triple.valid_to === undefined ? OPEN_END : toEpochMs(triple.valid_to),
      },
      confidence: 1,
    };
    claims.set(claim, [...(claims.get(claim) ?? []), stated]);
  }
  return scopes;
}

/** What an event states, whichever way it does. */
function tripleOf({ triple, declared_belief: belief }: any): any {
  return triple ?? { ...belief, object: { value: belief.statement } };
}

function nameOf({ id, value }: { id?: string; value?: string }): string {
  return id ?? `=${value}`;
}

function claimOf(subject: string, predicate: string, object: string): [string, string] {
  const name = predicate.replaceAll(' ', '_');
  const cardinality = defaultCardinality(name);
  if (cardinality === 'many') return [`${subject} ${name} ${object}`, object];
  return cardinality === 'exclusive' ? [`${name} ${object}`, subject] : [`${subject} ${name}`, object];
}

function visibleAt(facts: readonly StoredFact[], v: number, r: number): readonly StoredFact[] {
  return facts.filter(({ rows }) =>
    rows.some(
      (row) => row.valid_from <= v && v < row.valid_to && row.recorded_from <= r && r < row.recorded_to,
    ),
  );
}

function valuesAt(facts: readonly StoredFact[], claim: string, v: number, r: number): string {
  return visibleAt(facts, v, r)
    .map(({ subject, predicate, object }) => claimOf(subject, predicate, nameOf(JSON.parse(object))))
    .filter(([of]) => of === claim)
    .map(([, value]) => value)
    .join();
}

/** What a scope lists as of instants of its log, and now, where that is something else than what its rows say. */
async function wrongLists(
  i: number,
  facts: readonly StoredFact[],
  instants: readonly number[],
): Promise<unknown[]> {
  const now = Date.now();
  const asked = [
    { when: '', v: now, r: OPEN_END - 1 },
    ...instants.flatMap((at) => {
      const text = encodeURIComponent(new Date(at).toISOString());
      return [
        { when: `&as_of=${text}`, v: at, r: at },
        { when: `&as_of_recorded=${text}`, v: now, r: at },
        { when: `&as_of_valid=${text}`, v: at, r: OPEN_END - 1 },
      ];
    }),
  ];
  const wrong: unknown[] = [];
  for (const { when, v, r } of asked) {
    const path = `/v1/facts?scope=${scopeOf(i)}&limit=1000${when}`;
    const { json } = await unrefused('a list of facts', () => service.get(path));
    const found = json.items.map(({ id }: { id: string }) => id).sort();
    const expected = visibleAt(facts, v, r).map(({ id }) => id);
    if (json.has_more || found.join() !== expected.join()) wrong.push({ path, expected, found });
  }
  return wrong;
}

it(`answer at every pair of instants, over ${HISTORIES} histories`, async () => {
  await play(fc.sample(histories, { numRuns: HISTORIES, seed: SEED }));
  const left = await statementsLeft();
  const wrong: unknown[] = [];
  let looked = 0;
  const listed: unknown[] = [];
  for (let i = 0; i < HISTORIES; i += 1) {
    const facts = await factsOf(driver, scopeOf(i));
    const stated = [...(left.get(scopeOf(i))?.values() ?? [])].flat().map(({ recorded_at }) => recorded_at);
    const some = stated
      .filter((_, n) => n % Math.ceil(stated.length / 2) === 0)
      .flatMap((at) => [at - 1, at]);
    listed.push(...(await wrongLists(i, facts, [...new Set(some)])));
    for (const [claim, statements] of left.get(scopeOf(i)) ?? []) {
      const around = (at: number): number[] => [at - 1, at, at + 1];
      const valid = new Set(
        statements.flatMap((one) => [one.valid.from, Math.min(one.valid.to, 4e12)].flatMap(around)),
      );
      const recorded = new Set(statements.flatMap((one) => around(one.recorded_at)));
      for (const v of valid)
        for (const r of recorded) {
          looked += 1;
          const [expected, found] = [valueAt(statements, v, r) ?? '', valuesAt(facts, claim, v, r)];
          if (expected !== found) wrong.push({ scope: scopeOf(i), claim, v, r, expected, found });
        }
    }
  }
  expect({ seed: SEED, wrong: wrong.slice(0, 5) }).toEqual({ seed: SEED, wrong: [] });
  expect({ seed: SEED, listed: listed.slice(0, 5) }).toEqual({ seed: SEED, listed: [] });
  expect(looked).toBeGreaterThan(HISTORIES);
});
