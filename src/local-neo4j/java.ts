import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorText, StartupError } from '../errors.ts';
import { readIfThere } from '../machine/files.ts';
import { isExecutable, javaHomes, type Environment } from './java-places.ts';
import { ANY_JAVA, type JavaRange } from './versions.ts';
import { PROBE_MS } from '../limits.ts';

const run = promisify(execFile);

/** A Java that can be started. */
export interface Java {
  readonly home: string;
  /** 17, 21, 25, … */
  readonly feature: number;
  /** Whether it has the incubating vector module, which makes vector search faster; null when unknown. */
  readonly vectors: boolean | null;
}

/** The first number that counts: 17 of `17.0.15`, 8 of `1.8.0_392`; null for what is no version. */
export function featureOf(version: string): number | null {
  const read = /^"?(?:1\.)?(\d+)/.exec(version);
  return read === null ? null : Number(read[1]);
}

/** What an installation's `release` file says; null when it does not say the version. */
export function readRelease(text: string): Pick<Java, 'feature' | 'vectors'> | null {
  const value = (name: string): string | undefined =>
    new RegExp(`^${name}="?([^"\\n]*)`, 'm').exec(text)?.[1];
  const feature = featureOf(value('JAVA_VERSION') ?? '');
  const modules = value('MODULES');
  if (feature === null) return null;
  return { feature, vectors: modules === undefined ? null : / ?jdk\.incubator\.vector\b/.test(modules) };
}

/** The newest of those in the range, otherwise the newest that is not too old; the first named of equals. */
export function chooseJava(candidates: readonly Java[], range: JavaRange = ANY_JAVA): Java | null {
  const usable = candidates.filter(({ feature }) => feature >= range.oldest);
  const known = usable.filter(({ feature }) => feature <= range.newest);
  return (known.length > 0 ? known : usable).reduce<Java | null>(
    (best, java) => (java.feature > (best?.feature ?? 0) ? java : best),
    null,
  );
}

/**
 * The Java to run the server with, or null when there is none that is new enough. A named one wins over all.
 *
 * @throws StartupError when the named one cannot be used.
 */
export async function findJava(
  named: string | undefined,
  environment: Environment,
  range: JavaRange = ANY_JAVA,
): Promise<Java | null> {
  if (named !== undefined) return namedJava(named, range.oldest);
  const found: Java[] = [];
  for (const home of await javaHomes(environment)) {
    const java = await inspect(home);
    // A broken installation somewhere on the machine is no reason not to start.
    if (typeof java !== 'string') found.push(java);
  }
  return chooseJava(found, range);
}

async function namedJava(home: string, oldest: number): Promise<Java> {
  const refuse = (why: string): StartupError =>
    new StartupError(
      `STRATA_JAVA_HOME is ${home}, but ${why}. ` +
        `Set it to the folder of a Java ${oldest} or newer (the one with bin/java in it), or leave it unset.`,
    );
  if (!(await isExecutable(join(home, 'bin', 'java')))) throw refuse('there is no bin/java to run in it');
  const java = await inspect(home);
  if (typeof java === 'string') throw refuse(`its version cannot be told: ${java}`);
  if (java.feature < oldest) throw refuse(`that is Java ${java.feature}`);
  return java;
}

/** What Java a folder holds, or why that cannot be told. */
async function inspect(home: string): Promise<Java | string> {
  const release = readRelease((await readIfThere(join(home, 'release'))) ?? '');
  if (release !== null) return { home, ...release };
  try {
    const { stderr, stdout } = await run(join(home, 'bin', 'java'), ['-version'], { timeout: PROBE_MS });
    const feature = featureOf(/version "([^"]+)"/.exec(stderr + stdout)?.[1] ?? '');
    return feature === null ? 'it does not say' : { home, feature, vectors: null };
  } catch (error) {
    return errorText(error);
  }
}
