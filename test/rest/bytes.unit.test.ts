import { gzipSync } from 'node:zlib';

import { StrataError } from '../../src/errors.ts';
import { BODY_BLOCK_BYTES } from '../../src/limits/bodies.ts';
import { bytesOf, startRig, type Rig } from './harness.ts';

const TAG = `"${'f'.repeat(64)}"`;

describe('stored bytes', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.stop());

  const get = (headers: Record<string, string> = {}, method = 'GET') =>
    rig.send(method, '/v1/blobs/blob_a', { headers });

  it('are answered whole, as something that a browser stores and does not run', async () => {
    const { status, text, headers } = await get();
    expect([status, text]).toEqual([200, '0123456789']);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-length': '10',
      'accept-ranges': 'bytes',
      etag: TAG,
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    });
  });

  it('are answered in part', async () => {
    const { status, text, headers } = await get({ Range: 'bytes=3-5' });
    expect([status, text]).toEqual([206, '345']);
    expect(headers).toMatchObject({ 'content-range': 'bytes 3-5/10', 'content-length': '3' });
    expect((await get({ Range: 'bytes=-2', 'If-Range': TAG })).text).toBe('89');
    expect((await get({ Range: 'bytes=-2', 'If-Range': '"older"' })).text).toBe('0123456789');
    expect((await get({ Range: 'bytes=-2', 'If-Range': 'Wed, 21 Oct 2015 07:28:00 GMT' })).status).toBe(200);
    expect((await get({ Range: 'bytes=0-1,4-5' })).status).toBe(200);
  });

  it('have no range behind their end', async () => {
    const { status, headers, json } = await get({ Range: 'bytes=10-' });
    expect([status, headers['content-range'], json.error_code]).toEqual([
      416,
      'bytes */10',
      'RANGE_NOT_SATISFIABLE',
    ]);
    expect(headers['content-disposition']).toBeUndefined();
    expect(headers['content-type']).toMatch(/^application\/json/);
  });

  it('are not sent to who has them', async () => {
    const { status, text, headers } = await get({ 'If-None-Match': `"x", ${TAG}` });
    expect([status, text, headers.etag]).toEqual([304, '', TAG]);
    expect((await get({ 'If-None-Match': '"x"' })).status).toBe(200);
  });

  it('are only described to HEAD, whatever range it names', async () => {
    const { status, text, headers } = await get({ Range: 'bytes=3-5' }, 'HEAD');
    expect([status, text, headers['content-length']]).toEqual([200, '', '10']);
  });
});

describe('bytes that cannot be read', () => {
  /** Breaks after so many pieces. */
  const failingAfter = (pieces: number) => ({
    ...bytesOf('0123456789'),
    // oxlint-disable-next-line typescript/require-await -- what a database is waited for is here at once
    async *read() {
      for (let i = 0; i < pieces; i += 1) yield Buffer.from('x');
      throw new Error('the bytes are gone');
    },
  });

  it.each([0, 2])('after %i pieces end as a fault, or cut the connection', async (pieces) => {
    const rig = await startRig({ answers: { 'blob.bytes': () => failingAfter(pieces) } });
    try {
      const answer = rig.send('GET', '/v1/blobs/blob_a');
      if (pieces === 0) expect((await answer).json.error_code).toBe('INTERNAL');
      else await expect(answer).rejects.toMatchObject({ code: 'ECONNRESET' });
    } finally {
      await rig.stop();
    }
  });
});

describe('bytes that are sent', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.stop());

  it('reach the service as they are, with their label and length', async () => {
    const body = Buffer.from([0, 255, 1]);
    await rig.send('POST', '/v1/blobs', {
      body,
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    });
    expect(rig.asked.at(-1)?.input).toEqual(['multipart/form-data; boundary=x', 3, '\x00\xff\x01']);
    await rig.send('POST', '/v1/blobs', { body: '{"a":1}', headers: { 'Content-Type': 'application/json' } });
    expect(rig.asked.at(-1)?.input).toEqual(['application/json', 7, '{"a":1}']);
  });

  it('need no label', async () => {
    await rig.send('POST', '/v1/blobs', { body: 'x', headers: { 'Transfer-Encoding': 'chunked' } });
    expect(rig.asked.at(-1)?.input).toEqual([null, null, 'x']);
  });

  it.each([
    ['as they are', {}],
    ['packed', { 'Content-Encoding': 'gzip' }],
  ])('%s are counted as they come, unpacked, and end when there is no room', async (_how, headers) => {
    const content = Buffer.alloc(1_000_000, 'x');
    const body = 'Content-Encoding' in headers ? gzipSync(content) : content;
    let came = 0;
    const counting = await startRig({
      answers: {
        'blob.came': (bytes: number) => {
          came += bytes;
          if (came > 1_500_000) throw new StrataError('SERVER_BUSY', 'full');
        },
      },
    });
    try {
      const send = () => counting.send('POST', '/v1/blobs', { body, headers });
      expect((await send()).status).toBe(201);
      expect(came).toBeGreaterThanOrEqual(content.length);
      expect(came).toBeLessThanOrEqual(content.length + BODY_BLOCK_BYTES);
      const refused = await send();
      expect([refused.status, refused.json.error_code]).toEqual([503, 'SERVER_BUSY']);
      expect(came).toBeLessThanOrEqual(2 * content.length);
    } finally {
      await counting.stop();
    }
  });

  it('have 32 MiB at most', async () => {
    const large = Buffer.alloc(32 * 1024 * 1024 + 1);
    const { status, json } = await rig.send('POST', '/v1/blobs', { body: large });
    expect([status, json.error_code, json.details.limit_bytes]).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
      33_554_432,
    ]);
  });
});
