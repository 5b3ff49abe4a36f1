import type { Driver } from 'neo4j-driver';

import type { Database } from '../../graph/driver.ts';
import { writeEnrichment } from '../../graph/enrichment.ts';
import { ErasureSweep } from '../../graph/erasure/sweep.ts';
import { ForgetPlans, type ForgetPlan } from '../../graph/forget/plan.ts';
import { EntityTraces } from '../../graph/forget/traces.ts';
import { SynthesisWriter } from '../../graph/synthesis.ts';
import { scopeRef, shardOf } from '../../src/capture/scope-key.ts';
import { systemClock } from '../../src/clock.ts';
import { patientDatabase, query, testDriver } from '../support/database.ts';
import { derivedDump, unlike } from '../support/derived-dump.ts';
import { allDerived, askForRebuild } from '../support/rebuild.ts';
import { startWarmService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { erasingOn } from './erasures.ts';

// What only names an entity goes with the last event that stated something of it: what syntheses and enrichment are about.

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

/** Has a scope synthesised about topics, and waits until that is done. */
async function synthesised(scope: string, topics: readonly string[]): Promise<void> {
  const { status } = await service.post('/v1/understanding/synthesize', { scope, topics });
  expect(status).toBe(202);
  await eventually('a synthesis', async () => {
    const pending = await query(
      driver,
      'MATCH (s:Synthesis {scope: $scope}) WHERE s.pending_shard IS NOT NULL RETURN s',
      { scope },
    );
    return pending.length === 0;
  });
}

/** What the syntheses of a scope, and its enrichment, are about. */
async function topicsOf(scope: string): Promise<string[]> {
  const rows = await query<{ topics: string[] }>(
    driver,
    `MATCH (s:Synthesis {scope: $scope}) RETURN coalesce(s.topics, []) AS topics
     UNION ALL MATCH (p:EnrichmentProgress {scope_ref: $ref}) RETURN p.entities AS topics`,
    { scope, ref: scopeRef('default', scope) },
  );
  return rows.flatMap(({ topics }) => topics).sort();
}

/** As if enrichment had named entities in a scope and not asked for their synthesis yet. */
async function enriched(scope: string, entities: readonly string[]): Promise<void> {
  await query(
    driver,
    'MERGE (p:EnrichmentProgress {scope_ref: $ref}) SET p.entities = $entities, p.served = 0',
    {
      ref: scopeRef('default', scope),
      entities,
    },
  );
}

it('keeps of the topics of a synthesis those of which something is known', async () => {
  const scope = 'org:traces/ws:unknown';
  await stated(scope, ['ent_ada', 'likes', 'tea']);
  await synthesised(scope, ['ent_ada', 'Quillemina']);
  expect(await topicsOf(scope)).toEqual(['ent_ada']);
});

it.each(['redact_events', 'erasure'] as const)(
  'takes entities that are gone from topics: %s',
  async (cascade) => {
    const scope = `org:traces/ws:${cascade}`;
    const { event_id: gone } = await stated(scope, ['ent_quill', 'likes', 'tea']);
    await stated(scope, ['ent_bo', 'likes', 'tea']);
    await synthesised(scope, ['ent_quill', 'ent_bo']);
    await synthesised(scope, ['ent_quill']);
    await enriched(scope, ['ent_quill', 'ent_bo']);
    expect(await topicsOf(scope)).toContain('ent_quill');
    const selector = { memory_ids: [gone] };
    if (cascade === 'erasure')
      expect(await erased(scope, { selector })).toMatchObject({ status: 'completed' });
    else expect((await service.post('/v1/forget', { scope, selector, cascade })).status).toBe(200);
    expect(await topicsOf(scope)).toEqual(['ent_bo', 'ent_bo']);
    expect(await query(driver, 'MATCH (t:TakenEntities) RETURN t')).toEqual([]);
  },
);

it('leaves the topics of what somebody else stated too, and takes all with a scope', async () => {
  const scope = 'org:traces/ws:whole';
  const { event_id: gone } = await stated(scope, ['ent_quill', 'likes', 'tea']);
  await stated(scope, ['ent_quill', 'likes', 'milk']);
  await synthesised(scope, ['ent_quill']);
  await enriched(scope, ['ent_quill']);
  const body = { scope, selector: { memory_ids: [gone] }, cascade: 'redact_events' };
  expect((await service.post('/v1/forget', body)).status).toBe(200);
  expect(await topicsOf(scope)).toEqual(['ent_quill', 'ent_quill']);
  expect((await service.request('DELETE', `/v1/scopes?path=${scope}&records=forget`)).status).toBe(204);
  expect(await topicsOf(scope)).toEqual([]);
});

it('leaves topics that are ids of others, though what is gone had such a name', async () => {
  const scope = 'org:traces/ws:forms';
  const state = (subject: object) => {
    const object = { type: 'literal', datatype: 'string', value: 'tea' };
    const triple = { subject: { type: 'entity', ...subject }, predicate: 'likes', object };
    const body = { scope, modality: 'observation', content: { kind: 'triple', triple } };
    return service.post('/v1/experience?wait=consolidated', body);
  };
  const { event_id: gone } = (await state({ id: 'person:7', name: 'mira' })).json;
  await state({ id: 'mira' });
  await synthesised(scope, ['mira', 'person:7']);
  const body = { scope, selector: { memory_ids: [gone] }, cascade: 'redact_events' };
  expect((await service.post('/v1/forget', body)).status).toBe(200);
  expect(await topicsOf(scope)).toEqual(['mira']);
});

it('leaves what was captured into a scope since it was emptied', async () => {
  const scope = 'org:traces/ws:again';
  const ref = scopeRef('default', scope);
  await stated(scope, ['ent_quill', 'likes', 'tea']);
  await synthesised(scope, ['ent_quill']);
  const link = await service.post('/v1/entities/link', { scope, entity: 'ent_quill', same_as: 'ent_q' });
  expect(link.status).toBe(201);
  const plan: ForgetPlan = {
    ...{ id: 'fgt_again', tenant: 'default', scope, scope_ref: ref, actor: 'user:x' },
    ...{ cascade: 'redact_events', empties: true, erasure_id: null, suppression_id: null },
  };
  await query(
    driver,
    'CREATE (p:ForgetPlan) SET p = $plan, p.frame_data = "{}", p.touched_at = timestamp()',
    { plan },
  );
  expect(await new EntityTraces(database, systemClock).ofPlan(plan, () => undefined)).toBe(true);
  expect(await new ForgetPlans(database).finish(plan, Date.now())).toBeGreaterThan(0);
  expect(await topicsOf(scope)).toEqual(['ent_quill']);
  expect(await query(driver, 'MATCH (m:LinkedEntity {scope: $scope}) RETURN m', { scope })).toHaveLength(2);
});

it('takes all with an empty scope that is pruned', async () => {
  const scope = 'org:traces/ws:pruned';
  const { event_id: gone } = await stated(scope, ['ent_quill', 'likes', 'tea']);
  const body = { scope, selector: { memory_ids: [gone] }, cascade: 'redact_events' };
  expect((await service.post('/v1/forget', body)).status).toBe(200);
  // As a store has it that was written before topics went with what they name.
  await query(
    driver,
    `CREATE (:LogEntry:Synthesis {id: 'syn_before', scope: $scope, scope_ref: $ref, topics: ['ent_quill'], recorded_at: datetime()})`,
    {
      scope,
      ref: scopeRef('default', scope),
    },
  );
  await enriched(scope, ['ent_quill']);
  expect((await service.post('/v1/scopes/prune', undefined)).json.pruned).toBeGreaterThan(0);
  expect(await topicsOf(scope)).toEqual([]);
});

it('has enrichment name nothing of events that were forgotten meanwhile', async () => {
  const scope = 'org:traces/ws:meanwhile';
  const ref = scopeRef('default', scope);
  const { event_id: gone } = await stated(scope, ['ent_quill', 'likes', 'tea']);
  const { event_id: stays } = await stated(scope, ['ent_bo', 'likes', 'tea']);
  const { event_id: barren } = await stated(scope, ['ent_cy', 'likes', 'tea']);
  await enriched(scope, []);
  const forget = (id: string, cascade: string) =>
    service.post('/v1/forget', { scope, selector: { memory_ids: [id] }, cascade });
  expect((await forget(gone, 'redact_events')).status).toBe(200);
  expect((await forget(barren, 'derived_only')).status).toBe(200);
  const named = [
    { event_id: gone, entities: ['ent_quill'] },
    { event_id: stays, entities: ['ent_bo'] },
    { event_id: barren, entities: ['ent_cy'] },
  ];
  await database.transaction((transaction) =>
    writeEnrichment(
      transaction,
      { scopes: [{ scope_ref: ref, after: 0, named }], holds: [], done: [], stating: [] },
      1,
    ),
  );
  expect(await topicsOf(scope)).toEqual(['ent_bo']);
  // What is asked for in the end is what is there then, not what was read before.
  const entry = {
    id: 'syn_enriched',
    tenant: 'default',
    scope,
    scope_ref: ref,
    shard: shardOf(ref),
    actor: 'system:enrichment',
    force: false,
  };
  const writer = new SynthesisWriter(database);
  expect(await writer.enterEnriched(entry, 10, 1)).toBe(true);
  await enriched(scope, []);
  expect(await writer.enterEnriched({ ...entry, id: 'syn_none' }, 10, 1)).toBe(false);
  const [kept] = await query(driver, `MATCH (s:Synthesis {id: 'syn_enriched'}) RETURN s.topics AS topics`);
  expect(kept?.topics).toEqual(['ent_bo']);
});

/** The ambiguous names of an event, as it is kept and as its frames tell of it. */
async function ambiguousOf(event: string): Promise<unknown[]> {
  const [row] = await query(driver, 'MATCH (e:Event {id: $event}) RETURN e.ambiguous AS kept', { event });
  const frames = (await service.get(`/v1/lifecycle?event_id=${event}&limit=100`)).json.items;
  const told = frames.flatMap(({ data }: any) => data?.ambiguous_entity ?? []);
  return [row?.kept === null ? null : JSON.parse(row?.kept as string), told];
}

it('takes links of what is gone, and leaves those of others', async () => {
  const scope = 'org:traces/ws:links';
  const { event_id: gone } = await stated(scope, ['ent_quill', 'likes', 'tea']);
  await stated(scope, ['ent_q', 'likes', 'tea']);
  await stated(scope, ['ent_bo', 'likes', 'tea']);
  const link = (entity: string, same_as: string) =>
    service.post('/v1/entities/link', { scope, entity, same_as });
  const ended = await link('ent_quill', 'ent_bo');
  expect((await service.request('DELETE', `/v1/entities/link/${ended.json.link_id}`)).status).toBe(200);
  expect((await link('ent_quill', 'ent_q')).status).toBe(201);
  expect((await link('ent_bo', 'ent_other')).status).toBe(201);
  const body = { scope, selector: { memory_ids: [gone] }, cascade: 'redact_events' };
  expect((await service.post('/v1/forget', body)).status).toBe(200);
  const left = await query(
    driver,
    'MATCH (n:LogEntry|LinkedEntity {scope: $scope}) WHERE n:LinkEntry OR n:LinkedEntity RETURN coalesce(n.entity, n.entity_id) AS id ORDER BY id',
    { scope },
  );
  expect(left.map(({ id }) => id)).toEqual(['ent_bo', 'ent_bo', 'ent_other']);
  expect((await service.get(`/v1/facts?scope=${scope}&subject=ent_other`)).json.items).toHaveLength(1);
});

it('has what went by an entity that is gone go on by what that one went by', async () => {
  const scope = 'org:traces/ws:chain';
  const { event_id: middle } = await stated(scope, ['ent_quill', 'likes', 'tea']);
  await stated(scope, ['ent_c', 'likes', 'milk']);
  const link = async (entity: string, same_as: string): Promise<string> => {
    const { status, json } = await service.post('/v1/entities/link', { scope, entity, same_as });
    expect(status).toBe(201);
    return json.link_id;
  };
  await link('ent_quill', 'ent_c');
  const first = await link('ent_a', 'ent_quill');
  const { event_id: event } = await stated(scope, ['ent_a', 'likes', 'cake']);
  const read = async (subject: string, at = ''): Promise<unknown[]> =>
    (await service.get(`/v1/facts?scope=${scope}&subject=${subject}${at}`)).json.items.map(
      ({ object }: any) => object.value ?? object.id,
    );
  const { context } = (await service.get(`/v1/events/${event}`)).json;
  const body = { scope, selector: { memory_ids: [middle] }, cascade: 'redact_events' };
  expect((await service.post('/v1/forget', body)).status).toBe(200);
  const known = await read('ent_c');
  expect(known).toHaveLength(2);
  expect(await read('ent_a')).toEqual(known);
  const { json: entity } = await service.get(
    `/v1/entities/ent_a?scope=${scope}&as_of_recorded=${encodeURIComponent(context.recorded_at)}`,
  );
  expect([JSON.stringify(entity).includes('quill'), entity.links]).toEqual([
    false,
    [expect.objectContaining({ link_id: first, entity: 'ent_a', same_as: 'ent_c' })],
  ]);
  const named = await query(
    driver,
    "MATCH (n:LogEntry|LinkedEntity {scope: $scope}) WHERE 'ent_quill' IN [n.entity, n.same_as, n.entity_id] RETURN n",
    { scope },
  );
  expect(named).toEqual([]);
  await stated(scope, ['ent_a', 'likes', 'rain']);
  expect(await read('ent_c')).toHaveLength(3);
  const lines = await derivedDump(driver);
  await askForRebuild(database, scope);
  await allDerived(driver);
  expect(unlike(lines, await derivedDump(driver))).toEqual({ lost: [], new: [] });
  expect((await service.request('DELETE', `/v1/entities/link/${first}`)).status).toBe(200);
  expect([(await read('ent_c')).length, (await read('ent_a')).length]).toEqual([1, 2]);
});

it('takes links with all that a scope holds, and finds none left', async () => {
  const scope = 'org:traces/ws:emptied';
  await stated(scope, ['ent_quill', 'likes', 'tea']);
  await stated(scope, ['ent_q', 'likes', 'milk']);
  const answer = await service.post('/v1/entities/link', { scope, entity: 'ent_quill', same_as: 'ent_q' });
  expect(answer.status).toBe(201);
  expect(await erased(scope, { confirm_all: true })).toMatchObject({ status: 'completed', error: null });
  expect(await query(driver, 'MATCH (m:LinkedEntity {scope: $scope}) RETURN m', { scope })).toEqual([]);
});

it('keeps a link by which it is told what is not to be derived, until the event goes that it is about', async () => {
  const scope = 'org:traces/ws:wished';
  const { event_id: event } = await stated(scope, ['ent_quill', 'likes', 'tea']);
  await service.post('/v1/entities/link', { scope, entity: 'ent_quill', same_as: 'ent_q' });
  const links = () => query(driver, 'MATCH (m:LinkedEntity {scope: $scope}) RETURN m', { scope });
  const forget = async (cascade: string): Promise<void> => {
    const selector = { memory_ids: [event] };
    expect((await service.post('/v1/forget', { scope, selector, cascade })).status).toBe(200);
  };
  await forget('derived_only');
  expect(await links()).toHaveLength(2);
  await forget('redact_events');
  expect(await links()).toEqual([]);
});

it('takes what is gone from what names of other events may stand for', async () => {
  const scope = 'org:traces/ws:ambiguous';
  const named = (id: string) => ({
    subject: { type: 'entity', id, name: 'Ann' },
    predicate: 'likes',
    object: { type: 'literal', datatype: 'string', value: 'tea' },
  });
  const state = async (triple: object): Promise<string> => {
    const body = { scope, modality: 'observation', content: { kind: 'triple', triple } };
    return (await service.post('/v1/experience?wait=consolidated', body)).json.event_id;
  };
  await state(named('person:1'));
  const two = await state(named('person:two'));
  const three = await state(named('person:three'));
  const { subject: _, ...rest } = named('');
  const event = await state({ ...rest, subject: { type: 'literal', datatype: 'string', value: 'Ann' } });
  const among = (...ids: string[]) => [{ name: 'ann', ids: ['person:1', ...ids] }];
  expect(await ambiguousOf(event)).toEqual([
    among('person:two', 'person:three'),
    among('person:two', 'person:three'),
  ]);
  const forget = async (id: string): Promise<void> => {
    const body = { scope, selector: { memory_ids: [id] }, cascade: 'redact_events' };
    expect((await service.post('/v1/forget', body)).status).toBe(200);
  };
  await forget(two);
  expect(await ambiguousOf(event)).toEqual([among('person:three'), among('person:three')]);
  await forget(three);
  expect(await ambiguousOf(event)).toEqual([null, []]);
});

it('is looked at by the sweep of an erasure', async () => {
  const scope = 'org:traces/ws:swept';
  const ref = scopeRef('default', scope);
  const { event_id: event } = await stated(scope, ['ent_quill', 'likes', 'tea']);
  await synthesised(scope, ['ent_quill']);
  await enriched(scope, ['ent_quill']);
  await service.post('/v1/entities/link', { scope, entity: 'ent_quill', same_as: 'ent_q' });
  await query(driver, 'MATCH (e:Event {id: $event}) SET e.ambiguous = $names', {
    event,
    names: JSON.stringify([{ name: 'q', ids: ['ent_quill', 'ent_q'] }]),
  });
  const sought = (id: string) => ({
    ids: new Set([id]),
    forms: new Set([id]),
    names: new Map(),
    shared: true,
    frames_from: null,
  });
  const found = await new ErasureSweep(database).ofNames(ref, sought('ent_quill'));
  expect(found.findings).toEqual([
    { place: ':EnrichmentProgress(entities)', count: 1 },
    { place: ':Synthesis(topics)', count: 1 },
    { place: ':LinkedEntity(key)', count: 1 },
    { place: ':Event(ambiguous)', count: 1 },
  ]);
  const other = await new ErasureSweep(database).ofNames(ref, sought('ent_other'));
  expect(other.findings).toEqual([]);
  // One that no shard is asked to carry out: its topics go by themselves.
  await query(driver, 'MATCH (s:Synthesis {scope: $scope}) SET s.pending_shard = -1', { scope });
  const left = await new ErasureSweep(database).ofNames(ref, sought('ent_quill'));
  expect(left.findings.map(({ place }) => place)).not.toContain(':Synthesis(topics)');
  await query(driver, 'MATCH (s:Synthesis {scope: $scope}) REMOVE s.pending_shard', { scope });
});
