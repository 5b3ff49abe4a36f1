import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { sendSignal } from '../../../src/machine/process-identity.ts';
import { inDepth } from '../depth.ts';
import { familyOf } from './family.ts';
import { failuresOf, repeatOf, type JestResult } from './failures.ts';
import { say, type Part } from './report.ts';

/** How long one file may take, since a test has no limit of its own. */
const FILE_MINUTES = inDepth(15, 60);
/** How long whatever a test left open may keep jest once it has reported. */
const LINGER_MS = 20_000;
/** How long jest may be busy with something else than a file: starting databases, and stopping them. */
const BETWEEN_MINUTES = 15;
const WATCH_MS = 1_000;

const runs = new Set<JestRun>();
let interrupted: string | null = null;

/** Ends the run that is under way, and every later one before it begins. */
export function endRuns(why: string): void {
  interrupted = why;
  for (const run of runs) run.end(why);
}

/** Runs jest with these arguments as a process of its own. */
export async function runJest(name: string, args: readonly string[]): Promise<Part> {
  say(`\n> ${name}`);
  const began = performance.now();
  const scratch = mkdtempSync(join(tmpdir(), 'strata-test-'));
  const run = new JestRun(scratch);
  try {
    runs.add(run);
    const ok = interrupted === null && (await run.finish(args));
    const part = { name, seconds: (performance.now() - began) / 1000, peakMb: run.peakMb };
    const result = run.result();
    if (result === null)
      return {
        ...part,
        passed: 0,
        failed: 1,
        failures: [`${name}: ${run.ended ?? interrupted ?? 'no result'}`],
      };
    const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
    // Something else than a test may fail a run, such as what a file left open.
    const counted = failed === 0 && !ok ? 1 : failed;
    const failures = [...failuresOf(result), ...(run.ended === null ? [] : [run.ended])];
    return { ...part, passed: result.numPassedTests, failed: counted, failures };
  } finally {
    runs.delete(run);
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** One run of jest, which is ended where it would not end by itself, so that somebody is told of the failure. */
class JestRun {
  /** Why it was ended; null while it was not. */
  ended: string | null = null;
  private readonly resultFile: string;
  private readonly runningFile: string;
  private pid = 0;
  private peakKb = 0;
  private reportedAt: number | null = null;
  private idleSince = Date.now();

  constructor(scratch: string) {
    this.resultFile = join(scratch, 'result.json');
    this.runningFile = join(scratch, 'running.json');
  }

  /** Most memory that its Node processes had together, databases apart, megabytes. */
  get peakMb(): number {
    return Math.round(this.peakKb / 1024);
  }

  /** Runs to the end; whether all went well. */
  async finish(args: readonly string[]): Promise<boolean> {
    const options = ['--json', `--outputFile=${this.resultFile}`];
    const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...options, ...args], {
      stdio: 'inherit',
      env: {
        ...process.env,
        STRATA_TEST_RUNNING: this.runningFile,
        NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import tsx`,
      },
    });
    this.pid = jest.pid ?? 0;
    const watch = setInterval(() => {
      this.look();
    }, WATCH_MS);
    const [code] = (await once(jest, 'exit')) as [number | null];
    clearInterval(watch);
    return code === 0;
  }

  /** What it reported; null where it did not come to that. */
  result(): JestResult | null {
    return existsSync(this.resultFile)
      ? (JSON.parse(readFileSync(this.resultFile, 'utf8')) as JestResult)
      : null;
  }

  private look(): void {
    const nodes = familyOf(this.pid).filter(({ name }) => /node|MainThread|jest/.test(name));
    this.peakKb = Math.max(
      this.peakKb,
      nodes.reduce((sum, { residentKb }) => sum + residentKb, 0),
    );
    if (existsSync(this.resultFile)) this.reportedAt ??= Date.now();
    if (this.reportedAt !== null && Date.now() - this.reportedAt > LINGER_MS)
      this.end('jest reported, but something that a test left open keeps it running');
    const running = this.running();
    if (running.length > 0) this.idleSince = Date.now();
    if (Date.now() - this.idleSince > BETWEEN_MINUTES * 60_000)
      this.end(`jest ran no file for ${BETWEEN_MINUTES} minutes`);
    const [late] = running.filter(([, since]) => Date.now() - since > FILE_MINUTES * 60_000);
    if (late === undefined) return;
    const file = relative(process.cwd(), late[0]);
    this.end(`${file} did not end within ${FILE_MINUTES} minutes\n${repeatOf(file)}`);
  }

  /** The files that run now, each with the instant of its start. */
  private running(): [path: string, since: number][] {
    if (!existsSync(this.runningFile)) return [];
    return Object.entries(JSON.parse(readFileSync(this.runningFile, 'utf8')) as Record<string, number>);
  }

  /** Kills it with its workers, of which one may be blocked for ever. */
  end(why: string): void {
    this.ended ??= why;
    if (this.pid === 0) return;
    for (const { pid } of familyOf(this.pid).reverse()) sendSignal(pid, 'SIGKILL');
    sendSignal(this.pid, 'SIGKILL');
  }
}
