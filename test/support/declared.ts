import type { Client } from './client.ts';
import { statement } from './facts.ts';

/** Declares a belief, `It is so.` unless the body says another; answers it. */
export async function declare(service: Client, scope: string, body: object): Promise<any> {
  const answer = await service.post('/v1/beliefs', {
    scope,
    statement: 'It is so.',
    confidence: 0.9,
    ...body,
  });
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.json;
}

/** States where Ada lives, and waits until that is consolidated; answers the id of the event. */
export async function say(
  service: Client,
  scope: string,
  object: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const sent = statement(scope, ['ent_ada', 'lives in', object], more);
  const answer = await service.post('/v1/experience?wait=consolidated', sent);
  expect(answer.status).toBe(202);
  return answer.json.event_id;
}

/** The facts of a scope. */
export async function factsIn(service: Client, scope: string): Promise<any[]> {
  return (await service.get(`/v1/facts?scope=${scope}`)).json.items;
}

/** A belief as it is answered. */
export async function current(service: Client, id: string, query = ''): Promise<any> {
  return (await service.get(`/v1/beliefs/${id}${query}`)).json;
}
