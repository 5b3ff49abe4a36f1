import type { Driver } from 'neo4j-driver';

import { message, type Answer } from '../support/client.ts';
import { query } from '../support/database.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { expectProblem } from './problem.ts';

let service: SharedService;
let driver: Driver;

beforeAll(() => {
  service = sharedService();
  driver = service.driver();
});
afterAll(async () => {
  await driver.close();
});

const bulk = (body: unknown, parameters = ''): Promise<Answer> =>
  service.post(`/v1/experience/bulk${parameters}`, body);
const item = (text: string, more: object = {}): object => ({
  modality: 'conversation',
  content: { text },
  ...more,
});
const keyed = (text: string, key: string, more: object = {}): object =>
  item(text, { idempotency_key: key, ...more });
const listed = async (scope: string): Promise<any[]> =>
  (await service.get(`/v1/events?scope=${scope}&limit=1000`)).json.items;

/** The newest offset of this tenant. */
async function head(): Promise<number> {
  const rows = await query<{ value: number }>(
    driver,
    'MATCH (e:Event {tenant: $tenant}) RETURN coalesce(max(e.wal_offset), 0) AS value',
    { tenant: service.tenant },
  );
  return rows[0]?.value ?? -1;
}

describe('a bulk that is whole', () => {
  it('is acknowledged in request order with consecutive offsets', async () => {
    const texts = Array.from({ length: 20 }, (_, i) => `n${i}`);
    const answer = await bulk({ scope: 'org:b/user:order', items: texts.map((text) => item(text)) });
    expect(answer.status).toBe(202);
    const { batch_id: batch, results } = answer.json;
    expect(answer.json).toEqual({
      accepted: 20,
      batch_id: expect.stringMatching(/^batch_/),
      results: expect.any(Array),
      lifecycle_stream: `/v1/lifecycle/stream?batch_id=${batch}`,
    });
    const first: number = results[0].wal_offset;
    expect(results).toEqual(
      texts.map((_, index) => ({
        index,
        event_id: expect.stringMatching(/^evt_/),
        wal_offset: first + index,
        status: 'captured',
        replayed_from_idempotency: false,
      })),
    );
    const items = await listed('org:b/user:order');
    expect(items.map(({ content }) => content.text)).toEqual([...texts].reverse());
  });

  it('gives scope and directives to the items that name none', async () => {
    const answer = await bulk({
      scope: 'org:b/user:shared',
      directives: { extract: [], embed: 'none' },
      items: [
        item('both'),
        item('own scope', { scope: 'org:b/user:own' }),
        item('own directives', { directives: { confidence_floor: 0.5 } }),
      ],
    });
    expect(answer.status).toBe(202);
    const events = await Promise.all(
      answer.json.results.map(({ event_id: id }: { event_id: string }) => service.get(`/v1/events/${id}`)),
    );
    expect(events.map(({ json }) => [json.scope, json.directives])).toEqual([
      ['org:b/user:shared', { extract: [], embed: 'none' }],
      ['org:b/user:own', { extract: [], embed: 'none' }],
      ['org:b/user:shared', { confidence_floor: 0.5 }],
    ]);
  });

  it.each(['independent', 'batch_throughput', 'strict_temporal'])(
    'takes the ordering %s',
    async (ordering) => {
      const answer = await bulk({ ordering, items: [message('org:b', '1'), message('org:b', '2')] });
      expect([answer.status, answer.json.accepted, answer.json.partial]).toEqual([202, 2, undefined]);
    },
  );

  it('takes a thousand items, across scopes, and waits for all of them', async () => {
    const items = Array.from({ length: 1000 }, (_, i) => message(`org:b/ws:w${i % 7}`, `thousand ${i}`));
    const answer = await bulk({ items }, '?wait=consolidated');
    expect([answer.status, answer.json.accepted]).toEqual([202, 1000]);
    const offsets = answer.json.results.map((row: { wal_offset: number }) => row.wal_offset);
    expect(offsets).toEqual(offsets.map((_: number, i: number) => Number(offsets[0]) + i));
    for (const i of [0, 500, 999]) {
      const id: string = answer.json.results[i].event_id;
      const status = await service.get(`/v1/experience/status?event_id=${id}`);
      expect(status.json).toMatchObject({ status: 'indexed', stage: 'consolidated' });
    }
  });

  it('refuses wait=settled before anything is written', async () => {
    const before = await head();
    const answer = await bulk({ items: [message('org:b', 'no')] }, '?wait=settled');
    expectProblem(answer, { status: 503, code: 'SETTLEMENT_UNAVAILABLE' });
    expect(await head()).toBe(before);
  });
});

