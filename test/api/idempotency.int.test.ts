import { message, type Answer } from '../support/client.ts';
import { query } from '../support/database.ts';
import { inDepth } from '../support/depth.ts';
import { passagesFound } from '../support/passages.ts';
import { eventually } from '../support/wait.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { expectPlainText, expectProblem } from './problem.ts';

let service: SharedService;
let other: string;

beforeAll(() => {
  service = sharedService();
  other = service.anotherTenant();
});

const capture = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  service.post('/v1/experience', body, { headers });
const keyed = (scope: string, text: string, key: string, more: object = {}): Record<string, unknown> =>
  message(scope, text, { idempotency_key: key, ...more });
const status = (parameters: Record<string, string>): Promise<Answer> =>
  service.get(`/v1/experience/status?${new URLSearchParams(parameters).toString()}`);
const listed = async (scope: string): Promise<string[]> =>
  (await service.get(`/v1/events?scope=${scope}`)).json.items.map(({ id }: { id: string }) => id);
const cancel = (id: string): Promise<Answer> =>
  service.request('POST', `/v1/lifecycle/memory-event/${id}/cancel`);

describe('the same key again', () => {
  it('is a replay when the body is the same, however it is written', async () => {
    const body = keyed('org:i/user:replay', 'once', 'k', { metadata: { a: 1, b: 2 } });
    const first = await capture(body);
    const again = await capture({ ...body, metadata: { b: 2, a: 1 } });
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(first.json.replayed_from_idempotency).toBe(false);
    expect(again.json).toEqual({ ...first.json, replayed_from_idempotency: true });
    expect(await listed('org:i/user:replay')).toEqual([first.json.event_id]);
  });

  it('takes a content with and without kind for the same', async () => {
    const body = { scope: 'org:i/user:kind', modality: 'document', idempotency_key: 'k' };
    const first = await capture({ ...body, content: { text: 't' } });
    const again = await capture({ ...body, content: { kind: 'text', text: 't' } });
    expect(again.json).toEqual({ ...first.json, replayed_from_idempotency: true });
  });

  it('does not look at observed_at, wherever it stands', async () => {
    const scope = 'org:i/user:observed';
    const first = await capture(keyed(scope, 't', 'k', { observed_at: '2026-01-01T00:00:00Z' }));
    for (const more of [
      {},
      { observed_at: '2026-01-02T00:00:00Z' },
      { context: { observed_at: '2026-01-03T00:00:00Z' } },
      { context: {} },
      { on_conflict: 'replace' },
      { on_conflict: 'reject' },
    ]) {
      const again = await capture(keyed(scope, 't', 'k', more));
      expect(again.json).toEqual({ ...first.json, replayed_from_idempotency: true });
    }
  });

  it.each([
    ['language', { language: 'de' }],
    ['scripts', { scripts: ['Cyrl'] }],
    ['timezone', { context: { timezone: 'Europe/Berlin' } }],
  ])('replays with a warning when the hint %s differs', async (name, hint) => {
    const scope = `org:i/user:hint-${name}`;
    const first = await capture(keyed(scope, 't', 'k'));
    const again = await capture(keyed(scope, 't', 'k', hint));
    expect(again.status).toBe(202);
    expect(again.json).toEqual({
      ...first.json,
      replayed_from_idempotency: true,
      warnings: ['conflicting_hint_on_replay'],
    });
    expect(first.json).not.toHaveProperty('warnings');
  });

  it.each([
    ['text', { content: { kind: 'message', role: 'user', text: 'other' } }],
    ['role', { content: { kind: 'message', role: 'tool', text: 't' } }],
    ['modality', { modality: 'document' }],
    ['labels', { context: { labels: ['x'] } }],
    ['metadata', { metadata: { a: 1 } }],
    ['source', { source: { a: 1 } }],
    ['directives', { directives: { extract: [] } }],
    ['subject', { subject: { id: 'user:else' } }],
    ['actor', { observed_actor: { id: 'user:else' } }],
  ])('is a conflict when the %s differs, and nothing is written', async (what, more) => {
    const scope = `org:i/user:conflict-${what}`;
    const first = await capture(keyed(scope, 't', 'k'));
    const again = await capture(keyed(scope, 't', 'k', more));
    expectProblem(again, { status: 409, code: 'IDEMPOTENCY_CONFLICT', field: 'idempotency_key' });
    expect(await listed(scope)).toEqual([first.json.event_id]);
  });

  it('is held apart by scope and by tenant', async () => {
    const body = keyed('org:i/user:apart', 't', 'same');
    const ids = new Set<string>();
    for (const answer of [
      await capture(body),
      await capture({ ...body, scope: 'org:i/user:sibling' }),
      await capture({ ...body, scope: 'org:i' }),
      await capture({ ...body, scope: 'org:i/user:apart/ws:below' }),
      await capture(body, { 'x-strata-tenant': other }),
    ]) {
      expect(answer.json.replayed_from_idempotency).toBe(false);
      ids.add(answer.json.event_id);
    }
    expect(ids.size).toBe(5);
  });

  it('gives one event to a hundred requests at once, while others are derived from', async () => {
    for (let round = 1; round <= inDepth(1, 4); round += 1) {
      const scope = `org:i/user:race-${round}`;
      for (let i = 0; i < 5; i += 1) await capture(message(`${scope}/ws:beside`, `beside ${i}`));
      const answers = await Promise.all(Array.from({ length: 100 }, () => capture(keyed(scope, 't', 'k'))));
      expect(new Set(answers.map((answer) => `${answer.status} ${answer.json.code ?? ''}`))).toEqual(
        new Set(['202 ']),
      );
      expect(new Set(answers.map(({ json }) => json.event_id)).size).toBe(1);
      expect(answers.filter(({ json }) => !json.replayed_from_idempotency)).toHaveLength(1);
      expect(await listed(scope)).toHaveLength(1);
    }
  });
});

