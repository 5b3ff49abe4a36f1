import type { Driver } from 'neo4j-driver';

import { message, type Client } from '../support/client.ts';
import { query } from '../support/database.ts';

/** An event of the small log, by the name that it goes by here. */
export interface Told {
  readonly name: string;
  readonly at: string;
  /** Subject, predicate, object (`=` before it makes it a literal); absent for a text. */
  readonly states?: readonly [subject: string, predicate: string, object: string];
  readonly more?: Record<string, unknown>;
  readonly labels?: readonly string[];
  readonly subject?: string;
  readonly session?: string;
}

/** What entities are called, by id. */
const NAMES: Readonly<Record<string, string>> = {
  ent_ann: 'Ann',
  ent_bo: 'Bo',
  ent_oslo: 'Oslo',
  ent_rome: 'Rome',
};

/** Somebody moves, likes something, is known by somebody, and something is concluded of that. */
export const LOG: readonly Told[] = [
  {
    name: 'oslo',
    at: '2020-01-01',
    states: ['ent_ann', 'lives in', 'ent_oslo'],
    labels: ['type:home', 'ticket:ent_oslo'],
    session: 's1',
  },
  {
    name: 'tea',
    at: '2020-01-02',
    states: ['ent_ann', 'likes', '=tea'],
    labels: ['type:taste'],
    session: 's1',
  },
  {
    name: 'tea again',
    at: '2021-05-01',
    states: ['ent_ann', 'likes', '=tea'],
    labels: ['type:home'],
    session: 's2',
  },
  {
    name: 'rome',
    at: '2022-01-01',
    states: ['ent_ann', 'lives in', 'ent_rome'],
    labels: ['type:home'],
    session: 's3',
  },
  { name: 'bo', at: '2022-01-02', states: ['ent_bo', 'knows', 'ent_ann'], subject: 'Bo', session: 's3' },
  { name: 'text', at: '2023-01-01', labels: ['note', 'person:Ann'], subject: 'Bo', session: 's4' },
  {
    name: 'no coffee',
    at: '2023-01-02',
    states: ['ent_bo', 'likes', '=coffee'],
    more: { polarity: 'negative' },
    subject: 'other',
    session: 's5',
  },
];

function envelopeOf(scope: string, { name, at, states, more = {}, labels, subject, session }: Told) {
  const context = { observed_at: `${at}T00:00:00Z`, ...(labels === undefined ? {} : { labels }) };
  const about = {
    context,
    ...(subject === undefined ? {} : { subject: { id: subject } }),
    observed_actor: { id: 'user:teller', ...(session === undefined ? {} : { session }) },
  };
  if (states === undefined) return message(scope, `A text: ${name}`, about);
  const entity = (id: string) => ({
    type: 'entity',
    id,
    ...(NAMES[id] === undefined ? {} : { name: NAMES[id] }),
  });
  const [of, predicate, object] = states;
  const value = object.startsWith('=')
    ? { type: 'literal', datatype: 'string', value: object.slice(1) }
    : entity(object);
  const triple = { subject: entity(of), predicate, object: value, ...more };
  return { scope, modality: 'observation', ...about, content: { kind: 'triple', triple } };
}

/** Captures events, each consolidated before the next; answers their ids by name. */
export async function told(
  client: Client,
  scope: string,
  log: readonly Told[],
): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const one of log) {
    const answer = await client.post('/v1/experience?wait=consolidated', envelopeOf(scope, one));
    expect([answer.status, answer.text]).toEqual([202, answer.text]);
    ids[one.name] = answer.json.event_id as string;
  }
  return ids;
}

/** A stored record: its layer, its id, and what it says now. */
export interface Stored {
  readonly layer: 'facts' | 'beliefs' | 'understanding' | 'episodes';
  readonly id: string;
  /** What people call it. */
  readonly called: string;
  readonly says: string;
}

/** The derived records of a scope as they are stored, each with what it says and what it rests on. */
export async function storedIn(driver: Driver, scope: string): Promise<Stored[]> {
  const rows = await query<Omit<Stored, 'says'> & { says: unknown }>(
    driver,
    `MATCH (f:Fact {scope: $scope})
     RETURN 'facts' AS layer, f.id AS id, f.text AS called,
       [f.confidence, toString(f.valid_from), toString(f.valid_to), COLLECT { MATCH (f)-[d:DERIVED_FROM]->(e) WHERE toString(d.recorded_to) STARTS WITH '9999' RETURN e.id ORDER BY e.id }] AS says
     UNION ALL
     MATCH (b:Belief {scope: $scope})
     RETURN 'beliefs' AS layer, b.id AS id, b.text AS called, [b.stance, b.confidence, toString(b.valid_from), toString(b.valid_to), b.revision] AS says
     UNION ALL
     MATCH (c:Concept {scope: $scope})
     RETURN 'understanding' AS layer, c.id AS id, c.entity_id AS called, [c.summary, c.fact_count, c.version, c.confidence] AS says
     UNION ALL
     MATCH (ep:Episode {scope: $scope})
     RETURN 'episodes' AS layer, ep.id AS id, 'episode of ' + toString(date(ep.started_at)) AS called,
       [ep.name, ep.event_count, toString(ep.ended_at)] AS says`,
    { scope },
  );
  return rows.map((row) => ({ ...row, says: JSON.stringify(row.says) }));
}
