import { FORGET_LAYERS } from '../../schemas/forget.ts';
import { scopeRef } from '../../src/capture/scope-key.ts';
import { readVerifyingKey } from '../../src/tokens/key.ts';
import { openReceipt } from '../../src/tokens/receipt.ts';
import { query } from '../support/database.ts';
import { derivedDump, unlike } from '../support/derived-dump.ts';
import { statement } from '../support/facts.ts';
import { holding } from '../support/holding.ts';
import { ownService } from '../support/own-service.ts';
import { allDerived, askForRebuild } from '../support/rebuild.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { erasingOn } from './erasures.ts';
import { expectProblem } from './problem.ts';

// Of what is erased nothing is left but places in the log and instants, the receipt says so, and it is looked for what is left.

const own = ownService({ STRATA_V1_MINTER_ENABLE: '1' });
const { stated, erased } = erasingOn(() => own.service);

/** A text with another character in the middle. */
function withOneOther(text: string): string {
  const at = Math.floor(text.length / 2);
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
}

it('leaves nothing of an event but its place in the log and its instant', async () => {
  const scope = 'org:erasures/ws:bare';
  const gone = await stated(scope, ['quillemina', 'likes', 'marzipan-7'], { idempotency_key: 'quill-key' });
  const stays = await stated(scope, ['orlando', 'likes', 'coffee']);
  expect(await holding(own.driver, ['marzipan-7', 'quillemina'])).not.toEqual([]);
  const record = await erased(scope, { selector: { memory_ids: [gone.event_id] } });
  expect(record).toMatchObject({
    status: 'completed',
    phase: 'done',
    error: null,
    counts: { events: 1, facts: 1, beliefs: 1, events_total: 1, events_done: 1 },
  });
  expect(await holding(own.driver, ['marzipan-7', 'quillemina', 'quill-key'])).toEqual([]);
  const [left] = await query(
    own.driver,
    'MATCH (e:Event {wal_offset: $offset}) RETURN properties(e) AS all',
    {
      offset: gone.wal_offset,
    },
  );
  expect(Object.keys(left?.all).sort()).toEqual(['recorded_at', 'wal_offset']);
  expect((await own.service.get(`/v1/events/${gone.event_id}`)).status).toBe(404);
  expect((await own.service.get(`/v1/events/${stays.event_id}`)).status).toBe(200);
  // The key is free, and what was said may be said again.
  const again = await stated(scope, ['quillemina', 'likes', 'marzipan-7'], { idempotency_key: 'quill-key' });
  expect(again.event_id).not.toBe(gone.event_id);
});

it('names in the receipt who was handed a file with what was in the scope', async () => {
  const [scope, other] = ['org:erasures/ws:exported', 'org:erasures/ws:beside'];
  const fact = await stated(scope, ['ada', 'owns', 'a boat']);
  await stated(other, ['ada', 'owns', 'a kite']);
  const { token } = await mintFrom(own.service, {
    subject: 'agent:exporter',
    caps: ['export', 'scope.read', 'scope.read.*'],
  });
  const headers = bearer(token, 'agent:exporter');
  const files = [
    `/v1/graph/export?format=graphml&view=descend&scope=org:erasures`,
    `/v1/provenance/${fact.event_id}/export?format=dot`,
  ];
  await own.service.get(`/v1/graph/export?format=dot&scope=${other}`);
  for (const file of files) expect((await own.service.get(file, { headers })).status).toBe(200);
  const { id } = await erased(scope, { confirm_all: true });
  const { json } = await own.service.get(`/v1/erasures/${id}/receipt`);
  const at = expect.stringMatching(/^2\d{3}-/);
  expect(json.claims.residue.uncontrollable).toEqual([
    { holder: 'caller agent:exporter', what: 'exports with what was in the scope', from: at, until: at },
  ]);
  const { json: rows } = await own.service.get('/v1/audit?actor=agent:exporter');
  expect(rows.items.map(({ endpoint }: { endpoint: string }) => endpoint).sort()).toEqual([
    'GET /v1/graph/export',
    'GET /v1/provenance/{id}/export',
  ]);
});

