import type { Driver } from 'neo4j-driver';

import type { Database } from '../../graph/driver.ts';
import type { Wish } from '../../src/forget/wish.ts';
import { patientDatabase, query, testDriver } from '../support/database.ts';
import { derivedDump, unlike } from '../support/derived-dump.ts';
import { inDepth, SEED } from '../support/depth.ts';
import { statement, stateEach } from '../support/facts.ts';
import fc from '../support/property.ts';
import { allDerived, askForRebuild } from '../support/rebuild.ts';
import { startWarmService, type TestService } from '../support/service.ts';
import { wish } from '../support/wish.ts';

// What is to be forgotten of an event is not derived from it, whenever that was said and however it is derived.

const HISTORIES = inDepth(6, 60);

let service: TestService;
let driver: Driver;
let database: Database;

beforeAll(async () => {
  service = await startWarmService({ STRATA_PIPELINE_POLL_MS: '200' });
  driver = testDriver();
  database = patientDatabase();
});
afterAll(async () => {
  await database.close();
  await driver.close();
  await service.stop();
});

async function say(
  scope: string,
  ...triples: readonly (readonly [string, string, string])[]
): Promise<string[]> {
  const day = (i: number) => ({ valid_from: `2026-01-${String(i + 10)}` });
  return stateEach(
    service,
    triples.map((triple, i) => statement(scope, triple, day(i))),
  );
}

async function forget(...wishes: readonly Wish[]): Promise<void> {
  await wish(database, wishes);
  await allDerived(driver);
}

/** What is derived of a scope, without what differs between two that say the same. */
async function madeOf(scope: string): Promise<Record<string, unknown[]>> {
  const [row] = await query<Record<string, unknown[]>>(
    driver,
    `RETURN COLLECT { MATCH (f:Fact {scope: $scope})-[:HAS_VERSION]->(x) WHERE x.recorded_to = datetime('9999-12-31T23:59:59.999Z')
         RETURN [f.text, x.valid_from, x.valid_to, COUNT { (f)-[d:DERIVED_FROM]->() WHERE d.recorded_to = x.recorded_to }] AS row ORDER BY row } AS facts,
       COLLECT { MATCH (b:Belief {scope: $scope})-[:HAS_REVISION]->(x) WHERE x.recorded_to = datetime('9999-12-31T23:59:59.999Z')
         RETURN [b.text, x.valid_from, x.valid_to, x.stance, x.confidence] AS row ORDER BY row } AS beliefs,
       COLLECT { MATCH (c:Concept {scope: $scope}) RETURN [c.entity_id, c.stance, c.confidence, c.summary,
         COUNT { (c)-[s:SUPPORTED_BY]->() WHERE s.recorded_to = datetime('9999-12-31T23:59:59.999Z') }] AS row ORDER BY row } AS concepts,
       COLLECT { MATCH (n:Episode {scope: $scope}) RETURN n.event_count AS row ORDER BY row } AS episodes,
       COLLECT { MATCH (n:Entity {scope: $scope}) RETURN [n.id, n.name, n.type] AS row ORDER BY row } AS entities`,
    { scope },
  );
  return row ?? {};
}

const textsOf = (rows: readonly unknown[] | undefined): unknown[] =>
  (rows ?? []).map((row) => (row as unknown[])[0]);

async function statementOf(event_id: string): Promise<string> {
  const found = await query<{ id: string }>(
    driver,
    'MATCH (s:Statement {event_id: $event_id}) WHERE s.continuation_of IS NULL RETURN s.id AS id',
    { event_id },
  );
  expect(found).toHaveLength(1);
  return found[0]?.id ?? '';
}

/** Whether dropping what is derived and deriving it again leaves the same, to the byte. */
async function comesToTheSame(): Promise<void> {
  const before = await derivedDump(driver);
  await askForRebuild(database, null);
  await allDerived(driver);
  expect(unlike(before, await derivedDump(driver))).toEqual({ lost: [], new: [] });
}

const LIVES = ['ent_ada', 'lives in', 'ent_paris'] as const;
const CONCLUDED = ['ent_ada', 'speaks', 'ent_french'] as const;

