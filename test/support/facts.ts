import type { Driver } from 'neo4j-driver';

import type { Client } from './client.ts';
import { query } from './database.ts';

/** A fact as it is stored, with all of its rows. */
export interface StoredFact {
  readonly id: string;
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  /** Events that support it now. */
  readonly supports: readonly string[];
  readonly rows: readonly {
    readonly valid_from: number;
    readonly valid_to: number;
    readonly recorded_from: number;
    readonly recorded_to: number;
    readonly superseded_by: string | null;
    readonly ended_at: number | null;
  }[];
}

/** The facts of a scope, by id. */
export async function factsOf(driver: Driver, scope: string): Promise<StoredFact[]> {
  return query<StoredFact>(
    driver,
    `MATCH (f:Fact {scope: $scope})
     RETURN f.id AS id, f.subject_id AS subject, f.predicate AS predicate, f.term AS object,
       COLLECT { MATCH (f)-[d:DERIVED_FROM]->(e) WHERE d.recorded_to = datetime('9999-12-31T23:59:59.999Z') RETURN e.id ORDER BY e.wal_offset } AS supports,
       COLLECT { MATCH (f)-[:HAS_VERSION]->(x) RETURN x {.valid_from, .valid_to, .recorded_from, .recorded_to, .ended_at,
           superseded_by: [(f)-[r:SUPERSEDED_BY]->(g) WHERE r.recorded_from = x.recorded_from | g.id][0]} ORDER BY x.recorded_from, x.valid_from } AS rows
     ORDER BY f.id`,
    { scope },
  );
}

/** The envelope of a statement; names are entities, `=` before a value makes it a literal. */
export function statement(
  scope: string,
  [subject, predicate, object]: readonly [string, string, string],
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const { observed_at, idempotency_key, on_conflict, ...triple } = more;
  const literal = object.startsWith('=');
  return {
    scope,
    modality: 'observation',
    ...(idempotency_key === undefined ? {} : { idempotency_key }),
    ...(on_conflict === undefined ? {} : { on_conflict }),
    ...(observed_at === undefined ? {} : { context: { observed_at } }),
    content: {
      kind: 'triple',
      triple: {
        subject: { type: 'entity', id: subject },
        predicate,
        object: literal
          ? { type: 'literal', datatype: 'string', value: object.slice(1) }
          : { type: 'entity', id: object },
        ...triple,
      },
    },
  };
}

/** States triples, each consolidated before the next is sent, and answers the ids of the events. */
export async function stateEach(
  client: Pick<Client, 'post'>,
  envelopes: readonly Record<string, unknown>[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const envelope of envelopes) {
    const { status, json } = await client.post('/v1/experience?wait=consolidated', envelope);
    expect(status).toBe(202);
    ids.push(json.event_id as string);
  }
  return ids;
}