describe('on_conflict: replace', () => {
  it('puts the new event in the place of the old', async () => {
    const scope = 'org:i/user:replace';
    const old = await capture(keyed(scope, 'old', 'k'));
    const fresh = await capture(keyed(scope, 'new', 'k', { on_conflict: 'replace' }));
    expect(fresh.status).toBe(202);
    expect(fresh.json).toMatchObject({ replaces: old.json.event_id, replayed_from_idempotency: false });
    expect(fresh.json.wal_offset).toBeGreaterThan(old.json.wal_offset);

    expect(await listed(scope)).toEqual([fresh.json.event_id]);
    expectProblem(await service.get(`/v1/events/${old.json.event_id}`), { status: 404, code: 'NOT_FOUND' });
    expect((await status({ event_id: old.json.event_id })).json).toMatchObject({
      found: true,
      status: 'failed',
      failure_reason: expect.stringContaining(fresh.json.event_id),
    });
    expect((await status({ idempotency_key: 'k', scope })).json.event_id).toBe(fresh.json.event_id);

    const replayed = await capture(keyed(scope, 'new', 'k', { on_conflict: 'replace' }));
    expect(replayed.json).toMatchObject({
      event_id: fresh.json.event_id,
      replayed_from_idempotency: true,
    });
    expectProblem(await capture(keyed(scope, 'old', 'k')), { status: 409, code: 'IDEMPOTENCY_CONFLICT' });
  });

  it('makes a chain, of which the last is left', async () => {
    const scope = 'org:i/user:chain';
    const ids = [];
    for (const text of ['1', '2', '3', '1']) {
      const answer = await capture(keyed(scope, text, 'k', { on_conflict: 'replace' }));
      expect(answer.json.replaces).toBe(ids.at(-1));
      ids.push(answer.json.event_id);
    }
    expect(await listed(scope)).toEqual([ids[3]]);
  });

  it('takes the words of the old event out of the search', async () => {
    const scope = 'org:i/user:words';
    const body = keyed(scope, 'quondam', 'k');
    await service.post('/v1/experience?wait=indexed', body);
    const { json } = await service.post(
      '/v1/experience?wait=indexed',
      keyed(scope, 'futurum', 'k', { on_conflict: 'replace' }),
    );
    expect(await passagesFound(service, scope, 'quondam')).toEqual([]);
    expect(await passagesFound(service, scope, 'futurum')).toEqual([json.event_id]);
  });

  it('needs a key', async () => {
    const answer = await capture(message('org:i', 't', { on_conflict: 'replace' }));
    expectProblem(answer, { status: 422, code: 'INVALID_BODY', field: 'on_conflict' });
  });
});

