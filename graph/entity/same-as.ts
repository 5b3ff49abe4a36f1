import type { Transaction } from '../driver.ts';
import { OPEN } from '../instant.ts';
import { statement } from '../statement.ts';

/**
 * Draws the edge of the link `l`, or closes it, where both of its entities are there; each link has one of its own. One that says it
 * already is not written.
 */
export const DRAW_SAME_AS = `MATCH (entity:Entity {key: l.scope_ref + ' ' + l.entity})
     MATCH (other:Entity {key: l.scope_ref + ' ' + l.same_as})
     MERGE (entity)-[same:SAME_AS {link_id: l.id}]->(other)
     WITH same, l.recorded_at AS recorded_from, coalesce(l.ended_at, ${OPEN}) AS recorded_to
     WHERE same.recorded_to IS NULL OR same.recorded_to <> recorded_to
     SET same.recorded_from = recorded_from, same.recorded_to = recorded_to`;

const draw = statement<{ ids: readonly string[] }, unknown>(
  'entity_link.draw',
  'constraints log_entry_id, entity_key',
  `UNWIND $ids AS id
   MATCH (l:LogEntry {id: id})
   ${DRAW_SAME_AS}`,
);

/**
 * Brings the edges of links up to what the log says, within a transaction that holds the shard of their scope. It is due where an entry
 * is applied, and where entities are derived that were linked: they may only now be there.
 */
export function drawLinksWithin(transaction: Transaction, ids: readonly string[]): void {
  if (ids.length > 0) transaction.send(draw, { ids });
}

/** Has the server plan the statement of this file by running it on nothing. */
export async function planSameAs(transaction: Transaction): Promise<void> {
  await transaction.run(draw, { ids: [] });
}
