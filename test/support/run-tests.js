// The test command: static checks, then jest on ES modules, then one closing line.
// Arguments go to jest (`npm test -- test/capture`) and skip the static checks.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

const scratch = mkdtempSync(join(tmpdir(), 'strata-test-'));
const resultFile = join(scratch, 'jest.json');
const ok = runNode(
  'jest',
  'node_modules/jest/bin/jest.js',
  ['--json', `--outputFile=${resultFile}`, ...jestArguments],
  {
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --no-warnings=ExperimentalWarning`,
  },
);
try {
  const result = JSON.parse(readFileSync(resultFile, 'utf8'));
  passed += result.numPassedTests;
  failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
} catch (error) {
  console.error(`jest left no result: ${error.message}`);
  failed += 1;
}
rmSync(scratch, { recursive: true, force: true });
if (!ok && failed === 0) failed += 1;

console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
