import type { Writer } from './driver.ts';
import { int, statement, type Params } from './statement.ts';

const strip = statement<Params, unknown>(
  'migration.versions_stripped',
  'none: all of a kind are gone through once',
  `MATCH (v:ConceptVersion) WHERE v.stances IS NOT NULL OR v.relates_to IS NOT NULL
   CALL (v) { REMOVE v.stances, v.beliefs, v.events, v.relates_to, v.relations, v.weights } IN TRANSACTIONS OF $rows ROWS`,
  { patient: true },
);

/** Versions that one transaction writes. */
const ROWS = 2000;

/** Takes from the versions of concepts what a store of version 13 repeats there of what supports them, and of their edges to others. */
export async function stripVersions(database: Writer): Promise<void> {
  await database.writeRepeatable(strip, { rows: int(ROWS) });
}
