import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureOperatorKey } from '../../src/operator-key.ts';
import { BulkServer } from './bulk-server.ts';
import { cli, type CliOutcome } from './host.ts';

let directory = '';
let url = '';
let server: BulkServer;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'strata-ingest-'));
  server = new BulkServer();
  url = await server.listen();
});
afterEach(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

const envelope = (text: string, more: object = {}) =>
  JSON.stringify({ scope: 'user:a', modality: 'conversation', content: { text }, ...more });

function write(...lines: string[]): void {
  writeFileSync(join(directory, 'in.jsonl'), lines.join('\n'));
}

function ingest(...flags: string[]): Promise<CliOutcome> {
  return cli(['ingest', 'in.jsonl', '--url', url, ...flags], { directory });
}

describe('strata ingest', () => {
  it('captures every line, in batches, and nothing the second time', async () => {
    write(...Array.from({ length: 5 }, (_, index) => envelope(`line ${index}`)), '');
    const first = await ingest('--batch', '2');
    expect(first).toEqual({ code: 0, stdout: 'captured 5, replayed 0, refused 0\n', stderr: '' });
    expect(server.requests.map(({ body }) => body.items.length)).toEqual([2, 2, 1]);
    expect(server.requests[0]?.body.ordering).toBe('independent');
    expect((await ingest()).stdout).toBe('captured 0, replayed 5, refused 0\n');
  });

  it('captures only what was added when a file has grown, and equal lines as two events', async () => {
    write(envelope('same'), envelope('same'));
    expect((await ingest()).stdout).toBe('captured 2, replayed 0, refused 0\n');
    write(envelope('same'), '', envelope('same'), envelope('same'), '');
    expect((await ingest()).stdout).toBe('captured 1, replayed 2, refused 0\n');
  });

  it('leaves keys and numbers as they were written', async () => {
    write(envelope('a', { idempotency_key: 'mine' }), '{"content":{"x":12345678901234567890}}');
    await ingest();
    expect(server.requests[0]?.body.items[0]?.idempotency_key).toBe('mine');
    expect(server.requests[0]?.text).toContain('12345678901234567890');
    expect(server.requests[0]?.body.items[1]?.idempotency_key).toMatch(/^ingest-[0-9a-f]{48}$/);
  });

  it('names refused lines by number with code and message, and goes on', async () => {
    write(envelope('a'), '{"scope":', '', '[1]', '{"scope":"user:a"}', envelope('b'));
    const { code, stdout, stderr } = await ingest();
    expect([code, stdout]).toEqual([1, 'captured 2, replayed 0, refused 3\n']);
    expect(stderr).toMatch(/^line 2: INVALID_BODY: the line is not JSON/m);
    expect(stderr).toMatch(/^line 4: INVALID_BODY: the line is not a JSON object$/m);
    expect(stderr).toMatch(/^line 5: INVALID_BODY: content: is required$/m);
  });

  it('names refused lines in their order, whoever refuses them', async () => {
    const bad = '{"scope":"user:a"}';
    write('x', bad, 'x', bad, 'x', 'x', 'x', envelope('a'), 'x', bad);
    for (const batch of ['1', '2', '3', '100']) {
      const { stdout, stderr } = await ingest('--batch', batch);
      expect(stdout).toContain('refused 9\n');
      expect(stderr.match(/(?<=^line )\d+/gm)?.map(Number)).toEqual([1, 2, 3, 4, 5, 6, 7, 9, 10]);
    }
  });

  it('finds the line that spoils a whole batch', async () => {
    const spoiled = { error_code: 'INVALID_BODY', message: 'nested too deep', retriable: false };
    server.intercept = ({ text }) => (text.includes('deep') ? { status: 422, body: spoiled } : null);
    write(envelope('a'), envelope('b'), envelope('deep'), envelope('c'));
    const { code, stdout, stderr } = await ingest();
    expect([code, stdout]).toEqual([1, 'captured 3, replayed 0, refused 1\n']);
    expect(stderr).toBe('line 3: INVALID_BODY: nested too deep\n');
  });

  it('sends in parts what is too much at once', async () => {
    const much = { error_code: 'PAYLOAD_TOO_LARGE', message: 'too many values', retriable: false };
    server.intercept = ({ body }) => (body.items.length > 2 ? { status: 413, body: much } : null);
    write(...['a', 'b', 'c', 'd', 'e'].map((text) => envelope(text)));
    expect(await ingest()).toMatchObject({ code: 0, stdout: 'captured 5, replayed 0, refused 0\n' });
    expect(server.requests.map(({ body }) => body.items.length)).toEqual([5, 3, 2, 1, 2]);
  });

  it('repeats what may be repeated', async () => {
    const busy = { error_code: 'SERVER_BUSY', message: 'full', retriable: true };
    const replies = [
      { status: 503, body: busy, headers: { 'retry-after': '0' } },
      'capture-and-drop' as const,
    ];
    server.intercept = () => replies.shift() ?? null;
    write(envelope('a'));
    expect(await ingest()).toMatchObject({ code: 0, stdout: 'captured 0, replayed 1, refused 0\n' });
    expect(server.requests).toHaveLength(3);
  });

  it('passes scope, stage, tenant, actor and key on', async () => {
    write(envelope('a'));
    await ingest(
      '--scope',
      'user:b',
      '--wait',
      'indexed',
      '--tenant',
      't',
      '--actor',
      'user:c',
      '--key',
      'k',
    );
    const [request] = server.requests;
    expect([request?.url, request?.body.scope]).toEqual(['/v1/experience/bulk?wait=indexed', 'user:b']);
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer k',
      'x-strata-tenant': 't',
      'x-strata-actor': 'user:c',
    });
  });

  it('shows the stored key to this machine only', async () => {
    const { key } = ensureOperatorKey(join(directory, 'data'));
    write(envelope('a'));
    await ingest();
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
    // Reaches the same server under a name that is not a loopback address.
    await cli(['ingest', 'in.jsonl', '--url', url.replace('127.0.0.1', '0.0.0.0')], { directory });
    expect(server.requests[1]?.headers.authorization).toBeUndefined();
  });

  it('reads standard input', async () => {
    const given = { directory, stdin: `\uFEFF${envelope('a')}\r\n${envelope('b')}` };
    expect((await cli(['ingest', '-', '--url', url], given)).stdout).toBe(
      'captured 2, replayed 0, refused 0\n',
    );
  });

  it('tells of lines that are captured and not yet where they were waited for', async () => {
    const late = { error_code: 'WAIT_TIMEOUT', message: 'not indexed in time', retriable: false };
    server.intercept = (request) => (request.url.includes('wait') ? { status: 408, body: late } : null);
    write(envelope('a'));
    const { code, stdout, stderr } = await ingest('--wait', 'indexed');
    expect([code, stdout]).toEqual([1, 'captured 1, replayed 0, refused 0\n']);
    expect(stderr).toContain('WAIT_TIMEOUT');
  });
});

