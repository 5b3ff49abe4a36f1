import type { Integer } from 'neo4j-driver';

import { shardOf } from '../../src/capture/scope-key.ts';
import type { Reader, Transaction } from '../driver.ts';
import type { ShardLease } from '../shard.ts';
import { HOLD_LEASED_SHARD } from '../shard-step.ts';
import { int, statement, type Param } from '../statement.ts';
import { LEAVES } from './leaving.ts';
import type { EpisodeScope } from './load.ts';

/** Whether more events of the scope `ref` are to leave its episodes than those of `$events`: a forget, an erasure or a deletion is at it. */
const MORE_LEAVE = `(EXISTS {
     MATCH (h:StageRetry) USING INDEX SEEK h:StageRetry(scope_ref, state)
     WHERE h.scope_ref = ref AND h.state = 'queued' AND NOT h.event_id IN $events
     MATCH (e:Event {id: h.event_id})<-[:CONTAINS]-() WHERE ${LEAVES}
   } OR EXISTS {
     MATCH (p:ForgetPlan) USING INDEX SEEK p:ForgetPlan(scope_ref) WHERE p.scope_ref = ref
     MATCH (s:ForgetStep) USING INDEX SEEK s:ForgetStep(plan_id, number) WHERE s.plan_id = p.id AND s.number >= 0
     UNWIND s.redacted + coalesce(s.leaving, []) AS id
     MATCH (:Event {id: id})<-[:CONTAINS]-()
   } OR EXISTS {
     MATCH (s:Scope) USING INDEX SEEK s:Scope(ref) WHERE s.ref = ref AND s.deleting_through >= 0
     MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = ref AND e.wal_offset <= s.deleting_through
     MATCH (e)<-[:CONTAINS]-()
   })`;

const moreLeave = statement<{ refs: readonly string[]; events: readonly string[] }, { ref: string }>(
  'episode.more_leave',
  'indexes retry_scope, forget_plan_scope, event_scope; constraints event_id, forget_step_number, scope_ref',
  `UNWIND $refs AS ref
   WITH ref WHERE ${MORE_LEAVE}
   RETURN ref`,
);

const detach = statement<{ ref: string; limit: Integer }, { detached: number }>(
  'episode.detach',
  'index episode_place',
  `MATCH (ep:Episode) USING INDEX SEEK ep:Episode(scope_ref, position) WHERE ep.scope_ref = $ref AND ep.position >= 0
   MATCH (ep)-[c:CONTAINS]->(e:Event) WHERE ${LEAVES}
   WITH c LIMIT $limit
   DELETE c
   RETURN count(*) AS detached`,
);

const postpone = statement<{ places: readonly Param[] }, { ref: string }>(
  'episode.postpone_replay',
  'constraint episode_progress',
  `UNWIND $places AS place
   MATCH (p:EpisodeProgress {scope_ref: place.scope_ref})
   SET p.postponed_shard = place.shard, p.scope = place.scope, p.postponed_at = coalesce(p.postponed_at, timestamp())
   RETURN place.scope_ref AS ref`,
);

const postponedOf = statement<{ numbers: readonly Integer[] }, EpisodeScope & { shard: number }>(
  'episode.postponed',
  'index episode_postponed (one row for each shard)',
  `UNWIND $numbers AS number
   CALL (number) {
     MATCH (p:EpisodeProgress) USING INDEX SEEK p:EpisodeProgress(postponed_shard) WHERE p.postponed_shard = number
     RETURN p LIMIT 100
   }
   RETURN number AS shard, p.tenant AS tenant, p.scope AS scope, p.scope_ref AS scope_ref`,
);

const holdShard = statement<
  { number: Integer; epoch: Integer; worker: string; ref: string },
  { waited_ms: number }
>(
  'episode.hold_postponed',
  'constraints shard_number, episode_progress',
  `${HOLD_LEASED_SHARD}
   MATCH (p:EpisodeProgress {scope_ref: $ref}) WHERE p.postponed_shard IS NOT NULL
   RETURN timestamp() - coalesce(p.postponed_at, timestamp()) AS waited_ms`,
);

/** Scopes of shards whose episodes are to be replayed, some of them. */
export async function scopesToReplay(
  reader: Reader,
  numbers: readonly number[],
): Promise<(EpisodeScope & { readonly shard: number })[]> {
  return reader.read(postponedOf, { numbers: numbers.map(int) });
}

/** Leaves for later that the episodes of a scope are told anew, within a transaction that holds its shard. */
export class PostponedReplays {
  private readonly transaction: Transaction;

  constructor(transaction: Transaction) {
    this.transaction = transaction;
  }

  /** Those of the scopes of which more events are to leave the episodes than these. */
  async moreLeave(refs: readonly string[], events: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.transaction.run(moreLeave, { refs, events });
    return new Set(rows.map(({ ref }) => ref));
  }

  /** Takes events of a scope that were redacted, or whose part in episodes was forgotten, out of them, so many at most; answers how many. */
  async detach(ref: string, limit: number): Promise<number> {
    const [row] = await this.transaction.run(detach, { ref, limit: int(limit) });
    return row?.detached ?? 0;
  }

  /** Says of scopes that their episodes are to be replayed. */
  postpone(places: readonly EpisodeScope[]): void {
    const rows = places.map(({ scope_ref, scope }) => ({ scope_ref, scope, shard: int(shardOf(scope_ref)) }));
    this.transaction.send(postpone, { places: rows });
  }

  /** Holds the shard of a scope that is to be replayed; answers for how long it is, milliseconds, null where the lease is lost, or another did. */
  async hold({ number, epoch }: ShardLease, worker: string, ref: string): Promise<number | null> {
    const params = { number: int(number), epoch: int(epoch), worker, ref };
    return (await this.transaction.run(holdShard, params))[0]?.waited_ms ?? null;
  }
}
