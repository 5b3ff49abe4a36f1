import type { Integer } from 'neo4j-driver';

import { FIRST } from './instant.ts';
import { statement, type Statement } from './statement.ts';

/** Drops records of one scope, so many at most; answers how many it dropped. */
export type Drop = Statement<{ ref: string; limit: Integer }, { dropped: number }>;

interface DerivedRecord {
  readonly label: string;
  /** Index or constraint that finds the records of a scope, and what its further properties are asked for. */
  readonly index: string;
  readonly also?: string;
  /** Deletes what hangs on a record `n` and is not reached by its own scope. */
  readonly parts?: string;
}

/**
 * What is derived of a scope, beside statements, which are found by the events that state them. A new kind of record is a line here;
 * the comparison of what is derived twice finds it by itself.
 */
const RECORDS: readonly DerivedRecord[] = [
  {
    label: 'Belief',
    index: 'belief_place',
    also: 'n.position >= 0',
    parts: 'MATCH (n)-[:HAS_REVISION]->(x:BeliefRevision) DETACH DELETE x',
  },
  {
    label: 'Concept',
    index: 'concept_place',
    also: 'n.position >= 0',
    parts: 'MATCH (n)-[:HAS_VERSION]->(v:ConceptVersion) DETACH DELETE v',
  },
  { label: 'Conflict', index: 'conflict_scope', also: "n.position >= 0 AND n.id >= ''" },
  {
    label: 'Entity',
    index: 'entity_scope',
    also: 'n.position >= 0',
    parts: 'MATCH (n)-[:KNOWN_AS]->(m:EntityName) DETACH DELETE m',
  },
  {
    label: 'Episode',
    index: 'episode_place',
    also: 'n.position >= 0',
    parts: `OPTIONAL MATCH (v:EpisodeRevision) WHERE v.episode_id = n.id AND v.recorded_from >= ${FIRST}
       WITH n, collect(v) AS rows
       OPTIONAL MATCH (t:EpisodeThread) WHERE t.episode_id = n.id
       FOREACH (v IN rows | DELETE v)
       DELETE t`,
  },
  { label: 'EpisodeProgress', index: 'episode_progress' },
];

/** How the records of a scope are dropped, kind by kind. */
export const DROPS: readonly Drop[] = RECORDS.map(({ label, index, also, parts }) =>
  statement(
    `derived.drop_${label}`,
    `index ${index}`,
    `MATCH (n:${label}) WHERE n.scope_ref = $ref${also === undefined ? '' : ` AND ${also}`}
     WITH n LIMIT $limit
     ${parts === undefined ? '' : `CALL (n) { ${parts} }`}
     DETACH DELETE n
     RETURN count(*) AS dropped`,
  ),
);

/**
 * Drops what the next events of a scope state, with the facts that it began and what these say of concepts; answers how far it came, null
 * at the end of the scope. The offset is added to 0: of `max(e.wal_offset)` the planner may conclude that any offset will do to seek by,
 * and then filters the scope from its beginning.
 */
export const dropStatements = statement<
  { ref: string; after: Integer; limit: Integer },
  { through: number | null }
>(
  'derived.drop_statements',
  'index event_scope, walked in order',
  `MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = $ref AND e.wal_offset > $after
   WITH e ORDER BY e.scope_ref, e.wal_offset LIMIT $limit
   CALL (e) {
     MATCH (e)<-[:STATED_IN]-(s:Statement)
     OPTIONAL MATCH (s)-[:HAS_VERSION]->(x:FactVersion)
     DETACH DELETE x
     WITH DISTINCT s
     DETACH DELETE s
   }
   RETURN max(0 + e.wal_offset) AS through`,
);
