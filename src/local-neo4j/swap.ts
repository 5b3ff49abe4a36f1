import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Log } from '../log.ts';
import { StartupError } from '../errors.ts';
import { hasCode, lookAt, readIfThere, writeWhole } from '../machine/files.ts';
import { endOrphan } from './orphan.ts';

/** The server's home in a data directory. */
export function homeOf(dataDir: string): string {
  return join(dataDir, 'neo4j');
}

/** Where the store that is to take the place of another is made: a data directory of its own, inside of the one that it is for. */
export function draftOf(dataDir: string): string {
  return join(dataDir, 'neo4j-new');
}

/** Where the store lies whose place was taken, until it is removed. */
export function formerOf(dataDir: string): string {
  return join(dataDir, 'neo4j-old');
}

/** The file that says that the draft is whole, and has to take the place of the store. */
function markerOf(dataDir: string): string {
  return join(dataDir, 'neo4j-swap');
}

/**
 * The steps of a swap, in order, each of which does nothing where it is done already. From the first on a swap is finished, and never
 * undone: the former store is the first thing that it takes away.
 */
export const SWAP_STEPS: readonly ((dataDir: string) => Promise<void>)[] = [
  async function mark(dataDir) {
    if ((await readIfThere(markerOf(dataDir))) !== null) return;
    await writeWhole(markerOf(dataDir), 'neo4j-new takes the place of neo4j\n');
    await sync(markerOf(dataDir));
    await sync(dataDir);
  },
  async function putAside(dataDir) {
    // Without the draft the new store is in its place already.
    if ((await lookAt(homeOf(draftOf(dataDir)))) === null || (await lookAt(formerOf(dataDir))) !== null)
      return;
    await renameIfThere(homeOf(dataDir), formerOf(dataDir));
    await sync(dataDir);
  },
  async function putInPlace(dataDir) {
    await renameIfThere(homeOf(draftOf(dataDir)), homeOf(dataDir));
    await sync(dataDir);
  },
  async function removeFormer(dataDir) {
    // Whoever took the copy away by hand between two steps is left the store that there was.
    if ((await lookAt(join(homeOf(dataDir), 'data'))) === null)
      await renameIfThere(formerOf(dataDir), homeOf(dataDir));
    await rm(formerOf(dataDir), { recursive: true, force: true });
  },
  async function removeDraft(dataDir) {
    await rm(draftOf(dataDir), { recursive: true, force: true });
    await sync(dataDir);
  },
  async function unmark(dataDir) {
    await rm(markerOf(dataDir), { force: true });
    await sync(dataDir);
  },
];

/**
 * Refuses a data directory whose store cannot change places with another one: there is none, it lies on another file system, or something
 * lies where it would be put aside.
 *
 * @throws StartupError
 */
export async function assertSwappable(dataDir: string): Promise<void> {
  const device = (await lookAt(dataDir))?.dev;
  if ((await lookAt(join(homeOf(dataDir), 'data'))) === null)
    throw new StartupError(`There is no database in ${dataDir}: nothing was ever started there.`);
  if ((await lookAt(formerOf(dataDir))) !== null)
    throw new StartupError(
      `${formerOf(dataDir)} is in the way: a purge puts the former store there before it removes it. Move it out of the data directory.`,
    );
  for (const path of [homeOf(dataDir), join(homeOf(dataDir), 'data')]) {
    const found = await lookAt(path);
    if (found?.isDirectory() === true && found.dev === device) continue;
    throw new StartupError(
      `${path} is a link or a mount, so another store cannot take its place. Put the data directory itself there (STRATA_DATA_DIR).`,
    );
  }
}

/** Puts the draft of a data directory into the place of its store, which is deleted. No server runs on either. */
export async function swapStores(dataDir: string): Promise<void> {
  for (const step of SWAP_STEPS) await step(dataDir);
}

/**
 * Finishes a swap that was cut short, or removes a draft that was never finished; does nothing where there is neither. The caller holds
 * the lock of the data directory.
 */
export async function settleSwap(dataDir: string, log: Log): Promise<void> {
  if ((await readIfThere(markerOf(dataDir))) !== null) {
    log.warn('finishing a purge of the database that was cut short', { data_dir: dataDir });
    await swapStores(dataDir);
  } else if ((await lookAt(draftOf(dataDir))) !== null) {
    log.warn('removing the unfinished copy that a purge of the database left', { data_dir: dataDir });
    await removeDraft(dataDir, log);
  }
}

/** Removes a draft; a server that was left running on it is ended before. */
export async function removeDraft(dataDir: string, log: Log): Promise<void> {
  await endOrphan(homeOf(draftOf(dataDir)), log);
  await rm(draftOf(dataDir), { recursive: true, force: true });
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

/** Waits until the disk has what was written to a file, or which names a directory holds. */
async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
