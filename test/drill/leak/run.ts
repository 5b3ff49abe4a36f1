// The leak drill: npm run drill:leak -- [--ways text,label] [--selectors events] [--removals erasure] [--batch 40] [--walk pairs|all]
// One unlikely value comes in by every way, is selected by every selector and removed by every removal, next to bystanders. Ends with 0
// when it is found nowhere behind that, no bystander has changed, and a purge leaves none of it in the files. The store is looked through for
// every case; all that can be read is asked for each pair of way and removal and of selector and removal, or with --walk all for each case.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { loadConfig } from '../../../src/config.ts';
import { scanDirectory, type Find } from '../../../src/local-neo4j/scan/scan.ts';
import { startService } from '../../../src/main.ts';
import { isManaged, purgeDatabase } from '../../../src/main/purge.ts';
import { clientOf, message, TEST_KEY, TEST_TOKEN_KEY } from '../../support/client.ts';
import { testDriver } from '../../support/database.ts';
import { managedAddress } from '../../support/managed-neo4j.ts';
import { DRILL_PATIENCE_MS } from './world.ts';
import { eventually } from '../../support/wait.ts';
import { allCases, drill, pairs, type Case, type Verdict } from './drill.ts';
import { modelSettings, startModel } from './model.ts';
import type { Find as FoundPlace } from './store-look.ts';
import { BUSY_MACHINE } from '../../support/patience.ts';

const SHOWN = 10;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function readArguments(): { cases: Case[]; batch: number; walked: ReadonlySet<Case> } {
  const { values } = parseArgs({
    options: {
      ways: { type: 'string' },
      selectors: { type: 'string' },
      removals: { type: 'string' },
      batch: { type: 'string', default: '40' },
      walk: { type: 'string', default: 'pairs' },
    },
  });
  const isOf = (list: string | undefined, name: string): boolean => list?.split(',').includes(name) ?? true;
  const cases = allCases().filter(
    ({ way, selector, removal }) =>
      isOf(values.ways, way.name) &&
      isOf(values.removals, removal.name) &&
      (selector === null || isOf(values.selectors, selector.name)),
  );
  const batch = Number(values.batch);
  if (cases.length === 0 || !(batch >= 1) || !['pairs', 'all'].includes(values.walk))
    throw new Error(
      'usage: npm run drill:leak -- [--ways a,b] [--selectors a,b] [--removals a,b] [--batch 40] [--walk pairs|all]',
    );
  return { cases, batch, walked: values.walk === 'all' ? new Set(cases) : pairs(cases) };
}

function isInStore({ by }: FoundPlace): boolean {
  return by === 'store' || by === 'bytes';
}

function tell({ name, leaks, changed, void: why }: Verdict): void {
  if (why !== null) say(`VOID  ${name}: ${why}`);
  for (const { by, place, within } of leaks.slice(0, SHOWN))
    say(`LEAK  ${name}: ${by} ${place} within ${within.join(' ')}`);
  for (const fault of changed.slice(0, SHOWN)) say(`CHANGED  ${name}: ${fault}`);
}

const { cases, batch, walked } = readArguments();
const directory = mkdtempSync(join(tmpdir(), 'strata-leak-'));
const answers = new Map<string, Record<string, unknown>>();
const endpoint = await startModel(answers);
const config = loadConfig({
  directory,
  environment: {
    STRATA_PORT: '0',
    STRATA_DATA_DIR: directory,
    STRATA_API_KEY: TEST_KEY,
    STRATA_TOKEN_SECRET_KEY: TEST_TOKEN_KEY,
    STRATA_LOG_LEVEL: 'error',
    ...BUSY_MACHINE,
    ...modelSettings(endpoint),
  },
});
const verdicts: Verdict[] = [];
const service = await startService(config, {
  environment: process.env,
  profile: 'throwaway',
  say: () => undefined,
});
const driver = testDriver(managedAddress(directory));
try {
  const parts = { client: clientOf(service.url), answers, driver: () => driver };
  // On a cold server the first capture may take longer than it is waited for.
  const warm = message('user:warm', 'up');
  const isWarm = async (): Promise<boolean> =>
    (await parts.client.post('/v1/experience', warm)).status === 202;
  await eventually('a capture', isWarm, DRILL_PATIENCE_MS);
  for (let at = 0; at < cases.length; at += batch) {
    const done = await drill(parts, cases.slice(at, at + batch), `d${at}`, (one) => walked.has(one));
    verdicts.push(...done);
    done.forEach(tell);
    say(`${verdicts.length} of ${cases.length} cases`);
  }
} finally {
  await driver.close();
  await service.stop();
  await endpoint.stop();
}

/** Of their values the store has nothing any more: none of them may be in the files behind a purge. */
const gone = verdicts.filter(
  ({ void: why, declared, leaks }) => why === null && ![...declared, ...leaks].some(isInStore),
);
const values = gone.map(({ value }) => value);
const unclassed: string[] = [];
const left: string[] = [];
if (!isManaged(config)) throw new Error('the drill has a database of its own');
const { signal } = new AbortController();
const scan = (onFind: (find: Find) => void): Promise<unknown> =>
  scanDirectory(directory, values, { onFind, tell: () => undefined, signal });
let classed = 0;
await scan(({ file, place }) => {
  classed += 1;
  if (place === 'own_file') unclassed.push(file);
});
await purgeDatabase(config, {
  environment: process.env,
  profile: 'throwaway',
  spareBytes: 0,
  signal,
  tell: () => undefined,
});
await scan(({ file, place, text }) => left.push(`${gone[text]?.name}: ${file} ${place}`));
for (const line of unclassed.slice(0, SHOWN)) say(`UNCLASSED  ${line}`);
for (const line of left.slice(0, SHOWN)) say(`LEFT  ${line}`);
const count = (of: (one: Verdict) => number): number => verdicts.reduce((sum, one) => sum + of(one), 0);
const totals = {
  cases: verdicts.length,
  walked: walked.size,
  void: count((one) => (one.void === null ? 0 : 1)),
  leaks: count(({ leaks }) => leaks.length),
  changed: count(({ changed }) => changed.length),
  scanned: gone.length,
  finds_before_purge: classed,
  unclassed: unclassed.length,
  left: left.length,
};
say(JSON.stringify(totals));
const failed = totals.leaks + totals.changed + totals.unclassed + totals.left > 0;
if (failed) say(`the data is kept in ${directory}`);
else rmSync(directory, { recursive: true, force: true });
process.exitCode = failed ? 1 : 0;
