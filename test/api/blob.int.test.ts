import { createHash, randomBytes } from 'node:crypto';

import type { Driver } from 'neo4j-driver';

import { BLOB_CHUNK_BYTES, MAX_BLOB_BYTES } from '../../src/limits.ts';
import { message, operatorHeaders, type Answer } from '../support/client.ts';
import { query } from '../support/database.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { eventually } from '../support/wait.ts';
import { blobIdOf, blobOf, upload } from './blobs.ts';
import { ask } from './graphql/ask.ts';
import { expectProblem } from './problem.ts';

let service: SharedService;
let driver: Driver;
let elsewhere: Record<string, string>;

beforeAll(() => {
  service = sharedService();
  elsewhere = { 'x-strata-tenant': service.anotherTenant() };
  driver = service.driver();
});
afterAll(async () => {
  await driver.close();
});

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
const as = (actor: string): Record<string, string> => ({ 'x-strata-actor': actor });

/** The bytes that are answered, which are no text. */
async function download(
  id: string,
  headers: Record<string, string> = {},
): Promise<{ answer: Response; bytes: Buffer }> {
  const answer = await fetch(`${service.url}/v1/blobs/${id}`, {
    headers: { ...operatorHeaders(), ...headers },
  });
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
}

/** Captures an event that refers to a blob; answers its id. */
async function refer(blob: string, more: Record<string, unknown> = {}): Promise<string> {
  const { json, status, text } = await service.post('/v1/experience', {
    scope: 'org:blobs',
    modality: 'observation',
    content: { kind: 'blob_ref', blob_id: blob },
    ...more,
  });
  if (status !== 202) throw new Error(text);
  return json.event_id as string;
}

const remove = (id: string, headers: Record<string, string> = {}): Promise<Answer> =>
  service.request('DELETE', `/v1/blobs/${id}`, { headers });
const cancel = (id: string): Promise<Answer> => service.post(`/v1/lifecycle/memory-event/${id}/cancel`, {});

/** Chunks with these bytes, whoever owns them. */
async function chunksOf(text: string): Promise<number> {
  const bytes = Int8Array.from(Buffer.from(text));
  const [row] = await query(driver, 'MATCH (c:BlobChunk {bytes: $bytes}) RETURN count(c) AS count', {
    bytes,
  });
  return row!.count as number;
}

