import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import type { Bench } from '../bench.ts';
import type { Run } from '../loops.ts';
import { residentMiB } from '../proc.ts';

/** Unit in which the system counts what a file takes on disk, bytes. */
const SECTOR_BYTES = 512;
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

/** What is measured when everything else has been: memory after load, starts on a store that is not empty, and disk. */
export async function atLast(bench: Bench): Promise<void> {
  recordMemory(bench, 'loaded');
  bench.say('stopping the service and starting it again');
  await bench.stopService();
  const before = storeBytes(bench);
  await bench.startService();
  recordStart(
    bench,
    'start.existing',
    'start of the process → ready, on the store that the bench has written',
  );
  await recordDisk(bench, before);
}

function recordStart(bench: Bench, name: string, note: string): void {
  const { service } = bench;
  bench.record({ name, value: service.readyAfterMs, unit: 'ms', n: 1, cpu: service.cpuAtReady, note });
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

/**
 * Bytes that the store grows by for each event with everything that the stages make of it, transaction logs left out. The
 * service is stopped before each look, since an orderly end writes everything that is still in memory.
 */
async function recordDisk(bench: Bench, before: number | null): Promise<void> {
  const n = bench.options.quick ? 5_000 : 20_000;
  bench.say(`bytes on disk of ${n} events`);
  await bench.load.order('prepare', { count: n / 500, size: 500, tag: bench.tag(), scopes: [SIZED_SCOPE] });
  await bench.load.order('sendAll', undefined);
  await bench.settle([SIZED_SCOPE]);
  await bench.stopService();
  const after = storeBytes(bench);
  const there = before !== null && after !== null;
  bench.record({
    name: 'disk.event',
    value: there ? (after - before) / n : null,
    unit: 'bytes',
    n: there ? n : 0,
    cpu: {},
    note: there
      ? 'of an event of about 420 bytes of JSON, with its key, passage, frames and index entries'
      : 'not there: the store is not in the data directory',
  });
}

/** Size of the store of the service's own Neo4j, which must not run; null where it has none. */
function storeBytes(bench: Bench): number | null {
  const directory = join(bench.dataDir, 'neo4j', 'data', 'databases', 'neo4j');
  if (!existsSync(directory)) return null;
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).blocks * SECTOR_BYTES, 0);
}