describe('a cancelled event', () => {
  it('releases its key and is reported as failed', async () => {
    const scope = 'org:i/user:cancelled';
    const first = await capture(keyed(scope, 't', 'k'));
    expect((await cancel(first.json.event_id)).status).toBe(200);
    const failed = (await status({ idempotency_key: 'k', scope })).json;
    expect(failed).toMatchObject({ found: true, event_id: first.json.event_id, status: 'failed' });
    expect(failed.failure_reason).toMatch(/cancelled/);

    const second = await capture(keyed(scope, 't', 'k'));
    expect(second.json.replayed_from_idempotency).toBe(false);
    expect(second.json.event_id).not.toBe(first.json.event_id);
    expect((await status({ idempotency_key: 'k', scope })).json).toMatchObject({
      event_id: second.json.event_id,
      status: expect.stringMatching(/captured|indexed/),
    });
    await cancel(second.json.event_id);
    const third = await capture(keyed(scope, 'another body', 'k'));
    expect(third.status).toBe(202);
    expect(await listed(scope)).toEqual([third.json.event_id]);
  });
});

describe('capture status', () => {
  it('tells by id where an event stands', async () => {
    const scope = 'org:i/user:status';
    const { json } = await capture(keyed(scope, 't', 'status-1'));
    const settled = await eventually('consolidation', async () => {
      const answer = (await status({ event_id: json.event_id })).json;
      return answer.stage === 'consolidated' && answer;
    });
    expect(settled).toEqual({
      found: true,
      event_id: json.event_id,
      scope,
      idempotency_key: 'status-1',
      status: 'indexed',
      stage: 'consolidated',
      stages_completed: ['captured', 'indexed', 'consolidated'],
      wal_offset: json.wal_offset,
      recorded_at: json.recorded_at,
      note: expect.any(String),
      lifecycle_stream: `/v1/lifecycle/stream?event_id=${json.event_id}`,
    });
    for (const parameters of [
      { idempotency_key: 'status-1' },
      { idempotency_key: 'status-1', scope },
      { event_id: json.event_id, scope },
    ]) {
      expect((await status(parameters)).json).toEqual(settled);
    }
  });

  it('leaves the key out of an event without one', async () => {
    const { json } = await capture(message('org:i/user:status', 'no key'));
    expect((await status({ event_id: json.event_id })).json).not.toHaveProperty('idempotency_key');
  });

  it.each([
    ['id', { event_id: 'evt_0' }],
    ['key', { idempotency_key: 'nobody' }],
    ['key in this scope', { idempotency_key: 'status-1', scope: 'org:i' }],
    ['key in this tenant', { idempotency_key: 'of the other' }],
  ])('answers 200 found: false for an unknown %s', async (_what, parameters) => {
    await capture(keyed('org:a', 't', 'of the other'), { 'x-strata-tenant': other });
    const answer = await status(parameters);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ found: false, note: expect.any(String) });
  });

  it('asks for the scope of a key that several scopes hold', async () => {
    const one = await capture(keyed('org:i/user:one', 't', 'ambiguous'));
    await capture(keyed('org:i/user:two', 't', 'ambiguous'));
    expectProblem(await status({ idempotency_key: 'ambiguous' }), {
      status: 422,
      code: 'AMBIGUOUS_IDEMPOTENCY_KEY',
    });
    const answer = await status({ idempotency_key: 'ambiguous', scope: 'org:i/user:one' });
    expect(answer.json.event_id).toBe(one.json.event_id);
  });

  it('needs an id or a key', async () => {
    expectPlainText(await service.get('/v1/experience/status'), 400, /event_id|idempotency_key/);
    expectPlainText(await status({ scope: 'org:i' }), 400, /event_id|idempotency_key/);
  });

  it('reports what a stage gave up, and a replay queues it again', async () => {
    const scope = 'org:i/user:held';
    const body = keyed(scope, 't', 'k');
    const { json } = await service.post('/v1/experience?wait=consolidated', body);
    const driver = service.driver();
    try {
      await query(
        driver,
        `MATCH (e:Event {id: $id})
         MATCH (p:Passage {event_id: $id}) DETACH DELETE p
         CREATE (:StageRetry {id: $id + '/indexed', event_id: $id, tenant: e.tenant, scope_ref: e.scope_ref, shard: e.shard,
           stage: 'indexed', state: 'failed', reason: 'the stage gave up', since: e.recorded_at,
           wal_offset: e.wal_offset})`,
        { id: json.event_id },
      );
    } finally {
      await driver.close();
    }
    expect((await status({ event_id: json.event_id })).json).toMatchObject({
      status: 'failed',
      stage: 'held',
      failure_reason: 'the stage gave up',
      stages_completed: ['captured'],
    });
    const again = await service.post('/v1/experience?wait=indexed', body);
    expect(again.json).toMatchObject({ event_id: json.event_id, replayed_from_idempotency: true });
    expect(again.status).toBe(202);
    expect((await status({ event_id: json.event_id })).json.status).toBe('indexed');
  });
});
