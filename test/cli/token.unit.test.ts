import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureTokenKeys, loadTokenKeys, rotateTokenKeys, tokenKeyFile } from '../../src/tokens/key-file.ts';
import { kidOf, readSigningKey } from '../../src/tokens/key.ts';
import { TEST_TOKEN_KEY } from '../support/client.ts';
import { cli } from './host.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'strata-token-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

describe('the file of signing keys', () => {
  it('is made once, for its owner alone, and leaves nothing else behind', async () => {
    const data = join(directory, 'data');
    expect(loadTokenKeys(data)).toEqual([]);
    const made = await Promise.all([ensureTokenKeys(data), ensureTokenKeys(data)]);
    expect(made[0]).toEqual(made[1]);
    expect(made[0]).toHaveLength(1);
    expect(statSync(tokenKeyFile(data)).mode & 0o777).toBe(0o600);
    expect(readdirSync(data)).toEqual(['token-key']);
  });

  it('takes new keys in front, and keeps the newest', async () => {
    const [first] = await ensureTokenKeys(directory);
    const rotated = await rotateTokenKeys(directory);
    expect(rotated[1]).toBe(first);
    expect(loadTokenKeys(directory)).toEqual(rotated);
    for (let i = 0; i < 20; i += 1) await rotateTokenKeys(directory);
    expect(loadTokenKeys(directory)).toHaveLength(16);
    expect(statSync(tokenKeyFile(directory)).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['token-key']);
  });

  it.each(['', 'k4.public.x\n', `${TEST_TOKEN_KEY}\nsomething\n`])('is refused when it holds %j', (text) => {
    writeFileSync(tokenKeyFile(directory), text);
    expect(() => loadTokenKeys(directory)).toThrow(/holds no signing keys/);
  });

  it('names keys by the SHA-256 of their public text', async () => {
    const { kid, text } = await readSigningKey(TEST_TOKEN_KEY);
    expect(kid).toBe(kidOf(text));
    expect(kid).toMatch(/^sk_[0-9a-f]{24}$/);
  });
});

describe('strata token keys', () => {
  const inPlace = (environment: Record<string, string> = {}) => ({
    directory,
    environment: { STRATA_DATA_DIR: directory, ...environment },
  });

  it('says that there is none yet, and makes one by a rotation', async () => {
    expect(await cli(['token', 'keys'], inPlace())).toMatchObject({ code: 1, stdout: '' });
    const { code, stdout, stderr } = await cli(['token', 'keys', '--rotate'], inPlace());
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^sk_[0-9a-f]{24} k4\.public\.[\w-]{43} signs\n$/),
    ]);
    expect(stderr).toContain('next start');
  });

  it('lists what is held, newest first, and never a secret', async () => {
    await ensureTokenKeys(directory);
    await rotateTokenKeys(directory);
    const { stdout, stderr } = await cli(['token', 'keys'], inPlace());
    const lines = stdout.trim().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^sk_\S+ k4\.public\.\S+ signs$/),
      expect.stringMatching(/^sk_\S+ k4\.public\.\S+$/),
    ]);
    for (const secret of readFileSync(tokenKeyFile(directory), 'utf8').trim().split('\n')) {
      expect(stdout + stderr).not.toContain(secret.slice('k4.secret.'.length));
    }
  });

  it('lists keys that are set, and does not rotate those', async () => {
    const set = inPlace({ STRATA_TOKEN_SECRET_KEY: TEST_TOKEN_KEY });
    const { kid } = await readSigningKey(TEST_TOKEN_KEY);
    expect((await cli(['token', 'keys'], set)).stdout).toContain(kid);
    expect(await cli(['token', 'keys', '--rotate'], set)).toMatchObject({ code: 64 });
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('strata token', () => {
  it.each([
    [['token']],
    [['token', 'burn']],
    [['token', 'mint']],
    [['token', 'mint', '--subject', 'user:a', '--ttl', 'soon']],
    [['token', 'revoke']],
  ])('refuses %j with the help', async (line) => {
    const { code, stderr } = await cli(line, { directory });
    expect([code, stderr]).toEqual([64, expect.stringContaining('Usage: strata')]);
  });

  it('helps', async () => {
    for (const line of [
      ['help', 'token', 'mint'],
      ['token', 'mint', '--help'],
    ]) {
      expect((await cli(line, { directory })).stdout).toContain('Usage: strata token mint');
    }
    expect((await cli(['help'], { directory })).stdout).toContain('token revoke JTI');
  });

  it('says when nothing answers', async () => {
    const line = ['token', 'revoke', 'tok_1', '--url', 'http://127.0.0.1:1', '--key', 'k'];
    expect(await cli(line, { directory })).toMatchObject({ code: 2 });
  });
});
