import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { hasCode, namesIn } from '../machine/files.ts';

/** The parts of the environment that say where programs lie. */
export interface Environment {
  readonly JAVA_HOME?: string | undefined;
  readonly PATH?: string | undefined;
  readonly HOME?: string | undefined;
}

/** The first executable of this name on the path, or null. */
export async function findOnPath(name: string, path = ''): Promise<string | null> {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name);
    if (folder !== '' && (await isExecutable(file))) return file;
  }
  return null;
}

/** Whether a file is there and may be run. */
export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return false;
    throw error;
  }
}

/** Folders that may be a Java's home: JAVA_HOME, the `java` on the path, the usual places of installers. */
export async function javaHomes(environment: Environment): Promise<string[]> {
  const named = environment.JAVA_HOME === undefined ? [] : [environment.JAVA_HOME];
  const command = await findOnPath('java', environment.PATH);
  // `java` on the path is usually a link to bin/java of the installation.
  const onPath = command === null ? [] : [dirname(dirname(await realpath(command)))];
  const usual = await Promise.all(usualPlaces(environment.HOME).map(expand));
  const found: string[] = [];
  for (const home of [...named, ...onPath, ...usual.flat()]) {
    if (!(await isExecutable(join(home, 'bin', 'java')))) continue;
    const real = await realpath(home);
    if (!found.includes(real)) found.push(real);
  }
  return found;
}

/** Patterns in which one star stands for part of a folder's name. */
function usualPlaces(home: string | undefined): string[] {
  const everywhere = [
    '/usr/lib/jvm/*',
    '/usr/lib64/jvm/*',
    '/usr/java/*',
    '/usr/local/java/*',
    '/opt/java/*',
    '/opt/*jdk*',
    '/opt/*jre*',
    '/Library/Java/JavaVirtualMachines/*/Contents/Home',
    '/opt/homebrew/opt/openjdk*',
    '/usr/local/opt/openjdk*',
    '/home/linuxbrew/.linuxbrew/opt/openjdk*',
  ];
  if (home === undefined || home === '') return everywhere;
  return [...everywhere, join(home, '.sdkman/candidates/java/*'), join(home, '.jdks/*')];
}

async function expand(pattern: string): Promise<string[]> {
  const parts = pattern.split('/');
  const at = parts.findIndex((part) => part.includes('*'));
  const parent = parts.slice(0, at).join('/');
  const pieces = (parts[at] ?? '').split('*');
  const names = (await namesIn(parent)).filter((name) => matches(name, pieces)).sort();
  return names.map((name) => [parent, name, ...parts.slice(at + 1)].join('/'));
}

/** Whether a name consists of the pieces, in order, with anything between them. */
function matches(name: string, pieces: readonly string[]): boolean {
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  const inside = pieces.slice(1, -1).every((piece) => name.slice(first.length).includes(piece));
  return name.startsWith(first) && name.endsWith(last) && inside;
}
