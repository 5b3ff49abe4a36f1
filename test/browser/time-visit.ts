import type { Document } from '../../src/explorer/api/document.ts';
import { EXAMPLE_SCOPE } from '../../src/explorer/example/story.ts';
import { tellStory } from '../../src/explorer/example/tell.ts';
import { message, send, TEST_KEY } from '../support/client.ts';
import type { Explorer } from './explorer.ts';

/** What somebody does who looks at the example in time; answers what is wrong with what he sees. */
export async function visitTime(explorer: Explorer, url: string): Promise<string[]> {
  await tellStory(
    (document, variables) => ask(url, document, variables),
    () => undefined,
  );
  await explorer.open(url);
  await explorer.signIn(TEST_KEY);
  return [
    ...(await lookBack(explorer)),
    ...(await compare(explorer)),
    ...(await followLive(explorer, url)),
    ...(await readLine(explorer)),
  ];
}

/** The graph as it is, and as it was when something else was true. */
async function lookBack(explorer: Explorer): Promise<string[]> {
  await explorer.openAddress(`#/time?scope=${EXAMPLE_SCOPE}`);
  await explorer.sees('Valid time');
  await explorer.link(/^Maren lives in Tromsø, since/).waitFor();
  await explorer.isDrawn(explorer.page.locator('.graph-drawing'));
  const found = await explorer.look('time-1-now');
  await explorer.button('Previous change, Valid time').click();
  await explorer.page.waitForURL(/valid=20/);
  const before = explorer.page.url();
  await explorer.button('Play Valid time').click();
  await explorer.page.waitForURL((url) => url.href !== before);
  await explorer.openAddress(
    `#/time?scope=${EXAMPLE_SCOPE}&types=fact,entity&valid=2024-12-01T00:00:00.000Z`,
  );
  await explorer.link(/^Maren lives in Ålesund, /).click();
  await explorer.link('Why').waitFor();
  if (await explorer.link(/^Maren lives in Tromsø, since/).isVisible())
    found.push('what came true in 2025 is shown as true in 2024');
  return [...found, ...(await explorer.look('time-2-chosen'))];
}

/** What came true between two instants. */
async function compare(explorer: Explorer): Promise<string[]> {
  await explorer.openAddress(`#/time?scope=${EXAMPLE_SCOPE}&types=fact,entity`);
  await explorer.button('Compare two instants').click();
  await explorer.page.getByLabel('what came true').click();
  await explorer.page.waitForURL(/axis=valid/);
  await explorer.openAddress(
    `#/time?scope=${EXAMPLE_SCOPE}&types=fact,entity&axis=valid&against=2024-12-01T00:00:00.000Z`,
  );
  const line = (name: RegExp) =>
    explorer.page.getByRole('listitem').filter({ has: explorer.page.getByRole('link', { name }) });
  await line(/^Maren lives in Tromsø, since/)
    .getByText('appeared')
    .waitFor();
  await line(/^Maren lives in Ålesund, /)
    .getByText('gone')
    .waitFor();
  return explorer.look('time-3-compared');
}

/** What comes in is in the picture without anything being pressed. */
async function followLive(explorer: Explorer, url: string): Promise<string[]> {
  await explorer.openAddress(`#/time?scope=${EXAMPLE_SCOPE}`);
  await explorer.button('Follow live').click();
  await explorer.sees('follows what happens');
  await explorer.isLive();
  await explorer.link(/^Maren owns Tern \(supported\)/).waitFor();
  const body = { ...message(EXAMPLE_SCOPE, 'The Tern has new frames.') };
  await send(url, 'POST', '/v1/experience?wait=consolidated', { body });
  const more = explorer.button(/^List more of the other/);
  if (await more.isVisible()) await more.click();
  await explorer
    .link(/The Tern has new frames/)
    .first()
    .waitFor();
  return explorer.look('time-4-live');
}

/** Events by who observed them and by words, one of them with what was made of it. */
async function readLine(explorer: Explorer): Promise<string[]> {
  const { page } = explorer;
  await explorer.openAddress(`#/timeline?scope=${EXAMPLE_SCOPE}`);
  await explorer
    .link(/^Under six coats of paint/)
    .first()
    .waitFor();
  const found = await explorer.look('timeline-1-all');
  await page.getByLabel('Actor').fill('user:surveyor');
  await explorer.button('Show').click();
  await page.waitForURL(/actor=user:surveyor/);
  await explorer
    .link(/^Under six coats of paint/)
    .first()
    .waitFor({ state: 'detached' });
  await explorer.link(/^Tern hull condition sound/).click();
  await explorer.sees('What was made of it');
  await explorer.sees('Tern ready for launch in May');
  found.push(...(await explorer.look('timeline-2-open')));
  await explorer.openAddress(`#/timeline?scope=${EXAMPLE_SCOPE}&words=yard%20number`);
  await explorer
    .link(/yard number 41/)
    .first()
    .waitFor();
  await explorer
    .link(/^Tern hull condition sound/)
    .first()
    .waitFor({ state: 'detached' });
  return found;
}

async function ask<Data, Variables>(
  url: string,
  { text }: Document<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { json } = await send(url, 'POST', '/graphql', { body: { query: text, variables } });
  if (json.errors !== undefined) throw new Error(json.errors[0].message);
  return json.data as Data;
}
