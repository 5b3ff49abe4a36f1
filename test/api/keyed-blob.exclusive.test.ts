import { KeyedBlobStore } from '../../graph/keyed-blob.ts';
import { uploadKeyHasher } from '../../src/capture/upload-key.ts';
import { TEST_SUPPRESSION_KEY, type Answer } from '../support/client.ts';
import { patientDatabase } from '../support/database.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { uploadKeyed } from './blobs.ts';

// An upload under a key goes on where a process ended in the middle of it.

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await service.stop();
});

const named = (key: string) => ({ headers: { 'x-strata-idempotency-key': key } });
const standing = (key: string): Promise<Answer> => service.get('/v1/blobs/idempotent/status', named(key));
const status = async (key: string): Promise<string> => (await standing(key)).json.status as string;
const retire = (key: string): Promise<Answer> =>
  service.request('DELETE', '/v1/blobs/idempotent', named(key));

async function restart(): Promise<void> {
  await service.stop();
  service = await startTestService({}, { keepData: true });
}

it('is what it was after a restart, in each of its states', async () => {
  // What a process leaves that ended before it wrote the bytes.
  const database = patientDatabase();
  const bytes = { size_bytes: 4, content_type: 'text/plain', sha256: 'da39'.repeat(16) };
  const body = { id: 'body_of_before', removeAt: Date.now() + 3_600_000 };
  const of = { ...uploadKeyHasher(TEST_SUPPRESSION_KEY)('default', 'user:local', 'k') };
  await new KeyedBlobStore(database).begin(of, { ...bytes, blobId: 'blob_of_before', body }, Date.now());
  await database.close();
  expect(await status('k')).toBe('prepared');
  expect((await uploadKeyed(service, 'k', 'else')).status).toBe(409);
  await restart();
  expect((await standing('k')).json).toEqual({
    protocol: 'keyed-blob-v1',
    found: true,
    blob_id: 'blob_of_before',
    status: 'prepared',
    ...bytes,
  });
  expect((await retire('k')).json.bytes_deleted).toBe(true);
  await restart();
  expect(await status('k')).toBe('retired');
});

it('and so is its blob, with its events', async () => {
  const { blob_id } = (await uploadKeyed(service, 'l', 'kept')).json;
  await restart();
  expect(await status('l')).toBe('live');
  expect((await uploadKeyed(service, 'l', 'kept')).json.blob_id).toBe(blob_id);
  const envelope = { scope: 'org:a', modality: 'document', content: { kind: 'blob_ref', blob_id } };
  const { event_id } = (await service.post('/v1/experience', envelope)).json;
  await retire('l');
  await restart();
  expect(await status('l')).toBe('deleting');
  expect((await service.get(`/v1/blobs/${blob_id as string}`)).text).toBe('kept');
  // A cold server plans for long when it has little of the machine.
  const cancel = `/v1/lifecycle/memory-event/${event_id as string}/cancel`;
  await eventually('the cancel', async () => (await service.post(cancel, {})).status === 200);
  expect(await status('l')).toBe('retired');
  expect((await uploadKeyed(service, 'l', 'kept')).status).toBe(409);
  const { text } = await service.get('/v1/admin/metrics');
  expect(text).toMatch(/^strata_keyed_blobs_total\{outcome="refused"\} 1$/m);
});