describe('what is forgotten', () => {
  it('of a fact leaves its other events, and goes with its last one', async () => {
    const scope = 'org:wish/ws:fact';
    const [first = '', second = ''] = await say(scope, LIVES, LIVES, ['ent_ada', 'likes', 'ent_tea']);
    await forget({ event_id: first, layer: 'facts', ids: [await statementOf(first)] });
    const left = await madeOf(scope);
    expect(left.facts).toHaveLength(2);
    expect(textsOf(left.concepts)).toEqual(['ent_ada', 'ent_paris', 'ent_tea']);
    await comesToTheSame();
    await forget({ event_id: second, layer: 'facts', ids: null });
    const gone = await madeOf(scope);
    expect(gone.facts).toHaveLength(1);
    expect(textsOf(gone.entities)).toEqual(['ent_ada', 'ent_tea']);
    expect(gone.episodes).toEqual([3]);
    await comesToTheSame();
  });

  it('of a belief leaves its facts, and what was concluded from the belief falls', async () => {
    const scope = 'org:wish/ws:belief';
    const [event_id = ''] = await say(scope, LIVES);
    const [belief] = (await service.get(`/v1/beliefs?scope=${scope}`)).json.items;
    await stateEach(service, [statement(scope, CONCLUDED, { derived_from: [belief.id] })]);
    expect((await madeOf(scope)).facts).toHaveLength(2);
    await forget({ event_id, layer: 'beliefs', ids: [await statementOf(event_id)] });
    const { json } = await service.get(`/v1/facts?scope=${scope}`);
    expect(json.items.map(({ predicate }: any) => predicate)).toEqual(['lives_in']);
    expect((await service.get(`/v1/beliefs?scope=${scope}`)).json.items).toEqual([]);
    await comesToTheSame();
  });

  it('takes what was concluded from it along', async () => {
    const scope = 'org:wish/ws:premise';
    const [event_id = ''] = await say(scope, LIVES);
    await stateEach(service, [statement(scope, CONCLUDED, { derived_from: [await statementOf(event_id)] })]);
    await forget({ event_id, layer: 'facts', ids: [await statementOf(event_id)] });
    expect((await service.get(`/v1/facts?scope=${scope}`)).json.items).toEqual([]);
    expect((await madeOf(scope)).concepts).toEqual([]);
    await comesToTheSame();
  });

  it('of the concept of a subject leaves that of the object, related to nothing', async () => {
    const scope = 'org:wish/ws:concept';
    const [event_id = ''] = await say(scope, LIVES);
    await forget({ event_id, layer: 'understanding', ids: [`${await statementOf(event_id)}/subject`] });
    const made = await madeOf(scope);
    expect(textsOf(made.concepts)).toEqual(['ent_paris']);
    expect([made.facts?.length, made.beliefs?.length]).toEqual([1, 1]);
    const [row] = await query<{ related: number }>(
      driver,
      'MATCH (c:Concept {scope: $scope}) RETURN COUNT { (c)-[:RELATES]-() } AS related',
      { scope },
    );
    expect(row?.related).toBe(0);
    await comesToTheSame();
    await say(scope, LIVES);
    expect(textsOf((await madeOf(scope)).concepts)).toEqual(['ent_ada', 'ent_paris']);
    await comesToTheSame();
  });

  it('of an episode takes the event out of it, and of all that are told later', async () => {
    const scope = 'org:wish/ws:episode';
    const [first = '', , third = ''] = await say(scope, LIVES, LIVES, LIVES);
    await forget({ event_id: first, layer: 'episodes', ids: null });
    expect((await madeOf(scope)).episodes).toEqual([2]);
    // To take one out that something may depend on tells the scope anew.
    expect((await service.post(`/v1/lifecycle/memory-event/${third}/cancel`)).status).toBe(200);
    await allDerived(driver);
    expect((await madeOf(scope)).episodes).toEqual([1]);
    await comesToTheSame();
  });

  it('is what was known by a link, which neither keeps it nor brings it back by its end', async () => {
    const scope = 'org:wish/ws:link';
    const link = (entity: string, same_as: string) =>
      service.post('/v1/entities/link', { scope, entity, same_as });
    const [one = '', other = ''] = await say(
      scope,
      ['ent_ida', 'lives in', 'ent_rome'],
      ['ent_ida', 'likes', 'ent_tea'],
    );
    const before = await statementOf(other);
    const { json } = await link('ent_ida', 'ent_ada');
    await allDerived(driver);
    const [moved] = await query<{ id: string }>(
      driver,
      `MATCH (s:Statement {event_id: $one, subject_id: 'ent_ada'}) RETURN s.id AS id`,
      { one },
    );
    await forget(
      { event_id: one, layer: 'facts', ids: [moved?.id ?? ''] },
      { event_id: other, layer: 'beliefs', ids: [before] },
    );
    const texts = async () => textsOf((await madeOf(scope)).facts);
    expect(new Set(await texts())).toEqual(new Set(['ent_ada likes ent_tea', 'ent_ida likes ent_tea']));
    expect((await madeOf(scope)).beliefs).toEqual([]);
    await comesToTheSame();
    expect((await service.request('DELETE', `/v1/entities/link/${json.link_id}`)).status).toBe(200);
    await allDerived(driver);
    expect(await texts()).not.toContain('ent_ida lives in ent_rome');
    expect((await madeOf(scope)).beliefs).toEqual([]);
    await comesToTheSame();
  });

  it.each(['facts', 'beliefs'] as const)(
    'of what somebody decided between (%s) is decided no more, and the rest stands',
    async (layer) => {
      const scope = `org:wish/ws:decided-${layer}`;
      const since = { valid_from: '2015-01-01' };
      const [one = '', other = ''] = await stateEach(
        service,
        ['ent_x', 'ent_y'].map((value) => statement(scope, ['ent_ada', 'lives in', value], since)),
      );
      const [conflict] = (await service.get(`/v1/conflicts?scope=${scope}`)).json.items;
      const body = {
        action: 'split',
        boundary: '2016-06-01',
        earlier: await statementOf(one),
        later: await statementOf(other),
      };
      expect((await service.post(`/v1/conflicts/${conflict.id}/resolve`, body)).status).toBe(200);
      await allDerived(driver);
      for (const event_id of [other, one]) {
        await forget({ event_id, layer, ids: [await statementOf(event_id)] });
        await comesToTheSame();
      }
      const { facts = [], beliefs } = await madeOf(scope);
      expect(facts.length > 0).toBe(layer === 'beliefs');
      expect(beliefs).toHaveLength(layer === 'beliefs' ? 1 : 0);
    },
  );

  it('of an event that was taken out leaves nothing of it', async () => {
    const scope = 'org:wish/ws:cancelled';
    const [event_id = ''] = await say(scope, LIVES);
    const ids = [await statementOf(event_id)];
    expect((await service.post(`/v1/lifecycle/memory-event/${event_id}/cancel`)).status).toBe(200);
    await allDerived(driver);
    await forget({ event_id, layer: 'facts', ids });
    expect(await query(driver, 'MATCH (s:Statement {event_id: $event_id}) RETURN s', { event_id })).toEqual(
      [],
    );
    await comesToTheSame();
  });

  it('is united with what was said before under the same entry, and counts for the queue once', async () => {
    const scope = 'org:wish/ws:twice';
    const [event_id = ''] = await say(scope, LIVES);
    await forget(
      { event_id, layer: 'facts', ids: ['a', 'b'] },
      { event_id, layer: 'facts', ids: ['b', 'c'] },
    );
    const edges = () =>
      query<{ ids: string[] | null }>(
        driver,
        `MATCH (:LogEntry {kind: 'forget'})-[w:FORGETS {layer: 'facts'}]->(:Event {id: $event_id}) RETURN w.ids AS ids`,
        { event_id },
      );
    expect(await edges()).toEqual([{ ids: ['a', 'b', 'c'] }]);
    expect((await madeOf(scope)).facts).toHaveLength(1);
    const { queued } = await wish(database, [
      { event_id, layer: 'facts', ids: null },
      { event_id, layer: 'facts', ids: ['d'] },
      { event_id: 'evt_unknown', layer: 'facts', ids: null },
    ]);
    expect(queued).toBe(1);
    expect(await edges()).toEqual(expect.arrayContaining([{ ids: null }]));
    await allDerived(driver);
    expect((await madeOf(scope)).facts).toEqual([]);
  });

  it('is written down once, of what is not on record yet', async () => {
    const scope = 'org:wish/ws:once';
    const [event_id = '', other = ''] = await say(scope, LIVES, CONCLUDED);
    const edges = () =>
      query(
        driver,
        `MATCH (n:LogEntry {kind: 'forget'})-[w:FORGETS]->(e:Event) WHERE e.id IN $events
         RETURN e.id AS event, w.layer AS layer, w.ids AS ids ORDER BY n.recorded_at, n.id`,
        { events: [event_id, other] },
      );
    await forget({ event_id, layer: 'facts', ids: ['a', 'b'] });
    const first = { event: event_id, layer: 'facts', ids: ['a', 'b'] };
    const entries = () => query(driver, "MATCH (n:LogEntry {kind: 'forget'}) RETURN count(n) AS entries");
    const before = await entries();
    expect((await wish(database, [{ event_id, layer: 'facts', ids: ['b'] }])).queued).toBe(0);
    expect([await edges(), await entries()]).toEqual([[first], before]);
    await forget({ event_id, layer: 'facts', ids: ['b', 'c'] });
    await forget({ event_id, layer: 'beliefs', ids: ['a'] });
    await forget({ event_id: other, layer: 'facts', ids: ['a'] });
    const more = [
      { event: event_id, layer: 'facts', ids: ['c'] },
      { event: event_id, layer: 'beliefs', ids: ['a'] },
      { event: other, layer: 'facts', ids: ['a'] },
    ];
    expect(await edges()).toEqual([first, ...more]);
    await forget({ event_id, layer: 'facts', ids: null });
    const whole = { event: event_id, layer: 'facts', ids: null };
    for (const ids of [null, ['a'], ['z']])
      expect((await wish(database, [{ event_id, layer: 'facts', ids }])).queued).toBe(0);
    expect(await edges()).toEqual([first, ...more, whole]);
  });
});

