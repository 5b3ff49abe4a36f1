// Kills service and database while they erase: npm run drill:erasure -- --events 20000 --rounds 20 [--mode managed|external] [--seed N]
// Ends with 0 when every erasure ended once, verifies and left everything else alone, and each phase was met with each victim.
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { ERASURE_AT_ONCE } from '../../src/limits/erasure.ts';
import { Deployment, type Mode } from './deployment.ts';
import { ErasureDrill, nameOf, type ErasureRound } from './erasure-drill.ts';

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

function readArguments(): { mode: Mode; rounds: number; events: number; seed: number } {
  const { values } = parseArgs({
    options: {
      mode: { type: 'string', default: 'managed' },
      rounds: { type: 'string', default: '20' },
      events: { type: 'string', default: '20000' },
      seed: { type: 'string', default: String(process.pid) },
    },
  });
  const [rounds, events, seed] = [Number(values.rounds), Number(values.events), Number(values.seed)];
  const isGood = rounds >= 1 && events > ERASURE_AT_ONCE && Number.isSafeInteger(seed);
  if (!['managed', 'external'].includes(values.mode) || !isGood)
    throw new Error(
      `usage: npm run drill:erasure -- --events 20000 --rounds 20 [--mode managed|external] [--seed N]; events are more than ${ERASURE_AT_ONCE}`,
    );
  return { mode: values.mode as Mode, rounds, events, seed };
}

function tell({ round, target, killedIn, endedAfterMs, violations }: ErasureRound): void {
  const when = killedIn === null ? 'too late: it was over' : `while ${killedIn}`;
  say(
    `round ${round}  aimed at ${nameOf(target)}  killed ${target.victim} ${when}  ended after ${endedAfterMs} ms`,
  );
  for (const violation of violations) say(`  VIOLATION ${violation}`);
}

const { mode, rounds, events, seed } = readArguments();
const deployment = new Deployment(mode);
const interrupted = (): void => {
  void deployment.stop().finally(() => process.exit(130));
};
process.once('SIGINT', interrupted);
process.once('SIGTERM', interrupted);
say(`mode ${mode}  rounds ${rounds}  events ${events}  seed ${seed}`);
const reports: ErasureRound[] = [];
const drill = new ErasureDrill(deployment, { seed, events });
try {
  await deployment.start();
  await drill.begin();
  for (let round = 1; round <= rounds; round += 1) {
    const report = await drill.round(round);
    reports.push(report);
    tell(report);
    if (report.violations.length > 0) break;
  }
} catch (error) {
  say(`the data is kept in ${deployment.directory}`);
  await deployment.stop(true);
  throw error;
}
await deployment.stop(true);
const violations = reports.flatMap((report) => report.violations);
const unmet = drill.unmet.map(nameOf);
say(
  JSON.stringify({
    mode,
    seed,
    events,
    rounds: reports.length,
    counted: reports.filter(({ killedIn }) => killedIn !== null).length,
    ended_after_ms: Math.max(...reports.map(({ endedAfterMs }) => endedAfterMs)),
    violations: violations.length,
    unmet,
  }),
);
for (const one of unmet) say(`NOT MET: the ${one}`);
if (violations.length > 0) say(`the data is kept in ${deployment.directory}`);
else rmSync(deployment.directory, { recursive: true, force: true });
process.exitCode = violations.length === 0 && unmet.length === 0 ? 0 : 1;