describe('a bulk with refused items', () => {
  it('leaves the others written', async () => {
    const answer = await bulk({
      scope: 'org:b/user:partial',
      items: [
        item('good 0'),
        item('bad field', { colour: 'red' }),
        item('good 2'),
        'not an object',
        item('bad language', { language: '!!' }),
        item('bad scope', { scope: 'nowhere' }),
        item('bad type', { scope: 'planet:mars' }),
        item(' '),
        item('good 8'),
      ],
    });
    expect(answer.status).toBe(207);
    const { json } = answer;
    expect([json.accepted, json.partial]).toEqual([3, true]);
    expect(json.results).toHaveLength(9);
    const refused = { event_id: null, status: 'failed' };
    expect(json.results[1]).toEqual({ index: 1, ...refused });
    expect(
      json.failures.map(({ index, error_code: code, details }: any) => [index, code, details?.field_path]),
    ).toEqual([
      [1, 'INVALID_BODY', 'colour'],
      [3, 'INVALID_BODY', ''],
      [4, 'INVALID_ENVELOPE', 'language'],
      [5, 'INVALID_BODY', 'scope'],
      [6, 'UNREGISTERED_SCOPE_TYPE', 'scope'],
      [7, 'INVALID_ENVELOPE', 'content.text'],
    ]);
    for (const { error } of json.failures) expect(error).toMatch(/\S/);
    const offsets: number[] = [0, 2, 8].map((i) => json.results[i].wal_offset);
    expect(offsets).toEqual(offsets.map((_, i) => offsets[0]! + i));
    const texts = (await listed('org:b/user:partial')).map(({ content }) => content.text);
    expect(texts).toEqual(['good 8', 'good 2', 'good 0']);
  });

  it('answers 207 with accepted 0 when every item is refused', async () => {
    const before = await head();
    const answer = await bulk({ items: [item('no scope'), {}, null] }, '?wait=indexed');
    expect(answer.status).toBe(207);
    expect(answer.json).toMatchObject({ accepted: 0, partial: true });
    expect(answer.json.results).toEqual(
      [0, 1, 2].map((index) => ({ index, event_id: null, status: 'failed' })),
    );
    expect(answer.json.failures).toHaveLength(3);
    expect(await head()).toBe(before);
  });
});

describe('keys within one bulk', () => {
  it('mean a replay or a conflict as across requests', async () => {
    const scope = 'org:b/user:keys';
    const { json: before } = await service.post(
      '/v1/experience',
      message(scope, 'earlier', { idempotency_key: 'e' }),
    );
    const answer = await bulk({
      scope,
      items: [
        keyed('a', 'k'),
        keyed('a', 'k'),
        keyed('b', 'k'),
        { ...message(scope, 'earlier'), idempotency_key: 'e' },
        keyed('later', 'e'),
        keyed('c', 'l'),
        keyed('a', 'k', { language: 'en' }),
        keyed('a', 'k', { scope: 'org:b/user:other' }),
      ],
    });
    expect([answer.status, answer.json.accepted]).toEqual([207, 6]);
    const rows = answer.json.results;
    expect(rows[1]).toEqual({ ...rows[0], index: 1, replayed_from_idempotency: true });
    expect(rows[3]).toEqual({
      index: 3,
      event_id: before.event_id,
      wal_offset: before.wal_offset,
      status: 'captured',
      replayed_from_idempotency: true,
    });
    expect(rows[6]).toMatchObject({
      event_id: rows[0].event_id,
      warnings: ['conflicting_hint_on_replay'],
    });
    expect(answer.json.failures.map(({ index, error_code: code }: any) => [index, code])).toEqual([
      [2, 'IDEMPOTENCY_CONFLICT'],
      [4, 'IDEMPOTENCY_CONFLICT'],
    ]);
    const fresh: number[] = [rows[0], rows[5], rows[7]].map((row) => row.wal_offset);
    expect(fresh).toEqual(fresh.map((_, i) => fresh[0]! + i));
    expect(await listed(scope)).toHaveLength(3);
  });

  it('replace one another in order', async () => {
    const scope = 'org:b/user:replace';
    const answer = await bulk({
      scope,
      items: [
        keyed('1', 'k'),
        keyed('2', 'k', { on_conflict: 'replace' }),
        keyed('3', 'k', { on_conflict: 'replace' }),
        keyed('3', 'k'),
        keyed('1', 'k'),
      ],
    });
    const rows = answer.json.results;
    expect([answer.status, answer.json.accepted]).toEqual([207, 4]);
    expect([rows[1].replaces, rows[2].replaces]).toEqual([rows[0].event_id, rows[1].event_id]);
    expect(rows[3]).toMatchObject({ event_id: rows[2].event_id, replayed_from_idempotency: true });
    expect(answer.json.failures[0]).toMatchObject({ index: 4, error_code: 'IDEMPOTENCY_CONFLICT' });
    expect((await listed(scope)).map(({ id }) => id)).toEqual([rows[2].event_id]);
  });
});

