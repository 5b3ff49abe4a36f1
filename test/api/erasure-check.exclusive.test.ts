import type { Database, Transaction } from '../../graph/driver.ts';
import { sealWithin } from '../../graph/erasure/seal.ts';
import type { ForgetPlan } from '../../graph/forget/plan.ts';
import { scopeRef } from '../../src/capture/scope-key.ts';
import { beginForget, doStep } from '../support/begun-forget.ts';
import { query } from '../support/database.ts';
import { ownService } from '../support/own-service.ts';
import { eventually } from '../support/wait.ts';
import { blobOf } from './blobs.ts';

// Whatever deletion is missing from a step that redacts, or from a seal: nothing of it is done.

const own = ownService();
let scopes = 0;

/** Where it is noticed that a part of a statement is missing, which part, and what stands there instead. */
type Missing = readonly [place: string, statement: string, what: string, instead: string];

/** A database in whose transactions that part is missing. */
function lacking([, name, what, instead]: Missing): Database {
  const changed = (transaction: Transaction): Transaction => ({
    ...transaction,
    run: (statement, params) => {
      if (statement.name !== name) return transaction.run(statement, params);
      const text = statement.text.replaceAll(what, instead);
      if (text === statement.text) throw new Error(`${name} does not say ${what}`);
      return transaction.run({ ...statement, text }, params);
    },
  });
  const transactionRepeatable: Database['transactionRepeatable'] = (work) =>
    own.database.transactionRepeatable((transaction) => work(changed(transaction)));
  return Object.assign(Object.create(own.database) as Database, { transactionRepeatable });
}

/** An event, its edges, and what is found by its id. */
async function allOf(event: string): Promise<unknown> {
  return query(
    own.driver,
    `MATCH (e:Event {id: $event})
     RETURN properties(e) AS all, COLLECT { MATCH (e)-[edge]-() RETURN type(edge) ORDER BY type(edge) } AS edges,
       COLLECT { MATCH (n) WHERE n.event_id = $event RETURN [elementId(n), labels(n), properties(n)] ORDER BY elementId(n) } AS found`,
    { event },
  );
}

/** Captures an event, of which there is something in every place, and has it begun to be forgotten. */
async function begun(erases: boolean): Promise<{ event: string; plan: ForgetPlan }> {
  scopes += 1;
  const scope = `org:checks/ws:step-${scopes}`;
  const media = [{ blob_id: await blobOf(own.service, `a file of ${scope}`) }];
  const { status, json } = await own.service.post('/v1/experience?wait=consolidated', {
    scope,
    modality: 'conversation',
    content: { kind: 'message', role: 'user', text: 'Ada likes tea.', media },
    idempotency_key: 'a key',
    context: { labels: ['team:a'] },
  });
  expect(status).toBe(202);
  const event = json.event_id as string;
  await query(
    own.driver,
    `MATCH (e:Event {id: $event})
     CREATE ()-[:FORGETS]->(e), (:Extraction {event_id: $event, answer: '{"statements": []}'}), (:EnrichmentRetry {event_id: $event}),
       (:StageRetry {id: $event + '/indexed', event_id: $event, stage: 'indexed'}), (:ReleasedKey {scope_ref: $ref, key: 'a key', event_id: $event})`,
    { event, ref: scopeRef('default', scope) },
  );
  return { event, plan: await beginForget(own.database, { scope, events: [event], erases }) };
}

/** Tries the step of a plan as often as it is put behind others, and answers what it fails with. */
async function failureOf(database: Database, plan: ForgetPlan): Promise<unknown> {
  for (let tries = 0; tries < 10; tries += 1)
    try {
      await doStep(database, plan);
    } catch (error) {
      return error;
    }
  return null;
}

const REDACT = 'forget.redact_events';

const OF_STEPS: readonly Missing[] = [
  [':Passage(event_id)', 'passage.remove', 'UNWIND $p.ids AS id', 'UNWIND [] AS id'],
  [':Extraction(event_id)', REDACT, 'DETACH DELETE x', 'SET x.touched = true'],
  [':EnrichmentRetry(event_id)', REDACT, 'DELETE n', 'SET n.touched = true'],
  [':StageRetry(event_id)', REDACT, 'DELETE h', 'SET h.touched = true'],
  [':BlobUse(event_id)', REDACT, 'DELETE u', 'SET u.touched = true'],
  [':IdempotencyKey(key)', REDACT, 'DELETE key', 'SET key.touched = true'],
  [':ReleasedKey(key)', REDACT, 'DELETE key', 'SET key.touched = true'],
  [':LifecycleEvent(event_id)', REDACT, 'REMOVE f.actor, f.modality, f.data', 'REMOVE f.modality, f.data'],
  ['-[:FORGETS]->(:Event)', REDACT, 'DELETE w', 'SET w.touched = true'],
  [':Event(id)', REDACT, 'envelope: $p.envelope', 'envelope: e.envelope'],
  [':Event(id)', REDACT, 'labels: []', 'labels: e.labels'],
  [':Event(id)', REDACT, 'SET e = {', 'SET e += {'],
  [':Event(id)', REDACT, ', redacted_at: recorded_at', ''],
  [':Event(redacted_at)', REDACT, 'UNWIND $p.ids AS id', 'UNWIND [] AS id'],
];

