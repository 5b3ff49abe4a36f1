// npm test: static checks beside the unit tests, then the API tests, then the exclusive ones.
// Arguments go to jest (`npm test -- test/capture`) and leave the static checks out. `--deep` runs the files that say more in
// `npm run test:long`, and only them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { SEED } from '../depth.ts';
import { deepFiles } from './deep-files.ts';
import { runJest } from './jest.ts';
import { report, say, type Part } from './report.ts';

/** Projects of `npm test`, in the order in which they are run. */
const EVERYDAY = ['unit', 'api', 'exclusive'];
const CHECKS: readonly (readonly [name: string, file: string, args: readonly string[]])[] = [
  ['types', 'node_modules/typescript/bin/tsc', ['--noEmit']],
  ['lint', 'node_modules/eslint/bin/eslint.js', ['.']],
  ['format', 'node_modules/prettier/bin/prettier.cjs', ['--check', '.']],
];

/** One static check; what it prints comes in one piece, since tests run beside it. */
async function check([name, file, args]: (typeof CHECKS)[number]): Promise<Part> {
  const began = performance.now();
  const run = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const printed: Buffer[] = [];
  for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk: Buffer) => printed.push(chunk));
  const [code] = (await once(run, 'close')) as [number | null];
  const part = { name, seconds: (performance.now() - began) / 1000, peakMb: null };
  if (code === 0) return { ...part, passed: 1, failed: 0, failures: [] };
  say(`\n> ${name}\n${Buffer.concat(printed).toString()}`);
  return { ...part, passed: 0, failed: 1, failures: [`${name}: printed above\nagain: npm run check`] };
}

async function runEverything(): Promise<Part[]> {
  const checks = async (): Promise<Part[]> => {
    const parts: Part[] = [];
    for (const one of CHECKS) parts.push(await check(one));
    return parts;
  };
  const [first, unit] = await Promise.all([checks(), runJest('unit', ['--selectProjects', 'unit'])]);
  const parts = [...first, unit];
  for (const project of EVERYDAY.slice(1)) parts.push(await runJest(project, ['--selectProjects', project]));
  return parts;
}

/** The projects that arguments mean: none of the long tests unless one of their files is named. */
function projectsOf(args: readonly string[]): string[] {
  if (args.includes('--selectProjects')) return [];
  return [
    '--selectProjects',
    ...EVERYDAY,
    ...(args.some((arg) => arg.includes('.long')) ? ['long'] : []),
    '--',
  ];
}

/** The deep files of each project by itself, so that no more than one of them holds databases. */
async function runDeep(): Promise<Part[]> {
  const parts: Part[] = [];
  for (const [project, files] of deepFiles())
    if (files.length > 0)
      parts.push(await runJest(`${project}, deep`, ['--selectProjects', project, '--', ...files]));
  return parts;
}

const args = process.argv.slice(2);
say(`Seed ${SEED}; STRATA_TEST_SEED=${SEED} draws the same again.`);
const parts = args.includes('--deep')
  ? await runDeep()
  : args.length === 0
    ? await runEverything()
    : [await runJest('jest', [...projectsOf(args), ...args])];
process.exitCode = report(parts) ? 0 : 1;
