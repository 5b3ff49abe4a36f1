// The crash drill: npm run drill -- --mode managed|external --rounds 10 [--seed N]
// Ends with 0 when nothing that was acknowledged is lost, doubled or stuck, and no process is left over.
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { Deployment, type Mode, type Victim } from './deployment.ts';
import { Drill, type RoundReport } from './drill.ts';

const VICTIMS: readonly Victim[] = ['service', 'database', 'both'];
const SHOWN = 20;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function readArguments(): { mode: Mode; rounds: number; seed: number } {
  const { values } = parseArgs({
    options: {
      mode: { type: 'string', default: 'managed' },
      rounds: { type: 'string', default: '10' },
      seed: { type: 'string', default: String(process.pid) },
    },
  });
  const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
  if (!['managed', 'external'].includes(values.mode) || !(rounds >= 1) || !Number.isSafeInteger(seed)) {
    throw new Error('usage: npm run drill -- --mode managed|external --rounds 10 [--seed N]');
  }
  return { mode: values.mode as Mode, rounds, seed };
}

function tell({ round, killed, acknowledged, resent, recovery_ms, violations }: RoundReport): void {
  say(
    `round ${round}  killed ${killed}  acknowledged ${acknowledged}  resent ${resent}  recovery ${recovery_ms} ms`,
  );
  for (const violation of violations.slice(0, SHOWN)) say(`  VIOLATION ${violation}`);
  if (violations.length > SHOWN) say(`  … and ${violations.length - SHOWN} more`);
}

const { mode, rounds, seed } = readArguments();
const deployment = new Deployment(mode);
const interrupted = (): void => {
  void deployment.stop().finally(() => process.exit(130));
};
process.once('SIGINT', interrupted);
process.once('SIGTERM', interrupted);
say(`mode ${mode}  rounds ${rounds}  seed ${seed}`);
const reports: RoundReport[] = [];
let violations: string[];
let drill: Drill;
try {
  await deployment.start();
  drill = new Drill(deployment, { seed, writers: 8, events: 400 });
  for (let round = 1; round <= rounds; round += 1) {
    const report = await drill.round(round, VICTIMS[(round - 1) % VICTIMS.length] ?? 'both');
    reports.push(report);
    tell(report);
    if (report.violations.length > 0) break;
  }
  violations = [...reports.flatMap((report) => report.violations), ...(await drill.finish())];
} catch (error) {
  say(`the data is kept in ${deployment.directory}`);
  await deployment.stop(true);
  throw error;
}
const recoveries = reports.map(({ recovery_ms }) => recovery_ms).sort((a, b) => a - b);
say(
  JSON.stringify({
    mode,
    seed,
    rounds: reports.length,
    acknowledged: drill.acknowledged,
    resent: reports.reduce((sum, { resent }) => sum + resent, 0),
    recovery_ms: {
      least: recoveries[0],
      median: recoveries[recoveries.length >> 1],
      most: recoveries.at(-1),
    },
    violations: violations.length,
  }),
);
if (violations.length > 0) {
  for (const violation of violations.slice(0, SHOWN)) say(`VIOLATION ${violation}`);
  say(`the data is kept in ${deployment.directory}`);
} else {
  rmSync(deployment.directory, { recursive: true, force: true });
}
process.exitCode = violations.length === 0 ? 0 : 1;
