import type { Answer } from '../support/client.ts';
import { query } from '../support/database.ts';
import { statement } from '../support/facts.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { ask } from './graphql/ask.ts';
import { expectCode, expectProblem } from './problem.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const text = (scope: string, said: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  scope,
  modality: 'document',
  content: { kind: 'text', text: said },
  ...more,
});
const send = (body: Record<string, unknown>): Promise<Answer> => service.post('/v1/experience', body);
const list = async (scope: string): Promise<any[]> =>
  (await service.get(`/v1/suppressions?scope=${scope}`)).json.items;

/** Captures something and waits until it is derived; answers the id of its event. */
async function captured(body: Record<string, unknown>): Promise<string> {
  const answer = await service.post('/v1/experience?wait=consolidated', body);
  expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
  return answer.json.event_id;
}

/** Forgets with `suppress`; answers the suppression. */
async function suppress(scope: string, more: Record<string, unknown>): Promise<string> {
  const body = { scope, cascade: 'redact_events', suppress: true, ...more };
  const { status, json } = await service.post('/v1/forget', body);
  expect([status, json.suppression_id]).toEqual([200, expect.stringMatching(/^supp_[0-9a-f]{32}$/)]);
  return json.suppression_id;
}

function expectSuppressed(answer: Answer, suppression_id: string): void {
  expectCode(answer, 'SUPPRESSED');
  expect(answer.json.details).toEqual({ suppression_id });
}

