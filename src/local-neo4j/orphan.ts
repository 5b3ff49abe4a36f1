import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StartupError } from '../errors.ts';
import type { Log } from '../log.ts';
import { readIfThere } from '../machine/files.ts';
import { homeArgument } from './java-arguments.ts';
import { processCommand, processStart, sendSignal } from '../machine/process-identity.ts';
import { NEO4J_ORPHAN_STOP_S, NEO4J_POLL_MS } from '../limits.ts';

/** Where the pid of the server running from a home is noted. */
export function pidFile(home: string): string {
  return join(home, 'neo4j.pid');
}

/** Notes the running server's pid, or that none runs. */
export async function notePid(home: string, pid: number | null): Promise<void> {
  if (pid === null) await rm(pidFile(home), { force: true });
  else await writeFile(pidFile(home), `${pid}\n`, { mode: 0o600 });
}

/**
 * Ends a server that an earlier service left running from this home. The caller holds the data directory's
 * lock, so nobody owns such a server. Whether the pid is still that server's is told by its command line.
 */
export async function endOrphan(home: string, log: Log): Promise<void> {
  const pid = Number((await readIfThere(pidFile(home))) ?? '');
  if (!Number.isSafeInteger(pid) || pid <= 0) return;
  if (!(await runsFrom(pid, home))) return;
  log.warn('ending a Neo4j that an earlier run left behind', { pid });
  sendSignal(pid, 'SIGTERM');
  if (await goneWithin(pid, NEO4J_ORPHAN_STOP_S * 1000)) return;
  sendSignal(pid, 'SIGKILL');
  if (await goneWithin(pid, NEO4J_ORPHAN_STOP_S * 1000)) return;
  throw new StartupError(
    `A Neo4j with pid ${pid} still uses ${home} and cannot be ended. End it and start again.`,
  );
}

async function runsFrom(pid: number, home: string): Promise<boolean> {
  if ((await processStart(pid)) === null) return false;
  return (await processCommand(pid)).includes(`${homeArgument(home)} `);
}

async function goneWithin(pid: number, patienceMs: number): Promise<boolean> {
  const startedAt = performance.now();
  while ((await processStart(pid)) !== null) {
    if (performance.now() - startedAt > patienceMs) return false;
    await pause(NEO4J_POLL_MS);
  }
  return true;
}
