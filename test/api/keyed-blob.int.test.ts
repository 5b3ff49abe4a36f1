import { createHash, randomBytes } from 'node:crypto';

import type { Driver } from 'neo4j-driver';

import { BLOB_CHUNK_BYTES, MAX_BLOB_KEY_LENGTH } from '../../src/limits.ts';
import { uploadKeyHasher } from '../../src/capture/upload-key.ts';
import { operatorHeaders, TEST_SUPPRESSION_KEY, type Answer } from '../support/client.ts';
import { query } from '../support/database.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { eventually } from '../support/wait.ts';
import { upload, uploadKeyed } from './blobs.ts';
import { ask } from './graphql/ask.ts';
import { expectProblem } from './problem.ts';

const protocol = 'keyed-blob-v1';
const UNKNOWN = { protocol, found: false, blob_id: null, status: 'unknown' };

let service: SharedService;
let driver: Driver;

beforeAll(() => {
  service = sharedService();
  driver = service.driver();
});
afterAll(async () => {
  await driver.close();
});

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
const as = (actor: string): Record<string, string> => ({ 'x-strata-actor': actor });
const named = (key: string, headers = {}) => ({ headers: { 'x-strata-idempotency-key': key, ...headers } });
const status = (key: string, headers = {}): Promise<Answer> =>
  service.get('/v1/blobs/idempotent/status', named(key, headers));
const retire = (key: string, headers = {}): Promise<Answer> =>
  service.request('DELETE', '/v1/blobs/idempotent', named(key, headers));
const read = (id: string, headers = {}): Promise<Answer> => service.get(`/v1/blobs/${id}`, { headers });

/** Uploads a text under a key; answers the id of its blob. */
async function keyed(key: string, text: string, headers = {}): Promise<string> {
  const answer = await uploadKeyed(service, key, text, headers);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json.blob_id as string;
}

/** Captures an event that refers to a blob; answers its id. */
async function refer(blob_id: string, scope = 'org:keyed', headers = {}): Promise<string> {
  const content = { kind: 'blob_ref', blob_id };
  const answer = await service.post('/v1/experience', { scope, modality: 'document', content }, { headers });
  if (answer.status !== 202) throw new Error(answer.text);
  return answer.json.event_id as string;
}

const cancel = (id: string): Promise<Answer> => service.post(`/v1/lifecycle/memory-event/${id}/cancel`, {});

function expectRetired(answer: Answer): void {
  expectProblem(answer, { status: 409, code: 'IDEMPOTENCY_CONFLICT' });
  expect(answer.json.details).toEqual({ reason: 'retired' });
}

