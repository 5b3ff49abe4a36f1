import type { Driver } from 'neo4j-driver';

import type { Database } from '../../graph/driver.ts';
import { ErasureSweep } from '../../graph/erasure/sweep.ts';
import { stripFrames } from '../../graph/forget/frames.ts';
import { scopeRef } from '../../src/capture/scope-key.ts';
import { patientDatabase, query, testDriver } from '../support/database.ts';
import { statement } from '../support/facts.ts';
import { startWarmService, type TestService } from '../support/service.ts';
import { erasingOn } from './erasures.ts';
import { openConflict } from './open-conflict.ts';

// Frames of events that stay name no fact that is gone: its id is made from what was stated.

let service: TestService;
let driver: Driver;
let database: Database;
const { stated, erased } = erasingOn(() => service);

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

/** The ids of what an event states. */
async function factsOf(event: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    driver,
    'MATCH (s:Statement {event_id: $event}) RETURN s.id AS id',
    { event },
  );
  return rows.map(({ id }) => id);
}

/** What the frames of a scope say, as one text. */
async function framesOf(scope: string): Promise<string> {
  return (await service.get(`/v1/lifecycle?limit=500&scope=${scope}`)).text;
}

/** Forgets events by a cascade, or erases them. */
async function remove(scope: string, ids: readonly string[], how: 'redact_events' | 'erasure') {
  const selector = { memory_ids: ids };
  if (how === 'erasure') return erased(scope, { selector });
  const { status, json } = await service.post('/v1/forget', { scope, selector, cascade: how });
  expect(status).toBe(200);
  return json;
}

it.each(['redact_events', 'erasure'] as const)('names no superseded fact that is gone: %s', async (how) => {
  const scope = `org:frames/ws:superseded-${how}`;
  const { event_id: gone } = await stated(scope, ['ent_mira', 'lives_in', 'Paris']);
  const { event_id: stays } = await stated(scope, ['ent_mira', 'lives_in', 'London']);
  const [paris = ''] = await factsOf(gone);
  const [london = ''] = await factsOf(stays);
  expect(await framesOf(scope)).toContain(`"old":"${paris}"`);
  await remove(scope, [gone], how);
  const frames = await framesOf(scope);
  expect(frames).not.toContain(paris);
  expect(frames).toContain(london);
});

it.each(['redact_events', 'erasure'] as const)(
  'names no fact that two events stated by the id of the one that is gone: %s',
  async (how) => {
    const scope = `org:frames/ws:twice-${how}`;
    const { event_id: gone } = await stated(scope, ['ent_mira', 'likes', 'tea']);
    const { event_id: stays } = await stated(scope, ['ent_mira', 'likes', 'tea']);
    const [fact = ''] = await factsOf(gone);
    const frame = 'MATCH (f:LifecycleEvent {event_id: $stays, type: "consolidated"}) RETURN f.data AS data';
    expect((await query<{ data: string }>(driver, frame, { stays }))[0]?.data).toContain(fact);
    await remove(scope, [gone], how);
    expect(await framesOf(scope)).not.toContain(fact);
    expect(
      JSON.parse((await query<{ data: string }>(driver, frame, { stays }))[0]?.data ?? ''),
    ).toMatchObject({
      derived: { entities: expect.arrayContaining(['ent_mira']), facts: [] },
    });
  },
);

it('names none of many that are gone', async () => {
  const scope = 'org:frames/ws:many';
  const gone: string[] = [];
  for (let i = 0; i < 24; i += 1) {
    gone.push((await stated(scope, ['ent_mira', 'lives_in', `town ${i}`])).event_id);
  }
  const { event_id: stays } = await stated(scope, ['ent_mira', 'lives_in', 'London']);
  const facts = (await Promise.all(gone.map(factsOf))).flat();
  await remove(scope, gone, 'redact_events');
  const frames = await framesOf(scope);
  expect(facts.filter((id) => frames.includes(id))).toEqual([]);
  expect(frames).toContain((await factsOf(stays))[0]);
});

