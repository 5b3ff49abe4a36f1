import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SealedSpool } from '../../src/machine/sealed-spool.ts';

let folder = '';
let spool: SealedSpool;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'strata-spool-'));
  spool = new SealedSpool(join(folder, 'data'));
});
afterEach(async () => {
  await spool.close();
  rmSync(folder, { recursive: true, force: true });
});

async function linesOf(): Promise<string[]> {
  const all: string[] = [];
  for await (const lines of spool.lines()) all.push(...lines);
  return all;
}

it('has nothing where nothing was added', async () => {
  await spool.add([]);
  expect(await linesOf()).toEqual([]);
});

it('touches no file for what fits into memory', async () => {
  await spool.add(['one', 'zwölf']);
  expect(await linesOf()).toEqual(['one', 'zwölf']);
  expect(readdirSync(folder)).toEqual([]);
});

it('has all lines in order, as often as they are read, however many there are, in a file that nobody finds', async () => {
  const lines = Array.from({ length: 40_000 }, (_, i) => `${i} ${'ü漢x'.repeat(i % 40)}`);
  for (let at = 0; at < lines.length; at += 700) await spool.add(lines.slice(at, at + 700));
  expect(readdirSync(join(folder, 'data'))).toEqual([]);
  expect(await linesOf()).toEqual(lines);
  await spool.add(['and one more']);
  expect(await linesOf()).toEqual([...lines, 'and one more']);
});

it('holds a line that is longer than a block', async () => {
  const long = 'x'.repeat(3_000_000);
  await spool.add(['before', long, 'behind']);
  expect(await linesOf()).toEqual(['before', long, 'behind']);
});

it('cannot be read when it is closed', async () => {
  await spool.add(['x'.repeat(2_000_000)]);
  await spool.close();
  await expect(linesOf()).rejects.toThrow('closed');
});