it('hands out a receipt that is verified without the service, and looks again', async () => {
  const scope = 'org:erasures/ws:receipt';
  await stated(scope, ['ada', 'likes', 'tea']);
  await stated(scope, ['ada', 'lives_in', 'oslo']);
  const { id, audit_id } = await erased(scope, { confirm_all: true, reason: 'Ada asked for it.' });
  const { status, json } = await own.service.get(`/v1/erasures/${id}/receipt`);
  expect(status).toBe(200);
  const key = await readVerifyingKey(json.kid, json.public_key);
  const claims = await openReceipt(json.receipt, key);
  expect(claims).toEqual(json.claims);
  expect(claims).toMatchObject({
    erasure_id: id,
    scope,
    status: 'completed',
    removed: { events: 2, facts: 2, beliefs: 2 },
    commitments: { count: 2 },
    audit: { audit_id, sequence: expect.any(Number), hash: expect.any(String) },
    residue: { undeclared: 0 },
  });
  await expect(openReceipt(withOneOther(json.receipt as string), key)).rejects.toMatchObject({
    code: 'INVALID_TOKEN_SIGNATURE',
  });
  const { items: rows } = (await own.service.get(`/v1/audit?scope=${scope}&capability=forget.gdpr&limit=50`))
    .json;
  expect(rows.filter(({ endpoint }: any) => endpoint === 'POST /v1/erasures')).toMatchObject([
    { id: audit_id, scope, response_status: 202 },
  ]);
  const verified = await own.service.post(`/v1/erasures/${id}/verify`, undefined);
  expect(verified.json).toMatchObject({
    verified: true,
    signature_valid: true,
    events_checked: 2,
    findings: [],
  });
  const frames = (await own.service.get(`/v1/lifecycle?job_id=${id}&limit=100`)).json.items;
  expect(frames.map(({ event }: any) => event)).toEqual(['erasure_progress', 'erasure_complete']);
  expect(frames.at(-1).data).toMatchObject({
    erasure_id: id,
    status: 'completed',
    note: 'Ada asked for it.',
  });
});

it('finds what was put back behind its back', async () => {
  const scope = 'org:erasures/ws:put-back';
  const { event_id: event, wal_offset: offset } = await stated(scope, ['bob', 'likes', 'tea']);
  const { id } = await erased(scope, { selector: { memory_ids: [event] } });
  await query(own.driver, `MATCH (e:Event {wal_offset: $offset}) SET e.text = 'bob likes tea'`, { offset });
  const { json } = await own.service.post(`/v1/erasures/${id}/verify`, undefined);
  expect(json).toMatchObject({
    verified: false,
    signature_valid: true,
    findings: [{ place: ':Event(wal_offset)', count: 1 }],
  });
});

it('leaves what a rebuild derives too', async () => {
  const scope = 'org:erasures/ws:rebuilt';
  const first = await stated(scope, ['cyd', 'lives_in', 'oslo']);
  await stated(scope, ['cyd', 'lives_in', 'rome']);
  await stated(scope, ['cyd', 'likes', 'tea'], { derived_from: [first.event_id] });
  const shown = await own.service.post('/v1/erasures/preview', {
    scope,
    selector: { memory_ids: [first.event_id] },
  });
  expect(shown.json).toMatchObject({
    refcount_breakdown: { in_scope_events: 1, events_to_delete: 1, events_to_redact: 0 },
    cross_scope_propagation: { affected_workspaces: [], requires_capability: null },
  });
  const done = await erased(scope, { from_preview_id: shown.json.preview_id });
  expect(done).toMatchObject({ status: 'completed', counts: shown.json.estimated_affected });
  await allDerived(own.driver);
  const left = await derivedDump(own.driver);
  await askForRebuild(own.database, scope);
  await allDerived(own.driver);
  expect(unlike(left, await derivedDump(own.driver))).toEqual({ lost: [], new: [] });
});

