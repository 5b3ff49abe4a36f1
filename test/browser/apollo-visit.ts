import { join } from 'node:path';

import { ingest } from '../drill/talk.ts';
import { send, TEST_KEY } from '../support/client.ts';
import { readEnvelopes } from '../support/envelope-file.ts';
import { eventually } from '../support/wait.ts';
import type { Explorer } from './explorer.ts';

const SCOPE = 'org:nasa/project:apollo-13';
const DERIVING_MS = 600_000;
/** A band that is narrower, pixels, is hardly seen. */
const NARROWEST = 6;

/**
 * What somebody does who wants to know what happened to Apollo 13, from the talk in a directory: each view once, up to a settled conflict and
 * somebody who is forgotten. Answers what is wrong with what he sees.
 */
export async function visitApollo(explorer: Explorer, url: string, directory: string): Promise<string[]> {
  const names = ['apollo-13.jsonl', 'apollo-13.triples.jsonl'];
  const talk = names.flatMap((name) => readEnvelopes(join(directory, name)));
  await ingest([url], [...talk, ...twoAccounts()], () => Promise.resolve());
  await derived(url);
  await explorer.open(url);
  await explorer.signIn(TEST_KEY);
  await explorer.heading('Home').waitFor();
  const visits = [surround, entity, why, timeline, time, recall, settle, forget, audit];
  const found: string[] = [];
  for (const visit of visits) found.push(...(await visit(explorer)));
  return found;
}

/** Two sources that disagree on one quantity of one instant. */
function twoAccounts(): object[] {
  return [
    ['service:flight-log', '320 pounds'],
    ['agent:press-kit', '326 pounds'],
  ].map(([id = '', value]) => ({
    scope: SCOPE,
    observed_actor: { id, type: 'service' },
    modality: 'observation',
    content: {
      kind: 'triple',
      triple: {
        subject: { kind: 'entity', id: 'ent_oxygen_tank_2', name: 'oxygen tank 2' },
        predicate: 'capacity',
        object: { kind: 'literal', datatype: 'string', value },
        valid_from: '1970-04-11T19:13:00Z',
      },
    },
    context: { observed_at: '1970-04-11T19:13:00Z' },
    idempotency_key: `capacity-${id}`,
  }));
}

async function derived(url: string): Promise<void> {
  await eventually(
    'the talk to be derived',
    async () => {
      const { json } = await send(url, 'GET', `/v1/derivation/status?scope=${encodeURIComponent(SCOPE)}`);
      return json.caught_up === true;
    },
    DERIVING_MS,
    1_000,
  );
}

async function surround(explorer: Explorer): Promise<string[]> {
  await explorer.sees('caught up');
  const found = await explorer.look('apollo-1-home');
  await explorer.openAddress(`#/scopes?scope=${SCOPE}`);
  await explorer.sees('What you may do');
  return [...found, ...(await explorer.look('apollo-2-scopes'))];
}

async function entity(explorer: Explorer): Promise<string[]> {
  await explorer.openAddress(`#/entity?scope=${SCOPE}`);
  await explorer.page.getByLabel('Words in a name').fill('bus');
  await explorer.page.keyboard.press('Enter');
  await explorer
    .link(/main bus b/i)
    .first()
    .waitFor();
  const found = await explorer.look('apollo-3-entities');
  await explorer
    .link(/main bus b/i)
    .first()
    .click();
  await explorer.sees('undervolt');
  await explorer.sees('looking good');
  found.push(...(await hiddenBands(explorer, ['undervolt', 'looking good', 'zero'])));
  found.push(...(await explorer.look('apollo-4-entity')));
  await explorer.openAddress(`#/entity?scope=${SCOPE}&id=ent_apollo_13`);
  await explorer.sees('hybrid non-free return');
  return [...found, ...(await explorer.look('apollo-5-mission'))];
}

/** Values whose band in the picture of facts is too narrow to be seen: the first two held for minutes, the last one until now. */
async function hiddenBands({ page }: Explorer, values: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const value of values) {
    const named = page.locator('.entity-picture a', { has: page.locator('title', { hasText: value }) });
    const width = (await named.locator('.entity-block').first().boundingBox())?.width ?? 0;
    if (width < NARROWEST) found.push(`apollo: the band of ${value} is ${width} pixels wide`);
  }
  return found;
}

