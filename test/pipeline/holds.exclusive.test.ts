import type { Driver } from 'neo4j-driver';

import { scopeRef, shardOf } from '../../src/capture/scope-key.ts';
import { HOLD_SHARD, query, testDatabase, testDriver } from '../support/database.ts';
import { message, type Answer } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';

// An event that a stage cannot do. The poison is a passage that already bears the event's id, so that indexing it breaks
// a uniqueness constraint; it is put there while a lock on the shard keeps the stages waiting.

const REASON = 'indexed failed 3 times: Neo.ClientError.Schema.ConstraintValidationFailed';

let service: TestService;
let driver: Driver;

beforeAll(async () => {
  service = await startTestService({ STRATA_PIPELINE_POLL_MS: '200' });
  driver = testDriver();
});
afterAll(async () => {
  await driver.close();
  await service.stop();
});

const poison = (id: string) =>
  query(driver, "CREATE (:Passage {event_id: $id, poison: true, text: '', scope_tokens: []})", { id });
const heal = (id: string) =>
  query(driver, 'MATCH (p:Passage {event_id: $id}) WHERE p.poison DELETE p', { id });

/** Keeps every stage of a scope waiting while `work` is done. */
async function whileLocked<T>(scope: string, work: () => Promise<T>): Promise<T> {
  const session = driver.session({ database: testDatabase().database });
  const lock = session.beginTransaction();
  try {
    await lock.run(HOLD_SHARD, {
      number: BigInt(shardOf(scopeRef('default', scope))),
    });
    return await work();
  } finally {
    await lock.rollback();
    await session.close();
  }
}

function capture(scope: string, text: string, key: string, wait: string): Promise<Answer> {
  return service.post(`/v1/experience?wait=${wait}`, message(scope, text, { idempotency_key: key }));
}

async function statusOf(key: string): Promise<Record<string, unknown>> {
  return (await service.get(`/v1/experience/status?idempotency_key=${key}`)).json;
}

/** Captures an event that cannot be indexed, waiting for the index; answers what the waiting came to, and its id. */
async function capturePoisoned(
  scope: string,
  text: string,
  key: string,
): Promise<{ answer: Answer; id: string }> {
  const { pending, id } = await whileLocked(scope, async () => {
    const sent = capture(scope, text, key, 'indexed');
    const found = await eventually('the event to be written', async () => {
      const status = await statusOf(key);
      return status.found === true && status;
    });
    await poison(String(found.event_id));
    return { pending: { sent }, id: String(found.event_id) };
  });
  return { answer: await pending.sent, id };
}

async function framesOf(id: string): Promise<string[]> {
  const rows = await query<{ type: string }>(
    driver,
    'MATCH (f:LifecycleEvent {event_id: $id}) RETURN f.type AS type ORDER BY f.sequence',
    { id },
  );
  return rows.map(({ type }) => type);
}

const derivationOf = async (scope: string) =>
  (await service.get(`/v1/derivation/status?scope=${scope}`)).json;

describe('an event that cannot be indexed', () => {
  const scope = 'org:poison';
  let id: string;

  it('is reported to whoever waits, with the reason', async () => {
    const captured = await capturePoisoned(scope, 'hemlock', 'k1');
    id = captured.id;
    expect(captured.answer.status).toBe(502);
    expect(captured.answer.json).toMatchObject({
      error_code: 'INDEXING_FAILED',
      details: { event_id: id, stage: 'indexed', reason: REASON },
    });
  });

  it('is in the log, and its status says failed and why', async () => {
    expect(await statusOf('k1')).toMatchObject({
      event_id: id,
      status: 'failed',
      stage: 'held',
      failure_reason: REASON,
      stages_completed: ['captured'],
    });
    expect((await service.get(`/v1/events/${id}`)).status).toBe(200);
    expect(await framesOf(id)).toEqual(['captured']);
  });

  it('does not keep later events waiting', async () => {
    const later = await capture(scope, 'water', 'k2', 'consolidated');
    expect(later.status).toBe(202);
    expect(await framesOf(later.json.event_id)).toEqual(['captured', 'indexed', 'consolidated']);
    expect(await derivationOf(scope)).toMatchObject({ caught_up: true, held: 0, failed: 1 });
  });

  it('fails again when it is resent and the cause is still there', async () => {
    const again = await capture(scope, 'hemlock', 'k1', 'indexed');
    expect(again.status).toBe(502);
    expect(again.json.error_code).toBe('INDEXING_FAILED');
    expect(await derivationOf(scope)).toMatchObject({ failed: 1 });
  });

  it('passes every stage once when it is resent after the cause is gone', async () => {
    await heal(id);
    const resent = await capture(scope, 'hemlock', 'k1', 'consolidated');
    expect(resent.status).toBe(202);
    expect(resent.json).toMatchObject({ event_id: id, replayed_from_idempotency: true });
    expect(await framesOf(id)).toEqual(['captured', 'indexed', 'consolidated']);
    expect(await statusOf('k1')).toMatchObject({
      status: 'indexed',
      stage: 'consolidated',
      stages_completed: ['captured', 'indexed', 'consolidated'],
    });
    expect(await derivationOf(scope)).toMatchObject({ caught_up: true, held: 0, failed: 0 });
    const hits = await service.context.passages.search(scopeRef('default', scope), 'hemlock', 5);
    expect(hits.map(({ event_id }) => event_id)).toEqual([id]);
  });

  it('can be cancelled and then waits for nothing', async () => {
    const { id: lost } = await capturePoisoned(scope, 'nightshade', 'k3');
    expect((await service.post(`/v1/lifecycle/memory-event/${lost}/cancel`, {})).status).toBe(200);
    await eventually('the scope to be caught up', async () => (await derivationOf(scope)).caught_up === true);
    expect(await derivationOf(scope)).toMatchObject({ held: 0, failed: 0 });
    expect(await framesOf(lost)).toEqual(['captured', 'cancelled']);
    await heal(lost);
  });

  it('can be replaced and then waits for nothing', async () => {
    const { id: old } = await capturePoisoned(scope, 'belladonna', 'k4');
    const replaced = await service.post(
      '/v1/experience?wait=consolidated',
      message(scope, 'camomile', { idempotency_key: 'k4', on_conflict: 'replace' }),
    );
    expect(replaced.status).toBe(202);
    expect(replaced.json.replaces).toBe(old);
    expect(await framesOf(replaced.json.event_id)).toEqual(['captured', 'indexed', 'consolidated']);
    await eventually('the scope to be caught up', async () => (await derivationOf(scope)).caught_up === true);
    expect(await derivationOf(scope)).toMatchObject({ held: 0, failed: 0 });
    await heal(old);
  });

  it('stands alone: the others of its bulk pass', async () => {
    const items = Array.from({ length: 40 }, (_, i) =>
      message('org:batch', `item ${i}`, { idempotency_key: `b${i}` }),
    );
    const ids = await whileLocked('org:batch', async () => {
      const { json } = await service.post('/v1/experience/bulk', { items });
      const all = (json.results as { event_id: string }[]).map(({ event_id }) => event_id);
      await Promise.all([all[7], all[31]].map((one) => poison(String(one))));
      return all;
    });
    await eventually('the rest to pass', async () => {
      const { caught_up, failed } = await derivationOf('org:batch');
      return caught_up === true && failed === 2;
    });
    for (const [i, one] of ids.entries()) {
      const expected = i === 7 || i === 31 ? ['captured'] : ['captured', 'indexed', 'consolidated'];
      expect(await framesOf(one)).toEqual(expected);
    }
  });
});