describe('an upload under a key', () => {
  it('is answered the same each time, in the keys of the protocol', async () => {
    expect([(await status('one')).status, (await status('one')).json]).toEqual([200, UNKNOWN]);
    const type = { 'content-type': 'Text/Plain;Charset=UTF-8; b="a"' };
    const first = await uploadKeyed(service, 'one', 'a visa', type);
    const described = {
      size_bytes: 6,
      content_type: 'text/plain; b=a; charset=utf-8',
      sha256: sha256('a visa'),
    };
    const { blob_id } = first.json;
    expect([first.status, first.json]).toEqual([200, { protocol, blob_id, ...described }]);
    expect(blob_id).toMatch(/^blob_[A-Za-z0-9_-]{1,187}$/);
    const live = await status('one');
    expect([live.status, live.json]).toEqual([
      200,
      { protocol, found: true, blob_id, status: 'live', ...described },
    ]);
    const again = await uploadKeyed(service, 'one', 'a visa', { 'content-type': 'image/png' });
    expect([again.status, again.json]).toEqual([200, first.json]);
    expect((await read(blob_id)).text).toBe('a visa');
    const bodies = 'MATCH (b:BlobBody {sha256: $sha256}) RETURN b';
    expect(await query(driver, bodies, { sha256: sha256('a visa') })).toEqual([]);
  });

  it('of other bytes is a conflict', async () => {
    await keyed('two', 'first');
    const other = await uploadKeyed(service, 'two', 'second');
    expectProblem(other, { status: 409, code: 'IDEMPOTENCY_CONFLICT' });
    expect((await status('two')).json.sha256).toBe(sha256('first'));
  });

  it('is a blob of its own, which no hash can be tried on', async () => {
    const ids = [
      await keyed('three', 'the same'),
      await keyed('four', 'the same'),
      await keyed('three', 'the same', as('user:other')),
      (await upload(service, 'the same')).json.blob_id as string,
    ];
    expect(new Set(ids).size).toBe(4);
    expect((await retire('three')).json.bytes_deleted).toBe(true);
    for (const id of ids.slice(1, 2).concat(ids.slice(3))) expect((await read(id)).status).toBe(200);
    expect((await read(ids[2]!, as('user:other'))).text).toBe('the same');
  });

  it('takes the header of any family, and refuses two that differ', async () => {
    const aliased = { 'x-strata-idempotency-key': null, 'x-cortex-idempotency-key': 'five' };
    const headers = { ...aliased, 'content-type': 'text/plain' };
    const first = await service.request('POST', '/v1/blobs/idempotent', { raw: 'alias', headers });
    expect(first.status).toBe(200);
    expect((await status('five')).json.blob_id).toBe(first.json.blob_id);
    const both = await status('five', { 'x-cortex-idempotency-key': 'six' });
    expectProblem(both, { status: 400, code: 'INVALID_HEADER' });
  });

  it.each([
    ['none', null],
    ['an empty one', ''],
    ['one that is too long', 'k'.repeat(MAX_BLOB_KEY_LENGTH + 1)],
    ['one with a blank', 'a b'],
    ['one beyond ASCII', 'schlÃ¼ssel'],
  ])('asks for a good key: %s is refused by each of the calls', async (_what, key) => {
    const headers = { 'x-strata-idempotency-key': key, 'content-type': 'text/plain' };
    const answers = [
      await service.request('POST', '/v1/blobs/idempotent', { raw: 'x', headers }),
      await service.get('/v1/blobs/idempotent/status', { headers }),
      await service.request('DELETE', '/v1/blobs/idempotent', { headers }),
    ];
    for (const answer of answers) {
      expectProblem(answer, { status: 422, code: 'INVALID_IDEMPOTENCY_KEY' });
      expect(answer.json.details.header).toBe('x-strata-idempotency-key');
    }
  });

  it('takes the longest key, and one of any visible characters', async () => {
    for (const key of ['k'.repeat(MAX_BLOB_KEY_LENGTH), `!"#$%&'()*+,-./09:;<=>?@AZ[\\]^_\`az{|}~`]) {
      const id = await keyed(key, 'long');
      expect((await status(key)).json).toMatchObject({ blob_id: id, status: 'live' });
    }
  });

  it('refuses the bytes that other uploads refuse, and keeps nothing of the key', async () => {
    expectProblem(await uploadKeyed(service, 'bad', ''), { status: 422, code: 'INVALID_BODY' });
    const form = await uploadKeyed(service, 'bad', 'x', {
      'content-type': 'multipart/form-data; boundary=x',
    });
    expect([form.status, form.json.error_code]).toEqual([415, 'unsupported_media_type']);
    const nonsense = await uploadKeyed(service, 'bad', 'x', { 'content-type': 'nonsense' });
    expectProblem(nonsense, { status: 400, code: 'INVALID_HEADER' });
    expect((await status('bad')).json).toEqual(UNKNOWN);
  });
});

