import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { processStart } from '../../src/machine/process-identity.ts';
import type { Shared } from './shared-service.ts';
import { eventually } from './wait.ts';

/** Where `npm run test:db` of this checkout says what it keeps. */
const FILE = join(
  tmpdir(),
  `strata-test-db-${createHash('sha256')
    .update(import.meta.dirname)
    .digest('hex')
    .slice(0, 16)}.json`,
);

/** What is kept, by whom: a process id comes again, its start does not. */
interface Kept {
  readonly pid: number;
  readonly start: string;
  /** Null while the service is started anew. */
  readonly shared: Shared | null;
}

/** The process that keeps a service of this checkout; null where none does. */
export async function keeper(): Promise<number | null> {
  return (await readKept())?.pid ?? null;
}

/** Says that this process keeps a service, or (null) that it is being started. */
export async function writeKept(shared: Shared | null): Promise<void> {
  const kept: Kept = { pid: process.pid, start: (await processStart(process.pid)) ?? '', shared };
  // Put in place whole: a run may read it at any time.
  writeFileSync(`${FILE}.new`, JSON.stringify(kept), { mode: 0o600 });
  renameSync(`${FILE}.new`, FILE);
}

/** Says that nothing is kept any more. */
export function forgetKept(): void {
  rmSync(FILE, { force: true });
}

/** The service that a `npm run test:db` keeps, once it runs; null where none does. */
export async function keptShared(): Promise<Shared | null> {
  if ((await readKept()) === null) return null;
  const kept = await eventually('the kept service to be started', async () => {
    const now = await readKept();
    return now?.shared !== null && { now };
  });
  return kept.now?.shared ?? null;
}

async function readKept(): Promise<Kept | null> {
  try {
    const kept = JSON.parse(readFileSync(FILE, 'utf8')) as Kept;
    return (await processStart(kept.pid)) === kept.start ? kept : null;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    throw error;
  }
}
