import type { Integer } from 'neo4j-driver';

import type { Writer } from './driver.ts';
import { int, statement } from './statement.ts';

/**
 * Removes the oldest frames, from the first on and no further than to the first that has to stay. A process that removes
 * frames holds a node of its own until it commits, so that of two each finds what the other has left. A frame stays while it is
 * young, or while its event is not consolidated: its shard has not come so far, or a stage is to be tried again. An event that a stage
 * gave up holds nothing back: it may stay so for ever. Of the clocks of the process and of the database the one that lets more
 * stay counts: a process whose clock is wrong must not remove what is young.
 */
const removeOldest = statement<{ before: Integer; age: Integer; limit: Integer }, { removed: number }>(
  'lifecycle.remove_oldest',
  'constraints counter_name, lifecycle_sequence, event_id, shard_number; index retry_event',
  `MERGE (keeper:Counter {name: 'frame_retention'})
   WITH keeper, CASE WHEN $before < timestamp() - $age THEN $before ELSE timestamp() - $age END AS before
   SET keeper.touched = before
   WITH before
   CALL (before) {
     MATCH (f:LifecycleEvent) USING INDEX SEEK f:LifecycleEvent(sequence)
     WHERE f.sequence > 0
     WITH f ORDER BY f.sequence LIMIT $limit
     OPTIONAL MATCH (e:Event {id: f.event_id})
     OPTIONAL MATCH (s:Shard {number: e.shard})
     WITH f, f.ts >= before OR (e IS NOT NULL AND (coalesce(s.consolidated, 0) < e.wal_offset
       OR EXISTS { MATCH (h:StageRetry) WHERE h.event_id = e.id AND h.state IN ['held', 'queued'] })) AS stays
     WITH collect({frame: f, stays: stays}) AS rows
     RETURN rows, coalesce([i IN range(0, size(rows) - 1) WHERE rows[i].stays][0], size(rows)) AS count
   }
   UNWIND rows[0..count] AS row
   WITH row.frame AS frame
   DELETE frame
   RETURN count(*) AS removed`,
);

/** Removes lifecycle frames. */
export class LifecycleRemover {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /**
   * Removes at most `limit` frames that are older than `ageMs` by the clock of the caller (`now`, epoch milliseconds) and by that
   * of the database, oldest first, and answers how many. Numbers are not used again. Throws `DATABASE_UNAVAILABLE`.
   */
  async removeOldest({ now, ageMs, limit }: { now: number; ageMs: number; limit: number }): Promise<number> {
    const rows = await this.writer.writeRepeatable(removeOldest, {
      before: int(now - ageMs),
      age: int(ageMs),
      limit: int(limit),
    });
    return rows[0]?.removed ?? 0;
  }
}