describe('what was forgotten with suppress', () => {
  it('is refused when it comes again, in whatever envelope, and counted', async () => {
    const scope = 'org:suppress/ws:again';
    await captured(text(scope, 'the secret', { idempotency_key: 'k1' }));
    const other = await captured(text(scope, 'something else'));
    const id = await suppress(scope, { confirm_all: true });
    expectSuppressed(await send(text(scope, 'the secret')), id);
    const around = {
      idempotency_key: 'k2',
      metadata: { a: 1 },
      context: { labels: ['x'] },
      modality: 'note',
    };
    expectSuppressed(await send(text(scope, 'the secret', around)), id);
    expectSuppressed(
      await send(text(scope, 'something else', { on_conflict: 'replace', idempotency_key: 'k1' })),
      id,
    );
    const [found] = await list(scope);
    expect(found).toEqual({
      id,
      scope,
      created_at: expect.any(String),
      created_by: 'user:local',
      contents: 2,
      refused: 3,
    });
    expect((await send(text(scope, 'the secret!'))).status).toBe(202);
    expect((await send(text(`${scope}/app:a`, 'the secret'))).status).toBe(202);
    expect((await service.get(`/v1/events/${other}`)).status).toBe(404);
    expect((await service.get(`/v1/events?scope=${scope}`)).json.items).toHaveLength(1);
  });

  it('is a statement as well as a text, under whatever id it was selected', async () => {
    const scope = 'org:suppress/ws:triple';
    await captured(statement(scope, ['ada', 'likes', 'tea']));
    await captured(statement(scope, ['bob', 'likes', 'tea']));
    const [fact] = (await service.get(`/v1/facts?scope=${scope}&subject=ada`)).json.items;
    const id = await suppress(scope, { selector: { memory_ids: [fact.id] } });
    expectSuppressed(await send(statement(scope, ['ada', 'likes', 'tea'])), id);
    expect((await send(statement(scope, ['bob', 'likes', 'tea']))).status).toBe(202);
  });

  it('fails in a bulk alone, and takes a strict one with it', async () => {
    const scope = 'org:suppress/ws:bulk';
    await captured(text(scope, 'gone'));
    const id = await suppress(scope, { confirm_all: true });
    const items = [text(scope, 'one'), text(scope, 'gone'), text(scope, 'two')];
    const partial = await service.post('/v1/experience/bulk', { items });
    expect([partial.status, partial.json.accepted]).toEqual([207, 2]);
    expect(partial.json.failures).toEqual([
      { index: 1, error_code: 'SUPPRESSED', error: expect.any(String), details: { suppression_id: id } },
    ]);
    const strict = await service.post('/v1/experience/bulk', { items, ordering: 'strict_temporal' });
    expectProblem(strict, { status: 409, code: 'SUPPRESSED' });
    expect((await service.get(`/v1/events?scope=${scope}`)).json.items).toHaveLength(2);
    expect((await list(scope))[0].refused).toBe(2);
  });

  it('may be captured again once that is lifted, and nothing of it is left', async () => {
    const scope = 'org:suppress/ws:lift';
    await captured(text(scope, 'twice'));
    const first = await suppress(scope, { confirm_all: true });
    await captured(text(scope, 'other'));
    const second = await suppress(scope, { confirm_all: true });
    expect((await list(scope)).map(({ id }) => id)).toEqual([second, first]);
    const page = await service.get(`/v1/suppressions?scope=${scope}&limit=1`);
    expect(page.json).toMatchObject({ items: [{ id: second }], has_more: true });
    const rest = await service.get(`/v1/suppressions?scope=${scope}&cursor=${page.json.next_cursor}`);
    expect(rest.json).toMatchObject({ items: [{ id: first }], has_more: false });
    expect((await service.request('DELETE', `/v1/suppressions/${first}`)).status).toBe(204);
    expect((await send(text(scope, 'twice'))).status).toBe(202);
    expectSuppressed(await send(text(scope, 'other')), second);
    expectProblem(await service.request('DELETE', `/v1/suppressions/${first}`), {
      status: 404,
      code: 'NOT_FOUND',
    });
    const driver = service.driver();
    const left = await query(
      driver,
      'MATCH (c:SuppressedContent {suppression_id: $first}) RETURN c.hash AS hash',
      {
        first,
      },
    );
    await driver.close();
    expect(left).toEqual([]);
  });

  it('stays refused when the scope is deleted, and makes none', async () => {
    const scope = 'org:suppress/ws:deleted';
    await captured(text(scope, 'gone'));
    const id = await suppress(scope, { confirm_all: true });
    expect((await service.request('DELETE', `/v1/scopes?path=${scope}`)).status).toBe(204);
    expectSuppressed(await send(text(scope, 'gone')), id);
    expect((await service.get(`/v1/scopes?path=${scope}`)).status).toBe(404);
    expect(await list(scope)).toHaveLength(1);
  });

  it('is refused by what a preview kept, and by what is said beside its id', async () => {
    const scope = 'org:suppress/ws:preview';
    const all = { scope, confirm_all: true, cascade: 'redact_events' };
    for (const [said, shown, beside] of [
      ['in the preview', { suppress: true }, {}],
      ['beside its id', {}, { suppress: true }],
    ] as const) {
      await captured(text(scope, said));
      const preview = await service.post('/v1/forget/preview', { ...all, ...shown });
      const from_preview_id = preview.json.preview_id;
      const done = await service.post('/v1/forget', { scope, from_preview_id, ...beside });
      expectSuppressed(await send(text(scope, said)), done.json.suppression_id);
    }
    await captured(text(scope, 'a third'));
    const mild = await service.post('/v1/forget/preview', { scope, confirm_all: true });
    const from_preview_id = mild.json.preview_id;
    const refused = await service.post('/v1/forget', { scope, from_preview_id, suppress: true });
    expectProblem(refused, { status: 422, code: 'INVALID_BODY', field: 'suppress' });
  });

  it.each(['derived_only', 'none'])('is not said with %s', async (cascade) => {
    for (const path of ['/v1/forget', '/v1/forget/preview']) {
      const body = { scope: 'org:suppress/ws:bad', confirm_all: true, cascade, suppress: true };
      expectProblem(await service.post(path, body), { status: 422, code: 'INVALID_BODY', field: 'suppress' });
    }
  });

  it('is nothing where nothing is redacted, or nothing is said', async () => {
    const scope = 'org:suppress/ws:none';
    const body = { scope, confirm_all: true, cascade: 'redact_events' };
    expect((await service.post('/v1/forget', { ...body, suppress: true })).json.suppression_id).toBeNull();
    await captured(text(scope, 'gone'));
    expect((await service.post('/v1/forget', body)).json.suppression_id).toBeNull();
    expect((await send(text(scope, 'gone'))).status).toBe(202);
    expect(await list(scope)).toEqual([]);
  });

  it('is the same over GraphQL', async () => {
    const scope = 'org:suppress/ws:graphql';
    await captured(text(scope, 'gone'));
    const forget = `forget(input: {scope: "${scope}", confirmAll: true, cascade: redact_events, suppress: true}) { suppressionId }`;
    const { data } = await ask(service, `mutation { ${forget} }`);
    const { suppressionId } = data.forget;
    const input = `{scope: "${scope}", modality: "document", content: {text: {text: "gone"}}}`;
    const refused = await ask(service, `mutation { capture(input: ${input}) { eventId } }`);
    expect(refused.errors?.[0].extensions).toMatchObject({
      code: 'SUPPRESSED',
      details: { suppression_id: suppressionId },
    });
    const found = await ask(
      service,
      `{ suppressions(scope: "${scope}") { nodes { id contents refused createdBy } } }`,
    );
    expect(found.data.suppressions.nodes).toEqual([
      { id: suppressionId, contents: 1, refused: 1, createdBy: 'user:local' },
    ]);
    const lifted = await ask(service, `mutation { liftSuppression(id: "${suppressionId}") }`);
    expect(lifted.data).toEqual({ liftSuppression: true });
    expect((await send(text(scope, 'gone'))).status).toBe(202);
  });

  it('is of its tenant alone', async () => {
    const scope = 'org:suppress/ws:tenants';
    await captured(text(scope, 'gone'));
    const id = await suppress(scope, { confirm_all: true });
    const headers = { 'x-strata-tenant': service.anotherTenant() };
    expect((await service.post('/v1/experience', text(scope, 'gone'), { headers })).status).toBe(202);
    expect((await service.request('DELETE', `/v1/suppressions/${id}`, { headers })).status).toBe(404);
    expect((await service.get(`/v1/suppressions?scope=${scope}`, { headers })).json.items).toEqual([]);
  });
});

it('no plain hash of what was forgotten is kept, and nothing of what it said', async () => {
  const scope = 'org:suppress/ws:leak';
  await captured(text(scope, 'unlikely-to-be-said'));
  const id = await suppress(scope, { confirm_all: true });
  const driver = service.driver();
  const kept = await query<{ properties: Record<string, unknown> }>(
    driver,
    'MATCH (n) WHERE n.suppression_id = $id OR n.id = $id RETURN properties(n) AS properties',
    { id },
  );
  await driver.close();
  expect(kept).toHaveLength(2);
  expect(JSON.stringify(kept)).not.toContain('unlikely');
  const names = kept.flatMap(({ properties }) => Object.keys(properties)).sort();
  expect(names).toEqual(
    [
      ...['hash', 'scope_ref', 'suppression_id'],
      ...['actor', 'contents', 'created_at', 'id', 'number', 'refused', 'scope', 'scope_ref', 'tenant'],
    ].sort(),
  );
});
