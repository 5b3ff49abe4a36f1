// The explorer and the IDE in a real browser that can reach nothing but the service:
// npm run test:browser [-- --part explorer|why|time|acts|ide|states|apollo --shots DIRECTORY]
// The part apollo needs the talk of Apollo 13 in the directory that STRATA_TALK names.
// npm run test:browser -- --part figures [--events 100000] measures instead.
// Ends with 0 when the explorer showed what was stored and can be used by everybody, when a mutation, a query and a subscription of the
// IDE worked, and when nothing tried to leave.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import type { Page } from 'playwright-core';

import { startServiceProcess, type ServiceProcess } from '../support/processes.ts';
import { message, send, TEST_KEY } from '../support/client.ts';
import { ModelEndpoint } from '../support/model-endpoint.ts';
import { eventually } from '../support/wait.ts';
import { visitApollo } from './apollo-visit.ts';
import { visitActs } from './acts-visit.ts';
import { findChromium, proveCage, startCaged } from './chromium.ts';
import { Explorer } from './explorer.ts';
import { visitExplorer } from './explorer-visit.ts';
import { measureExplorer } from './figures.ts';
import { Ide } from './ide.ts';
import { visitStates } from './states.ts';
import { visitTime } from './time-visit.ts';
import { visitWhy } from './why-visit.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A machine that does much else takes its time. */
const PATIENCE_MS = 120_000;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** What somebody does who opens the IDE for the first time: he is told to sign in, and what he does then. */
async function visit(page: Page, picture: (name: string) => Promise<void>, url: string): Promise<void> {
  const ide = new Ide(page, picture);
  await ide.open(url);
  await ide.told('does not know who asks');
  await ide.keep('ide-1-stranger');
  await page.getByRole('alert').getByRole('link', { name: 'Sign in' }).click();
  await new Explorer(page, picture).signIn(TEST_KEY);
  await page.getByRole('link', { name: 'GraphQL IDE' }).click();
  await ide.isOpen();
  await ide.send('mutation Capture');
  const eventId = /evt_[0-9a-f]{32}/.exec(await ide.answer('"captured"', 'evt_'))?.[0] ?? '';
  await ide.keep('ide-2-mutation');
  say(`signed in as the explorer is, a mutation captured ${eventId}`);
  await ide.tab('Events', 'Events of a scope');
  await ide.send('query Events');
  await ide.answer('I moved to Lisbon in March.');
  await ide.keep('ide-3-query');
  await ide.tab('Follow', 'as it happens');
  await ide.send('subscription Follow');
  await subscribed(url);
  await send(url, 'POST', '/v1/experience', { body: message('user:demo', 'while you watch') });
  await ide.answer('"captured"', '"indexed"');
  await ide.keep('ide-4-subscription');
  say('a subscription delivered what happened meanwhile');
  await page.goto(`${url}/graphql/operations`);
  await picture('ide-5-operations');
  await page.getByRole('link', { name: 'Event', exact: true }).click();
  await ide.setEnvironment({ key: '<key>', event_id: eventId }, 'ide-6-event');
  await ide.send('query Event');
  await ide.answer('"stagesCompleted"', eventId);
  say('the page of one operation asked for it');
  await page.goto(`${url}/graphql/operations/Follow`);
  await ide.setEnvironment({ key: 'wrong' }, 'ide-7-wrong-key');
  await ide.send('subscription Follow');
  await ide.told('The subscription ended');
  await ide.keep('ide-8-refused');
  say('a subscription that was refused said why');
}

/** What is noted of a key that is refused: explorer and IDE ask without one first, and the visits try a wrong one. */
function isRefusedKey(fault: string): boolean {
  return (
    fault.startsWith('console: ') &&
    ['status of 401', 'Introspection request failed with: 401', 'Error: No response!'].some((text) =>
      fault.includes(text),
    )
  );
}

/** Waits until the service has the subscription; what happens before is not shown. */
async function subscribed(url: string): Promise<void> {
  await eventually('the subscription', async () => {
    const { text } = await send(url, 'GET', '/v1/admin/metrics');
    return /^strata_graphql_subscriptions 1$/m.test(text);
  });
}

type Part = 'explorer' | 'why' | 'time' | 'acts' | 'ide' | 'apollo';
/** Needs a service and a database of its own, since both are taken away. */
const STATES = 'states';

