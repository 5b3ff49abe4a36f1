import { createHash, randomUUID } from 'node:crypto';
import { link, rename, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { hasCode, parseJson, readIfThere } from './files.ts';
import { processStart } from './process-identity.ts';

/** Who holds a lock. */
export interface Holder {
  readonly pid: number;
  /** As told by `processStart`, so that a later process with the same number is not taken for the holder. */
  readonly started: string;
}

/** The outcome of asking for a lock. */
export type LockOutcome =
  | { readonly held: true; release(): Promise<void> }
  | { readonly held: false; readonly by: Holder };

const holderText = z.object({ pid: z.int().positive(), started: z.string() });

/**
 * Asks once for the lock kept in a file, in the name of this process. The file of a holder that has ended is
 * taken over; of several that try this at once, one succeeds.
 */
export async function tryPidLock(path: string): Promise<LockOutcome> {
  const started = (await processStart(process.pid)) ?? '';
  const mine = JSON.stringify({ pid: process.pid, started, nonce: randomUUID() });
  const by = await claim(path, mine);
  if (by !== null) return { held: false, by };
  return {
    held: true,
    release: async () => {
      if ((await readIfThere(path)) === mine) await rm(path, { force: true });
    },
  };
}

/**
 * Puts `mine` into the file, or says who holds it. The text of an ended holder may be replaced only by who
 * holds the claim named after that very text; so whoever looked too early replaces nobody's fresh lock.
 */
async function claim(path: string, mine: string): Promise<Holder | null> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, mine, { mode: 0o600 });
  try {
    for (;;) {
      if (await linked(draft, path)) return null;
      const theirs = await readIfThere(path);
      if (theirs === null) continue;
      const holder = await liveHolder(theirs);
      if (holder !== null) return holder;
      const right = `${path}.over-${createHash('sha256').update(theirs).digest('hex').slice(0, 16)}`;
      const rival = await claim(right, mine);
      if (rival !== null) return rival;
      try {
        if ((await readIfThere(path)) !== theirs) continue;
        await rename(draft, path);
        return null;
      } finally {
        await rm(right, { force: true });
      }
    }
  } finally {
    await rm(draft, { force: true });
  }
}

async function linked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function liveHolder(text: string): Promise<Holder | null> {
  const read = holderText.safeParse(parseJson(text));
  if (!read.success) return null;
  return (await processStart(read.data.pid)) === read.data.started ? read.data : null;
}