describe('several at once', () => {
  it('of the same bytes are one blob', async () => {
    const bytes = new Uint8Array(randomBytes(BLOB_CHUNK_BYTES + 7));
    const good = await Promise.all(Array.from({ length: 6 }, () => uploadKeyed(service, 'at-once', bytes)));
    expect(good.map((answer) => answer.status)).toEqual(good.map(() => 200));
    expect(new Set(good.map(({ text }) => text)).size).toBe(1);
    const whole = await fetch(`${service.url}/v1/blobs/${good[0]!.json.blob_id as string}`, {
      headers: operatorHeaders(),
    });
    expect(sha256(new Uint8Array(await whole.arrayBuffer()))).toBe(sha256(bytes));
  });

  it('of different bytes: those that came first are kept, the others are told', async () => {
    const texts = Array.from({ length: 6 }, (_, i) => `text ${i}`);
    const answers = await Promise.all(texts.map((text) => uploadKeyed(service, 'differ', text)));
    const kept = answers.flatMap((answer, i) => (answer.status === 200 ? [{ answer, text: texts[i]! }] : []));
    expect(kept).toHaveLength(1);
    for (const answer of answers.filter((one) => one.status !== 200))
      expectProblem(answer, { status: 409, code: 'IDEMPOTENCY_CONFLICT' });
    expect((await read(kept[0]!.answer.json.blob_id)).text).toBe(kept[0]!.text);
  });

  it.each(Array.from({ length: 8 }, (_, i) => i))(
    'an upload and a retirement end in one of both orders (%s)',
    async (round) => {
      const key = `race-${round}`;
      const bytes = new Uint8Array(randomBytes(3 * BLOB_CHUNK_BYTES));
      const [sent, taken] = await Promise.all([uploadKeyed(service, key, bytes), retire(key)]);
      const now = (await status(key)).json;
      if (taken.status === 404) {
        expect([sent.status, now.status]).toEqual([200, 'live']);
        expect((await retire(key)).json.bytes_deleted).toBe(true);
      } else {
        expect([taken.status, now.status, taken.json.bytes_deleted]).toEqual([200, 'retired', true]);
        if (sent.status !== 200) expectRetired(sent);
      }
      const left = 'MATCH (b:Blob {sha256: $sha256}) RETURN b';
      expect(await query(driver, left, { sha256: sha256(bytes) })).toEqual([]);
    },
  );
});

describe('a key that is retired', () => {
  it('takes the bytes, and leaves a hash of the key and the id of the blob', async () => {
    const blob = await keyed('gone', 'to be gone');
    const [owner] = await query(driver, 'MATCH (b:Blob {id: $blob}) RETURN b.body_id AS body', { blob });
    const answer = await retire('gone');
    const expected = { protocol, blob_id: blob, status: 'retired', bytes_deleted: true };
    expect([answer.status, answer.json]).toEqual([200, expected]);
    expect((await retire('gone')).json).toEqual(expected);
    expect((await status('gone')).json).toEqual({ protocol, found: true, blob_id: blob, status: 'retired' });
    expect((await read(blob)).status).toBe(404);
    expectRetired(await uploadKeyed(service, 'gone', 'to be gone'));
    expectRetired(await uploadKeyed(service, 'gone', 'something else'));
    const left = `OPTIONAL MATCH (b:BlobBody {id: $body}) WITH count(b) AS bodies
      RETURN bodies + COUNT { MATCH (:BlobChunk {body_id: $body}) } AS count`;
    await eventually('its bytes to go', async () => (await query(driver, left, owner))[0]!.count === 0);
    const [kept] = await query(driver, 'MATCH (k:KeyedBlob {blob_id: $blob}) RETURN properties(k) AS all', {
      blob,
    });
    expect(kept?.all).toEqual({
      ...uploadKeyHasher(TEST_SUPPRESSION_KEY)(service.tenant, 'user:local', 'gone'),
      blob_id: blob,
    });
  });

  it('while events refer to its blob leaves the bytes to the last of them', async () => {
    const blob = await keyed('shared', 'shared');
    const events = [await refer(blob), await refer(blob)];
    expect((await retire('shared')).json).toEqual({
      protocol,
      blob_id: blob,
      status: 'retired',
      bytes_deleted: false,
    });
    expect((await status('shared')).json).toMatchObject({ status: 'deleting', sha256: sha256('shared') });
    expectRetired(await uploadKeyed(service, 'shared', 'shared'));
    expect((await read(blob, as('user:reader'))).text).toBe('shared');
    await cancel(events[0]!);
    expect((await retire('shared')).json.bytes_deleted).toBe(false);
    await cancel(events[1]!);
    expect((await status('shared')).json.status).toBe('retired');
    expect((await retire('shared')).json.bytes_deleted).toBe(true);
    expect((await read(blob, as('user:reader'))).status).toBe(404);
  });

  it('is one whose blob was deleted by its id', async () => {
    const blob = await keyed('by-id', 'by its id');
    expect((await service.request('DELETE', `/v1/blobs/${blob}`)).json.bytes_deleted).toBe(true);
    expect((await status('by-id')).json.status).toBe('retired');
    expect((await retire('by-id')).json).toMatchObject({ blob_id: blob, bytes_deleted: true });
  });
});

