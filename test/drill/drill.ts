import type { Driver } from 'neo4j-driver';

import { testDriver } from '../support/database.ts';
import { leftOver, type Seen } from '../support/processes.ts';
import { checkCaughtUp, checkFrames, checkLog, checkPages, checkSearch, checkTraces } from './check.ts';
import type { Deployment, Victim } from './deployment.ts';
import { Load, type Acknowledged } from './load.ts';
import { Random } from './random.ts';

const SCOPES = [
  'org:drill',
  'org:drill/user:ada',
  'org:drill/user:ben',
  'org:other',
  'user:cleo',
  'user:dan',
];
/** Older events that a round searches and traces again. */
const SAMPLE = 200;

/** What one round did and found. */
export interface RoundReport {
  readonly round: number;
  readonly killed: Victim;
  /** Events acknowledged in this round. */
  readonly acknowledged: number;
  /** Requests sent again in this round. */
  readonly resent: number;
  /** From the kill to the first acknowledgement of a request that was sent after it, milliseconds. */
  readonly recovery_ms: number;
  readonly violations: readonly string[];
}

/** How much load a round has. */
export interface DrillOptions {
  readonly seed: number;
  readonly writers: number;
  /** Events acknowledged before the kill (and up to as many more by chance), and after it. */
  readonly events: number;
}

/** Kills parts of a deployment under load, round after round, and looks at what is left. */
export class Drill {
  private readonly deployment: Deployment;
  private readonly options: DrillOptions;
  private readonly random: Random;
  private readonly load: Load;
  private readonly seen = new Map<string, Seen>();

  constructor(deployment: Deployment, options: DrillOptions) {
    this.deployment = deployment;
    this.options = options;
    this.random = new Random(options.seed);
    const { seed, writers } = options;
    this.load = new Load({ urls: () => deployment.urls, scopes: SCOPES, writers, seed });
  }

  /** Events acknowledged so far. */
  get acknowledged(): number {
    return this.load.acknowledged.size;
  }

  /** One round: load, kill, start again, more load, then every check. */
  async round(round: number, killed: Victim): Promise<RoundReport> {
    const { deployment, load, options } = this;
    const before = load.acknowledged.size;
    const resentBefore = load.resent;
    await this.note();
    load.start();
    await load.reach(before + options.events + this.random.below(options.events));
    const killedAt = performance.now();
    await deployment.kill(killed);
    const dead = performance.now();
    await deployment.restart(killed);
    await load.until('an acknowledgement after the kill', () => load.newestSent > dead);
    const recoveryMs = Math.round(performance.now() - killedAt);
    await load.reach(load.acknowledged.size + options.events);
    await load.stop();
    return {
      round,
      killed,
      acknowledged: load.acknowledged.size - before,
      resent: load.resent - resentBefore,
      recovery_ms: recoveryMs,
      violations: await this.check(before),
    };
  }

  /** Ends the deployment and says which of all the processes that it ever had still run. */
  async finish(): Promise<string[]> {
    await this.note();
    await this.deployment.stop(true);
    const left = await leftOver([...this.seen.values()]);
    return left.map(({ pid, what }) => `process ${pid} is left over after the drill: ${what}`);
  }

  private async check(before: number): Promise<string[]> {
    const { deployment, load } = this;
    const all = [...load.acknowledged.values()];
    const sample = [...all.slice(before), ...this.sampleOf(all.slice(0, before))];
    const violations = [...load.violations.splice(0), ...(await checkCaughtUp(deployment.url, SCOPES))];
    const driver = testDriver(deployment.address());
    try {
      violations.push(...(await this.checkStore(driver, all, sample)));
    } finally {
      await driver.close();
    }
    violations.push(...(await checkPages(deployment.url, SCOPES, all)));
    violations.push(...(await checkTraces(deployment.url, this.sampleOf(all))));
    const current = await this.note();
    const gone = [...this.seen.values()].filter(({ pid, start }) => !current.has(`${pid} ${start}`));
    const left = await leftOver(gone);
    return [...violations, ...left.map(({ pid, what }) => `process ${pid} is left over: ${what}`)];
  }

  private async checkStore(
    driver: Driver,
    all: readonly Acknowledged[],
    sample: readonly Acknowledged[],
  ): Promise<string[]> {
    return [
      ...(await checkLog(driver, all)),
      ...(await checkFrames(driver)),
      ...(await checkSearch(driver, sample)),
    ];
  }

  private sampleOf(events: readonly Acknowledged[]): Acknowledged[] {
    return events.length === 0 ? [] : Array.from({ length: SAMPLE }, () => this.random.pick(events));
  }

  /** Remembers the processes that run now, so that none can be overlooked later; answers which they are. */
  private async note(): Promise<Set<string>> {
    const running = await this.deployment.processes();
    for (const one of running) this.seen.set(`${one.pid} ${one.start}`, one);
    return new Set(running.map(({ pid, start }) => `${pid} ${start}`));
  }
}
