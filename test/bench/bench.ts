import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { DatabaseAddress } from '../../src/context.ts';
import { TEST_KEY } from '../support/client.ts';
import type { BenchArguments } from './arguments.ts';
import { SCOPES } from './envelopes.ts';
import { toLine, type Line, type Measured } from './line.ts';
import type { LoadCommands } from './load-process.ts';
import type { Run } from './loops.ts';
import { CpuMeter, type CpuUse } from './proc.ts';
import type { RawCommands } from './raw-process.ts';
import { Service } from './service.ts';
import { Worker } from './worker.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Databases to use instead of servers of the bench's own. */
export interface Databases {
  readonly ours: DatabaseAddress | null;
  readonly raw: DatabaseAddress | null;
}

/** What a run is made with. */
export interface BenchParts {
  readonly options: BenchArguments;
  readonly databases: Databases;
  /** Takes progress for the person at the terminal. */
  readonly say: (text: string) => void;
  /** Takes each line as soon as there is one. */
  readonly keep: (line: Line) => void;
}

/** Service, load generator and raw driver as processes, and what is measured with them. */
export class Bench {
  readonly options: BenchArguments;
  readonly lines: Line[] = [];
  readonly say: (text: string) => void;
  readonly load = new Worker<LoadCommands>('./load-process.ts');
  readonly raw = new Worker<RawCommands>('./raw-process.ts');
  private readonly parts: BenchParts;
  private readonly directory = mkdtempSync(join(tmpdir(), 'strata-bench-'));
  private readonly others: Service[] = [];
  private begun = 1;
  private running: Service | null = null;
  /** The start of the service that was begun last. */
  private starting: Promise<Service> | null = null;
  private rawDatabase: { pid: number | null; version: string } = { pid: null, version: '?' };
  private tags = 0;

  constructor(parts: BenchParts) {
    this.parts = parts;
    this.options = parts.options;
    this.say = parts.say;
  }

  /** The service; it has to run. */
  get service(): Service {
    if (this.running === null) throw new Error('the service does not run');
    return this.running;
  }

  /** The data directory of the service. */
  get dataDir(): string {
    return join(this.directory, 'service');
  }

  /** Starts the service, on what its data directory holds already. */
  async startService(): Promise<Service> {
    mkdirSync(this.dataDir, { recursive: true });
    this.starting = Service.start(this.dataDir, this.parts.databases.ours);
    this.running = await this.starting;
    await this.load.order('target', { url: this.running.url, key: TEST_KEY });
    return this.running;
  }

  /** Starts one more service on the same database, with these settings beside those that all have. */
  async startAnother(environment: Readonly<Record<string, string>> = {}): Promise<Service> {
    this.begun += 1;
    const dataDir = join(this.directory, `service-${this.begun}`);
    mkdirSync(dataDir);
    const service = await Service.start(dataDir, this.service.address, environment);
    this.others.push(service);
    return service;
  }

  async stopService(): Promise<void> {
    await this.service.stop();
    this.running = null;
    this.starting = null;
  }

  async stopOthers(): Promise<void> {
    await Promise.all(this.others.splice(0).map((service) => service.stop()));
  }

  /** Starts the raw driver and its database. */
  async startRaw(): Promise<void> {
    const { raw } = this.parts.databases;
    const directory = join(this.directory, 'raw');
    this.rawDatabase = await this.raw.order('start', raw === null ? { directory } : { address: raw });
  }

  /** A meter of the processes that run now. */
  meter(): CpuMeter {
    return new CpuMeter(() => ({
      service: this.running?.pid ?? null,
      service_database: this.running?.databasePid ?? null,
      load: this.load.pid,
      raw: this.raw.pid,
      raw_database: this.rawDatabase.pid,
      ...Object.fromEntries(this.others.map(({ pid }, i) => [`service_${i + 2}`, pid])),
    }));
  }

  /** A beginning of keys that no other run has. */
  tag(): string {
    this.tags += 1;
    return `b${this.tags}`;
  }

  /** Waits until the stages have nothing left to do, so that what follows is not disturbed by them. */
  async settle(scopes: readonly string[] = SCOPES): Promise<void> {
    await this.service.settled(scopes);
  }

  /** Keeps a figure. */
  record(measured: Measured): void {
    const line = toLine(measured, {
      machine: {
        cores: cpus().length,
        memory: Math.round(totalmem() / 2 ** 30),
        node: process.version,
        neo4j: this.rawDatabase.version,
        load: loadavg()[0] ?? 0,
      },
      commit: commit(),
      at: new Date().toISOString(),
    });
    this.lines.push(line);
    this.parts.keep(line);
  }

  /** Ends whatever was started and removes its data; says what did not end as it should. */
  async end(): Promise<void> {
    const service = this.starting?.then((started) => started.stop()) ?? Promise.resolve();
    const ends = [this.stopOthers(), service, this.load.end(), this.raw.end()];
    for (const outcome of await Promise.allSettled(ends)) {
      if (outcome.status === 'rejected') this.say(`! ${String(outcome.reason)}`);
    }
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Runs of both sides, in their order. */
export interface Pairs {
  readonly ours: readonly Run[];
  readonly raw: readonly Run[];
  /** Milliseconds from the end of each of our runs until the stages had nothing left to do. */
  readonly settledAfterMs: readonly number[];
  readonly cpu: CpuUse;
}

/** How a pair of runs is made; `warming` is the first, which is not counted. */
export interface PairPlan {
  readonly what: string;
  readonly raw: (seconds: number, warming: boolean) => Promise<Run>;
  readonly ours: (seconds: number, warming: boolean) => Promise<Run>;
  /** Prepared before each run, outside of what is measured. */
  readonly prepare: (side: 'raw' | 'ours', tag: string) => Promise<void>;
  /** Length of a run. */
  readonly seconds: number;
  /** Processes whose CPU seconds are those of the other side, where it is not the raw driver, by the names that they go under. */
  readonly rawProcesses?: Readonly<Record<string, string>>;
}

/** Runs raw, ours, raw, ours …, so that noise of the machine meets both; the first pair only warms up. */
export async function inPairs(bench: Bench, plan: PairPlan): Promise<Pairs> {
  const meter = bench.meter();
  const [ours, raw, settledAfterMs]: [Run[], Run[], number[]] = [[], [], []];
  for (let pair = 0; pair <= bench.options.pairs; pair += 1) {
    const warming = pair === 0;
    for (const side of ['raw', 'ours'] as const) {
      await plan.prepare(side, bench.tag());
      bench.say(
        `${plan.what}: ${warming ? 'warming up' : `pair ${pair} of ${bench.options.pairs}`}, ${side}`,
      );
      const names =
        side === 'raw'
          ? (plan.rawProcesses ?? ['raw', 'raw_database'])
          : ['service', 'service_database', 'load'];
      const run = (): Promise<Run> =>
        plan[side](warming ? Math.max(1, plan.seconds / 2) : plan.seconds, warming);
      const outcome = warming ? await run() : await meter.during(names, run);
      if (!warming) (side === 'raw' ? raw : ours).push(outcome);
      if (side === 'raw') continue;
      const ended = performance.now();
      await bench.settle();
      if (!warming) settledAfterMs.push(performance.now() - ended);
    }
  }
  return { ours, raw, settledAfterMs, cpu: meter.used };
}

function commit(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const changed = git('status', '--porcelain', '--untracked-files=no').trim() !== '';
    return git('rev-parse', '--short', 'HEAD').trim() + (changed ? '+' : '');
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT' || 'status' in (error as object)) return 'unknown';
    throw error;
  }
}