/** Keeps what is on a page under a name. */
function pictureOf(page: Page, shots: string): (name: string) => Promise<void> {
  return async (name) => {
    await page.screenshot({ path: join(shots, `${name}.png`) });
  };
}

/** Visits one part on a page of its own; answers what is wrong with what is seen there. */
async function visitOn(
  page: Page,
  { part, shots, url }: { part: Part; shots: string; url: string },
): Promise<string[]> {
  page.setDefaultTimeout(PATIENCE_MS);
  const picture = pictureOf(page, shots);
  try {
    if (part === 'explorer') return await visitExplorer(new Explorer(page, picture), url);
    if (part === 'why') return await visitWhy(new Explorer(page, picture), url);
    if (part === 'time') return await visitTime(new Explorer(page, picture), url);
    if (part === 'apollo')
      return await visitApollo(new Explorer(page, picture), url, process.env.STRATA_TALK ?? '');
    if (part === 'acts') return await visitActs(new Explorer(page, picture), url);
    await visit(page, picture, url);
    return [];
  } catch (error) {
    await picture(`failed-${part}`);
    throw error;
  } finally {
    await page.close();
  }
}

async function run(parts: readonly (Part | typeof STATES)[], shots: string): Promise<string[]> {
  const executable = findChromium(process.env);
  const others = parts.filter((part) => part !== STATES);
  return [
    ...(others.length === 0 ? [] : await runOnOneService(others, { executable, shots })),
    ...(parts.includes(STATES) ? await visitStates(executable, (page) => pictureOf(page, shots)) : []),
  ];
}

async function runOnOneService(
  parts: readonly Part[],
  { executable, shots }: { readonly executable: string; readonly shots: string },
): Promise<string[]> {
  const data = mkdtempSync(join(tmpdir(), 'strata-browser-'));
  let service: ServiceProcess | null = null;
  const model = await ModelEndpoint.start();
  const answerer = await ModelEndpoint.start(() => ({
    words: 'The plank is rotten, and so she is not sound [1].',
  }));
  try {
    service = await startServiceProcess({
      STRATA_DATA_DIR: data,
      STRATA_API_KEY: TEST_KEY,
      STRATA_V1_MINTER_ENABLE: '1',
      STRATA_LOG_LEVEL: 'warn',
      STRATA_LLM_URL: model.url,
      STRATA_LLM_MODEL: 'simple-mind',
      STRATA_ANSWER_URL: answerer.url,
      STRATA_ANSWER_MODEL: 'answers',
    });
    say(`${executable} against ${service.url}`);
    const cage = await startCaged(executable, service.url);
    try {
      await proveCage(cage);
      const found: string[] = [];
      for (const part of parts)
        found.push(...(await visitOn(await cage.context.newPage(), { part, shots, url: service.url })));
      return [...found, ...cage.faults.filter((fault) => !isRefusedKey(fault))];
    } finally {
      await cage.close();
    }
  } finally {
    await service?.stop();
    await model.stop();
    await answerer.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  options: { shots: { type: 'string' }, part: { type: 'string' }, events: { type: 'string' } },
});
const talk = process.env.STRATA_TALK === undefined ? [] : (['apollo'] as const);
const parts = (['explorer', 'why', 'time', 'acts', 'ide', ...talk, STATES] as const).filter(
  (part) => values.part === undefined || values.part === part,
);
execFileSync(process.execPath, ['src/explorer/build.js', '--if-needed'], { cwd: ROOT, stdio: 'inherit' });
if (values.part === 'figures') {
  const lines = await measureExplorer(findChromium(process.env), Number(values.events ?? '100000'));
  for (const line of lines) say(line);
  process.exit(0);
}
if (parts.length === 0)
  throw new Error('--part is explorer, why, time, acts, ide, states, figures or, with STRATA_TALK, apollo');
const shots = resolve(values.shots ?? mkdtempSync(join(tmpdir(), 'strata-shots-')));
mkdirSync(shots, { recursive: true });
let faults: string[];
try {
  faults = await run(parts, shots);
} catch (error) {
  faults = [error instanceof Error ? error.message : String(error)];
}
for (const fault of faults) say(`FAULT ${fault}`);
say(`pictures in ${shots}`);
say(faults.length === 0 ? 'passed: nothing tried to leave' : 'failed');
process.exitCode = faults.length === 0 ? 0 : 1;
