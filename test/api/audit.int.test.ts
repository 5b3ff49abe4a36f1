import { createHash } from 'node:crypto';

import type { Driver } from 'neo4j-driver';

import { requestHasher } from '../../src/audit/request-hash.ts';
import { openSocket } from '../resolvers/socket-client.ts';
import { message, operatorHeaders, TEST_SUPPRESSION_KEY } from '../support/client.ts';
import { query } from '../support/database.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { ask } from './graphql/ask.ts';
import { auditRows } from './audit-rows.ts';
import { expectCode } from './problem.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const keyed = (text: string): string => requestHasher(TEST_SUPPRESSION_KEY).ofDigest(sha256(text));
const as = (actor: string) => ({ headers: { 'x-strata-actor': actor } });

let service: SharedService;
let driver: Driver;

beforeAll(() => {
  service = sharedService();
  driver = service.driver();
});
afterAll(async () => {
  await driver.close();
});

const rows = (filter: string, options = {}): Promise<any[]> => auditRows(service, filter, options);

/** Everything that is kept of the rows of this tenant. */
async function storedRows(): Promise<string> {
  const text = 'MATCH (b:AuditBatch {tenant: $tenant}) RETURN b.rows AS rows';
  const stored = await query(driver, text, { tenant: service.tenant });
  expect(stored.length).toBeGreaterThan(0);
  return JSON.stringify(stored);
}

/** Registers a scope in which nobody may do this. */
async function denyIn(path: string, deny: string[]): Promise<void> {
  const { status } = await service.post('/v1/scopes', { path, policies: { capabilities: { deny } } });
  expect(status).toBe(201);
}

/** What a request carries that is sent by whoever holds a token, with these capabilities alone when some are named. */
async function holder(actor: string, caps?: string[]): Promise<{ headers: Record<string, string> }> {
  const { token } = await mintFrom(service, { subject: actor, ...(caps === undefined ? {} : { caps }) });
  return { headers: bearer(token, actor) };
}