async function why(explorer: Explorer): Promise<string[]> {
  const { page } = explorer;
  await explorer.openAddress(`#/why?scope=${SCOPE}`);
  await page.getByLabel('Kind').selectOption('fact');
  await page.getByLabel('Words in it').fill('undervolt');
  await page.keyboard.press('Enter');
  const records = page.getByRole('list', { name: 'Records, newest first' }).getByRole('link');
  await records
    .filter({ hasText: /Main bus B voltage.status undervolt/i })
    .first()
    .click();
  await explorer.sees('In words');
  await page.getByRole('heading', { name: 'What rests on it', exact: true }).waitFor();
  return explorer.look('apollo-6-why');
}

async function timeline(explorer: Explorer): Promise<string[]> {
  await explorer.openAddress(`#/timeline?scope=${SCOPE}`);
  await explorer.page.getByRole('main').getByRole('listitem').first().waitFor();
  const found = await explorer.look('apollo-7-timeline');
  await explorer.openAddress(`#/timeline?scope=${SCOPE}&words=main%20b%20bus%20undervolt`);
  await explorer
    .link(/main b bus undervolt/i)
    .first()
    .click();
  await explorer.sees('What was made of it');
  return [...found, ...(await explorer.look('apollo-8-problem'))];
}

async function time(explorer: Explorer): Promise<string[]> {
  const kinds = `scope=${SCOPE}&types=fact,entity`;
  await explorer.openAddress(`#/time?${kinds}&valid=1970-04-14T03:09:00.000Z`);
  await explorer
    .link(/undervolt/)
    .first()
    .waitFor();
  const found = await explorer.look('apollo-9-then');
  await explorer.openAddress(`#/time?${kinds}&axis=valid&against=1970-04-14T03:00:00.000Z`);
  const line = explorer.page.getByRole('listitem').filter({ hasText: 'lifeboat' });
  await line.getByText('appeared').first().waitFor();
  return [...found, ...(await explorer.look('apollo-10-compared'))];
}

async function recall(explorer: Explorer): Promise<string[]> {
  await explorer.openAddress(`#/recall?scope=${SCOPE}`);
  await explorer.page.getByLabel('What is looked for').fill('What happened to main bus B?');
  await explorer.button('Recall').click();
  await explorer.sees('As a model reads it');
  return explorer.look('apollo-11-recall');
}

async function settle(explorer: Explorer): Promise<string[]> {
  const { page } = explorer;
  await explorer.openAddress(`#/conflicts?scope=${SCOPE}`);
  await explorer.sees('320 pounds');
  await explorer.sees('326 pounds');
  const found = await explorer.look('apollo-12-conflict');
  await page.getByLabel('What holds', { exact: true }).selectOption('320 pounds');
  await page.getByLabel('Why').fill('The accident report says so.');
  await explorer.button('Settle').click();
  await explorer.sees('320 pounds holds');
  return [...found, ...(await explorer.look('apollo-13-settled'))];
}

async function forget(explorer: Explorer): Promise<string[]> {
  const { page } = explorer;
  await explorer.openAddress(`#/forget?scope=${SCOPE}&entity=Fred Haise`);
  await explorer.button('Look what would go').click();
  await explorer.sees('The same as a list');
  const found = await explorer.look('apollo-14-preview');
  await explorer.button('Forget…').click();
  await explorer.sees('of what is about Fred Haise');
  await page.getByLabel('Why').fill('He asked for it.');
  await explorer.button('Forget').click();
  await explorer.sees('It is forgotten.');
  await explorer.openAddress(`#/entity?scope=${SCOPE}&id=ent_apollo_13`);
  await explorer.sees('Jim Lovell');
  if (await page.getByText('Fred Haise').first().isVisible())
    found.push('apollo: who was forgotten is still shown as what the mission has');
  return found;
}

async function audit(explorer: Explorer): Promise<string[]> {
  await explorer.openAddress(`#/audit?scope=${SCOPE}`);
  await explorer.sees('GraphQL mutation forget');
  await explorer.button('Verify the chain').click();
  await explorer.sees('unchanged and in their places');
  return explorer.look('apollo-15-audit');
}
