import { DELETION_BATCH_EVENTS } from '../../src/services/scope-redaction.ts';
import type { Driver } from 'neo4j-driver';

import { indexTerms } from '../../src/capture/search-words.ts';
import { scopeRef } from '../../src/capture/scope-key.ts';
import { callBy, codeOf } from '../support/calls.ts';
import { cancelled } from '../support/cancel.ts';
import { query, testDriver } from '../support/database.ts';
import { message } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { expectProblem } from './problem.ts';

let service: TestService;
let driver: Driver;

beforeAll(async () => {
  service = await startTestService({ STRATA_TENANTS: 'acme' });
  driver = testDriver();
});
afterAll(async () => {
  await driver.close();
  await service.stop();
});

const at = (path: string, records?: string): string =>
  `/v1/scopes?path=${encodeURIComponent(path)}${records === undefined ? '' : `&records=${records}`}`;
const remove = (path: string, records?: string) => service.request('DELETE', at(path, records));
const listed = async (scope: string): Promise<string[]> =>
  (await service.get(`/v1/events?scope=${scope}`)).json.items.map(({ id }: any) => id as string);

/** Captures events that can be found, one with a key for each; answers their ids in order. */
async function fill(scope: string, count: number, word: string): Promise<string[]> {
  const items = Array.from({ length: count }, (_, i) =>
    message(scope, `${word} number ${i}`, {
      idempotency_key: `key-${i}`,
      context: { labels: [`secret:${word}`] },
      metadata: { note: word },
    }),
  );
  const { status, json } = await service.post('/v1/experience/bulk?wait=indexed', { items });
  expect(status).toBe(202);
  return json.results.map(({ event_id }: any) => event_id as string);
}

/** How many nodes and edges of any kind hold a word, or its stem, in any property. */
async function traces(word: string): Promise<number> {
  const rows = await query<{ found: number }>(
    driver,
    `CALL () { MATCH (node) RETURN node AS n UNION ALL MATCH ()-[edge]->() RETURN edge AS n }
     WITH n WHERE any(key IN keys(n) WHERE key <> 'scope_tokens' AND toLower(toStringOrNull(n[key]) + '') CONTAINS $word
       OR (n[key] IS :: LIST<STRING NOT NULL> AND any(item IN n[key] WHERE toLower(toStringOrNull(item)) CONTAINS $word)))
     RETURN count(n) AS found`,
    // Stems of the words that are used here are beginnings of them.
    { word: indexTerms(word).join(' ') },
  );
  return rows[0]?.found ?? -1;
}

describe('a scope without events', () => {
  it('is gone at once, and may be registered again', async () => {
    await service.post('/v1/scopes', { path: 'ws:empty' });
    const answer = await remove('ws:empty');
    expect([answer.status, answer.text]).toEqual([204, '']);
    expectProblem(await service.get(at('ws:empty')), { status: 404, code: 'NOT_FOUND' });
    expectProblem(await remove('ws:empty'), { status: 404, code: 'NOT_FOUND' });
    expect((await service.post('/v1/scopes', { path: 'ws:empty', owner: 'user:n' })).status).toBe(201);
  });

  it('is deleted by owners alone', async () => {
    const scopes = service.context.services.scope;
    await service.post('/v1/scopes', {
      path: 'ws:theirs',
      members: [
        { actor: 'user:o', role: 'owner' },
        { actor: 'user:w', role: 'writer' },
      ],
    });
    expect(await codeOf(scopes.delete(callBy('user:w'), { path: 'ws:theirs' }))).toBe('NOT_A_MEMBER');
    expect(await codeOf(scopes.delete(callBy('user:stranger'), { path: 'ws:theirs' }))).toBe('NOT_FOUND');
    const narrowed = callBy('user:o', { caps: ['scope.manage', 'scope.read'] });
    expect(await codeOf(scopes.delete(narrowed, { path: 'ws:theirs', records: 'forget' }))).toBe(
      'POLICY_DENIED',
    );
    const elsewhere = callBy('user:x', { caps: ['scope.manage', 'scope.read'] });
    for (const path of ['ws:theirs', 'ws:nobodys'])
      expect(await codeOf(scopes.delete(elsewhere, { path, records: 'forget' }))).toBe('POLICY_DENIED');
    expect(await codeOf(scopes.delete(narrowed, { path: 'ws:theirs' }))).toBe('done');
  });
});

