import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { eventually } from '../support/wait.ts';

const BIN = fileURLToPath(new URL('../../bin/strata.js', import.meta.url));

describe('a signal while the service starts', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'strata-start-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('ends it cleanly before the database answers', async () => {
    const { PATH, HOME, JAVA_HOME } = process.env;
    const child = spawn(process.execPath, [BIN, 'start', '--throwaway'], {
      cwd: directory,
      env: { PATH, HOME, JAVA_HOME, STRATA_PORT: '0', STRATA_EMBEDDING_PROVIDER: 'none' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
    const ended = once(child, 'exit');
    await eventually('the database to be waited for', () => said.err.includes('Starting Neo4j'));
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(said.out).not.toContain('listens on');
    // The lock is given back with everything else, so that another start is not refused.
    expect(said.err).not.toContain('could not be stopped');
  });
});
