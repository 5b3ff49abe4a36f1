import { Agent } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';

import { KEY, startRig, until, type Rig } from './harness.ts';

const JSON_LABEL = { 'Content-Type': 'application/json' };
const CANCEL = '/v1/lifecycle/memory-event/evt_1/cancel';

describe('request bodies', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({ app: { bodyLimits: { single: 1000, bulk: 5000 } } });
  });
  afterAll(() => rig.stop());

  const bodyOf = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
  const capture = (body: string | Buffer, headers: Record<string, string> = JSON_LABEL) =>
    rig.send('POST', '/v1/experience', { body, headers });

  it.each([
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/json; profile=x',
    'application/ld+json',
    undefined,
  ])('reads JSON labelled %s', async (label) => {
    const answer = await capture('{"a":1}', label === undefined ? {} : { 'Content-Type': label });
    expect(answer.status).toBe(202);
    expect(rig.asked.at(-1)?.input).toEqual([{ a: 1 }, {}]);
  });

  it.each([
    'application/x-www-form-urlencoded',
    'text/plain',
    'text/json',
    'application/jsonx',
    'multipart/form-data; boundary=x',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'nonsense',
  ])('refuses a body labelled %s', async (label) => {
    const answer = await capture('{"a":1}', { 'Content-Type': label });
    expect(answer.status).toBe(415);
    expect(answer.json).toMatchObject({ error_code: 'UNSUPPORTED_MEDIA_TYPE', retriable: false });
  });

  it('refuses what is not JSON, and an empty body where one is required', async () => {
    for (const body of ['{', '']) {
      const answer = await capture(body);
      expect(answer.status).toBe(422);
      expect(answer.json.error_code).toBe('INVALID_BODY');
    }
    expect((await capture('', {})).status).toBe(422);
  });

  it('takes a body of exactly the cap, and refuses one byte more, each route by its own cap', async () => {
    expect((await capture(bodyOf(1000))).status).toBe(202);
    const over = await capture(bodyOf(1001));
    expect(over.status).toBe(413);
    expect(over.json).toMatchObject({ error_code: 'PAYLOAD_TOO_LARGE', details: { limit_bytes: 1000 } });
    const bulk = (bytes: number) =>
      rig.send('POST', '/v1/experience/bulk', { body: bodyOf(bytes), headers: JSON_LABEL });
    expect((await bulk(5000)).status).toBe(202);
    expect((await bulk(5001)).status).toBe(413);
  });

  it('keeps the connection usable after a body over the cap, announced or chunked', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const chunked of [false, true]) {
      const headers = { ...JSON_LABEL, ...(chunked ? { 'Transfer-Encoding': 'chunked' } : {}) };
      const body = Buffer.alloc(3_000_000, 'x');
      const over = await rig.send('POST', '/v1/experience', { agent, headers, body });
      expect(over.status).toBe(413);
      const next = await rig.send('POST', '/v1/experience', { agent, headers: JSON_LABEL, body: '{}' });
      expect(next.status).toBe(202);
    }
    const unauthorised = { ...JSON_LABEL, Authorization: 'Bearer wrong' };
    const refused = await rig.send('POST', '/v1/experience', {
      agent,
      headers: unauthorised,
      body: bodyOf(900_000),
    });
    expect(refused.status).toBe(401);
    expect((await rig.send('GET', '/v1/health', { agent })).status).toBe(200);
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(1);
    agent.destroy();
  });

  it('unpacks gzip, with the cap on what comes out', async () => {
    const headers = { ...JSON_LABEL, 'Content-Encoding': 'gzip' };
    expect((await capture(gzipSync('{"a":2}'), headers)).status).toBe(202);
    expect(rig.asked.at(-1)?.input[0]).toEqual({ a: 2 });
    expect((await capture(gzipSync(bodyOf(1000)), headers)).status).toBe(202);
    expect((await capture(gzipSync(bodyOf(1001)), headers)).status).toBe(413);
    expect((await capture(gzipSync(Buffer.alloc(500_000, 'x')), headers)).status).toBe(413);
    expect((await capture(gzipSync('{}'), { ...headers, 'Content-Encoding': 'GZIP' })).status).toBe(202);
  });

  it('refuses what is not gzip, gzip that is cut off, and other packings', async () => {
    const headers = { ...JSON_LABEL, 'Content-Encoding': 'gzip' };
    for (const body of ['{}', gzipSync('{"a":2}').subarray(0, -6)]) {
      const answer = await capture(body, headers);
      expect(answer.status).toBe(422);
      expect(answer.json.error_code).toBe('INVALID_BODY');
    }
    expect((await capture('', headers)).status).toBe(422);
    for (const packing of ['br', 'deflate', 'gzip, gzip']) {
      expect((await capture('{}', { ...JSON_LABEL, 'Content-Encoding': packing })).status).toBe(415);
    }
  });

  it('does not look at the label or body of a GET', async () => {
    for (const label of ['application/json', 'text/plain']) {
      const answer = await rig.send('GET', '/v1/derivation/status', { headers: { 'Content-Type': label } });
      expect(answer.status).toBe(200);
    }
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const odd = { agent, headers: { ...JSON_LABEL, 'Content-Length': '1' }, body: '{' };
    expect((await rig.send('GET', '/v1/derivation/status', odd)).status).toBe(200);
    expect((await rig.send('GET', '/v1/derivation/status', { agent })).status).toBe(200);
    agent.destroy();
  });

  it('cancels without a body and with {}, but not with an empty body that is labelled', async () => {
    const cancel = (body: string | undefined, headers: Record<string, string>) =>
      rig.send('POST', CANCEL, { headers, ...(body === undefined ? {} : { body }) });
    for (const [body, headers] of [
      [undefined, {}],
      ['', {}],
      ['{}', JSON_LABEL],
      ['{}', {}],
    ] as const) {
      const answer = await cancel(body, headers);
      expect(answer.status).toBe(200);
      expect(rig.asked.at(-1)).toMatchObject({ method: 'event.cancel', input: ['evt_1', {}] });
    }
    const labelled = await cancel('', JSON_LABEL);
    expect(labelled.status).toBe(400);
    expect(labelled.json).toMatchObject({ error_code: 'INVALID_BODY', retriable: false });
    const form = await cancel('', { 'Content-Type': 'application/x-www-form-urlencoded' });
    expect(form.status).toBe(415);
    expect(form.json.error_code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  it('survives a client that goes away in the middle of its body', async () => {
    const starts = [
      ['', Buffer.from('{"a"')],
      ['Content-Encoding: gzip\r\n', gzipSync('{"a":2}').subarray(0, 12)],
    ] as const;
    for (const [packing, start] of starts) {
      const before = rig.logged.length;
      const socket = connect(rig.port, '127.0.0.1');
      socket.write(
        `POST /v1/experience HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\n${packing}Content-Length: 900\r\n\r\n`,
      );
      socket.write(start);
      await until(() => rig.drain.inFlight === 1);
      socket.destroy();
      await until(() => rig.drain.inFlight === 0);
      const lines = rig.logged.slice(before);
      expect(lines.map(({ message, fields }) => [message, fields.status])).toEqual([['request', null]]);
    }
    expect((await rig.send('GET', '/v1/health')).status).toBe(200);
  });
});