describe('a scope with events', () => {
  it('is not deleted unless it is said what becomes of them', async () => {
    await service.post('/v1/scopes', { path: 'ws:full' });
    await fill('ws:full', 3, 'kept');
    const unsaid = await remove('ws:full');
    expectProblem(unsaid, { status: 409, code: 'SCOPE_HAS_RECORDS' });
    expect(unsaid.json.details).toEqual({ reason: 'records' });
    const ungoverned = await remove('ws:full', 'keep');
    expectProblem(ungoverned, { status: 409, code: 'SCOPE_HAS_RECORDS' });
    expect(ungoverned.json.details).toEqual({ reason: 'ungoverned' });
    expectProblem(await remove('ws:full', 'burn'), { status: 400, code: 'INVALID_QUERY', field: 'records' });
    expect(await listed('ws:full')).toHaveLength(3);
  });

  it('leaves them to the roster of an ancestor', async () => {
    const path = 'org:keep/team:a';
    await service.post('/v1/scopes', { path: 'org:keep', owner: 'user:boss' });
    await service.post('/v1/scopes', { path, owner: 'user:lead' });
    await fill(path, 3, 'kept');
    const events = service.context.services.event;
    expect((await events.list(callBy('user:lead'), { scope: path })).items).toHaveLength(3);
    expect((await remove(path, 'keep')).status).toBe(204);
    expect((await service.get(at(path))).json).toMatchObject({
      auto_provisioned: true,
      members: [],
      policies: {},
    });
    expect((await events.list(callBy('user:boss'), { scope: path })).items).toHaveLength(3);
    expect((await events.list(callBy('user:lead'), { scope: path })).items).toHaveLength(0);
  });

  it('is not deleted while its roster is all that governs what lies below', async () => {
    await service.post('/v1/scopes', { path: 'org:roof', owner: 'user:r' });
    await fill('org:roof/team:a/app:b', 1, 'below');
    const refused = await remove('org:roof', 'forget');
    expectProblem(refused, { status: 409, code: 'SCOPE_HAS_RECORDS' });
    expect(refused.json.details).toEqual({ reason: 'below' });
    await service.post('/v1/scopes', { path: 'org:roof/team:a' });
    expect((await remove('org:roof', 'forget')).status).toBe(204);
    const seen = service.context.services.event.list(callBy('user:x'), { scope: 'org:roof/team:a/app:b' });
    expect((await seen).items).toHaveLength(0);
    expect(await listed('org:roof/team:a/app:b')).toHaveLength(1);
  });
});

