import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { StartupError } from '../errors.ts';
import type { Log } from '../log.ts';
import { namesIn, parseJson, readIfThere, writeWhole } from './files.ts';
import { copyJars, type Maven } from './maven.ts';
import { tryPidLock } from './pid-lock.ts';
import type { ProgressListener } from './progress.ts';
import type { Neo4jRelease } from './versions.ts';
import { NEO4J_POLL_MS } from '../limits.ts';

/** What a fetch needs beside the release. */
export interface FetchOptions {
  readonly cacheDir: string;
  readonly maven: Maven | null;
  readonly log: Log;
  readonly progress: ProgressListener;
  /** Ends the fetching, or the waiting for another process that fetches. */
  readonly signal?: AbortSignal | undefined;
}

const marker = z.object({ version: z.string(), jars: z.int().positive() });

/** The directory with all jars of a release, or null when the cache does not hold them completely. */
export async function cachedJars(cacheDir: string, release: Neo4jRelease): Promise<string | null> {
  const place = placeOf(cacheDir, release);
  const text = await readIfThere(join(place, 'complete.json'));
  if (text === null) return null;
  const told = marker.safeParse(parseJson(text)).data;
  const lib = join(place, 'lib');
  const complete = told?.version === release.version && (await countJars(lib)) === told.jars;
  return complete ? lib : null;
}

/**
 * The directory with all jars of a release, fetched where the cache lacks them. Processes that fetch at once
 * wait for the first of them.
 *
 * @throws StartupError when Maven is needed and missing, or failed.
 */
export async function ensureJars(release: Neo4jRelease, options: FetchOptions): Promise<string> {
  const place = placeOf(options.cacheDir, release);
  await mkdir(place, { recursive: true, mode: 0o700 });
  for (;;) {
    options.signal?.throwIfAborted();
    const cached = await cachedJars(options.cacheDir, release);
    if (cached !== null) return cached;
    if (options.maven === null) throw new StartupError(`Maven is needed to fetch Neo4j ${release.version}.`);
    const lock = await tryPidLock(join(place, 'fetch.lock'));
    if (!lock.held) {
      await pause(NEO4J_POLL_MS);
      continue;
    }
    try {
      if ((await cachedJars(options.cacheDir, release)) === null) {
        await fetchJars(release, place, options.maven, options);
      }
    } finally {
      await lock.release();
    }
  }
}

async function fetchJars(
  release: Neo4jRelease,
  place: string,
  maven: Maven,
  { log, progress, signal }: FetchOptions,
): Promise<void> {
  const startedAt = performance.now();
  log.info('fetching Neo4j', { version: release.version, into: place });
  for (const left of await namesIn(place)) {
    if (left.startsWith('lib.tmp-')) await rm(join(place, left), { recursive: true, force: true });
  }
  const draft = join(place, `lib.tmp-${process.pid}`);
  await copyJars(maven, release, draft, { progress, signal });
  await assertRunnable(release, draft);
  const jars = await countJars(draft);
  progress({ phase: 'copy', done: jars, total: jars, unit: 'files' });
  await rm(join(place, 'lib'), { recursive: true, force: true });
  await rename(draft, join(place, 'lib'));
  await writeWhole(join(place, 'complete.json'), JSON.stringify({ version: release.version, jars }));
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  log.info('Neo4j fetched', { version: release.version, jars, seconds });
}

/** File names stand uncompressed in a jar's directory, so no unpacking is needed to look for one. */
async function assertRunnable(release: Neo4jRelease, lib: string): Promise<void> {
  const jar = await readFile(join(lib, `neo4j-${release.version}.jar`));
  const entry = `${release.mainClass.replaceAll('.', '/')}.class`;
  if (!jar.includes(entry)) throw new StartupError(`The fetched Neo4j has no ${release.mainClass}.`);
}

async function countJars(lib: string): Promise<number> {
  return (await namesIn(lib)).filter((name) => name.endsWith('.jar')).length;
}

function placeOf(cacheDir: string, release: Neo4jRelease): string {
  return join(cacheDir, `neo4j-${release.version}`);
}
