import type { Transaction, Writer } from '../driver.ts';
import { DELETE_EMPTY_SESSIONS, TELL_NEIGHBOURHOODS } from './window.ts';
import { statement } from '../statement.ts';

const remove = statement<{ ids: readonly string[] }, { removed: number }>(
  'passage.remove',
  'constraints passage_event, session_passage; index passage_place',
  `UNWIND $ids AS id
   MATCH (turn:Passage {event_id: id})
   WITH turn, turn.thread AS thread, turn.place AS place
   DETACH DELETE turn
   WITH thread, place WHERE place IS NOT NULL
   WITH collect({thread: thread, from: place, to: place, turns: []}) AS stretches
   ${TELL_NEIGHBOURHOODS}
   ${DELETE_EMPTY_SESSIONS}
   RETURN size(stretches) AS removed`,
);

/**
 * Deletes the passages of events that are taken out, and leaves nothing of them in the windows and sessions around. Whoever calls it holds
 * what a stage of their scopes would wait for: the intake of the shard, or the lock of the scope (`LOCK_PASSAGES`).
 */
export async function removePassagesWithin(transaction: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await transaction.run(remove, { ids });
}

/** Has the server plan the statement by removing nothing. */
export async function planPassageRemoval(writer: Writer): Promise<void> {
  await writer.write(remove, { ids: [] });
}
