// npm test: static checks beside the unit tests, then the exclusive tests, then the API tests.
// Arguments go to jest (`npm test -- test/capture`) and leave the static checks out. `--deep` runs the files that say more in
// `npm run test:long`, and only them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { errorText } from '../../../src/errors.ts';
import { SEED } from '../depth.ts';
import { ThrowawayDatabases } from '../throwaway-databases.ts';
import { deepFiles } from './deep-files.ts';
import { endRuns, runJest } from './jest.ts';
import { report, say, type Part } from './report.ts';

/** Workers of jest, each with a database of its own for the exclusive tests; as in `jest.config.js`. */
const WORKERS = 2;
const PROJECT = '--project=';
/** Long tests look at the processes that theirs has started, and workers are threads of one process. */
const ONE_BY_ONE = '--maxWorkers=1';
/** Projects of `npm test`. */
const EVERYDAY = ['unit', 'api', 'exclusive'];
const CHECKS: readonly (readonly [name: string, file: string, args: readonly string[]])[] = [
  ['types and lint', 'node_modules/oxlint/bin/oxlint', ['.']],
  ['format', 'node_modules/oxfmt/bin/oxfmt', ['--check', '.']],
];

/** What makes jest run the files of projects; it takes every word behind it for one of them: last, or in front of `--`. */
function selecting(projects: readonly string[]): string[] {
  return [...(projects.includes('long') ? [ONE_BY_ONE] : []), '--selectProjects', ...projects];
}

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

async function runChecks(): Promise<Part[]> {
  const parts: Part[] = [];
  for (const one of CHECKS) parts.push(await check(one));
  return parts;
}

async function runEverything(): Promise<Part[]> {
  // They take one core for as long as the unit tests take both, and go on beside what follows.
  const checks = runChecks();
  const unit = await runJest('unit', ['--selectProjects', 'unit']);
  const others = await onDatabases(['exclusive', 'api'].map((project) => [project, []]));
  return [...(await checks), unit, ...others];
}

/**
 * Runs files of projects, all of them where none is named, one project after the other on the same databases. The API tests come last: their
 * database has made its plans by then, which takes a server most of its time.
 */
async function onDatabases(projects: readonly (readonly [string, readonly string[]])[]): Promise<Part[]> {
  const parts: Part[] = [];
  const databases = new ThrowawayDatabases();
  try {
    await databases.start(WORKERS);
    process.env.STRATA_TEST_HANDED_OVER = '1';
    for (const [project, files] of projects)
      parts.push(await runJest(project, [...selecting([project]), '--', ...files]));
  } catch (error) {
    // What was found out by then is told all the same.
    parts.push({
      name: 'databases',
      seconds: 0,
      passed: 0,
      failed: 1,
      peakMb: null,
      failures: [errorText(error)],
    });
  } finally {
    await databases.stop();
  }
  return parts;
}

/**
 * Arguments for one run of jest after the other. `--project=NAME` leaves all projects but one out; else a long file has to be named to be
 * run, and by itself: workers of two projects would have the same databases.
 */
function jestArguments(args: readonly string[]): string[][] {
  const own = args.filter((arg) => arg.startsWith(PROJECT)).map((arg) => arg.slice(PROJECT.length));
  const others = args.filter((arg) => !arg.startsWith(PROJECT));
  if (own.length > 0) return [[...others, ...selecting(own)]];
  if (!args.some((arg) => arg.includes('.long'))) return [[...others, ...selecting(EVERYDAY)]];
  return [
    [...others, '--passWithNoTests', ...selecting(EVERYDAY)],
    [...others, ...selecting(['long'])],
  ];
}

async function runNamed(args: readonly string[]): Promise<Part[]> {
  const parts: Part[] = [];
  for (const one of jestArguments(args)) parts.push(await runJest('jest', one));
  return parts;
}

/** The files that say more in a long run, project by project. */
async function runDeep(): Promise<Part[]> {
  const deep = deepFiles();
  const unit =
    deep.unit.length === 0 ? [] : [await runJest('unit', ['--selectProjects', 'unit', '--', ...deep.unit])];
  const others = (['long', 'exclusive', 'api'] as const).map((project) => [project, deep[project]] as const);
  return [...unit, ...(await onDatabases(others.filter(([, files]) => files.length > 0)))];
}

const args = process.argv.slice(2);
// Jest is ended first, so that databases and folders are cleared away behind it.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    endRuns(`ended by ${signal}`);
  });
say(`Node ${process.version}. Seed ${SEED}; STRATA_TEST_SEED=${SEED} draws the same again.`);
const parts = args.includes('--deep')
  ? await runDeep()
  : args.length === 0
    ? await runEverything()
    : await runNamed(args);
process.exitCode = report(parts, { orNone: args.includes('--passWithNoTests') }) ? 0 : 1;