describe('an ingest that cannot go on', () => {
  it('ends with 2 and advice when nothing listens', async () => {
    await server.close();
    write(envelope('a'));
    const { code, stdout, stderr } = await ingest();
    expect([code, stdout]).toEqual([2, 'captured 0, replayed 0, refused 0\n']);
    expect(stderr).toContain('ECONNREFUSED');
    expect(stderr).toContain('strata start');
    await server.listen();
  });

  it.each([
    ['MISSING_TOKEN', '--key'],
    ['INVALID_TOKEN_SIGNATURE', '--key'],
    ['WRONG_TENANT', '--tenant'],
    ['ACTOR_MISMATCH', '--actor'],
    ['ANOTHER_CODE', '--url'],
  ])('ends with 2 and advice on %s', async (errorCode, flag) => {
    const body = { error_code: errorCode, message: 'no', retriable: false };
    server.intercept = () => ({ status: 401, body });
    write(envelope('a'), envelope('b'));
    const { code, stderr } = await ingest();
    expect(code).toBe(2);
    expect(stderr).toContain(`401: ${errorCode}: no. `);
    expect(stderr.match(/--[a-z]+/g)).toEqual([flag]);
    expect(server.requests).toHaveLength(1);
  });

  it('still tells the lines that it refused itself', async () => {
    await server.close();
    write(envelope('a'), 'x', envelope('b'));
    const { code, stdout, stderr } = await ingest();
    expect([code, stdout]).toEqual([2, 'captured 0, replayed 0, refused 1\n']);
    expect(stderr).toMatch(/^line 2: INVALID_BODY/);
    await server.listen();
  });

  it('ends with 2 when what answers is something else', async () => {
    server.intercept = () => ({ status: 200, body: '<html>' });
    write(envelope('a'));
    expect(await ingest()).toMatchObject({ code: 2, stderr: expect.stringContaining('no Strata') });
  });

  it.each([
    ['a file that is not there', ['ingest', 'missing.jsonl']],
    ['a directory', ['ingest', 'folder']],
    ['no file', ['ingest']],
    ['a batch that is too large', ['ingest', 'in.jsonl', '--batch', '1001']],
    ['an unknown stage', ['ingest', 'in.jsonl', '--wait', 'settled']],
    ['a bad scope', ['ingest', 'in.jsonl', '--scope', 'nobody']],
    ['a bad address', ['ingest', 'in.jsonl', '--url', 'here']],
  ])('ends with 64 on %s', async (_what, line) => {
    write(envelope('a'));
    mkdirSync(join(directory, 'folder'), { recursive: true });
    expect(await cli(line, { directory })).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('Usage:'),
    });
  });
});