describe('an upload', () => {
  it('answers what was stored, and the same again for the same bytes', async () => {
    const text = `hello ${service.tenant}`;
    const first = await upload(service, text, { 'content-type': 'Text/Plain;Charset=UTF-8' });
    expect([first.status, first.json]).toEqual([
      201,
      {
        blob_id: blobIdOf(text),
        size_bytes: text.length,
        content_type: 'text/plain; charset=utf-8',
        sha256: sha256(text),
      },
    ]);
    expect(await chunksOf(text)).toBe(1);
    const again = await upload(service, text, { 'content-type': 'image/png' });
    expect([again.status, again.json]).toEqual([201, first.json]);
    expect(await chunksOf(text)).toBe(1);
  });

  it('is another blob for another uploader, tenant or bytes', async () => {
    const ids = [
      await upload(service, 'same'),
      await upload(service, 'same', as('user:other')),
      await upload(service, 'same', elsewhere),
      await upload(service, 'same!'),
    ].map(({ json }) => json.blob_id as string);
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^blob_[A-Za-z0-9_-]+$/);
  });

  it('keeps bytes of any kind up to 32 MiB, and answers them whole and in part', async () => {
    const bytes = new Uint8Array(randomBytes(MAX_BLOB_BYTES));
    const { json, status } = await upload(service, bytes, { 'content-type': 'application/x-tar' });
    expect([status, json.size_bytes, json.sha256]).toEqual([201, MAX_BLOB_BYTES, sha256(bytes)]);
    const whole = await download(json.blob_id);
    expect([whole.answer.status, whole.answer.headers.get('content-type'), sha256(whole.bytes)]).toEqual([
      200,
      'application/x-tar',
      json.sha256,
    ]);
    expect(whole.answer.headers.get('etag')).toBe(`"${json.sha256 as string}"`);
    const ranges: [number, number][] = [
      [0, 0],
      [BLOB_CHUNK_BYTES - 2, BLOB_CHUNK_BYTES + 1],
      [3 * BLOB_CHUNK_BYTES, 5 * BLOB_CHUNK_BYTES - 1],
      [MAX_BLOB_BYTES - 1, MAX_BLOB_BYTES - 1],
    ];
    for (const [from, to] of ranges) {
      const part = await download(json.blob_id, { range: `bytes=${from}-${to}` });
      expect([part.answer.status, part.answer.headers.get('content-range')]).toEqual([
        206,
        `bytes ${from}-${to}/${MAX_BLOB_BYTES}`,
      ]);
      expect(part.bytes.equals(bytes.subarray(from, to + 1))).toBe(true);
    }
    expect((await remove(json.blob_id)).json.bytes_deleted).toBe(true);
  });

  it('that several send at once is one blob', async () => {
    const bytes = new Uint8Array(randomBytes(BLOB_CHUNK_BYTES + 7));
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload(service, bytes)));
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.blob_id as string}`)).size).toBe(1);
    const { bytes: stored } = await download(answers[0]!.json.blob_id);
    expect(stored.equals(bytes)).toBe(true);
  });

  it('is refused when it is empty, too large, multipart or labelled with no media type', async () => {
    expectProblem(await upload(service, ''), { status: 422, code: 'INVALID_BODY' });
    const large = await upload(service, new Uint8Array(MAX_BLOB_BYTES + 1));
    expectProblem(large, { status: 413, code: 'PAYLOAD_TOO_LARGE' });
    const form = await upload(service, 'x', { 'content-type': 'multipart/form-data; boundary=x' });
    expect([form.status, form.json.error_code]).toEqual([415, 'unsupported_media_type']);
    expectProblem(await upload(service, 'x', { 'content-type': 'nonsense' }), {
      status: 400,
      code: 'INVALID_HEADER',
    });
  });
});

describe('a blob to which no event refers', () => {
  it('is for its uploader; to anybody else it is not there', async () => {
    const { json } = await upload(service, 'mine', as('user:mine'));
    expect((await download(json.blob_id, as('user:mine'))).bytes.toString()).toBe('mine');
    const [foreign, missing] = await Promise.all(
      [json.blob_id as string, 'blob_nothing'].map((id) =>
        service.get(`/v1/blobs/${id}`, { headers: as('user:thief') }),
      ),
    );
    for (const answer of [foreign!, missing!]) expectProblem(answer, { status: 404, code: 'NOT_FOUND' });
    expect(foreign!.json.message).toBe(missing!.json.message);
  });

  it('is deleted by its uploader alone, once, with its bytes', async () => {
    const { json } = await upload(service, 'short-lived', as('user:mine'));
    const [owner] = await query(driver, 'MATCH (b:Blob {id: $id}) RETURN b.body_id AS body', {
      id: json.blob_id,
    });
    expectProblem(await remove(json.blob_id), { status: 404, code: 'NOT_FOUND' });
    const gone = await remove(json.blob_id, as('user:mine'));
    expect([gone.status, gone.json]).toEqual([200, { blob_id: json.blob_id, bytes_deleted: true }]);
    expectProblem(await remove(json.blob_id, as('user:mine')), { status: 404, code: 'NOT_FOUND' });
    expect(
      (await service.get(`/v1/blobs/${json.blob_id as string}`, { headers: as('user:mine') })).status,
    ).toBe(404);
    const left = `OPTIONAL MATCH (b:BlobBody {id: $body}) WITH count(b) AS bodies
      RETURN bodies + COUNT { MATCH (:BlobChunk {body_id: $body}) } AS count`;
    await eventually('its bytes to go', async () => (await query(driver, left, owner))[0]!.count === 0);
    const back = await upload(service, 'short-lived', as('user:mine'));
    expect(back.json).toEqual(json);
  });
});

describe('a token of the uploader that is confined to scopes', () => {
  it('deletes what lies in none or in one of its own, and does not learn of what lies elsewhere', async () => {
    const { token } = await mintFrom(service, { subject: 'user:mine', scopes: ['*:org:here/*'] });
    const confined = bearer(token, 'user:mine');
    const [loose = '', here = '', away = ''] = await Promise.all(
      ['loose', 'here', 'away'].map(async (text) => {
        const { json } = await upload(service, `confined ${text}`, as('user:mine'));
        return json.blob_id as string;
      }),
    );
    for (const [scope, blob_id] of Object.entries({ 'org:here/app:x': here, 'org:away': away })) {
      const content = { kind: 'blob_ref', blob_id };
      const envelope = { scope, modality: 'observation', content };
      expect((await service.post('/v1/experience', envelope, { headers: as('user:mine') })).status).toBe(202);
    }
    const [hidden, absent] = [await remove(away, confined), await remove('blob_nothing', confined)];
    for (const answer of [hidden, absent]) expectProblem(answer, { status: 404, code: 'NOT_FOUND' });
    expect(hidden.json.message).toBe(absent.json.message);
    expect((await remove(loose, confined)).json).toEqual({ blob_id: loose, bytes_deleted: true });
    expect((await remove(here, confined)).status).toBe(200);
    expect((await remove(away, as('user:mine'))).status).toBe(200);
  });
});

describe('a blob to which events refer', () => {
  it('is for everybody who may read their scope, until the last of them is cancelled', async () => {
    const blob = await blobOf(service, 'shared');
    const first = await refer(blob);
    const second = await refer(blob);
    expect((await download(blob, as('user:reader'))).bytes.toString()).toBe('shared');
    expect((await remove(blob)).json).toEqual({ blob_id: blob, bytes_deleted: false });
    expect((await remove(blob)).status).toBe(404);
    expect((await cancel(first)).status).toBe(200);
    expect((await download(blob, as('user:reader'))).bytes.toString()).toBe('shared');
    expect((await cancel(second)).status).toBe(200);
    for (const headers of [{}, as('user:reader')])
      expect((await download(blob, headers)).answer.status).toBe(404);
    const [left] = await query(driver, 'MATCH (b:Blob {id: $blob}) RETURN count(b) AS blobs', { blob });
    expect(left!.blobs).toBe(0);
  });

  it('stays with its uploader when they are cancelled', async () => {
    const blob = await blobOf(service, 'kept by its uploader');
    await cancel(await refer(blob));
    expect((await download(blob)).answer.status).toBe(200);
    expect((await download(blob, as('user:reader'))).answer.status).toBe(404);
    expect((await remove(blob)).json.bytes_deleted).toBe(true);
  });

  it('goes with an event that is replaced, and stays with one that replaces it', async () => {
    const [old, both] = [await blobOf(service, 'old'), await blobOf(service, 'both')];
    const media = [{ blob_id: old }, { blob_id: both }, { blob_id: both }];
    const write = (content: Record<string, unknown>) =>
      service.post('/v1/experience', {
        ...message('org:blobs', 'one'),
        content: { kind: 'message', role: 'user', text: 'one', ...content },
        idempotency_key: 'replaced',
        on_conflict: 'replace',
      });
    await write({ media });
    expect((await remove(old)).json.bytes_deleted).toBe(false);
    expect((await write({ media: [{ blob_id: both }] })).json.replaces).toMatch(/^evt_/);
    expect((await remove(both)).json.bytes_deleted).toBe(false);
    expect((await download(old, as('user:reader'))).answer.status).toBe(404);
    expect((await download(both, as('user:reader'))).answer.status).toBe(200);
    await write({});
    expect((await download(both, as('user:reader'))).answer.status).toBe(404);
  });

  it('is used once by an event, however often it is captured', async () => {
    const blob = await blobOf(service, 'captured twice');
    const ids = [
      await refer(blob, { idempotency_key: 'twice' }),
      await refer(blob, { idempotency_key: 'twice' }),
    ];
    expect(ids[0]).toBe(ids[1]);
    const uses = await query(driver, 'MATCH (u:BlobUse {blob_id: $blob}) RETURN u {.*} AS use', { blob });
    expect(uses.map(({ use }) => use)).toEqual([
      expect.objectContaining({
        event_id: ids[0],
        tenant: service.tenant,
        scope: 'org:blobs',
        wal_offset: expect.any(Number),
      }),
    ]);
  });
});

describe('an envelope', () => {
  it('may not name a blob that is unknown, of another tenant, or for others to read', async () => {
    const foreign = (await upload(service, 'secret', as('user:other'))).json.blob_id as string;
    const distant = (await upload(service, 'secret', elsewhere)).json.blob_id as string;
    for (const blob of ['blob_nothing', foreign, distant]) {
      const single = await service.post('/v1/experience', {
        scope: 'org:blobs',
        modality: 'observation',
        content: { kind: 'blob_ref', blob_id: blob },
      });
      expectProblem(single, { status: 422, code: 'INVALID_BODY', field: 'content.blob_id' });
      expect(single.json.message).toBe(`content.blob_id: no such blob: ${blob}`);
    }
    const known = await blobOf(service, 'known');
    const media = [{ blob_id: known }, { blob_id: foreign }];
    const items = [message('org:blobs', 'good'), message('org:blobs', 'bad')];
    items[1]!.content = { kind: 'message', role: 'user', text: 'bad', media };
    const { status, json } = await service.post('/v1/experience/bulk', { items });
    expect([status, json.failures]).toEqual([
      207,
      [
        expect.objectContaining({
          index: 1,
          details: { field_path: 'content.media[1].blob_id', reason: 'unknown id' },
        }),
      ],
    ]);
    expect((await download(foreign)).answer.status).toBe(404);
  });

  it('leaves no use behind when its blob goes before it is committed', async () => {
    const blob = await blobOf(service, 'in a race');
    const outcomes = await Promise.all([
      remove(blob),
      refer(blob).catch(() => null),
      refer(blob).catch(() => null),
    ]);
    const [row] = await query(
      driver,
      `OPTIONAL MATCH (b:Blob {id: $blob}) WITH count(b) AS blobs
       OPTIONAL MATCH (u:BlobUse {blob_id: $blob}) RETURN blobs, count(u) AS uses`,
      { blob },
    );
    expect(outcomes[0].json.bytes_deleted).toBe(row!.uses === 0);
    expect(row!.blobs > 0).toBe(row!.uses > 0);
  });
});

describe('GraphQL', () => {
  it('tells what a blob is, and deletes it', async () => {
    const blob = await blobOf(service, 'seen by GraphQL');
    const { data } = await ask(
      service,
      `{ blob(id: "${blob}") { id sizeBytes contentType sha256 createdAt } }`,
    );
    expect(data.blob).toEqual({
      id: blob,
      sizeBytes: 15,
      contentType: 'text/plain',
      sha256: sha256('seen by GraphQL'),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    const deletion = `mutation { deleteBlob(id: "${blob}") { blobId bytesDeleted } }`;
    expect((await ask(service, deletion)).data.deleteBlob).toEqual({ blobId: blob, bytesDeleted: true });
    expect((await ask(service, deletion)).errors?.[0].extensions.code).toBe('NOT_FOUND');
    const { errors } = await ask(service, `{ blob(id: "${blob}") { id } }`);
    expect(errors?.[0].extensions.code).toBe('NOT_FOUND');
  });
});

describe('bytes that no blob owns', () => {
  it('are removed when their time is over, and no earlier', async () => {
    const [late, early] = [`late ${service.tenant}`, `early ${service.tenant}`];
    await query(
      driver,
      `UNWIND [[$late, 1], [$early, 4102444800000]] AS body
       CREATE (:BlobBody {id: body[0], remove_at: toInteger(body[1])})
       WITH body UNWIND range(0, 20) AS index
       CREATE (:BlobChunk {body_id: body[0], index: index})`,
      { late, early },
    );
    // A deletion has them looked at.
    await remove(await blobOf(service, 'the cause'));
    const left = (): Promise<unknown[]> =>
      query(
        driver,
        `MATCH (b:BlobBody) WHERE b.id IN $both
         RETURN b.id AS id, COUNT { MATCH (c:BlobChunk {body_id: b.id}) } AS chunks`,
        { both: [late, early] },
      );
    await eventually('the late ones to go', async () => (await left()).length === 1);
    expect(await left()).toEqual([{ id: early, chunks: 21 }]);
    expect(await query(driver, `MATCH (c:BlobChunk {body_id: $late}) RETURN c`, { late })).toEqual([]);
  });
});