/** Layers in which all of an event is forgotten, and what its directives would ask for instead. */
const ASKED = ['facts', 'beliefs', 'understanding', 'episodes'] as const;
const saying = fc.record({
  triple: fc.tuple(
    fc.constantFrom('ent_a', 'ent_b'),
    fc.constantFrom('lives in', 'likes', 'owner of'),
    fc.constantFrom('ent_x', 'ent_y', 'ent_a'),
  ),
  year: fc.integer({ min: 2010, max: 2016 }),
  kind: fc.constantFrom('asserted', 'asserted', 'asserted', 'denied'),
  confidence: fc.constantFrom(0.4, 1),
  forgotten: fc.subarray([...ASKED]),
  at: fc.constantFrom('before it is derived', 'afterwards'),
});
type Saying = ReturnType<typeof saying.generate>['value'];

function item(scope: string, { triple, year, kind, confidence }: Saying, i: number): Record<string, unknown> {
  return statement(scope, triple, {
    valid_from: `${year}-01-01`,
    confidence,
    ...(kind === 'denied' ? { polarity: 'negative' } : {}),
    observed_at: new Date(Date.UTC(2026, 0, 1) + i * 3_600_000).toISOString(),
  });
}

/** What directives name of an event that is to count in all layers but these. */
function askedOf({ forgotten }: Saying): string[] {
  const top = ['facts', 'beliefs', 'understanding'].findIndex((layer) =>
    (forgotten as string[]).includes(layer),
  );
  const layers = ['facts', 'beliefs', 'understanding'].slice(0, top < 0 ? 3 : top);
  return forgotten.includes('episodes') ? layers : [...layers, 'episodes'];
}

it(`events of which layers are forgotten come to what those come to that never asked for them, over ${HISTORIES} histories`, async () => {
  const random = fc.array(saying, { minLength: 6, maxLength: 14 });
  const histories = fc.sample(random, { numRuns: HISTORIES, seed: SEED });
  for (const [n, history] of histories.entries()) {
    const [wished, asked] = [`org:wished/ws:${n}`, `org:asked/ws:${n}`];
    for (const [i, one] of history.entries()) {
      const directed = { ...item(asked, one, i), directives: { extract: askedOf(one) } };
      const sent = await service.post('/v1/experience/bulk', { items: [item(wished, one, i), directed] });
      expect(sent.status).toBe(202);
      const event_id = sent.json.results[0].event_id as string;
      if (one.at === 'afterwards') await allDerived(driver);
      await wish(
        database,
        one.forgotten.map((layer) => ({ event_id, layer, ids: null })),
      );
    }
    await allDerived(driver);
    expect({ seed: SEED, history, ...(await madeOf(wished)) }).toEqual({
      seed: SEED,
      history,
      ...(await madeOf(asked)),
    });
  }
  await comesToTheSame();
});