describe('a scope that is forgotten', () => {
  it('leaves nothing of its events but their ids, and everything of those above, below and beside', async () => {
    const scope = 'org:wipe/team:a';
    const ids = await fill(scope, 12, 'xylophone');
    const replaced = message(scope, 'xylophone again', { idempotency_key: 'key-1', on_conflict: 'replace' });
    await service.post('/v1/experience?wait=indexed', replaced);
    await service.post(`/v1/lifecycle/memory-event/${ids[2] ?? ''}/cancel`);
    const around = await Promise.all(
      ['org:wipe', `${scope}/app:b`, 'org:wipe/team:ab', 'org:wipe/team:b'].map((path) =>
        fill(path, 2, 'bystander'),
      ),
    );
    expect(await traces('xylophone')).toBeGreaterThan(20);
    const frames = (await service.get('/v1/lifecycle?limit=1')).json.next_offset as number;

    expect((await remove(scope, 'forget')).status).toBe(204);

    expect(await traces('xylophone')).toBe(0);
    expect(await listed(scope)).toEqual([]);
    for (const id of ids) {
      expectProblem(await service.get(`/v1/events/${id}`), { status: 404, code: 'NOT_FOUND' });
      expectProblem(await service.get(`/v1/lifecycle/memory-event/${id}`), {
        status: 404,
        code: 'NOT_FOUND',
      });
      expectProblem(await service.post(`/v1/lifecycle/memory-event/${id}/cancel`), {
        status: 404,
        code: 'NOT_FOUND',
      });
      expect((await service.get(`/v1/experience/status?event_id=${id}`)).json.found).toBe(false);
    }
    for (const key of ['key-0', 'key-1', 'key-2'])
      expect(
        (await service.get(`/v1/experience/status?idempotency_key=${key}&scope=${scope}`)).json.found,
      ).toBe(false);
    const below = (await service.get(`/v1/events?scope=org:wipe&view=descend`)).json.items;
    expect(below.map(({ id }: any) => id as string).sort()).toEqual(around.flat().sort());
    expectProblem(await service.get(at(scope)), { status: 404, code: 'NOT_FOUND' });
    const told = (await service.get(`/v1/lifecycle?events=forgotten&offset=${frames}&limit=100`)).json.items;
    expect(told.map(({ data }: any) => data.event_id as string)).toEqual(expect.arrayContaining(ids));
    expect(told).toHaveLength(13);
    for (const id of ids) {
      const kept = (await service.get(`/v1/lifecycle?event_id=${id}`)).json.items;
      expect(kept.map(({ event }: any) => event as string)).toEqual(
        expect.arrayContaining(['captured', 'forgotten']),
      );
      expect(JSON.stringify(kept)).not.toMatch(/user:|"conversation"/);
    }
    const named = await query(
      driver,
      `MATCH (f:LifecycleEvent) WHERE f.event_id IN $ids AND f.type <> 'forgotten' AND (f.actor IS NOT NULL OR f.modality IS NOT NULL)
       RETURN f.type AS type`,
      { ids },
    );
    expect(named).toEqual([]);
    expect((await service.get(`/v1/derivation/status?scope=${scope}`)).json).toMatchObject({
      caught_up: true,
      head_offset: 0,
      held: 0,
    });
  });

  it('takes the blobs with it that nothing else holds', async () => {
    const scope = 'ws:blobs';
    const upload = async (text: string): Promise<string> => {
      const options = { raw: text, headers: { 'content-type': 'text/plain' } };
      const blob = (await service.request('POST', '/v1/blobs', options)).json.blob_id as string;
      const content = { kind: 'blob_ref', blob_id: blob };
      const captured = await service.post('/v1/experience', { scope, modality: 'document', content });
      expect(captured.status).toBe(202);
      return blob;
    };
    const [held, left] = [await upload('held by its uploader'), await upload('left to the event')];
    expect((await service.request('DELETE', `/v1/blobs/${left}`)).status).toBeLessThan(300);
    expect((await service.get(`/v1/blobs/${left}`)).status).toBe(200);
    expect((await remove(scope, 'forget')).status).toBe(204);
    expect((await service.get(`/v1/blobs/${left}`)).status).toBe(404);
    expect((await service.get(`/v1/blobs/${held}`)).status).toBe(200);
  });

  it('takes new writes at once, under the same keys', async () => {
    const scope = 'org:wipe/team:a';
    const ids = await fill(scope, 3, 'fresh');
    expect((await listed(scope)).sort()).toEqual([...ids].sort());
    expect((await service.get(at(scope))).json).toMatchObject({ auto_provisioned: true, members: [] });
    const { passages } = service.context;
    await passages.refreshed();
    expect(await passages.search(scopeRef('default', scope), 'fresh', 10)).toHaveLength(3);
    expect(await passages.search(scopeRef('default', scope), 'xylophone', 10)).toEqual([]);
  });

  it('goes in batches', async () => {
    const scope = 'ws:batches';
    await service.post('/v1/scopes', { path: scope });
    await fill(scope, DELETION_BATCH_EVENTS + 7, 'marimba');
    expect((await remove(scope, 'forget')).status).toBe(204);
    expect(await traces('marimba')).toBe(0);
    expect(await listed(scope)).toEqual([]);
  });

  it('is never searchable again, whatever the stages have in memory', async () => {
    const scope = 'ws:racing';
    for (let round = 0; round < 5; round += 1) {
      const items = Array.from({ length: 60 }, (_, i) => message(scope, `theremin ${i}`));
      await service.post('/v1/experience/bulk', { items });
      expect((await remove(scope, 'forget')).status).toBe(204);
    }
    const { json } = await service.post('/v1/experience?wait=consolidated', message(scope, 'the end'));
    await eventually('all stages are done', async () => {
      const status = (await service.get(`/v1/derivation/status?scope=${scope}`)).json;
      return status.caught_up === true && status.failed === 0;
    });
    expect(await traces('theremin')).toBe(0);
    expect(await listed(scope)).toEqual([json.event_id]);
    const rows = await query<{ kind: string }>(
      driver,
      'MATCH (p:Passage {scope_ref: $ref}) RETURN p.kind AS kind ORDER BY kind',
      { ref: scopeRef('default', scope) },
    );
    expect(rows).toEqual([{ kind: 'session' }, { kind: 'turn' }]);
  });

  it('leaves nothing of what an event stated that was cancelled or replaced before', async () => {
    const scope = 'org:stated/team:a';
    const state = async (value: string, more: object = {}): Promise<string> => {
      const body = {
        scope,
        modality: 'observation',
        content: {
          kind: 'triple',
          triple: {
            subject: { type: 'entity', id: 'ent_marimba', name: 'Marimba' },
            predicate: 'likes',
            object: { type: 'literal', datatype: 'string', value },
          },
        },
        ...more,
      };
      const { status, json } = await service.post('/v1/experience?wait=consolidated', body);
      expect(status).toBe(202);
      return String(json.event_id);
    };
    await cancelled(service, await state('marimba music'), scope);
    await state('marimba concerts', { idempotency_key: 'k' });
    await state('quiet', { idempotency_key: 'k', on_conflict: 'replace' });
    await eventually('the replaced statement to be retracted', async () => {
      const facts = (await service.get(`/v1/facts?scope=${scope}`)).json.items;
      return facts.length === 1;
    });
    expect(await traces('marimba')).toBeGreaterThan(2);
    expect((await remove(scope, 'forget')).status).toBe(204);
    expect(await traces('marimba')).toBe(0);
  });
});

