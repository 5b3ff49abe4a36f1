import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { acquireDataLock } from '../../src/local-neo4j/data-lock.ts';
import { cli } from './host.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'strata-erasure-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

describe('erasure scan', () => {
  beforeEach(() => {
    mkdirSync(join(directory, 'data', 'neo4j', 'logs'), { recursive: true });
    writeFileSync(
      join(directory, 'data', 'neo4j', 'logs', 'debug.log'),
      'secret neighbour: quokka, another neighbour',
    );
  });

  it('ends with 0 when nothing is found', async () => {
    const { code, stdout } = await cli(['erasure', 'scan', '-'], { directory, stdin: 'zanzibar\n' });
    expect([code, stdout]).toEqual([0, '0 finds in 1 files, 43 bytes\n']);
  });

  it('ends with 1, names the place, and prints nothing of what stands around it', async () => {
    writeFileSync(join(directory, 'texts'), 'zanzibar\r\n\r\nquokka\r\n');
    const { code, stdout } = await cli(['erasure', 'scan', 'texts'], { directory });
    expect(code).toBe(1);
    expect(stdout).toContain('neo4j/logs/debug.log:18 line 3 utf-8 database_log\n');
    expect(stdout).toContain('1 × log of the database: purged by strata erasure purge\n');
    expect(stdout).not.toMatch(/neighbour|quokka/);
  });

  it('says that it does not see the files of a database of your own', async () => {
    const environment = { NEO4J_URI: 'neo4j://db.example.com', NEO4J_PASSWORD: 'of-nobody' };
    const scan = ['erasure', 'scan', '-'];
    const outcome = await cli(scan, { directory, environment, stdin: 'zanzibar\n' });
    expect([outcome.code, outcome.stdout]).toEqual([0, '0 finds in 1 files, 43 bytes\n']);
    expect(outcome.stderr).toMatch(
      /neo4j:\/\/db\.example\.com keeps its files elsewhere.*proves nothing\.\n$/,
    );
    expect((await cli(scan, { directory, stdin: 'zanzibar\n' })).stderr).toBe('');
  });

  it('answers lines of JSON', async () => {
    const { stdout } = await cli(['erasure', 'scan', '-', '--json'], { directory, stdin: 'quokka' });
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        file: 'neo4j/logs/debug.log',
        offset: 18,
        line: 1,
        form: 'utf-8',
        class: 'database_log',
        purged_by: 'strata erasure purge',
      },
      expect.objectContaining({ finds: 1, files: 1, unread: [], excluded: [], partly_searchable_files: 0 }),
    ]);
  });

  it.each([
    ['', '1 to 1000 texts'],
    ['abc\n', 'line 1 has less than 4 bytes'],
    ['one text\n'.repeat(1001), 'there are 1001'],
  ])('refuses %#', async (stdin, message) => {
    const { code, stderr } = await cli(['erasure', 'scan', '-'], { directory, stdin });
    expect([code, stderr]).toEqual([64, expect.stringContaining(message)]);
  });

  it('refuses what is not UTF-8, and a file that is not there', async () => {
    writeFileSync(join(directory, 'texts'), Buffer.from([0xff, 0xfe, 0x41, 0x42, 0x43]));
    expect(await cli(['erasure', 'scan', 'texts'], { directory })).toMatchObject({ code: 64 });
    expect(await cli(['erasure', 'scan', 'nowhere'], { directory })).toMatchObject({ code: 64 });
  });
});

describe('erasure purge', () => {
  it('refuses while a process holds the data directory', async () => {
    const lock = await acquireDataLock(join(directory, 'data'));
    const { code, stderr } = await cli(['erasure', 'purge'], { directory });
    await lock.release();
    expect([code, stderr]).toEqual([
      78,
      expect.stringContaining(`in use by the process with pid ${process.pid}`),
    ]);
  });

  it('refuses where there is no database, and leaves nothing', async () => {
    const { code, stderr } = await cli(['erasure', 'purge', '--yes'], { directory });
    expect([code, stderr]).toEqual([78, expect.stringContaining('There is no database in')]);
    expect(readdirSync(join(directory, 'data'))).toEqual([]);
  });

  it.each([
    ['no\n', 1, ''],
    ['', 1, ''],
    ['y\n', 78, 'There is no database in'],
  ])('asks on a terminal, and takes %j as its answer', async (stdin, exit, message) => {
    const { code, stderr } = await cli(['erasure', 'purge'], { directory, stdin, terminal: true });
    expect([code, stderr]).toEqual([exit, expect.stringMatching(`Go on\\? \\[y/N\\] (strata: )?${message}`)]);
  });

  it('says of a database of your own what its operator has to do, and ends with 1', async () => {
    const environment = { NEO4J_URI: 'neo4j://db.example.com', NEO4J_PASSWORD: 'of-nobody' };
    const { code, stdout } = await cli(['erasure', 'purge'], { directory, environment });
    expect(code).toBe(1);
    for (const part of [
      'nothing was done',
      'retention_policy',
      'neo4j-admin database copy',
      'drop the indexes',
      'Backups',
    ])
      expect(stdout).toContain(part);
    const json = JSON.parse((await cli(['erasure', 'purge', '--json'], { directory, environment })).stdout);
    expect(json).toMatchObject({ managed: false, uri: 'neo4j://db.example.com' });
    expect(json.steps).toHaveLength(5);
  });
});
