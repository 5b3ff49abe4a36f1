import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { namesIn, parseJson, readIfThere, writeWhole } from './files.ts';
import { tryPidLock } from './pid-lock.ts';

/** How often a process looks whether another one has filled a cache, milliseconds. */
const CACHE_POLL_MS = 100;

/** A place of a cache that holds one thing, as a whole or not at all. Processes may share it. */
export interface CacheFolder {
  /** Absolute path; holds the content, its marker and its lock. */
  readonly directory: string;
  /** Name of the folder in it that has the content. */
  readonly content: string;
  /** Whether the content is what its marker says. */
  isWhole(marker: unknown, content: string): Promise<boolean>;
  /** Fetches the content into a folder that is not there yet; what it answers is kept as the marker. */
  fill(draft: string): Promise<unknown>;
}

const MARKER = 'complete.json';

/** The folder with the content, or null when the place does not hold it as a whole. */
export async function cachedContent(place: Omit<CacheFolder, 'fill'>): Promise<string | null> {
  const text = await readIfThere(join(place.directory, MARKER));
  if (text === null) return null;
  const content = join(place.directory, place.content);
  return (await place.isWhole(parseJson(text), content)) ? content : null;
}

/**
 * The folder with the content, filled where the cache lacks it. Processes that need it at once wait for the first of them.
 * Throws what `fill` throws, and the reason of `signal` when that fires while another process fills.
 */
export async function ensureContent(place: CacheFolder, signal?: AbortSignal): Promise<string> {
  await mkdir(place.directory, { recursive: true, mode: 0o700 });
  for (;;) {
    signal?.throwIfAborted();
    const cached = await cachedContent(place);
    if (cached !== null) return cached;
    const lock = await tryPidLock(join(place.directory, 'fetch.lock'));
    if (!lock.held) {
      await pause(CACHE_POLL_MS);
      continue;
    }
    try {
      if ((await cachedContent(place)) === null) await fill(place);
    } finally {
      await lock.release();
    }
  }
}

async function fill(place: CacheFolder): Promise<void> {
  const { directory, content } = place;
  for (const left of await namesIn(directory)) {
    if (left.startsWith(`${content}.tmp-`)) await rm(join(directory, left), { recursive: true, force: true });
  }
  const draft = join(directory, `${content}.tmp-${process.pid}`);
  const marker = await place.fill(draft);
  // Without the old marker first, a loss of power between the two would leave it beside other content.
  await rm(join(directory, MARKER), { force: true });
  await rm(join(directory, content), { recursive: true, force: true });
  await rename(draft, join(directory, content));
  await writeWhole(join(directory, MARKER), JSON.stringify(marker));
}
