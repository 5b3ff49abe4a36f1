import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nothingToRunWith } from '../../src/local-neo4j/choose.ts';
import { assertLineOpens, readDataLine, writeDataLine } from '../../src/local-neo4j/data-line.ts';
import { ensurePassword, passwordFile } from '../../src/local-neo4j/password.ts';
import { restartPause } from '../../src/local-neo4j/supervisor.ts';
import { freshFolder, removeFolders } from './support.ts';

afterAll(removeFolders);

test('with nothing to run it with, what is missing and what to install is said', () => {
  const bare = nothingToRunWith(null, null, 17).message;
  for (const part of [
    'no Java 17 or newer',
    'no Maven',
    'docker info',
    'Java 21',
    'Maven 3.8',
    'NEO4J_URI',
  ]) {
    expect(bare).toContain(part);
  }
  const java = { home: '/usr/lib/jvm/x', feature: 17, vectors: null };
  expect(nothingToRunWith(java, null, 17).message).toContain('Java 17 was found in /usr/lib/jvm/x');
});

test('data of a newer line is refused to an older one, not the other way round', async () => {
  const home = join(await freshFolder(), 'neo4j');
  await mkdir(home);
  expect(await readDataLine(home)).toBeNull();
  await writeDataLine(home, '2026');
  expect(await readDataLine(home)).toBe('2026');
  expect(() => {
    assertLineOpens(home, '2026', '5.26');
  }).toThrow(/written by Neo4j 2026\.09\.0; the older 5\.26\.31 cannot open it\. Install Java 21/);
  assertLineOpens(home, '5.26', '2026');
  assertLineOpens(home, null, '5.26');
  await writeFile(join(home, 'strata-neo4j-line'), '2031\n');
  await expect(readDataLine(home)).rejects.toThrow('does not know');
});

test('the password is made once and lies in a file for its owner only', async () => {
  const folder = await freshFolder();
  const password = await ensurePassword(folder);
  expect(password.length).toBeGreaterThanOrEqual(32);
  expect(await ensurePassword(folder)).toBe(password);
  const { stat } = await import('node:fs/promises');
  expect((await stat(passwordFile(folder))).mode & 0o777).toBe(0o600);
  expect((await readFile(passwordFile(folder), 'utf8')).trim()).toBe(password);
});

test('pauses before a restart double up to half a minute', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 50].map(restartPause)).toEqual([
    500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000,
  ]);
});
