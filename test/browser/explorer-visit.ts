import { TEST_KEY } from '../support/client.ts';
import type { Explorer } from './explorer.ts';

/** What somebody does who opens the explorer of an empty store for the first time; answers what is wrong with what he sees. */
export async function visitExplorer(explorer: Explorer, url: string): Promise<string[]> {
  const found: string[] = [];
  await explorer.open(url);
  found.push(...(await explorer.look('explorer-1-sign-in')));
  await explorer.signIn('not-the-key');
  await explorer.sees('Key or token: ');
  await explorer.signIn(TEST_KEY);
  await explorer.sees('Nothing is stored yet');
  await explorer.isLive();
  found.push(...(await explorer.look('explorer-2-empty')));
  await explorer.button('Load the example').click();
  await explorer.page.getByRole('list', { name: 'Frames' }).getByText('consolidated').first().waitFor();
  await explorer.sees('the hull is not sound');
  await explorer.sees('caught up');
  found.push(...(await explorer.look('explorer-3-home')));
  await explorer.goTo('Scopes');
  await explorer.sees('What you may do');
  await explorer.sees('the rosters make you operator here');
  found.push(...(await explorer.look('explorer-4-scopes')));
  return found;
}
