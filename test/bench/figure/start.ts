import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { testDriver } from '../../support/database.ts';
import type { Bench } from '../bench.ts';
import type { Run } from '../loops.ts';
import { residentMiB } from '../proc.ts';

const SIZED_SCOPE = 'org:sized/project:p1';

/** What is measured before anything else has happened: the first start, memory at rest, and the first capture of a store. */
export async function atFirst(bench: Bench): Promise<void> {
  recordStart(
    bench,
    'start.empty',
    'start of the process → ready, on an empty store; Neo4j is fetched already',
  );
  recordMemory(bench, 'idle');
  await bench.raw.order('prepare', { count: 1, tag: bench.tag() });
  await bench.load.order('prepare', { count: 1, size: 1, tag: bench.tag() });
  const once = { clients: 1, seconds: 0.001, size: 1 };
  const timed = async (work: () => Promise<Run>): Promise<number> => {
    const began = performance.now();
    await work();
    return performance.now() - began;
  };
  bench.say('the first capture of each store');
  const meter = bench.meter();
  const ours = await meter.during(['service', 'service_database', 'load'], () =>
    timed(() => bench.load.order('closed', once)),
  );
  const raw = await meter.during(['raw', 'raw_database'], () => timed(() => bench.raw.order('closed', once)));
  bench.record({
    name: 'start.first_capture',
    value: ours,
    unit: 'ms',
    raw,
    n: 1,
    cpu: meter.used,
    note: 'the first capture of an empty store, most of which is the planning of its statement',
  });
}

/** What is measured when everything else has: disk, memory after load, and a start on a store that is not empty. */
export async function atLast(bench: Bench): Promise<void> {
  await recordDisk(bench);
  recordMemory(bench, 'loaded');
  bench.say('stopping the service and starting it again');
  await bench.stopService();
  await bench.startService();
  recordStart(
    bench,
    'start.existing',
    'start of the process → ready, on the store that the bench has written',
  );
}

function recordStart(bench: Bench, name: string, note: string): void {
  bench.record({ name, value: bench.service.readyAfterMs, unit: 'ms', n: 1, cpu: {}, note });
}

function recordMemory(bench: Bench, when: string): void {
  for (const [name, pid] of [
    ['service', bench.service.pid],
    ['database', bench.service.databasePid],
  ] as const) {
    const value = pid === null ? null : residentMiB(pid);
    const note = value === null ? 'not there: the system does not tell' : 'resident memory of the process';
    bench.record({ name: `memory.${name}.${when}`, value, unit: 'MiB', n: 1, cpu: {}, note });
  }
}

/** Bytes that the store grows by for each event with everything that the stages make of it, transaction logs left out. */
async function recordDisk(bench: Bench): Promise<void> {
  const name = 'disk.event';
  if (bench.service.databasePid === null) {
    const note = 'not there: the store is not on this machine';
    bench.record({ name, value: null, unit: 'bytes', n: 0, cpu: {}, note });
    return;
  }
  const n = bench.options.quick ? 5_000 : 20_000;
  bench.say(`bytes on disk of ${n} events`);
  const before = await storeBytes(bench);
  await bench.load.order('prepare', { count: n / 500, size: 500, tag: bench.tag(), scopes: [SIZED_SCOPE] });
  await bench.load.order('sendAll', undefined);
  await bench.settle([SIZED_SCOPE]);
  const value = ((await storeBytes(bench)) - before) / n;
  const note = 'of an event of about 420 bytes of JSON, with its key, passage, frames and index entries';
  bench.record({ name, value, unit: 'bytes', n, cpu: {}, note });
}

/** Size of the store after everything in memory was written to it. */
async function storeBytes(bench: Bench): Promise<number> {
  const driver = testDriver(bench.service.address);
  try {
    await driver.executeQuery(
      'CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()',
      {},
      { database: 'neo4j' },
    );
    await driver.executeQuery('CALL db.checkpoint()', {}, { database: 'neo4j' });
  } finally {
    await driver.close();
  }
  return bytesBelow(join(bench.dataDir, 'neo4j', 'data', 'databases', 'neo4j'));
}

function bytesBelow(directory: string): number {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).blocks * 512, 0);
}
