// npm run test:long [-- PART …]: what takes too long for every day, with a fresh seed unless STRATA_TEST_SEED gives one.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { LONG_PARTS, type LongPart, type Step } from './long-parts.ts';
import { say, tableOf } from './report.ts';

interface Outcome {
  readonly part: LongPart;
  readonly result: 'passed' | 'FAILED' | 'left out';
  readonly seconds: number;
  /** The last line that each of its steps printed, or why it was left out. */
  readonly remark: string;
}

let running: ChildProcess | null = null;
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    interrupt.abort();
    running?.kill(signal);
  });

const seed = process.env.STRATA_TEST_SEED ?? String(randomInt(2 ** 31));
const scratch = mkdtempSync(join(tmpdir(), 'strata-long-'));

function chosen(names: readonly string[]): readonly LongPart[] {
  const unknown = names.filter((name) => !LONG_PARTS.some((part) => part.name === name));
  if (unknown.length > 0) {
    const known = LONG_PARTS.map(({ name }) => name).join(', ');
    throw new Error(`there is no part ${unknown.join(', ')}; parts are ${known}`);
  }
  return LONG_PARTS.filter(({ name }) => names.length === 0 || names.includes(name));
}

async function run(part: LongPart): Promise<Outcome> {
  const steps = await part.steps({ scratch, seed, signal: interrupt.signal });
  if (typeof steps === 'string') return { part, result: 'left out', seconds: 0, remark: steps };
  say(`\n=== ${part.name}: about ${part.minutes} min`);
  const began = performance.now();
  const remarks: string[] = [];
  let isGood = true;
  for (const step of steps) {
    const { ok, last } = await runStep(step);
    remarks.push(last);
    isGood &&= ok;
  }
  const seconds = (performance.now() - began) / 1000;
  return { part, result: isGood ? 'passed' : 'FAILED', seconds, remark: remarks.join('; ') };
}

async function runStep({ args, env, node = process.execPath }: Step): Promise<{ ok: boolean; last: string }> {
  const child = spawn(node, ['--import', 'tsx', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env, STRATA_TEST_SEED: seed },
  });
  running = child;
  let tail = '';
  child.stdout.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk);
    tail = (tail + chunk.toString()).slice(-2000);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { ok: code === 0, last: tail.trimEnd().split('\n').at(-1) ?? '' };
}

const parts = chosen(process.argv.slice(2));
say(
  `Seed ${seed}. ${parts.length} parts, about ${parts.reduce((sum, { minutes }) => sum + minutes, 0)} min:`,
);
say(tableOf(parts.map(({ name, minutes, what }) => [name, `${minutes} min`, `  ${what}`])));
const outcomes: Outcome[] = [];
try {
  for (const part of parts) if (!interrupt.signal.aborted) outcomes.push(await run(part));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
say(
  `\n${tableOf(
    outcomes.map(({ part, result, seconds, remark }) => [
      part.name,
      `${(seconds / 60).toFixed(1)} min`,
      result,
      `  ${remark.slice(0, 120)}`,
    ]),
  )}`,
);
const count = (result: Outcome['result']): number =>
  outcomes.filter((outcome) => outcome.result === result).length;
say(`\n${count('passed')} passed, ${count('FAILED')} failed, ${count('left out')} left out`);
process.exitCode = !interrupt.signal.aborted && count('FAILED') === 0 && count('passed') > 0 ? 0 : 1;
