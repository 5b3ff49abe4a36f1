import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { failuresOf, type JestResult } from './failures.ts';
import { PeakMemory } from './memory.ts';
import { say, type Part } from './report.ts';

/** How long one part may take, and how long after its report whatever a test left open may keep it. */
const PART_MINUTES = 60;
const LINGER_MS = 20_000;
const WATCH_MS = 1_000;

/** Runs jest with these arguments as a process of its own. */
export async function runJest(name: string, args: readonly string[]): Promise<Part> {
  say(`\n> ${name}`);
  const began = performance.now();
  const scratch = mkdtempSync(join(tmpdir(), 'strata-test-'));
  const resultFile = join(scratch, 'result.json');
  try {
    const { ok, peakMb } = await spawnJest(['--json', `--outputFile=${resultFile}`, ...args], resultFile);
    const part = { name, seconds: (performance.now() - began) / 1000, peakMb };
    if (!existsSync(resultFile)) return { ...part, passed: 0, failed: 1, failures: [`${name}: no result`] };
    const result = JSON.parse(readFileSync(resultFile, 'utf8')) as JestResult;
    const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
    // Something else than a test may fail a run, such as what a file left open.
    const counted = failed === 0 && !ok ? 1 : failed;
    return { ...part, passed: result.numPassedTests, failed: counted, failures: failuresOf(result) };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Runs jest, and ends it when it neither finishes nor, having reported, goes: one timer or socket that a failed test left open
 * would hold it for ever, and nobody would be told of the failure.
 */
async function spawnJest(
  args: readonly string[],
  resultFile: string,
): Promise<{ ok: boolean; peakMb: number }> {
  const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...args], {
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --no-warnings=ExperimentalWarning`,
    },
  });
  const memory = new PeakMemory(jest.pid ?? 0);
  const late = setTimeout(() => {
    end(jest, `jest did not finish within ${PART_MINUTES} minutes`);
  }, PART_MINUTES * 60_000);
  let lingering: NodeJS.Timeout | undefined;
  const watch = setInterval(() => {
    memory.look();
    if (lingering === undefined && existsSync(resultFile))
      lingering = setTimeout(() => {
        end(jest, 'jest reported, but something that a test left open keeps it running');
      }, LINGER_MS);
  }, WATCH_MS);
  const [code] = (await once(jest, 'exit')) as [number | null];
  clearTimeout(late);
  clearTimeout(lingering);
  clearInterval(watch);
  return { ok: code === 0, peakMb: memory.peakMb };
}

function end(jest: ChildProcess, why: string): void {
  say(why);
  jest.kill('SIGKILL');
}