it('keeps what frames say of facts that stay', async () => {
  const scope = 'org:frames/ws:others';
  const { event_id: first } = await stated(scope, ['ent_mira', 'lives_in', 'Paris']);
  await stated(scope, ['ent_mira', 'lives_in', 'London']);
  const { event_id: other } = await stated(scope, ['ent_bo', 'lives_in', 'Rome']);
  await remove(scope, [other], 'redact_events');
  expect(await framesOf(scope)).toContain(`"old":"${(await factsOf(first))[0]}"`);
});

it('is looked at by the sweep of an erasure', async () => {
  const scope = 'org:frames/ws:swept';
  const { event_id: first } = await stated(scope, ['ent_mira', 'lives_in', 'Paris']);
  await stated(scope, ['ent_mira', 'lives_in', 'London']);
  const sought = {
    ids: new Set<string>(),
    forms: new Set<string>(),
    names: new Map(),
    shared: false,
    frames_from: 0,
  };
  const sweep = new ErasureSweep(database);
  const ref = scopeRef('default', scope);
  expect((await sweep.ofNames(ref, sought)).findings).toEqual([]);
  const [fact = ''] = await factsOf(first);
  // As if it had gone: its own frame names it, and that of what superseded it.
  await query(driver, 'MATCH (s:Statement {id: $fact}) SET s.id = $fact + "x"', { fact });
  const { findings, facts } = await sweep.ofNames(ref, sought);
  expect(findings).toEqual([{ place: ':LifecycleEvent(data)', count: 2 }]);
  expect([...facts]).toEqual([fact]);
  // What has vanished since the last look is not what was erased before it.
  expect((await sweep.ofNames(ref, sought, facts)).findings).toEqual(findings);
  expect((await sweep.ofNames(ref, sought, new Set(['fact_of_another']))).findings).toEqual([]);
  expect((await sweep.ofNames(ref, { ...sought, frames_from: null })).findings).toEqual([]);
  await query(driver, 'MATCH (s:Statement {id: $fact + "x"}) SET s.id = $fact', { fact });
});

it('takes nothing for gone while the scope is derived anew', async () => {
  const scope = 'org:frames/ws:anew';
  const ref = scopeRef('default', scope);
  const { event_id: first } = await stated(scope, ['ent_mira', 'lives_in', 'Paris']);
  const [fact = ''] = await factsOf(first);
  const before = await framesOf(scope);
  // As a rebuild leaves it for a while.
  await query(driver, 'MATCH (s:Statement {id: $fact}) SET s.id = $fact + "x"', { fact });
  await query(driver, 'CREATE (:Rebuild {scope_ref: $ref})', { ref });
  const strip = async (): Promise<boolean> => stripFrames(database, ref, 0, () => undefined);
  expect(await strip()).toBe(false);
  expect(await framesOf(scope)).toBe(before);
  await query(driver, 'MATCH (r:Rebuild {scope_ref: $ref}) DELETE r', { ref });
  expect(await strip()).toBe(true);
  expect(await framesOf(scope)).not.toContain(fact);
});

it('takes no name for the id of a fact', async () => {
  const scope = 'org:frames/ws:alike';
  await stated(scope, ['Fact Base', 'artifact_count', '12']);
  await stated(scope, ['Fact Base', 'artifact_count', '13']);
  const { event_id: gone } = await stated(scope, ['ent_mira', 'lives_in', 'Paris']);
  await stated(scope, ['ent_mira', 'lives_in', 'London']);
  const { status } = await remove(scope, [gone], 'erasure');
  expect(status).toBe('completed');
  expect(await framesOf(scope)).toContain('artifact_count');
});

it.each(['redact_events', 'erasure'] as const)(
  'names nothing that was concluded from what is gone: %s',
  async (how) => {
    const scope = `org:frames/ws:concluded-${how}`;
    const { event_id: premise } = await stated(scope, ['ent_mira', 'lives_in', 'Paris'], {
      valid_from: '2025-01-10',
    });
    // It is interrupted, and so is what is concluded from it: each stretch of that has an id.
    await stated(scope, ['ent_mira', 'lives_in', 'Udine'], {
      valid_from: '2025-03-01',
      valid_to: '2025-04-01',
    });
    const [paris = ''] = await factsOf(premise);
    const tax = statement(scope, ['ent_mira', 'pays_tax_in', 'France'], { valid_from: '2025-01-10' }) as {
      content: { triple: object };
    };
    const triple = { ...tax.content.triple, derived_from: [paris] };
    const body = { ...tax, content: { kind: 'triple', triple } };
    const { json } = await service.post('/v1/experience?wait=consolidated', body);
    const concluded = await factsOf(json.event_id);
    expect(concluded).toHaveLength(2);
    const before = await framesOf(scope);
    expect(concluded.every((id) => before.includes(id))).toBe(true);
    await remove(scope, [premise], how);
    const frames = await framesOf(scope);
    const named = frames.match(/fact_[0-9a-f]{32}/g) ?? [];
    const there = await query<{ id: string }>(driver, 'MATCH (s:Statement) RETURN s.id AS id', {});
    expect(named.filter((id) => !there.some((one) => one.id === id))).toEqual([]);
  },
);

