import type { Driver } from 'neo4j-driver';

import { query } from './database.ts';

/** What kind of node or edge says something that holds one of the texts, and what it says: each string property is looked at. */
export function holding(
  driver: Driver,
  texts: readonly string[],
): Promise<{ kind: readonly string[]; says: string }[]> {
  return query(
    driver,
    `CALL () { MATCH (n) RETURN n, labels(n) AS kind UNION ALL MATCH ()-[n]->() RETURN n, [type(n)] AS kind }
     WITH n, kind, [k IN keys(n) | toStringOrNull(n[k])] + reduce(all = [], k IN [k IN keys(n) WHERE valueType(n[k]) STARTS WITH 'LIST<STRING'] | all + n[k]) AS said
     WITH kind, n, [s IN said WHERE s IS NOT NULL AND any(t IN $texts WHERE s CONTAINS t)] AS found WHERE size(found) > 0
     RETURN kind, found[0] AS says`,
    { texts },
  );
}