describe('a row', () => {
  it('tells of a capture, and nothing of its content', async () => {
    const body = JSON.stringify(
      message('org:rows/user:1', 'a very secret sentence', { idempotency_key: 'hidden' }),
    );
    const { json, headers } = await service.post('/v1/experience', undefined, {
      raw: body,
      ...as('user:one'),
    });
    const [row, ...more] = await rows('actor=user:one');
    expect(more).toEqual([]);
    expect(row).toEqual({
      id: expect.stringMatching(/^audit_[0-9a-f]{32}$/),
      ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      actor: 'user:one',
      token_jti: null,
      tenant_id: service.tenant,
      scope: 'org:rows/user:1',
      endpoint: 'POST /v1/experience',
      capability: 'scope.write',
      decision: 'allow',
      decided_by_tier: 'deployment',
      request_sha256: keyed(body),
      response_status: 202,
      event_id: json.event_id,
      request_id: headers.get('x-strata-request-id'),
      elapsed_ms: expect.any(Number),
      remote: null,
      prev_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect((await service.get(`/v1/audit/${row.id}`)).json).toEqual(row);
    expect(await storedRows()).not.toMatch(/secret|hidden/);
    expect(await storedRows()).not.toContain(sha256(body));
  });

  it('of a repeat names the first event, of a conflict none', async () => {
    const given = message('org:rows', 'once', { idempotency_key: 'k' });
    const first = await service.post('/v1/experience', given, as('user:two'));
    const again = await service.post('/v1/experience', given, as('user:two'));
    const other = message('org:rows', 'twice', { idempotency_key: 'k' });
    const conflict = await service.post('/v1/experience', other, as('user:two'));
    expect([first, again, conflict].map(({ status }) => status)).toEqual([202, 202, 409]);
    const id = first.json.event_id;
    const told = await rows('actor=user:two');
    expect(told.map((row) => [row.response_status, row.event_id])).toEqual([
      [409, null],
      [202, id],
      [202, id],
    ]);
  });

  it('is one for a bulk, with its status, and none for one that changed nothing', async () => {
    const by = as('user:three');
    const item = (text: string, key?: string) =>
      message('org:rows/user:3', text, key === undefined ? {} : { idempotency_key: key });
    await service.post('/v1/experience/bulk', { items: [item('a', 'x'), item('b')] }, by);
    await service.post('/v1/experience/bulk', { items: [item('a', 'x'), item('c', 'x')] }, by);
    await service.post('/v1/experience/bulk', { items: [item('d'), message('org:rows/user:4', 'e')] }, by);
    await service.post('/v1/experience/bulk', { items: [item('f'), { scope: 'org:rows' }] }, by);
    const refused = { items: [item('g'), item('h', 'x')], ordering: 'strict_temporal' };
    expect((await service.post('/v1/experience/bulk', refused, by)).status).toBe(409);
    const kept = { items: [item('i'), item('j')], ordering: 'strict_temporal' };
    expect((await service.post('/v1/experience/bulk', kept, by)).status).toBe(202);
    const told = await rows('actor=user:three');
    expect(told.map((row) => [row.response_status, row.scope, row.event_id]).reverse()).toEqual([
      [202, 'org:rows/user:3', null],
      [207, 'org:rows/user:3', null],
      [202, null, null],
      [207, 'org:rows/user:3', null],
      [202, 'org:rows/user:3', null],
    ]);
    expect(new Set(told.map(({ endpoint }) => endpoint))).toEqual(new Set(['POST /v1/experience/bulk']));
  });

  it('tells of a cancel', async () => {
    const { json } = await service.post('/v1/experience', message('org:rows', 'gone'), as('user:four'));
    await service.post(`/v1/lifecycle/memory-event/${json.event_id}/cancel`, undefined, as('user:four'));
    expect((await rows('actor=user:four'))[0]).toMatchObject({
      endpoint: 'POST /v1/lifecycle/memory-event/{id}/cancel',
      response_status: 200,
      event_id: json.event_id,
      scope: 'org:rows',
      request_sha256: null,
    });
  });

  it('tells of a scope that is registered, changed and deleted, and of who may not', async () => {
    const by = as('user:owner');
    const path = 'org:ruled/ws:one';
    await service.post('/v1/scopes', { path, members: [{ actor: 'user:owner', role: 'owner' }] }, by);
    const members = [
      { actor: 'user:owner', role: 'owner' },
      { actor: 'user:reader', role: 'reader' },
    ];
    await service.request('PUT', `/v1/scopes/members?path=${path}`, { ...by, body: { members } });
    const { token } = (await service.post('/v1/auth/tokens', { subject: 'user:reader' })).json;
    const held = { headers: { authorization: `Bearer ${token}`, 'x-strata-actor': 'user:reader' } };
    expectCode(await service.post('/v1/experience', message(path, 'no'), held), 'NOT_A_MEMBER');
    await service.request('DELETE', `/v1/scopes?path=${path}`, by);
    const told = await rows(`scope=${path}`);
    expect(told.map((row) => [row.actor, row.endpoint, row.capability, row.response_status])).toEqual([
      ['user:owner', 'DELETE /v1/scopes', 'scope.manage', 204],
      ['user:reader', 'POST /v1/experience', 'scope.write', 403],
      ['user:owner', 'PUT /v1/scopes/members', 'scope.manage', 200],
      ['user:owner', 'POST /v1/scopes', 'scope.create', 201],
    ]);
    expect(told[1]).toMatchObject({ decision: 'deny', decided_by_tier: 'scope' });
  });

  it('tells of a blob, of a token that was minted, and of what its holder did with it', async () => {
    const raw = 'some bytes';
    const typed = { headers: { 'x-strata-actor': 'user:eight', 'content-type': 'text/plain' } };
    const blob = await service.post('/v1/blobs', undefined, { raw, ...typed });
    await service.request('DELETE', `/v1/blobs/${blob.json.blob_id}`, as('user:eight'));
    const minted = await service.post('/v1/auth/tokens', { subject: 'user:nine' }, as('user:eight'));
    const { token, jti } = minted.json;
    const held = { headers: { authorization: `Bearer ${token}`, 'x-strata-actor': 'user:nine' } };
    await service.post('/v1/experience', message('org:rows', 'by token'), held);
    await service.post('/v1/auth/revoke', { jti }, held);
    const told = [...(await rows('actor=user:nine')), ...(await rows('actor=user:eight'))];
    expect(told.map((row) => [row.endpoint, row.capability, row.response_status, row.token_jti])).toEqual([
      ['POST /v1/auth/revoke', null, 204, jti],
      ['POST /v1/experience', 'scope.write', 202, jti],
      ['POST /v1/auth/tokens', 'auth.mint', 201, null],
      ['DELETE /v1/blobs/{id}', 'blob.upload', 200, null],
      ['POST /v1/blobs', 'blob.upload', 201, null],
    ]);
    expect(told.at(-1).request_sha256).toBeNull();
    expect(await storedRows()).not.toContain(sha256(raw));
    expect(await storedRows()).not.toContain(token);
  });

  it('tells of GraphQL by the field, over HTTP and over a socket', async () => {
    const input = { scope: 'org:rows', modality: 'conversation', content: { text: { text: 'x' } } };
    const mutation =
      'mutation M($input: ExperienceInput!) { a: capture(input: $input) { eventId } b: capture(input: $input) { eventId } }';
    const body = JSON.stringify({ query: mutation, variables: { input } });
    await service.post('/graphql', undefined, { raw: body, ...as('user:five') });
    const headers = { ...operatorHeaders(), 'x-strata-actor': 'user:five' };
    const socket = await openSocket(service.url, { headers });
    await socket.init();
    const sent = JSON.stringify({
      id: '1',
      type: 'subscribe',
      payload: { query: mutation, variables: { input } },
    });
    socket.send(sent);
    await socket.next('the end', ({ type }) => type === 'complete');
    socket.socket.close();
    const told = await rows('actor=user:five');
    expect(told.map((row) => [row.endpoint, row.request_sha256, row.response_status])).toEqual([
      ['GraphQL mutation capture', keyed(sent), 202],
      ['GraphQL mutation capture', keyed(sent), 202],
      ['GraphQL mutation capture', keyed(body), 202],
      ['GraphQL mutation capture', keyed(body), 202],
    ]);
    expect(new Set(told.map(({ event_id }) => event_id)).size).toBe(4);
  });

  it('tells of a refusal, whatever was asked for', async () => {
    const path = 'org:rows/ws:shut';
    await denyIn(path, ['scope.write', 'scope.read.local']);
    const by = as('user:six');
    expectCode(await service.post('/v1/experience', message(path, 'no'), by), 'POLICY_DENIED');
    expectCode(await service.get(`/v1/events?scope=${path}`, by), 'POLICY_DENIED');
    const asked = await ask(service, `{ events(scope: "${path}") { nodes { id } } }`, undefined, by);
    expect(asked.errors?.[0].extensions.code).toBe('POLICY_DENIED');
    const told = await rows('actor=user:six&decision=deny');
    expect(
      told.map((row) => [row.endpoint, row.capability, row.decided_by_tier, row.response_status]),
    ).toEqual([
      ['GraphQL query events', 'scope.read.local', 'scope', 403],
      ['GET /v1/events', 'scope.read.local', 'scope', 403],
      ['POST /v1/experience', 'scope.write', 'scope', 403],
    ]);
    expect(await rows('actor=user:six&decision=allow')).toEqual([]);
  });

  it('tells of the refusals within a bulk too', async () => {
    const other = { observed_actor: { id: 'user:other' } };
    await denyIn('org:rows/user:7', ['scope.write.on_behalf_of']);
    const items = [message('org:rows', 'mine'), message('org:rows/user:7', 'yours', other)];
    const { status } = await service.post('/v1/experience/bulk', { items }, as('user:seven'));
    expect(status).toBe(207);
    const told = await rows('actor=user:seven');
    expect(told.map((row) => [row.decision, row.capability, row.scope, row.response_status])).toEqual([
      ['deny', 'scope.write.on_behalf_of', 'org:rows/user:7', 207],
      ['allow', 'scope.write', null, 207],
    ]);
  });
});

describe('rows of others', () => {
  it('are shown where their scope may be read, without ids of tokens, and all of them to one who is admin by name', async () => {
    const members = [{ actor: 'user:keeper', role: 'owner' }];
    await service.post('/v1/scopes', { path: 'org:vault', members });
    await service.post('/v1/experience', message('org:vault', 'x'), as('user:keeper'));
    const keeper = await mintFrom(service, { subject: 'user:keeper' });
    await service.post('/v1/experience', message('org:lobby', 'x'), {
      headers: bearer(keeper.token, 'user:keeper'),
    });
    const [lobby, mint, vault] = (await service.get('/v1/audit?limit=3')).json.items;
    expect([lobby.scope, mint.scope, vault.scope]).toEqual(['org:lobby', null, 'org:vault']);
    expect(lobby.token_jti).toBe(keeper.jti);

    const ids = async (who: object): Promise<string[]> => (await rows('', who)).map(({ id }) => id as string);
    const one = (who: object, id: string) => service.get(`/v1/audit/${id}`, who);
    const stranger = await holder('user:stranger');
    const shown = await ids(stranger);
    expect([lobby, mint, vault].map(({ id }) => shown.includes(id as string))).toEqual([true, false, false]);
    expect((await one(stranger, lobby.id)).json).toEqual({ ...lobby, token_jti: null });
    for (const { id } of [mint, vault]) {
      expectCode(await one(stranger, id), 'NOT_FOUND');
      const guess = { audit_id: id, body: 'x' };
      expectCode(await service.post('/v1/audit/verify', guess, stranger), 'NOT_FOUND');
    }
    expect(await ids({ headers: bearer(keeper.token, 'user:keeper') })).toContain(vault.id);
    const admin = await holder('user:stranger', ['audit.*', 'admin']);
    expect(await ids(admin)).toEqual(await ids({}));
    expect((await one(admin, lobby.id)).json).toEqual(lobby);
  });

  it('are not there for whoever may not read them', async () => {
    await service.post('/v1/experience', message('org:own', 'x'), as('user:own'));
    const [own] = await rows('actor=user:own');
    await service.post('/v1/experience', message('org:own', 'x'), as('user:else'));
    const [other] = await rows('actor=user:else');
    const by = await holder('user:own', ['audit.read']);
    expect(await rows('', by)).toEqual([own]);
    expect((await service.get(`/v1/audit/${own.id}`, by)).status).toBe(200);
    const hidden = await service.get(`/v1/audit/${other.id}`, by);
    const unknown = await service.get(`/v1/audit/audit_${'0'.repeat(32)}`, by);
    for (const answer of [hidden, unknown]) expectCode(answer, 'NOT_FOUND');
    const { request_id: _, ...told } = hidden.json;
    expect(unknown.json).toMatchObject(told);
    expectCode(await service.get('/v1/audit?actor=user:else', by), 'POLICY_DENIED');
    expectCode(await service.get('/v1/audit/chain?actor=user:else', by), 'POLICY_DENIED');
    expect((await service.post('/v1/audit/verify', { audit_id: other.id, body: '' }, by)).status).toBe(404);
    expect((await service.get('/v1/audit/chain', by)).status).toBe(200);
  });

  it('of another tenant are not there, but by id for the operator', async () => {
    const elsewhere = service.anotherTenant();
    const there = { headers: { 'x-strata-tenant': elsewhere } };
    await service.post('/v1/experience', message('org:own', 'x'), there);
    const [row] = await rows('', there);
    expect(row.tenant_id).toBe(elsewhere);
    expect((await service.get('/v1/audit/chain', there)).json.length).toBe(1);
    expect(await rows('scope=org:own/*')).not.toContainEqual(row);
    expect((await service.get(`/v1/audit/${row.id}`)).json).toEqual(row);
  });
});

describe('a verification', () => {
  it('of a row compares the body that it was made for', async () => {
    const body = JSON.stringify(message('org:verify', 'what was sent'));
    await service.post('/v1/experience', undefined, { raw: body, ...as('user:verify') });
    const [row] = await rows('actor=user:verify');
    const right = await service.post('/v1/audit/verify', { audit_id: row.id, body });
    expect(right.json).toEqual({
      valid: true,
      audit_id: row.id,
      request_sha256: keyed(body),
      computed_sha256: keyed(body),
      row_hash_valid: true,
    });
    const wrong = await service.post('/v1/audit/verify', { audit_id: row.id, body: `${body} ` });
    expect(wrong.json).toMatchObject({ valid: false, row_hash_valid: true });
    expectCode(await service.post('/v1/audit/verify', { audit_id: 'audit_x', body }), 'NOT_FOUND');
    expectCode(await service.post('/v1/audit/verify', { audit_id: row.id }), 'INVALID_BODY');
    const text = `query Q($input: AuditVerifyInput!) { verifyAudit(input: $input) { valid } auditRow(id: "${row.id}") { hash } }`;
    const { data } = await ask(service, text, { input: { auditId: row.id, body } });
    expect(data).toEqual({ verifyAudit: { valid: true }, auditRow: { hash: row.hash } });
  });

  it('of the chain says that it holds, alike on both transports', async () => {
    const { json } = await service.post('/v1/audit/chain/verify', {});
    expect(json).toEqual({
      valid: true,
      head_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      length: expect.any(Number),
      legacy_rows: 0,
      removed_rows: 0,
      removed_hash: '0'.repeat(64),
      algorithm: 'sha256-chain-v1',
    });
    const { valid: _, ...head } = json;
    expect((await service.get('/v1/audit/chain')).json).toEqual(head);
    const { data } = await ask(
      service,
      '{ verifyAuditChain { valid length firstBrokenIndex } auditChain { headHash } }',
    );
    expect(data).toEqual({
      verifyAuditChain: { valid: true, length: json.length, firstBrokenIndex: null },
      auditChain: { headHash: json.head_hash },
    });
  });
});
