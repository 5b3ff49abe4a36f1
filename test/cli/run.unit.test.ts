import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureOperatorKey } from '../../src/operator-key.ts';
import { cli } from './host.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'strata-cli-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

describe('the command line', () => {
  it.each([[[]], [['help']], [['--help']], [['help', 'start']], [['ingest', '--help']]])(
    'helps on %j',
    async (line) => {
      expect(await cli(line, { directory })).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^Usage: strata/),
      });
    },
  );

  it.each([
    [['stort']],
    [['config', '--prot', '1']],
    [['config', 'extra']],
    [['config', '--port']],
    [['help', 'nope']],
    [['--help', 'nope']],
    [['help', 'start', 'config']],
  ])('refuses %j with 64 and the help', async (line) => {
    const { code, stdout, stderr } = await cli(line, { directory });
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toContain('Usage: strata');
  });

  it('names the command that there is not', async () => {
    for (const line of [['nope'], ['help', 'nope']]) {
      expect((await cli(line, { directory })).stderr).toMatch(/^strata: there is no command nope\n/);
    }
  });

  it('ends with 78 when a setting is refused', async () => {
    const { code, stderr } = await cli(['start', '--port', 'x'], { directory });
    expect([code, stderr]).toEqual([78, 'strata: --port must be an integer from 0 to 65535; "x" is not\n']);
  });

  it('prints its version', async () => {
    expect((await cli(['version'], { directory })).stdout).toMatch(/^strata \d+\.\d+\.\d+\n$/);
  });

  it('prints the configuration in effect', async () => {
    const { stdout } = await cli(['config', '--port', '1', '--insecure-no-auth'], { directory });
    expect(stdout).toContain('port = 1 # flag\n');
    expect(stdout).toContain('insecure_no_auth = true # flag\n');
  });
});

describe('strata key', () => {
  it('prints the stored key alone on standard output', async () => {
    const { key } = ensureOperatorKey(join(directory, 'data'));
    expect(await cli(['key'], { directory })).toEqual({ code: 0, stdout: `${key}\n`, stderr: '' });
    const elsewhere = await cli(['key', '--data-dir', join(directory, 'other')], { directory });
    expect(elsewhere).toMatchObject({ code: 1, stdout: '' });
  });

  it('says where a key that was set comes from', async () => {
    const environment = { STRATA_API_KEY: 'operator-key-from-outside' };
    const { code, stdout, stderr } = await cli(['key'], { directory, environment });
    expect([code, stdout]).toEqual([0, 'operator-key-from-outside\n']);
    expect(stderr).toContain('STRATA_API_KEY');
  });
});
