import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { StartupError } from '../errors.ts';
import type { Log } from '../log.ts';
import { cachedContent, ensureContent, type CacheFolder } from '../machine/cache-folder.ts';
import { namesIn } from '../machine/files.ts';
import type { Maven } from '../machine/maven.ts';
import { copyJars } from './maven.ts';
import type { ProgressListener } from './progress.ts';
import type { Neo4jRelease } from './versions.ts';

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
export function cachedJars(cacheDir: string, release: Neo4jRelease): Promise<string | null> {
  return cachedContent(placeOf(cacheDir, release));
}

/**
 * The directory with all jars of a release, fetched where the cache lacks them. Processes that fetch at once
 * wait for the first of them.
 *
 * @throws StartupError when Maven is needed and missing, or failed.
 */
export function ensureJars(release: Neo4jRelease, options: FetchOptions): Promise<string> {
  const place = placeOf(options.cacheDir, release);
  const fill = async (draft: string): Promise<unknown> => {
    const { maven } = options;
    if (maven === null) throw new StartupError(`Maven is needed to fetch Neo4j ${release.version}.`);
    options.log.info('fetching Neo4j', { version: release.version, into: place.directory });
    return fetchJars(release, draft, maven, options);
  };
  return ensureContent({ ...place, fill }, options.signal);
}

async function fetchJars(
  release: Neo4jRelease,
  draft: string,
  maven: Maven,
  { log, progress, signal }: FetchOptions,
): Promise<z.infer<typeof marker>> {
  const startedAt = performance.now();
  await copyJars(maven, release, draft, { progress, signal });
  await assertRunnable(release, draft);
  const jars = await countJars(draft);
  progress({ phase: 'copy', done: jars, total: jars, unit: 'files' });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  log.info('Neo4j fetched', { version: release.version, jars, seconds });
  return { version: release.version, jars };
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

function placeOf(cacheDir: string, release: Neo4jRelease): Omit<CacheFolder, 'fill'> {
  return {
    directory: join(cacheDir, `neo4j-${release.version}`),
    content: 'lib',
    isWhole: async (noted, lib) => {
      const read = marker.safeParse(noted).data;
      return read?.version === release.version && (await countJars(lib)) === read.jars;
    },
  };
}
