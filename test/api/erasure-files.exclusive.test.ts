import { createHash } from 'node:crypto';

import { uploadKeyHasher } from '../../src/capture/upload-key.ts';
import { TEST_SUPPRESSION_KEY } from '../support/client.ts';
import { query } from '../support/database.ts';
import { holding } from '../support/holding.ts';
import { ownService } from '../support/own-service.ts';
import { blobOf, uploadKeyed } from './blobs.ts';
import { erasingOn } from './erasures.ts';

// Of files that only erased events refer to no bytes and no hash are left.

const own = ownService();
const { erased } = erasingOn(() => own.service);

it('takes the bytes of a file that nobody refers to any more, though its uploader holds it', async () => {
  const scope = 'org:erasures/ws:files';
  const upload = await own.service.request('POST', '/v1/blobs', {
    raw: 'the file of kim',
    headers: { 'content-type': 'text/plain' },
  });
  const { event_id: event } = (
    await own.service.post('/v1/experience?wait=consolidated', {
      scope,
      modality: 'document',
      content: { kind: 'blob_ref', blob_id: upload.json.blob_id },
    })
  ).json;
  expect((await own.service.get(`/v1/blobs/${upload.json.blob_id}`)).status).toBe(200);
  expect(await erased(scope, { selector: { memory_ids: [event] } })).toMatchObject({ status: 'completed' });
  expect((await own.service.get(`/v1/blobs/${upload.json.blob_id}`)).status).toBe(404);
});

it('takes the bytes of files that only events named which were cancelled or replaced before', async () => {
  const scope = 'org:erasures/ws:ended-files';
  const refer = async (text: string, more: Record<string, unknown> = {}): Promise<any> => {
    const media = [{ blob_id: await blobOf(own.service, text) }];
    const content = { kind: 'message', role: 'user', text: 'See there.', media };
    const answer = await own.service.post('/v1/experience', {
      scope,
      modality: 'conversation',
      content,
      ...more,
    });
    return answer.json;
  };
  const cancelled = await refer('the file of lena, cancelled');
  await own.service.post(`/v1/lifecycle/memory-event/${cancelled.event_id}/cancel`, {});
  const keyed = { idempotency_key: 'one file', on_conflict: 'replace' };
  const replaced = await refer('the file of lena, replaced', keyed);
  expect((await refer('the file of lena, replacing', keyed)).replaces).toBe(replaced.event_id);
  const files = `MATCH (c:BlobChunk) WHERE c.bytes IN $files RETURN count(c) AS chunks`;
  const ends = ['cancelled', 'replaced', 'replacing'].map((end) => `the file of lena, ${end}`);
  const left = { files: ends.map((text) => Int8Array.from(Buffer.from(text))) };
  expect((await query(own.driver, files, left))[0]?.chunks).toBe(3);
  expect(await erased(scope, { confirm_all: true })).toMatchObject({ status: 'completed' });
  expect((await query(own.driver, files, left))[0]?.chunks).toBe(0);
  expect(await query(own.driver, 'MATCH (b:Blob) RETURN b.id AS id', {})).toEqual([]);
});

it('leaves of a file under a key a keyed hash of the key and an id that is no hash', async () => {
  const scope = 'org:erasures/ws:keyed-files';
  const text = 'the file of mira';
  const hash = createHash('sha256').update(text).digest('hex');
  const { blob_id } = (await uploadKeyed(own.service, 'mira-1', text)).json;
  const content = { kind: 'blob_ref', blob_id };
  await own.service.post('/v1/experience?wait=consolidated', { scope, modality: 'document', content });
  expect((await holding(own.driver, [hash])).map(({ kind }) => kind)).toEqual([['Blob']]);
  expect(await erased(scope, { confirm_all: true })).toMatchObject({ status: 'completed' });
  expect(await holding(own.driver, [hash])).toEqual([]);
  const bytes = { bytes: Int8Array.from(Buffer.from(text)) };
  expect(await query(own.driver, 'MATCH (c:BlobChunk {bytes: $bytes}) RETURN c', bytes)).toEqual([]);
  const left = await query(own.driver, 'MATCH (k:KeyedBlob) RETURN properties(k) AS all');
  const of = uploadKeyHasher(TEST_SUPPRESSION_KEY)('default', 'user:local', 'mira-1');
  expect(left.map(({ all }) => all)).toEqual([{ ...of, blob_id }]);
  expect(await holding(own.driver, ['mira-1'])).toEqual([]);
  const named = { headers: { 'x-cortex-idempotency-key': 'mira-1' } };
  expect((await own.service.request('DELETE', '/v1/blobs/idempotent', named)).json).toEqual({
    protocol: 'keyed-blob-v1',
    blob_id,
    status: 'retired',
    bytes_deleted: true,
  });
  expect((await uploadKeyed(own.service, 'mira-1', text)).status).toBe(409);
});
