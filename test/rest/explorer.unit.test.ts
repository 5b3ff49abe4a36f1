import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { explorerFiles } from '../../rest/explorer-files.ts';
import { startRig, type Rig } from './harness.ts';

const PAGE = `<!doctype html><title>Strata</title>${'<p>x</p>'.repeat(200)}`;
const SCRIPT = '/explorer/index-abc.js';

let folder: string;
let rig: Rig;

function build(page: string): void {
  mkdirSync(join(folder, 'explorer'), { recursive: true });
  writeFileSync(join(folder, 'explorer/index-abc.js'), 'let x = 1;\n'.repeat(200));
  writeFileSync(join(folder, 'explorer/notes.txt'), 'not of the explorer');
  writeFileSync(join(folder, 'index.html'), page);
}

const get = (path: string, headers: Record<string, string> = {}) =>
  rig.send('GET', path, { anonymous: true, headers });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'strata-explorer-'));
  rig = await startRig({ explorer: explorerFiles(folder) });
});

afterEach(async () => {
  await rig.stop();
  rmSync(folder, { recursive: true });
});

describe('GET /', () => {
  it('says how to build the explorer where it is not built, and finds it as soon as it is', async () => {
    const before = await get('/');
    expect(before.status).toBe(404);
    expect(before.json).toMatchObject({ error_code: 'NOT_FOUND', details: { reason: 'not_built' } });
    expect(before.json.message).toContain('npm run build:explorer');
    build(PAGE);
    expect((await get('/')).status).toBe(200);
  });

  it('is the page, open to everybody, and kept only after asking', async () => {
    build(PAGE);
    const { status, headers, text } = await get('/');
    expect([status, text]).toEqual([200, PAGE]);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['x-content-type-options']).toBe('nosniff');
    const again = await get('/', { 'If-None-Match': headers.etag! });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('may load, send and be framed by nothing else, and has nothing inline', async () => {
    build(PAGE);
    const policy = String((await get('/')).headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe/);
  });

  it('is what was built last', async () => {
    build(PAGE);
    const { headers } = await get('/');
    build('<p>new</p>');
    utimesSync(join(folder, 'index.html'), 1, 1);
    const later = await get('/', { 'If-None-Match': headers.etag! });
    expect([later.status, later.text]).toEqual([200, '<p>new</p>']);
  });

  it('answers other methods with those that it has', async () => {
    build(PAGE);
    const { status, headers } = await rig.send('POST', '/', { body: '{}' });
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    const head = await rig.send('HEAD', '/', { anonymous: true });
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(PAGE.length)]);
  });
});

describe('files of the explorer', () => {
  beforeEach(() => {
    build(PAGE);
  });

  it('are kept for good, since their names change with what is in them', async () => {
    const { status, headers, text } = await get(SCRIPT);
    expect([status, text]).toEqual([200, 'let x = 1;\n'.repeat(200)]);
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['cache-control']).toContain('immutable');
  });

  it('are found before anybody opened the page', async () => {
    expect((await get(SCRIPT)).status).toBe(200);
  });

  it('are no others, and shadow nothing', async () => {
    for (const path of [
      '/explorer/',
      '/explorer',
      '/explorer/notes.txt',
      '/explorer/..%2findex.html',
      '/index.html',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    expect((await get('/v1/health')).status).toBe(200);
    expect((await get('/v1/nothing')).json.error_code).toBe('NOT_FOUND');
  });

  it.each([
    ['gzip, br', true],
    ['gzip;q=0', false],
    ['identity', false],
  ])('go compressed where that is taken: %s', async (accepted, isPacked) => {
    const { headers } = await get(SCRIPT, { 'Accept-Encoding': accepted });
    expect(headers['content-encoding']).toBe(isPacked ? 'gzip' : undefined);
    expect(headers.vary).toBe('Accept-Encoding');
  });

  it('have another mark when they are compressed, under which the same is in them', async () => {
    const files = explorerFiles(folder);
    const file = files.read(SCRIPT)!;
    expect(gunzipSync(file.gzip!).equals(file.body)).toBe(true);
    const plain = await get(SCRIPT);
    const packed = await get(SCRIPT, { 'Accept-Encoding': 'gzip' });
    expect(plain.headers.etag).not.toBe(packed.headers.etag);
  });
});

describe('a service that asks for no key', () => {
  it('opens the page to who comes by a link, and nothing of it to pages of others', async () => {
    build(PAGE);
    const open = await startRig({
      explorer: explorerFiles(folder),
      app: { open: { host: '127.0.0.1', anyHost: false } },
    });
    const from = (path: string, mode: string, dest: string) =>
      open.send('GET', path, {
        anonymous: true,
        headers: { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': mode, 'Sec-Fetch-Dest': dest },
      });
    expect((await from('/', 'navigate', 'document')).status).toBe(200);
    expect((await from('/', 'navigate', 'iframe')).status).toBe(403);
    expect((await from(SCRIPT, 'no-cors', 'script')).status).toBe(403);
    await open.stop();
  });
});
