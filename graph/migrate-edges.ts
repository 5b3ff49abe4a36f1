import type { Writer } from './driver.ts';
import { DRAW_SAME_AS } from './entity/same-as.ts';
import { OPEN } from './instant.ts';
import { int, statement, type Params } from './statement.ts';

const supersede = statement<Params, unknown>(
  'migration.events_superseded',
  'none: all edges of a kind are gone through once',
  `MATCH (later:Event)-[old:REPLACES]->(e:Event)
   CALL (later, old, e) {
     MERGE (e)-[edge:SUPERSEDED_BY]->(later)
     SET edge.valid_at = later.recorded_at, edge.recorded_from = later.recorded_at, edge.recorded_to = ${OPEN}
     DELETE old
   } IN TRANSACTIONS OF $rows ROWS`,
  { patient: true },
);

const precede = statement<Params, unknown>(
  'migration.events_preceded',
  'constraint event_id; all edges of a kind are gone through once',
  `MATCH ()-[c:CONTAINS]->(e:Event) WHERE c.preceded_by IS NOT NULL
   CALL (c, e) {
     UNWIND c.preceded_by AS id
     MATCH (before:Event {id: id}) WHERE before.tenant = e.tenant
     MERGE (e)-[:PRECEDED_BY]->(before)
   } IN TRANSACTIONS OF $rows ROWS`,
  { patient: true },
);

const same = statement<Params, unknown>(
  'migration.entities_same',
  'constraint entity_key; all links are gone through once',
  `MATCH (l:EntityLink)
   CALL (l) {
     ${DRAW_SAME_AS}
   } IN TRANSACTIONS OF $rows ROWS`,
  { patient: true },
);

/** Edges that one transaction writes. */
const ROWS = 2000;

/** Draws the edges between events that a store of version 10 has otherwise, or not at all; the instants have to be datetimes. */
export async function drawEventEdges(database: Writer): Promise<void> {
  await database.writeRepeatable(supersede, { rows: int(ROWS) });
  await database.writeRepeatable(precede, { rows: int(ROWS) });
}

/** Draws the edges between entities that are one, which a store of version 12 has as links alone; the instants have to be datetimes. */
export async function drawLinks(database: Writer): Promise<void> {
  await database.writeRepeatable(same, { rows: int(ROWS) });
}
