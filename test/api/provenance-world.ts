import { statement } from '../support/facts.ts';
import type { Client } from '../support/client.ts';
import { bearer, mintFrom } from '../support/tokens.ts';

export const HOME = 'org:why/user:ada';
const OPEN = 'org:why/user:bo';
export const CLOSED = 'ws:closed-conclusions';

/** Records that rest on one another, in a scope, an open one beside it and a closed one. */
export interface World {
  /** Ids of the records by the names that they go by here. */
  readonly names: Readonly<Record<string, string>>;
  /** Headers of somebody who may not read the closed scope. */
  readonly stranger: Record<string, string | null>;
  /** When the events of the first scope were recorded, by id. */
  readonly recorded: Readonly<Record<string, string>>;
}

/** Captures a statement and waits until it is consolidated; answers the id of its event. */
export async function say(service: Client, envelope: object): Promise<string> {
  const { status, json, text } = await service.post('/v1/experience?wait=consolidated', envelope);
  if (status !== 202) throw new Error(text);
  return json.event_id as string;
}

/** The one record that a list has. */
export async function only(service: Client, noun: string, query: string): Promise<any> {
  const { items } = (await service.get(`/v1/${noun}?${query}`)).json;
  expect(items).toHaveLength(1);
  return items[0];
}

/** The edges of a graph as `from relation to`, with the names that records go by here. */
export function edgesOf({ edges }: any, names: Readonly<Record<string, string>>): string[] {
  const nameOf = (id: string): string => Object.entries(names).find(([, known]) => known === id)?.[0] ?? id;
  return edges
    .map(({ from, relation, to }: any) => `${nameOf(from)} ${relation as string} ${nameOf(to)}`)
    .sort();
}

/** Has the service make the records. */
export async function buildWorld(service: Client): Promise<World> {
  const names: Record<string, string> = {};
  const stranger = bearer((await mintFrom(service, { subject: 'user:stranger' })).token, 'user:stranger');
  const closed = { path: CLOSED, members: [{ actor: 'user:owner', role: 'owner' }] };
  expect((await service.post('/v1/scopes', closed)).status).toBe(201);
  const since = { valid_from: '2020-01-01' };
  names.paris_said = await say(service, statement(HOME, ['ent_ada', 'lives in', 'ent_paris'], since));
  names.paris = (await only(service, 'facts', `scope=${HOME}`)).id;
  names.french_said = await say(
    service,
    statement(OPEN, ['ent_ada', 'speaks', 'ent_french'], { ...since, derived_from: [names.paris] }),
  );
  names.secret_said = await say(
    service,
    statement(CLOSED, ['ent_ada', 'pays', 'ent_taxes'], { ...since, derived_from: [names.paris] }),
  );
  names.london_said = await say(
    service,
    statement(HOME, ['ent_ada', 'lives in', 'ent_london'], { valid_from: '2024-01-01' }),
  );
  names.rome_said = await say(
    service,
    statement(HOME, ['ent_ada', 'lives in', 'ent_rome'], { valid_from: '2025-01-01' }),
  );
  const all = (await service.get(`/v1/facts?scope=${HOME}&include_superseded=true`)).json.items;
  [names.rome, names.london] = all.map(({ id }: any) => id as string);
  for (const [name, scope, about] of [
    ['french', OPEN, 'ent_french'],
    ['secret', CLOSED, 'ent_taxes'],
  ] as const) {
    names[name] = (await only(service, 'facts', `scope=${scope}&object=${about}&include_superseded=true`)).id;
    names[`${name}_belief`] = (await only(service, 'beliefs', `scope=${scope}&about=${about}`)).id;
  }
  for (const city of ['paris', 'london', 'rome'])
    names[`${city}_belief`] = (await only(service, 'beliefs', `scope=${HOME}&about=ent_${city}`)).id;
  for (const [name, scope] of [
    ['home', HOME],
    ['french', OPEN],
    ['secret', CLOSED],
  ] as const)
    names[`${name}_episode`] = (await only(service, 'episodes', `scope=${scope}`)).id;
  for (const [name, scope, topic] of [
    ['ada', HOME, 'ent_ada'],
    ['paris', HOME, 'ent_paris'],
    ['rome', HOME, 'ent_rome'],
    ['speaker', OPEN, 'ent_ada'],
    ['french', OPEN, 'ent_french'],
    ['payer', CLOSED, 'ent_ada'],
    ['taxes', CLOSED, 'ent_taxes'],
  ] as const)
    names[`${name}_concept`] = (await only(service, 'understanding', `scope=${scope}&topic=${topic}`)).id;
  const events = (await service.get(`/v1/events?scope=${HOME}`)).json.items;
  const recorded: Record<string, string> = Object.fromEntries(
    events.map(({ id, context }: any) => [id, context.recorded_at as string]),
  );
  return { names, stranger, recorded };
}