describe('a deletion that is cut short', () => {
  /** What a process leaves that dies right after it marked a scope. */
  async function cutShort(path: string): Promise<void> {
    await query(
      driver,
      `MATCH (s:Scope {ref: $ref}), (wal:Counter {name: 'wal'})
       SET s.deleting_through = wal.value, s.deleting_by = 'user:gone'`,
      { ref: scopeRef('default', path) },
    );
  }

  it('keeps its roster until it is done, refuses changes, and is finished by the next call', async () => {
    const path = 'ws:half';
    await service.post('/v1/scopes', { path, owner: 'user:o' });
    await fill(path, 5, 'ocarina');
    await cutShort(path);
    const { scope, event } = service.context.services;
    expect((await event.list(callBy('user:x'), { scope: path })).items).toEqual([]);
    const policies = scope.setPolicies(callBy('user:o'), { path }, { policies: {} });
    expect(await codeOf(policies)).toBe('DESTRUCTIVE_OPERATION_IN_PROGRESS');
    const busy = await service.post('/v1/scopes', { path });
    expectProblem(busy, { status: 409, code: 'DESTRUCTIVE_OPERATION_IN_PROGRESS', retriable: true });
    expect(busy.headers.get('retry-after')).toBe('5');
    expect(await codeOf(scope.delete(callBy('user:x'), { path }))).toBe('NOT_FOUND');
    expect(await codeOf(scope.delete(callBy('user:o'), { path }))).toBe('done');
    expect(await traces('ocarina')).toBe(0);
  });

  it('is finished by the next start', async () => {
    const path = 'ws:crash';
    await service.post('/v1/scopes', { path, owner: 'user:o' });
    await fill(path, DELETION_BATCH_EVENTS + 3, 'kalimba');
    await cutShort(path);
    await service.stop();
    service = await startTestService({ STRATA_TENANTS: 'acme' }, { keepData: true });
    await eventually('the deletion is finished', async () => {
      return (await service.get(at(path))).status === 404;
    });
    expect(await traces('kalimba')).toBe(0);
    expect(await listed(path)).toEqual([]);
  });

  it('does not take the roster from what was written below meanwhile', async () => {
    const path = 'ws:root';
    await service.post('/v1/scopes', { path, owner: 'user:o' });
    await fill(path, DELETION_BATCH_EVENTS + 3, 'celesta');
    await cutShort(path);
    await service.post('/v1/experience?wait=indexed', message(`${path}/app:below`, 'since'));
    const answer = await remove(path);
    expectProblem(answer, { status: 409, code: 'SCOPE_HAS_RECORDS' });
    expect(answer.json.details).toEqual({ reason: 'below' });
    expect(await traces('celesta')).toBe(0);
    const { json } = await service.get(at(path));
    expect(json.members).toContainEqual({ actor: 'user:o', role: 'owner' });
  });

  it('is carried on by two at once as by one', async () => {
    const path = 'ws:both';
    await service.post('/v1/scopes', { path });
    await fill(path, DELETION_BATCH_EVENTS + 3, 'zither');
    await cutShort(path);
    const answers = await Promise.all([remove(path, 'forget'), remove(path, 'forget'), remove(path)]);
    for (const { status } of answers) expect([204, 404]).toContain(status);
    expect(await traces('zither')).toBe(0);
    expectProblem(await service.get(at(path)), { status: 404, code: 'NOT_FOUND' });
  });
});

