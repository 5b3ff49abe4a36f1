import { spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireDataLock } from '../../src/local-neo4j/data-lock.ts';
import { processStart } from '../../src/machine/process-identity.ts';
import { freshFolder, removeFolders } from './support.ts';
import { inDepth } from '../support/depth.ts';

afterAll(removeFolders);

test('a second one is refused with the pid of the first, until that one gives it back', async () => {
  const folder = join(await freshFolder(), 'data');
  const first = await acquireDataLock(folder);
  await expect(acquireDataLock(folder)).rejects.toMatchObject({
    name: 'StartupError',
    exitCode: 78,
    message: expect.stringContaining(`pid ${process.pid}`),
  });
  await first.release();
  await first.release();
  await (await acquireDataLock(folder)).release();
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ['a process that has ended', () => ({ pid: spawnSync(process.execPath, ['-e', '']).pid, started: 'x' })],
  ['a process whose number was given to another', () => ({ pid: process.pid, started: 'long ago' })],
])('the lock of %s is taken over', async (_whose, holder) => {
  const folder = await freshFolder();
  await writeFile(join(folder, 'strata.lock'), JSON.stringify(holder()));
  const lock = await acquireDataLock(folder);
  expect(JSON.parse(await readFile(join(folder, 'strata.lock'), 'utf8'))).toMatchObject({
    pid: process.pid,
    started: await processStart(process.pid),
  });
  await lock.release();
  expect(await readdir(folder)).toEqual([]);
});

test.each(['', '{"pid":', 'null'])('an unreadable lock (%j) is taken over', async (text) => {
  const folder = await freshFolder();
  await writeFile(join(folder, 'strata.lock'), text);
  await acquireDataLock(folder);
});

test.each([null, JSON.stringify({ pid: process.pid, started: 'long ago' })])(
  'of many at once one gets it (left behind: %j)',
  async (left) => {
    for (let round = 0; round < inDepth(3, 20); round += 1) {
      const folder = await freshFolder();
      if (left !== null) await writeFile(join(folder, 'strata.lock'), left);
      const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => acquireDataLock(folder)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await readdir(folder)).toEqual(['strata.lock']);
    }
  },
);

test('a claim left by one that died while taking over does not stand in the way', async () => {
  const folder = await freshFolder();
  const left = JSON.stringify({ pid: process.pid, started: 'long ago' });
  await writeFile(join(folder, 'strata.lock'), left);
  const first = await acquireDataLock(folder);
  await first.release();
  await writeFile(join(folder, 'strata.lock'), left);
  const { createHash } = await import('node:crypto');
  const claim = createHash('sha256').update(left).digest('hex').slice(0, 16);
  await writeFile(join(folder, `strata.lock.over-${claim}`), left);
  await acquireDataLock(folder);
  expect(await readdir(folder)).toEqual(['strata.lock']);
});
