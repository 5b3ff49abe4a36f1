import type { Document } from '../../src/explorer/api/document.ts';
import { tellStory } from '../../src/explorer/example/tell.ts';
import { message, send } from '../support/client.ts';
import { eventually } from '../support/wait.ts';

/** A scope of somebody who leaves, with more in it than is erased before the answer. */
export const LEAVING = 'user:leaving';
const EVENTS = 600;
const BUSY_MS = 120_000;

/** Stores the example, where it is not there yet, and what somebody said who is to be erased. */
export async function storeStories(url: string): Promise<void> {
  await tellStory(
    (document, variables) => ask(url, document, variables),
    () => undefined,
  );
  const items = Array.from({ length: EVENTS }, (_, i) => {
    const { scope: _scope, ...item } = message(LEAVING, `Box ${i} is packed, and stands by the door.`);
    return item;
  });
  const { status, text } = await send(url, 'POST', '/v1/experience/bulk?wait=consolidated', {
    body: { scope: LEAVING, items },
  });
  if (status >= 300) throw new Error(`the events of ${LEAVING} were refused: ${text}`);
}

/** What somebody needs who reads and does nothing else. */
export const READING = ['scope.read', 'scope.read.local', 'scope.read.holistic'];

/** A token of somebody who may read and do nothing else, in the example unless the body says otherwise. */
export async function readersToken(url: string, body: object = {}): Promise<string> {
  const { json, text } = await send(url, 'POST', '/v1/auth/tokens', {
    body: { subject: 'user:example', caps: READING, ...body },
  });
  if (typeof json?.token !== 'string') throw new Error(`no token was minted: ${text}`);
  return json.token as string;
}

/** What writes has a key of its own, so it may be sent again on a machine that is too busy to answer. */
async function ask<Data, Variables>(
  url: string,
  { text: query }: Document<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  return eventually(
    'an answer',
    async () => {
      const { json } = await send(url, 'POST', '/graphql', { body: { query, variables } });
      if (json.errors?.[0]?.extensions?.retriable === true) return null;
      if (json.errors !== undefined) throw new Error(JSON.stringify(json.errors));
      return json.data as Data;
    },
    BUSY_MS,
    500,
  );
}
