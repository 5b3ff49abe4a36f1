import type { Integer } from 'neo4j-driver';

import type { Transaction } from '../driver.ts';
import { refuseLeft } from '../forget/step-check.ts';
import { int, statement, type Params } from '../statement.ts';

/** Events that are sealed, and those of them that are named elsewhere, if any. */
interface Sealed {
  readonly ids: readonly string[];
  readonly named: readonly string[];
}

/**
 * Takes the edges of a redacted event `e` away that the log has: what took it out, was forgotten of it, came before or after it. An event that it
 * took the place of stays taken out, by the entry that redacted `e`. Of any other edge the look behind it says that it is left.
 */
const BARE = `CALL (e) {
     MATCH (entry:LogEntry {kind: 'redact'})-[:CANCELS]->(e)
     MATCH (earlier:Event)-[:SUPERSEDED_BY]->(e) WHERE earlier.redacted_at IS NULL AND earlier.id IS NOT NULL
     MERGE (entry)-[:CANCELS]->(earlier)
   }
   CALL (e) {
     MATCH (e)-[edge:CANCELS|FORGETS|SUPERSEDED_BY|PRECEDED_BY]-(other)
     WITH edge, other
     DELETE edge
     WITH DISTINCT other WHERE other:LogEntry AND other.kind IN ['cancel', 'redact', 'forget'] AND NOT EXISTS { (other)-[:CANCELS|FORGETS]->() }
     DELETE other
   }`;

// A redacted event has no reference to its scope any more. What was concluded from it has fallen, and finds no event of that id any more.
const seal = statement<{ ids: readonly string[] }, { offsets: number[] }>(
  'erasure.seal',
  'constraint event_id',
  `UNWIND $ids AS id
   MATCH (e:Event {id: id}) WHERE e.redacted_at IS NOT NULL
   ${BARE}
   CALL (e) {
     MATCH (e)<-[edge:CONCLUDED_FROM]-()
     DELETE edge
   }
   SET e = {wal_offset: e.wal_offset, recorded_at: e.recorded_at}
   RETURN collect(e.wal_offset) AS offsets`,
);

// Where other scopes name it, its id stays, and that it was redacted: so what was concluded from it stays fallen, with the edge that says from what.
const sealNamed = statement<{ ids: readonly string[] }, { sealed: number }>(
  'erasure.seal_named',
  'constraint event_id',
  `UNWIND $ids AS id
   MATCH (e:Event {id: id}) WHERE e.redacted_at IS NOT NULL
   ${BARE}
   SET e = {id: e.id, wal_offset: e.wal_offset, recorded_at: e.recorded_at, redacted_at: e.redacted_at}
   RETURN count(e) AS sealed`,
);

// Also where an earlier pass sealed the events, and something rested on them then.
const dropPremises = statement<{ ids: readonly string[] }, { dropped: number }>(
  'erasure.drop_premises',
  'constraint premise_id',
  `UNWIND $ids AS id
   MATCH (p:Premise {id: id}) WHERE NOT EXISTS { (p)<-[:RESTS_ON]-() }
   OPTIONAL MATCH (h:PremiseHome)-[:OF]->(p)
   DETACH DELETE h, p
   RETURN count(*) AS dropped`,
);

interface LeftParams extends Params {
  ids: readonly string[];
  named: readonly string[];
  offsets: readonly Integer[];
}

// It knows nothing of what the statements above delete. By its id an event is found that none of them took.
const left = statement<LeftParams, { place: string; count: number }>(
  'erasure.left_by_seal',
  'constraints event_id, event_wal_offset, premise_id',
  `UNWIND $ids AS id
   MATCH (e:Event {id: id})
   RETURN ':Event(id)' AS place, count(e) AS count
   UNION ALL
   UNWIND $offsets AS offset
   MATCH (e:Event {wal_offset: offset}) WHERE size(keys(e)) <> 2 OR e.recorded_at IS NULL OR EXISTS { (e)--() }
   RETURN ':Event(wal_offset)' AS place, count(e) AS count
   UNION ALL
   UNWIND $named AS id
   MATCH (e:Event {id: id}) WHERE size(keys(e)) <> 4 OR e.redacted_at IS NULL OR EXISTS { (e)-[edge]-() WHERE type(edge) <> 'CONCLUDED_FROM' }
   RETURN ':Event(id) that is named' AS place, count(e) AS count
   UNION ALL
   UNWIND $ids AS id
   MATCH (p:Premise {id: id}) WHERE NOT EXISTS { (p)<-[:RESTS_ON]-() }
   RETURN ':Premise(id)' AS place, count(p) AS count`,
);

/**
 * Leaves nothing of redacted events but their places in the log and instants; of those that are named elsewhere the ids stay. Answers how many it sealed.
 * Looks at them in the same transaction: throws `ERASURE_BACKEND_FAILED` where more is left of one, so that none is sealed.
 */
export async function sealWithin(transaction: Transaction, { ids, named }: Sealed): Promise<number> {
  const kept = new Set(named);
  const some = ids.filter((id) => kept.has(id));
  const others = ids.filter((id) => !kept.has(id));
  const offsets = (await transaction.run(seal, { ids: others })).flatMap((row) => row.offsets);
  await transaction.run(dropPremises, { ids: others });
  const rest = some.length === 0 ? [] : await transaction.run(sealNamed, { ids: some });
  refuseLeft(
    await transaction.run(left, { ids: others, named: some, offsets: offsets.map(int) }),
    'ERASURE_BACKEND_FAILED',
  );
  return offsets.length + (rest[0]?.sealed ?? 0);
}
