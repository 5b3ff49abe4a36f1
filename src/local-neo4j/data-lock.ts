import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StartupError } from '../errors.ts';
import { tryPidLock } from '../machine/pid-lock.ts';

/** The right to use a data directory. */
export interface DataLock {
  /** Gives it back; harmless when repeated. */
  release(): Promise<void>;
}

/**
 * Takes `<dataDir>/strata.lock` for this process, creating the directory (mode 0700) where needed. What a
 * process that has ended left behind is taken over.
 *
 * @throws StartupError naming the pid of the live process that holds it.
 */
export async function acquireDataLock(dataDir: string): Promise<DataLock> {
  const directory = resolve(dataDir);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, 'strata.lock');
  const outcome = await tryPidLock(file);
  if (outcome.held) return { release: () => outcome.release() };
  throw new StartupError(
    `The data directory ${directory} is in use by the process with pid ${outcome.by.pid}. ` +
      `Stop that one first (kill ${outcome.by.pid}), or choose another data directory for this one.`,
  );
}
