// The test command: static checks, then jest on ES modules, then one closing line.
// Arguments go to jest (`npm test -- test/capture`) and skip the static checks.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers';
import { stripVTControlCharacters } from 'node:util';

const jestArguments = process.argv.slice(2);
let passed = 0;
let failed = 0;

function runNode(label, file, args, env = {}) {
  console.log(`\n> ${label}`);
  const run = spawnSync(process.execPath, [file, ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return run.status === 0;
}

function count(ok) {
  if (ok) passed += 1;
  else failed += 1;
}

if (jestArguments.length === 0) {
  count(runNode('types', 'node_modules/typescript/bin/tsc', ['--noEmit']));
  count(runNode('lint', 'node_modules/eslint/bin/eslint.js', ['.']));
  count(runNode('format', 'node_modules/prettier/bin/prettier.cjs', ['--check', '.']));
}

/** How long one part may take, and how long after its report whatever a test left open may keep it. */
const JEST_MINUTES = 30;
const LINGER_MS = 20_000;

/**
 * Runs jest, and ends it when it neither finishes nor, having reported, goes: one timer or socket that a failed test left open
 * would hold it for ever, and nobody would be told of the failure.
 */
async function runJest(args, env, reported) {
  console.log('\n> jest');
  const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  const end = (why) => {
    console.error(why);
    jest.kill('SIGKILL');
  };
  const late = setTimeout(
    () => end(`jest did not finish within ${JEST_MINUTES} minutes`),
    JEST_MINUTES * 60_000,
  );
  let lingering;
  const watch = setInterval(() => {
    if (lingering === undefined && existsSync(reported))
      lingering = setTimeout(
        () => end('jest reported, but something that a test left open keeps it running'),
        LINGER_MS,
      );
  }, 1000);
  const [code] = await once(jest, 'exit');
  clearTimeout(late);
  clearTimeout(lingering);
  clearInterval(watch);
  return code === 0;
}

/**
 * All tests, in parts, each by a jest of its own: a jest that runs ES modules keeps those of every file that it has run, some 45 MB,
 * and would be out of memory before the last.
 */
const ALL_PARTS = [
  ['--selectProjects', 'unit'],
  ...['1/3', '2/3', '3/3'].map((shard) => ['--selectProjects', 'int', '--shard', shard]),
];

/** Lines of a failure that are told again at the end, from its beginning and its end, and characters of each. */
const TOLD_LINES = [8, 24];
const TOLD_CHARACTERS = 300;

/** What failed, short: the counterexample of a property can be longer than whatever else was printed. */
function* failuresOf({ testResults }) {
  for (const { name, status, message, assertionResults } of testResults) {
    const file = relative(process.cwd(), name);
    const tests = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && tests.length === 0) yield `${file}\n${shortened(message)}`;
    for (const { fullName, failureMessages } of tests)
      yield `${file}: ${fullName}\n${failureMessages.map(shortened).join('\n')}`;
  }
}

function shortened(message) {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => !/^\s+at .*node_modules/.test(line))
    .map((line) => (line.length > TOLD_CHARACTERS ? `${line.slice(0, TOLD_CHARACTERS)} …` : line));
  const [first, last] = TOLD_LINES;
  if (lines.length <= first + last) return lines.join('\n');
  return [...lines.slice(0, first), '…', ...lines.slice(-last)].join('\n');
}

const failures = [];
const scratch = mkdtempSync(join(tmpdir(), 'strata-test-'));
const parts = jestArguments.length === 0 ? ALL_PARTS : [jestArguments];
for (const [i, part] of parts.entries()) {
  const resultFile = join(scratch, `jest-${i}.json`);
  const ok = await runJest(
    ['--json', `--outputFile=${resultFile}`, ...part],
    {
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --no-warnings=ExperimentalWarning`,
    },
    resultFile,
  );
  try {
    const result = JSON.parse(readFileSync(resultFile, 'utf8'));
    passed += result.numPassedTests;
    const before = failed;
    failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
    failures.push(...failuresOf(result));
    if (!ok && failed === before) failed += 1;
  } catch (error) {
    console.error(`jest left no result: ${error.message}`);
    failed += 1;
  }
}
rmSync(scratch, { recursive: true, force: true });

for (const failure of failures) console.log(`\nFAILED ${failure}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