describe('empty scopes', () => {
  it('are cleared away where they came into being by a write alone', async () => {
    const refs = ['ws:p1', 'ws:p2', 'user:mine/app:p3'];
    for (const path of [...refs, 'org:governed/app:p4'])
      await query(
        driver,
        `CREATE (:Scope {ref: $ref, tenant: 'default', path: $path, a0: $ref, auto_provisioned: true, created_at: 1, created_by: 'user:x'})`,
        { ref: scopeRef('default', path), path },
      );
    await service.post('/v1/scopes', { path: 'org:governed', owner: 'user:g' });
    await service.post('/v1/scopes', { path: 'ws:registered-empty' });
    await service.post('/v1/experience', message('ws:in-use', 'x'));
    const { scope } = service.context.services;
    expect(await codeOf(scope.prune(callBy('user:x', { caps: ['scope.read'] })))).toBe('POLICY_DENIED');
    // Not what a roster governs, nor what is somebody's own.
    expect(await scope.prune(callBy('user:x'))).toEqual({ pruned: 2 });
    expect(await scope.prune(callBy('user:mine'))).toEqual({ pruned: 1 });
    const own = await service.post('/v1/scopes/prune');
    expect([own.status, own.json]).toEqual([200, { pruned: 1 }]);
    for (const path of refs) expect((await service.get(at(path))).status).toBe(404);
    for (const path of ['ws:registered-empty', 'ws:in-use', 'org:governed'])
      expect((await service.get(at(path))).status).toBe(200);
  });
});
