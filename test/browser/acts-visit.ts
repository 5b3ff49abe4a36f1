import { readFileSync } from 'node:fs';

import { EXAMPLE_SCOPE } from '../../src/explorer/example/story.ts';
import { TEST_KEY } from '../support/client.ts';
import { LEAVING, readersToken, storeStories } from './acts-stories.ts';
import type { Explorer } from './explorer.ts';

/** What somebody does who asks, settles, forgets and audits; answers what is wrong with what he sees. */
export async function visitActs(explorer: Explorer, url: string): Promise<string[]> {
  await storeStories(url);
  await explorer.open(url);
  await explorer.signIn(TEST_KEY);
  await explorer.heading('Home').waitFor();
  return [
    ...(await recall(explorer, url)),
    ...(await settle(explorer, url)),
    ...(await forget(explorer, url)),
    ...(await erase(explorer, url)),
    ...(await audit(explorer, url)),
    ...(await readOnly(explorer, url)),
  ];
}

async function recall(explorer: Explorer, url: string): Promise<string[]> {
  const { page } = explorer;
  const found: string[] = [];
  await page.goto(`${url}/#/recall`);
  await explorer.heading('Recall').waitFor();
  await page.getByRole('link', { name: EXAMPLE_SCOPE }).click();
  await explorer.sees('Nothing is asked yet.');
  await page.getByLabel('What is looked for').fill('Is the hull of the Tern sound?');
  await explorer.button('Recall').click();
  await explorer.sees('As a model reads it');
  await page
    .getByRole('button', { name: /^\[1\]/ })
    .first()
    .click();
  const [cited] = await page.locator('.hit:focus .hit-marker').allInnerTexts();
  if (cited !== '[1]') found.push(`recall: the marker [1] led to ${cited ?? 'nothing'}`);
  await explorer.button('Have a model answer').click();
  await explorer.sees('The plank is rotten');
  await page.locator('.answer-text').getByRole('button', { name: '[1]' }).click();
  await page.locator('.citation[open]').waitFor();
  found.push(...(await explorer.look('acts-1-recall')));
  await page.getByRole('link', { name: 'Tell how everything was ranked' }).click();
  await explorer.sees('Candidates');
  found.push(...(await explorer.look('acts-2-ranking')));
  return found;
}

async function settle(explorer: Explorer, url: string): Promise<string[]> {
  const { page } = explorer;
  const found: string[] = [];
  await page.goto(`${url}/#/conflicts?scope=${EXAMPLE_SCOPE}`);
  await explorer.sees('Tern built in: 1962 or 1958?');
  await explorer.sees('user:jonas');
  found.push(...(await explorer.look('acts-3-conflict')));
  await page.getByLabel('What holds', { exact: true }).selectOption('1958');
  await page.getByLabel('Why').fill('The plate on the keel was seen.');
  await explorer.button('Settle').click();
  await explorer.sees('1958 holds');
  found.push(...(await explorer.look('acts-4-settled')));
  await explorer.button('Undo').click();
  await explorer.sees('The conflict is open again.');
  await explorer.button('Settle').waitFor();
  return found;
}

async function forget(explorer: Explorer, url: string): Promise<string[]> {
  const { page } = explorer;
  const found: string[] = [];
  await page.goto(`${url}/#/forget?scope=${EXAMPLE_SCOPE}`);
  await explorer.heading('Forget').waitFor();
  await page.getByText('Find events by their words').click();
  await page.getByLabel('Said by').fill('user:surveyor');
  await explorer.button('Find').click();
  await page.getByRole('checkbox', { name: /Survey of the Tern/ }).check();
  found.push(...(await explorer.look('acts-5-find')));
  await page.goto(`${url}/#/forget?scope=${EXAMPLE_SCOPE}&entity=Jonas`);
  await page.getByLabel('About').fill('Tern');
  await explorer.button('Look what would go').click();
  await explorer.sees('The same as a list');
  found.push(...(await explorer.look('acts-6-preview')));
  await explorer.button('Forget…').click();
  await explorer.sees('of what is about Tern');
  await explorer.button('Keep it').click();
  await page.getByLabel('About').fill('Jonas');
  await explorer.button('Look what would go').click();
  await page.getByText('The same as a list').waitFor({ state: 'detached' });
  await explorer.button('Forget…').click();
  await explorer.sees('of what is about Jonas');
  await explorer.sees('The audit log will say');
  await page.getByLabel('Why').fill('He asked for it.');
  found.push(...(await explorer.look('acts-7-confirm')));
  await explorer.button('Forget').click();
  await explorer.sees('It is forgotten.');
  await explorer.sees('Row of the audit log');
  return found;
}

async function erase(explorer: Explorer, url: string): Promise<string[]> {
  const { page } = explorer;
  const found: string[] = [];
  await page.goto(`${url}/#/forget?scope=${LEAVING}&all=yes&how=erase`);
  await explorer.button('Look what would go').click();
  await explorer.button('Erase…').click();
  await page.getByLabel('Why').fill('She left.');
  await page.getByLabel(/refuse what these events say/).check();
  await page.getByLabel(`Type ${LEAVING}`).fill(LEAVING);
  await explorer.button('Erase').click();
  await explorer.sees('Take content and keys away');
  await explorer.sees('Download the receipt');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    explorer.button('Download the receipt').click(),
  ]);
  const receipt = JSON.parse(readFileSync(await download.path(), 'utf8')) as Record<string, unknown>;
  if (typeof receipt.receipt !== 'string' || !receipt.receipt.startsWith('v4.public.'))
    found.push('erase: what was downloaded is no receipt');
  await explorer.button('Look again whether anything is left').click();
  await explorer.sees('nothing is left');
  await explorer.sees('600 contents');
  found.push(...(await explorer.look('acts-8-erased')));
  return found;
}

async function audit(explorer: Explorer, url: string): Promise<string[]> {
  const { page } = explorer;
  const found: string[] = [];
  await page.goto(`${url}/#/audit?scope=${LEAVING}`);
  await explorer.heading('Audit').waitFor();
  await explorer.sees('GraphQL mutation erase');
  await explorer.button('Verify the chain').click();
  await explorer.sees('unchanged and in their places');
  await explorer.sees('Tokens by call site');
  await page.locator('.audit-when').first().click();
  await explorer.sees('Hash of the row before');
  found.push(...(await explorer.look('acts-9-audit')));
  return found;
}

/** Who may read and nothing else is told which capability he would need. */
async function readOnly(explorer: Explorer, url: string): Promise<string[]> {
  const { page } = explorer;
  const found: string[] = [];
  await explorer.button('Sign out').click();
  await explorer.signIn(await readersToken(url));
  await page.goto(`${url}/#/forget?scope=${EXAMPLE_SCOPE}&entity=Tern&how=erase`);
  await explorer.sees('You may not do that here');
  await explorer.sees('forget.gdpr');
  found.push(...(await explorer.look('acts-10-refused')));
  await page.goto(`${url}/#/conflicts?scope=${EXAMPLE_SCOPE}`);
  await explorer.sees('You may not settle a conflict here');
  return found;
}
