import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { assertSwappable, settleSwap, SWAP_STEPS, swapStores } from '../../src/local-neo4j/swap.ts';
import { silentLog } from '../../src/log.ts';
import { freshFolder, removeFolders } from './support.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await freshFolder();
  for (const [home, content] of [
    ['neo4j', 'former'],
    ['neo4j-new/neo4j', 'copy'],
  ] as const) {
    mkdirSync(join(dataDir, home, 'data'), { recursive: true });
    writeFileSync(join(dataDir, home, 'data', 'store'), content);
  }
  writeFileSync(join(dataDir, 'neo4j-password'), 'the same as before');
});
afterAll(removeFolders);

const stored = (): string => readFileSync(join(dataDir, 'neo4j', 'data', 'store'), 'utf8');
const names = (): string[] => readdirSync(dataDir).sort();

test('a swap leaves the copy alone in the place of the store', async () => {
  await swapStores(dataDir);
  expect([stored(), names()]).toEqual(['copy', ['neo4j', 'neo4j-password']]);
});

test('a copy that was not finished is removed, and the store stays', async () => {
  await settleSwap(dataDir, silentLog);
  expect([stored(), names()]).toEqual(['former', ['neo4j', 'neo4j-password']]);
});

test('where nothing was cut short, nothing changes', async () => {
  await swapStores(dataDir);
  await settleSwap(dataDir, silentLog);
  expect([stored(), names()]).toEqual(['copy', ['neo4j', 'neo4j-password']]);
});

test.each(SWAP_STEPS.map((step, at) => [step.name, at + 1] as const))(
  'a swap that was cut short after %s is finished by the next start',
  async (_name, done) => {
    for (const step of SWAP_STEPS.slice(0, done)) await step(dataDir);
    await settleSwap(dataDir, silentLog);
    expect([stored(), names()]).toEqual(['copy', ['neo4j', 'neo4j-password']]);
  },
);

test('so is one that was cut short while the former store was being removed, and again while that was finished', async () => {
  for (const step of SWAP_STEPS.slice(0, 3)) await step(dataDir);
  mkdirSync(join(dataDir, 'neo4j-old', 'left'), { recursive: true });
  for (const step of SWAP_STEPS.slice(0, 2)) await step(dataDir);
  expect(existsSync(join(dataDir, 'neo4j-old'))).toBe(true);
  await settleSwap(dataDir, silentLog);
  expect([stored(), names()]).toEqual(['copy', ['neo4j', 'neo4j-password']]);
});

test('where the copy is taken away by hand between two steps, the store that there was stays', async () => {
  for (const step of SWAP_STEPS.slice(0, 2)) await step(dataDir);
  rmSync(join(dataDir, 'neo4j-new'), { recursive: true });
  await settleSwap(dataDir, silentLog);
  expect([stored(), names()]).toEqual(['former', ['neo4j', 'neo4j-password']]);
});

test('a swap is refused where something lies in its way', async () => {
  await expect(assertSwappable(dataDir)).resolves.toBeUndefined();
  mkdirSync(join(dataDir, 'neo4j-old'));
  await expect(assertSwappable(dataDir)).rejects.toThrow('neo4j-old is in the way');
});