describe('a key that was never used', () => {
  it('is 404 in the shape of the protocol', async () => {
    const answer = await retire('never');
    expect([answer.status, answer.json]).toEqual([
      404,
      { protocol, error_code: 'NOT_FOUND', message: expect.stringMatching(/./), retriable: false },
    ]);
    expect(answer.headers.get('x-strata-request-id')).toMatch(/^req_/);
  });

  it("is another caller's, or another tenant's", async () => {
    await keyed('mine', 'mine', as('user:mine'));
    const elsewhere = { ...as('user:mine'), 'x-strata-tenant': service.anotherTenant() };
    for (const headers of [as('user:thief'), elsewhere]) {
      expect((await status('mine', headers)).json).toEqual(UNKNOWN);
      const [hidden, absent] = [await retire('mine', headers), await retire('never', headers)];
      expect([hidden.status, hidden.json]).toEqual([404, absent.json]);
    }
    expect((await status('mine', as('user:mine'))).json.status).toBe('live');
  });

  it('is, for a token confined to scopes, one whose blob lies in none of them', async () => {
    const { token } = await mintFrom(service, { subject: 'user:mine', scopes: ['*:org:here/*'] });
    const confined = bearer(token, 'user:mine');
    const [away, here, loose] = ['away', 'here', 'loose'].map((place) => `confined-${place}`);
    await refer(await keyed(away!, 'away', as('user:mine')), 'org:away', as('user:mine'));
    await refer(await keyed(here!, 'here', as('user:mine')), 'org:here/app:x', as('user:mine'));
    await keyed(loose!, 'loose', as('user:mine'));
    expect((await status(away!, confined)).json).toEqual(UNKNOWN);
    expect((await retire(away!, confined)).status).toBe(404);
    for (const bytes of ['away', 'other']) expectRetired(await uploadKeyed(service, away!, bytes, confined));
    for (const key of [here!, loose!])
      expect((await uploadKeyed(service, key, key.slice('confined-'.length), confined)).status).toBe(200);
    for (const key of [here!, loose!]) {
      expect((await status(key, confined)).json.status).toBe('live');
      expect((await retire(key, confined)).status).toBe(200);
    }
    expect((await retire(away!, as('user:mine'))).json.bytes_deleted).toBe(false);
  });
});

it('GraphQL tells how an upload stands, and retires its key', async () => {
  const blob = await keyed('graph', 'seen by GraphQL');
  const asked = '{ keyedBlob(key: "graph") { protocol found blobId status sizeBytes contentType sha256 } }';
  expect((await ask(service, asked)).data.keyedBlob).toEqual({
    protocol,
    found: true,
    blobId: blob,
    status: 'live',
    sizeBytes: 15,
    contentType: 'text/plain',
    sha256: sha256('seen by GraphQL'),
  });
  const mutation = (key: string): string =>
    `mutation { retireKeyedBlob(key: "${key}") { protocol blobId status bytesDeleted } }`;
  expect((await ask(service, mutation('graph'))).data.retireKeyedBlob).toEqual({
    protocol,
    blobId: blob,
    status: 'retired',
    bytesDeleted: true,
  });
  expect((await ask(service, asked)).data.keyedBlob).toMatchObject({ status: 'retired', sha256: null });
  const codes = async (key: string): Promise<string | undefined> =>
    (await ask(service, mutation(key))).errors?.[0].extensions.code;
  expect(await codes('never')).toBe('NOT_FOUND');
  expect(await codes('a b')).toBe('INVALID_IDEMPOTENCY_KEY');
});
