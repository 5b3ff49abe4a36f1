import type { Document } from '../../src/explorer/api/document.ts';
import { EXAMPLE_SCOPE } from '../../src/explorer/example/story.ts';
import { tellStory } from '../../src/explorer/example/tell.ts';
import { message, send, TEST_KEY } from '../support/client.ts';
import { eventually } from '../support/wait.ts';
import type { Explorer } from './explorer.ts';

/** Where somebody speaks whose words a model reads. */
const SPOKEN_SCOPE = 'user:ada';
const SPOKEN = [
  'My sister says that Ada lives_in Turin since the spring, and I think that she is right.',
  'Once more, so that nobody forgets it: Ada lives_in Turin, close to the river.',
  'Everybody here knows that Ada likes Rowing.',
];

async function fill(url: string): Promise<void> {
  const ask = async <Data, Variables>(
    { text }: Document<Data, Variables>,
    variables: Variables,
  ): Promise<Data> => {
    const { json } = await send(url, 'POST', '/graphql', { body: { query: text, variables } });
    if (json.errors !== undefined) throw new Error(JSON.stringify(json.errors));
    return json.data as Data;
  };
  await tellStory(ask, () => undefined);
  for (const text of SPOKEN) {
    const path = '/v1/experience?wait=consolidated';
    const { status } = await send(url, 'POST', path, { body: message(SPOKEN_SCOPE, text) });
    if (status >= 300) throw new Error(`a message was answered ${status}`);
  }
}

/** What somebody does who wants to know what is known of Maren, and why; answers what is wrong with what he sees. */
export async function visitWhy(explorer: Explorer, url: string): Promise<string[]> {
  const found: string[] = [];
  const { page } = explorer;
  await fill(url);
  await explorer.open(url);
  await explorer.signIn(TEST_KEY);
  await explorer.goTo('Entity');
  await explorer.sees('No scope is chosen.');
  await page.getByRole('combobox', { name: 'Scope' }).fill(EXAMPLE_SCOPE);
  await page.keyboard.press('Enter');
  await explorer.sees('Tern');
  await page.getByLabel('Words in a name').fill('mar');
  await page.keyboard.press('Enter');
  await page.getByText('Tern', { exact: true }).waitFor({ state: 'detached' });
  found.push(...(await explorer.look('why-1-entities')));
  await page.getByRole('link', { name: 'Maren', exact: true }).click();
  await page.getByRole('link', { name: 'lives in', exact: true }).click();
  await expectRectangles(explorer, { Bergen: 3, Ålesund: 1, Tromsø: 1 });
  await explorer.sees('Version 1');
  found.push(...(await explorer.look('why-2-entity')));
  for (const axis of ['Recorded time', 'Valid time']) {
    const paces = page.getByRole('group', { name: axis });
    for (const pace of ['each change alike', 'to scale']) {
      await paces.getByRole('link', { name: pace }).press('Enter');
      await paces.locator('[aria-current]', { hasText: pace }).waitFor();
      await expectRectangles(explorer, { Bergen: 3, Ålesund: 1, Tromsø: 1 });
    }
  }
  await page.getByRole('list').getByRole('link', { name: 'Ålesund', exact: true }).first().click();
  await explorer.heading('Why').waitFor();
  await explorer.sees('In words');
  found.push(...(await drawingFaults(explorer)));
  await explorer.button('Show its neighbours').click();
  await explorer.sees('Beside it');
  found.push(...(await explorer.look('why-3-fact')));
  found.push(...(await whyOfWords(explorer)));
  return found;
}

/** How often values stand in the list beside the picture: once for each rectangle. */
async function expectRectangles(explorer: Explorer, counts: Record<string, number>): Promise<void> {
  const list = explorer.page.locator('.entity-history .picture-list');
  for (const [value, count] of Object.entries(counts))
    await list
      .getByRole('link', { name: value, exact: true })
      .nth(count - 1)
      .waitFor();
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const seen = await list.getByRole('link').count();
  if (seen !== all) throw new Error(`the list has ${seen} rectangles, not ${all}`);
}

/** From a belief down to what somebody said, and up to the concept, by keyboard. */
async function whyOfWords(explorer: Explorer): Promise<string[]> {
  const { page } = explorer;
  await explorer.goTo('Why');
  await page.getByRole('combobox', { name: 'Scope' }).fill(SPOKEN_SCOPE);
  await page.keyboard.press('Enter');
  await page.getByLabel('Kind').selectOption('belief');
  await page.getByLabel('Words in it').fill('turin');
  await page.keyboard.press('Enter');
  await page.locator('.why-kind', { hasText: 'concept' }).first().waitFor({ state: 'detached' });
  const belief = page.getByRole('list', { name: 'Records, newest first' }).getByRole('link');
  await belief.filter({ hasText: 'Turin' }).first().focus();
  await page.keyboard.press('Enter');
  await page.locator('mark', { hasText: 'Ada lives_in Turin' }).nth(1).waitFor();
  await page.getByRole('heading', { name: 'What rests on it', exact: true }).waitFor();
  const found = await drawingFaults(explorer);
  found.push(...(await explorer.look('why-4-words')));
  const event = page
    .locator('.why-list')
    .getByRole('link', { name: /My sister says/ })
    .first();
  await event.focus();
  await page.keyboard.press('Enter');
  await explorer.sees('What is chosen');
  await page.getByRole('link', { name: 'Why this' }).click();
  await page
    .locator('.why-list section')
    .filter({ hasText: 'What is asked about' })
    .getByText('My sister says')
    .first()
    .waitFor();
  found.push(...(await drawingFaults(explorer)));
  return found;
}

/** Whether something is drawn: pixels of the canvas that are not empty. */
async function drawingFaults(explorer: Explorer): Promise<string[]> {
  await explorer.page.locator('.why-canvas canvas').first().waitFor({ state: 'attached' });
  const isDrawn = `[...document.querySelectorAll('.why-canvas canvas')].some((canvas) =>
    canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0))`;
  await eventually('the drawing', async () => explorer.page.evaluate<boolean>(isDrawn));
  const sheets = await explorer.page.evaluate<number>('document.querySelectorAll("style").length');
  return sheets === 0 ? [] : [`the page has ${sheets} style elements`];
}
