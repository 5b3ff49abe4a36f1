import type { Driver } from 'neo4j-driver';

import { query, testDriver } from '../support/database.ts';
import { startWarmService, type TestService } from '../support/service.ts';
import { blobOf } from './blobs.ts';
import { erasingOn } from './erasures.ts';

// Of files that only erased events refer to no bytes and no hash are left.

let service: TestService;
let driver: Driver;
const { erased } = erasingOn(() => service);

beforeAll(async () => {
  service = await startWarmService({ STRATA_PIPELINE_POLL_MS: '200' });
  driver = testDriver();
});
afterAll(async () => {
  await driver.close();
  await service.stop();
});

it('takes the bytes of a file that nobody refers to any more, though its uploader holds it', async () => {
  const scope = 'org:erasures/ws:files';
  const upload = await service.request('POST', '/v1/blobs', {
    raw: 'the file of kim',
    headers: { 'content-type': 'text/plain' },
  });
  const { event_id: event } = (
    await service.post('/v1/experience?wait=consolidated', {
      scope,
      modality: 'document',
      content: { kind: 'blob_ref', blob_id: upload.json.blob_id },
    })
  ).json;
  expect((await service.get(`/v1/blobs/${upload.json.blob_id}`)).status).toBe(200);
  expect(await erased(scope, { selector: { memory_ids: [event] } })).toMatchObject({ status: 'completed' });
  expect((await service.get(`/v1/blobs/${upload.json.blob_id}`)).status).toBe(404);
});

it('takes the bytes of files that only events named which were cancelled or replaced before', async () => {
  const scope = 'org:erasures/ws:ended-files';
  const refer = async (text: string, more: Record<string, unknown> = {}): Promise<any> => {
    const media = [{ blob_id: await blobOf(service, text) }];
    const content = { kind: 'message', role: 'user', text: 'See there.', media };
    const answer = await service.post('/v1/experience', {
      scope,
      modality: 'conversation',
      content,
      ...more,
    });
    return answer.json;
  };
  const cancelled = await refer('the file of lena, cancelled');
  await service.post(`/v1/lifecycle/memory-event/${cancelled.event_id}/cancel`, {});
  const keyed = { idempotency_key: 'one file', on_conflict: 'replace' };
  const replaced = await refer('the file of lena, replaced', keyed);
  expect((await refer('the file of lena, replacing', keyed)).replaces).toBe(replaced.event_id);
  const files = `MATCH (c:BlobChunk) WHERE c.bytes IN $files RETURN count(c) AS chunks`;
  const ends = ['cancelled', 'replaced', 'replacing'].map((end) => `the file of lena, ${end}`);
  const left = { files: ends.map((text) => Int8Array.from(Buffer.from(text))) };
  expect((await query(driver, files, left))[0]?.chunks).toBe(3);
  expect(await erased(scope, { confirm_all: true })).toMatchObject({ status: 'completed' });
  expect((await query(driver, files, left))[0]?.chunks).toBe(0);
  expect(await query(driver, 'MATCH (b:Blob) RETURN b.id AS id', {})).toEqual([]);
});
