import type { Client } from '../support/client.ts';
import { message } from '../support/client.ts';
import { statement } from '../support/facts.ts';
import { DERIVING_PATIENCE_MS } from '../support/patience.ts';
import { eventually } from '../support/wait.ts';

/** Events of one bulk: the most that one may have. */
const BULK = 1000;
/** One event of so many is a statement, of which facts, beliefs and concepts are derived. */
const STATEMENT_EVERY = 20;
const SUBJECTS = 50;

const LISTS = ['events', 'facts', 'beliefs', 'understanding'] as const;
const PAGE = 200;

/** Captures so many events, of which each says the word, and waits until they are derived. */
export async function fill(
  client: Client,
  scope: string,
  { word, events }: { readonly word: string; readonly events: number },
): Promise<void> {
  for (let from = 0; from < events; from += BULK) {
    const items = Array.from({ length: Math.min(BULK, events - from) }, (_, i) => {
      const n = from + i;
      const key = { idempotency_key: `${word}-${n}` };
      return n % STATEMENT_EVERY === 0
        ? statement(
            scope,
            [`${word}-${n % SUBJECTS}`, n % 3 === 0 ? 'likes' : 'knows', `thing-${n % 11}`],
            key,
          )
        : message(scope, `${word} says number ${n}`, key);
    });
    const { status, text } = await client.post('/v1/experience/bulk', { items });
    if (status !== 202) throw new Error(`a bulk is answered ${status} ${text}`);
  }
  await eventually(
    `${scope} to be derived`,
    async () => {
      const { json } = await client.get(`/v1/derivation/status?scope=${encodeURIComponent(scope)}`);
      return json?.caught_up === true;
    },
    Math.max(DERIVING_PATIENCE_MS, events * 30),
    200,
  );
}

/** A line for each record that a scope answers, in all layers whose records change by what is captured alone; of episodes, which end by themselves, the id. */
export async function answersOf(client: Client, scope: string): Promise<string[]> {
  const of = async (layer: string): Promise<{ id: string; staleness_score?: number }[]> => {
    const { status, text, json } = await client.get(
      `/v1/${layer}?scope=${encodeURIComponent(scope)}&limit=${PAGE}`,
    );
    if (status !== 200 || json.has_more === true)
      throw new Error(`${layer} of ${scope}: ${status} ${text.slice(0, 200)}`);
    return json.items;
  };
  const lists = await Promise.all(LISTS.map(of));
  // How stale a concept is grows by itself.
  const lines = lists.flat().map(({ staleness_score: _, ...record }) => JSON.stringify(record));
  return [...lines, ...(await of('episodes')).map(({ id }) => id)];
}