it.each(['redact_events', 'erasure'] as const)(
  'leaves nothing of a value that a decision gave the time behind a boundary: %s',
  async (how) => {
    const scope = `org:frames/ws:decided-${how}`;
    const { decision, later } = await settled(scope);
    const decided = await factsOf(decision);
    expect(decided.length).toBeGreaterThan(0);
    await remove(scope, [later], how);
    // At once: the decision was told again before the answer.
    const left = await query<{ said: string }>(
      driver,
      'MATCH (n) WHERE n.scope = $scope AND (n:Statement OR n:Fact OR n:Belief OR n:Conflict) UNWIND keys(n) AS key WITH n[key] AS value WHERE valueType(value) STARTS WITH "STRING" RETURN value AS said',
      { scope },
    );
    expect(left.filter((one) => /quill/i.test(one.said))).toEqual([]);
    const there = await query<{ id: string }>(driver, 'MATCH (s:Statement) RETURN s.id AS id', {});
    const named = (await framesOf(scope)).match(/fact_[0-9a-f]{32}/g) ?? [];
    expect(named.filter((one) => !there.some((known) => known.id === one))).toEqual([]);
  },
);

/** Has consolidation given an event up, as it does with one that the database refuses again and again. */
async function parked(event: string, more: Record<string, unknown> = {}): Promise<void> {
  await query(
    driver,
    `MATCH (e:Event {id: $event})
     CREATE (h:StageRetry {id: e.id + '/consolidated', event_id: e.id, tenant: e.tenant, scope_ref: e.scope_ref, shard: e.shard,
       stage: 'consolidated', state: 'failed', reason: 'refused', attempts: 5, since: 0})
     SET h += $more`,
    { event, more },
  );
}

/** A conflict of two cities that was settled by a split; answers the events of the decision and of what it put later. */
async function settled(scope: string): Promise<{ decision: string; later: string }> {
  const from = { valid_from: '2020-01-01' };
  const { id, records } = await openConflict(service, scope, ['Quill', from], ['London', from]);
  const said = 'MATCH (s:Statement {id: $fact}) RETURN s.event_id AS id';
  const [later] = await query<{ id: string }>(driver, said, { fact: records.Quill ?? '' });
  const { status, json } = await service.post(`/v1/conflicts/${id}/resolve`, {
    action: 'split',
    boundary: '2023-01-01',
    earlier: records.London,
    later: records.Quill,
  });
  expect(status).toBe(200);
  return { decision: json.resolved_by, later: later?.id ?? '' };
}

it('tells a decision that was given up before again, and waits for it', async () => {
  const scope = 'org:frames/ws:given-up';
  const { decision, later } = await settled(scope);
  await parked(decision);
  await remove(scope, [later], 'redact_events');
  const text = await framesOf(scope);
  expect(text).not.toContain('Quill');
  const left = 'MATCH (s:Statement {event_id: $decision}) WHERE s.object CONTAINS "quill" RETURN s.id AS id';
  expect(await query(driver, left, { decision })).toEqual([]);
});

it('does not fail for what consolidation gave up of others', async () => {
  const scope = 'org:frames/ws:of-others';
  const { event_id: other } = await stated(scope, ['ent_bo', 'lives_in', 'Rome']);
  const { event_id: gone } = await stated(scope, ['ent_mira', 'lives_in', 'Paris']);
  await parked(other, { decides: true });
  await remove(scope, [gone], 'redact_events');
});
