import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { eventually } from '../support/wait.ts';

const BIN = fileURLToPath(new URL('../../bin/strata.js', import.meta.url));

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'strata-start-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** `strata start` as a process of its own, with these settings as its environment, and what it says. */
function start(settings: Record<string, string>, ...args: string[]) {
  const { PATH, HOME, JAVA_HOME } = process.env;
  const child = spawn(process.execPath, [BIN, 'start', ...args], {
    cwd: directory,
    env: { PATH, HOME, JAVA_HOME, STRATA_PORT: '0', STRATA_EMBEDDING_PROVIDER: 'none', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
  return { child, said, ended: once(child, 'close') };
}

describe('a signal while the service starts', () => {
  it('ends it cleanly before the database answers', async () => {
    const { child, said, ended } = start({}, '--throwaway');
    await eventually('the database to be waited for', () => said.err.includes('Starting Neo4j'));
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(said.out).not.toContain('listens on');
    // The lock is given back with everything else, so that another start is not refused.
    expect(said.err).not.toContain('could not be stopped');
  });
});

describe('a policy for one machine on an address that others reach', () => {
  it('is warned of at each start, and on no other address', async () => {
    for (const [host, warnings] of [
      ['0.0.0.0', 1],
      ['0.0.0.0', 1],
      ['127.0.0.1', 0],
    ] as const) {
      // Nothing listens there, so that each start ends by itself.
      const { said, ended } = start({ STRATA_HOST: host, NEO4J_URI: 'bolt://127.0.0.1:1' });
      expect(await ended).toEqual([1, null]);
      expect(said.err).toContain('Neo4j at bolt://127.0.0.1:1 cannot be used');
      expect(said.err.match(/The policy dev_local lets every token/g) ?? []).toHaveLength(warnings);
    }
  });
});

describe('a setting that changes nothing', () => {
  it('is taken, and told at each start', async () => {
    const idle = { STRATA_V1_LAYERS_INCREMENTAL: '0', STRATA_CODE_REPO_ROOTS: '/repos' };
    // Nothing listens there, so that the start ends by itself.
    const { said, ended } = start({ ...idle, NEO4J_URI: 'bolt://127.0.0.1:1' });
    expect(await ended).toEqual([1, null]);
    const lines = said.err.split('\n').filter((line) => line.includes('a setting has no effect'));
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { setting: 'code.repo_roots', variable: 'STRATA_CODE_REPO_ROOTS', reason: expect.any(String) },
      { setting: 'upgrade.v1_layers_incremental', variable: 'STRATA_V1_LAYERS_INCREMENTAL' },
    ]);
  });
});
