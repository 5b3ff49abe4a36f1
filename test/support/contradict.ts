import type { Answer } from './client.ts';

/** Sends one request. */
type Send = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Answer>;

/** A statement that one entity has one of several values since the same day. */
export function claimOf(scope: string, value: string, more: Record<string, unknown> = {}): object {
  return {
    scope,
    modality: 'observation',
    content: {
      kind: 'triple',
      triple: {
        subject: { type: 'entity', id: 'ent_priya' },
        predicate: 'lives_in',
        object: { type: 'literal', datatype: 'string', value },
        valid_from: '2026-01-01',
        ...more,
      },
    },
  };
}

/** States two values of one claim for the same time; answers the id of the conflict that opens. */
export async function contradict(send: Send, scope: string): Promise<string> {
  const items = ['Paris', 'London'].map((value) => claimOf(scope, value));
  const stated = await send('POST', '/v1/experience/bulk?wait=consolidated', { items });
  if (stated.status !== 202) throw new Error(`nothing is stated: ${stated.text}`);
  const { json, text } = await send('GET', `/v1/conflicts?scope=${encodeURIComponent(scope)}`);
  if (json.total !== 1) throw new Error(`no conflict: ${text}`);
  return json.items[0].id as string;
}
