import { randomBytes } from 'node:crypto';

import { BLOB_UPLOAD_STEP_BYTES, MAX_BLOB_BYTES } from '../../src/limits.ts';
import { operatorHeaders } from '../support/client.ts';
import { openRaw } from '../support/raw-http.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { upload } from './blobs.ts';

// What the gauge of uploads says is of this service alone.

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await service.stop();
});

/** Bytes that the service says uploads under way have taken. */
async function underWay(): Promise<number> {
  const { text } = await service.get('/v1/admin/metrics');
  return Number(/^strata_blob_upload_bytes (\d+)$/m.exec(text)?.[1]);
}

describe('uploads that announce much and send next to nothing', () => {
  it('keep nobody from uploading', async () => {
    const head = [
      'POST /v1/blobs HTTP/1.1',
      'Host: test',
      ...Object.entries(operatorHeaders()).map(([name, value]) => `${name}: ${value}`),
      'Content-Type: text/plain',
      `Content-Length: ${MAX_BLOB_BYTES}`,
    ].join('\r\n');
    const silent = await Promise.all(Array.from({ length: 8 }, () => openRaw(service.url)));
    for (const connection of silent) connection.write(`${head}\r\n\r\nx`);
    await eventually('them to be under way', async () => (await underWay()) >= 8 * BLOB_UPLOAD_STEP_BYTES);
    const bytes = new Uint8Array(randomBytes(MAX_BLOB_BYTES));
    const answers = [await upload(service, 'meanwhile'), await upload(service, bytes)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    for (const connection of silent) connection.destroy();
    await eventually('their room to be given back', async () => (await underWay()) === 0);
  });
});