describe('strict_temporal is all or nothing', () => {
  it.each([
    ['a malformed item', 422, 'INVALID_BODY', [item('good'), item('bad', { colour: 1 })], [1]],
    ['a blank text', 422, 'INVALID_BODY', [item(' '), item('good'), item('')], [0, 2]],
    [
      'a key of its own batch',
      409,
      'IDEMPOTENCY_CONFLICT',
      [keyed('a', 's'), item('x'), keyed('b', 's')],
      [2],
    ],
    ['a key held before', 409, 'IDEMPOTENCY_CONFLICT', [item('x'), keyed('other', 'held')], [1]],
  ])('%s: %i %s', async (_what, status, code, items, places) => {
    const scope = 'org:b/user:strict';
    await service.post('/v1/experience', { scope, ...keyed('first', 'held') });
    const before = [await head(), (await listed(scope)).length];
    const answer = await bulk({ scope, ordering: 'strict_temporal', items });
    expectProblem(answer, { status, code });
    expect(answer.json.details.items.map(({ index }: { index: number }) => index)).toEqual(places);
    for (const failure of answer.json.details.items) {
      expect(failure).toMatchObject({ error_code: expect.any(String), error: expect.any(String) });
    }
    expect([await head(), (await listed(scope)).length]).toEqual(before);
    const next = await service.post('/v1/experience', message(scope, 'the next offset'));
    expect(next.json.wal_offset).toBeGreaterThan(Number(before[0]));
    await service.request('POST', `/v1/lifecycle/memory-event/${next.json.event_id}/cancel`);
  });
});

describe('a malformed outer body', () => {
  it.each<[string, unknown, string | undefined]>([
    ['no items', {}, 'items'],
    ['empty items', { items: [] }, 'items'],
    ['items that are no list', { items: {} }, 'items'],
    ['a list', [], ''],
    ['null', null, ''],
    ['an unknown field', { items: [message('org:b', 't')], item: 1 }, 'item'],
    ['a bad ordering', { items: [message('org:b', 't')], ordering: 'any' }, 'ordering'],
    ['a bad scope', { items: [message('org:b', 't')], scope: 'org' }, 'scope'],
    ['bad directives', { items: [message('org:b', 't')], directives: { embed: 1 } }, 'directives.embed'],
    ['1001 items', { items: Array.from({ length: 1001 }, () => message('org:b', 't')) }, 'items'],
  ])('%s: 422', async (_what, body, field) => {
    const before = await head();
    expectProblem(await bulk(body), {
      status: 422,
      code: 'INVALID_BODY',
      ...(field === undefined ? {} : { field }),
    });
    expect(await head()).toBe(before);
  });

  it.each(['', '{"items":[', 'items', '{"items":[1]}garbage'])('%j: 422', async (raw) => {
    const answer = await service.request('POST', '/v1/experience/bulk', {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expectProblem(answer, { status: 422, code: 'INVALID_BODY' });
  });

  it('of more than 64 MiB: 413', async () => {
    const raw = new Uint8Array(64 * 1024 * 1024 + 1).fill(0x20);
    const answer = await service.request('POST', '/v1/experience/bulk', { raw });
    expectProblem(answer, { status: 413, code: 'PAYLOAD_TOO_LARGE' });
    expect((await service.get('/v1/ready')).status).toBe(200);
  });

  it('of exactly 64 MiB is read', async () => {
    const raw = new Uint8Array(64 * 1024 * 1024).fill(0x20);
    raw.set(Buffer.from(JSON.stringify({ items: [message('org:b/user:large', 'padded')] })));
    const answer = await service.request('POST', '/v1/experience/bulk', { raw });
    expect([answer.status, answer.json.accepted]).toEqual([202, 1]);
  });
});