it('goes by the codes of the contract, and lists what it concerns', async () => {
  const scope = 'org:erasures/ws:codes';
  const { event_id: event } = await stated(scope, ['fay', 'likes', 'tea']);
  const { event_id: other } = await stated(scope, ['fay', 'likes', 'milk']);
  const forget = async (cascade: string): Promise<string> =>
    (await own.service.post('/v1/forget/preview', { scope, selector: { memory_ids: [event] }, cascade })).json
      .preview_id;
  const erase = (body: object) => own.service.post('/v1/erasures', { scope, ...body });
  expect((await erase({ from_preview_id: await forget('derived_only') })).json.error_code).toBe(
    'INVALID_CASCADE',
  );
  expect((await erase({ from_preview_id: 'ervw_0' })).json.error_code).toBe('UNKNOWN_PREVIEW_ID');
  const shown = (await own.service.post('/v1/erasures/preview', { scope, selector: { memory_ids: [event] } }))
    .json;
  const of = (url: string) =>
    own.service.get(url).then(({ text }) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  const listed = await of(shown.manifest_url);
  expect(listed).toContainEqual({ layer: 'events', id: event, action: 'delete' });
  for (const layer of FORGET_LAYERS) {
    const going = listed.filter((line) => line.layer === layer && /^(delete|remove)$/.test(line.action));
    expect([layer, going.length]).toEqual([layer, shown.estimated_affected[layer]]);
  }
  // A preview of an erasure is none of a forget.
  expect(
    (await own.service.post('/v1/forget', { scope, from_preview_id: shown.preview_id })).json.error_code,
  ).toBe('UNKNOWN_PREVIEW_ID');
  await erased(scope, { selector: { memory_ids: [event] } });
  expect((await erase({ from_preview_id: shown.preview_id })).json.error_code).toBe('SCOPE_STATE_CHANGED');
  // One of a forget with redact_events is taken.
  const preview = await own.service.post('/v1/forget/preview', {
    scope,
    selector: { memory_ids: [other] },
    cascade: 'redact_events',
  });
  const keyed = { from_preview_id: preview.json.preview_id, idempotency_key: 'once' };
  const first = await erase(keyed);
  expect(first.json).toMatchObject({ status: 'completed' });
  expect(await of(first.json.manifest_url)).toContainEqual({ layer: 'events', id: other, action: 'delete' });
  expect((await erase(keyed)).json).toEqual(first.json);
  expect((await erase({ confirm_all: true, idempotency_key: 'once' })).json).toMatchObject({
    error_code: 'IDEMPOTENCY_CONFLICT',
    details: { field_path: 'idempotency_key' },
  });
  expect((await own.service.post(`/v1/erasures/${first.json.erasure_id}/cancel`, undefined)).status).toBe(
    404,
  );
});

it.each<[string, string | undefined, number, string]>([
  ['an empty body labelled JSON', undefined, 400, 'INVALID_BODY'],
  ['an unknown field', '{"reason":"x"}', 422, 'INVALID_BODY'],
  ['an empty object, of an erasure that is not there', '{}', 404, 'NOT_FOUND'],
])('takes a cancel with %s as it should', async (_what, raw, status, code) => {
  const answer = await own.service.request('POST', '/v1/erasures/ers_unknown/cancel', {
    ...(raw === undefined ? {} : { raw }),
    headers: { 'content-type': 'application/json' },
  });
  expectProblem(answer, { status, code });
});

it('takes what was concluded in other scopes, and keeps the ids that these name', async () => {
  const [here, there] = ['org:erasures/ws:here', 'org:erasures/ws:there'];
  const { event_id: event, wal_offset: offset } = await stated(here, ['gus', 'lives_in', 'oslo']);
  const premise = (await own.service.get(`/v1/facts?scope=${here}`)).json.items[0].id;
  await stated(there, ['gus', 'speaks', 'norwegian'], { derived_from: [event, premise] });
  expect((await own.service.get(`/v1/facts?scope=${there}`)).json.items).toHaveLength(1);
  const { json } = await own.service.post('/v1/erasures/preview', { scope: here, confirm_all: true });
  expect(json).toMatchObject({
    refcount_breakdown: { in_scope_events: 1, events_to_delete: 0, events_to_redact: 1 },
    cross_scope_propagation: {
      affected_workspaces: [there],
      requires_capability: 'forget.gdpr.cross_workspace',
    },
  });
  expect(await erased(here, { confirm_all: true })).toMatchObject({ status: 'completed' });
  expect((await own.service.get(`/v1/facts?scope=${there}`)).json.items).toEqual([]);
  const [left] = await query(
    own.driver,
    'MATCH (e:Event {wal_offset: $offset}) RETURN e.id AS id, e.text AS text',
    { offset },
  );
  expect(left).toEqual({ id: event, text: null });
});

it('leaves what an erased event had taken the place of taken out, also when all is derived anew', async () => {
  const scope = 'org:erasures/ws:replaced';
  const old = await stated(scope, ['jon', 'likes', 'tea'], { idempotency_key: 'same' });
  const later = await stated(scope, ['jon', 'likes', 'milk'], {
    idempotency_key: 'same',
    on_conflict: 'replace',
  });
  expect(await erased(scope, { selector: { memory_ids: [later.event_id] } })).toMatchObject({
    status: 'completed',
  });
  const nothing = async (): Promise<void> => {
    expect((await own.service.get(`/v1/facts?scope=${scope}`)).json.items).toEqual([]);
    expect((await own.service.get(`/v1/events?scope=${scope}`)).json.items).toEqual([]);
    expect((await own.service.get(`/v1/events/${old.event_id}`)).status).toBe(404);
  };
  await nothing();
  await askForRebuild(own.database, scope);
  await allDerived(own.driver);
  await nothing();
});

it('passes over events that are held, and counts them', async () => {
  const scope = 'org:erasures/ws:held';
  const { event_id: held } = await stated(scope, ['hal', 'likes', 'tea']);
  const { event_id: gone } = await stated(scope, ['hal', 'likes', 'milk']);
  const hold = { id: 'case-1', scope: 'org:erasures', reason: 'A court asked for it.' };
  expect(
    (
      await own.service.request('PUT', '/v1/legal-holds', {
        body: { ...hold, selector: { memory_ids: [held] } },
      })
    ).status,
  ).toBe(200);
  const shown = await own.service.post('/v1/erasures/preview', { scope, confirm_all: true });
  expect(shown.json).toMatchObject({
    legal_holds: ['case-1'],
    refcount_breakdown: { in_scope_events: 2, events_to_delete: 1, events_under_legal_hold: 1 },
  });
  expect(await erased(scope, { from_preview_id: shown.json.preview_id })).toMatchObject({
    status: 'completed',
    counts: { events: 1, facts: 1, events_under_legal_hold: 1 },
  });
  // A preview of a forget, which would be refused, is executed without what is held.
  const forget = await own.service.post('/v1/forget/preview', {
    scope,
    selector: { memory_ids: [held] },
    cascade: 'redact_events',
  });
  expect(await erased(scope, { from_preview_id: forget.json.preview_id })).toMatchObject({
    counts: { events: 0, events_under_legal_hold: 1 },
  });
  expect((await own.service.get(`/v1/events/${held}`)).status).toBe(200);
  expect((await own.service.get(`/v1/events/${gone}`)).status).toBe(404);
  expect((await own.service.get(`/v1/facts?scope=${scope}`)).json.items).toHaveLength(1);
});

it('fails where something is left that rests on nothing, and says where', async () => {
  const scope = 'org:erasures/ws:left';
  const { event_id: event } = await stated(scope, ['ida', 'likes', 'tea']);
  await query(own.driver, `CREATE (:Entity {key: 'stray', scope_ref: $ref, position: 1, name: 'Ida'})`, {
    ref: scopeRef('default', scope),
  });
  const started = await own.service.post('/v1/erasures', { scope, selector: { memory_ids: [event] } });
  expect([started.status, started.json]).toMatchObject([
    502,
    { error_code: 'ERASURE_BACKEND_FAILED', details: { erasure_id: expect.stringMatching(/^ers_/) } },
  ]);
  const { json } = await own.service.get(`/v1/erasures/${started.json.details.erasure_id}`);
  expect(json).toMatchObject({
    status: 'failed',
    error: {
      error_code: 'ERASURE_BACKEND_FAILED',
      message: 'something is left in :Entity that nothing names (1)',
    },
  });
  await query(own.driver, `MATCH (x:Entity {key: 'stray'}) DELETE x`);
});

it('keeps what was erased from being captured again, when asked', async () => {
  const scope = 'org:erasures/ws:suppressed';
  const { event_id: event } = await stated(scope, ['mia', 'likes', 'tea']);
  const shown = await own.service.post('/v1/erasures/preview', {
    scope,
    selector: { memory_ids: [event] },
    suppress: true,
  });
  const { json } = await own.service.post('/v1/erasures', { scope, from_preview_id: shown.json.preview_id });
  expect(json).toMatchObject({ status: 'completed', suppression_id: expect.stringMatching(/^supp_/) });
  const again = await own.service.post('/v1/experience', statement(scope, ['mia', 'likes', 'tea']));
  expect([again.status, again.json]).toMatchObject([
    409,
    { error_code: 'SUPPRESSED', details: { suppression_id: json.suppression_id } },
  ]);
  expect((await own.service.request('DELETE', `/v1/suppressions/${json.suppression_id}`)).status).toBe(204);
  await stated(scope, ['mia', 'likes', 'tea']);
});