const OF_ERASURES: readonly Missing[] = [
  ...OF_STEPS,
  [':Blob(id)', 'erasure.let_blobs_go', 'DELETE b', 'SET b.touched = true'],
];

describe.each([
  ['a forget', OF_STEPS, false, 'FORGET_BACKEND_FAILED'],
  ['an erasure', OF_ERASURES, true, 'ERASURE_BACKEND_FAILED'],
] as const)('a step of %s', (_what, all, erases, code) => {
  it.each(all)('is not done where something would be left in %s: %s without %s', async (...missing) => {
    const [place] = missing;
    const { event, plan } = await begun(erases);
    const before = await allOf(event);
    expect(await failureOf(lacking(missing), plan)).toMatchObject({
      code,
      message: expect.stringContaining(`${place} (`),
    });
    expect(await allOf(event)).toEqual(before);
    await doStep(own.database, plan);
    expect(await allOf(event)).not.toEqual(before);
  });
});

const [SEAL, NAMED] = ['erasure.seal', 'erasure.seal_named'];

const OF_SEALS: readonly Missing[] = [
  [':Event(id)', SEAL, 'UNWIND $p.ids AS id', 'UNWIND [] AS id'],
  [':Event(id)', SEAL, 'SET e = {', 'SET e += {'],
  [':Event(wal_offset)', SEAL, 'SET e = {', 'SET e = {bytes: e.bytes, '],
  [':Event(wal_offset)', SEAL, 'DELETE edge', 'SET edge.touched = true'],
  [':Premise(id)', 'erasure.drop_premises', 'DETACH DELETE h, p', 'SET p.touched = true'],
  [':Event(id) that is named', NAMED, 'UNWIND $p.ids AS id', 'UNWIND [] AS id'],
  [':Event(id) that is named', NAMED, 'SET e = {', 'SET e += {'],
  [':Event(id) that is named', NAMED, 'DELETE edge', 'SET edge.touched = true'],
];

it.each(OF_SEALS)('seals nothing where something would be left in %s: %s without %s', async (...missing) => {
  const [place, statement] = missing;
  const { event, plan } = await begun(true);
  await doStep(own.database, plan);
  await eventually('episodes without the event', async () => {
    const found = await query(own.driver, 'MATCH (e:Event {id: $event})<-[c:CONTAINS]-() RETURN c', {
      event,
    });
    return found.length === 0;
  });
  await query(
    own.driver,
    'MATCH (e:Event {id: $event}) CREATE ()-[:CONCLUDED_FROM]->(e), (:Premise {id: $event})',
    {
      event,
    },
  );
  const before = await allOf(event);
  const sealed = { ids: [event], named: statement === NAMED ? [event] : [] };
  await expect(
    lacking(missing).transactionRepeatable((transaction) => sealWithin(transaction, sealed)),
  ).rejects.toMatchObject({ code: 'ERASURE_BACKEND_FAILED', message: expect.stringContaining(`${place} (`) });
  expect(await allOf(event)).toEqual(before);
  expect(await own.database.transactionRepeatable((transaction) => sealWithin(transaction, sealed))).toBe(1);
});

it('passes by an event that it cannot seal, so that the erasure fails and says where, with the others sealed', async () => {
  const scope = 'org:checks/ws:refused-seal';
  const captured = async (text: string): Promise<any> => {
    const content = { kind: 'text', text };
    const body = { scope, modality: 'observation', content };
    return (await own.service.post('/v1/experience?wait=consolidated', body)).json;
  };
  const events = [await captured('one'), await captured('two'), await captured('three')];
  const [, refused] = events;
  // An edge of which the seal knows nothing.
  await query(own.driver, 'MATCH (e:Event {id: $id}) CREATE (:Stray)-[:STRAY]->(e)', {
    id: refused.event_id,
  });
  const { status, json } = await own.service.post('/v1/erasures', { scope, confirm_all: true });
  expect([status, json.error_code]).toEqual([502, 'ERASURE_BACKEND_FAILED']);
  expect(json.message).toContain(':Event(id)');
  const left =
    'MATCH (e:Event) WHERE e.wal_offset IN $offsets AND e.redacted_at IS NOT NULL RETURN e.id AS id';
  const offsets = events.map((one) => one.wal_offset as number);
  expect(await query(own.driver, left, { offsets })).toEqual([{ id: refused.event_id }]);
});
