import type { Integer } from 'neo4j-driver';

import { shardOf } from '../../src/capture/scope-key.ts';
import { keptAmbiguous, withoutEntities } from '../../src/derive/known-names.ts';
import type { Transaction, Transactions } from '../driver.ts';
import { int, statement, type Param } from '../statement.ts';

/** Events that are looked at in one transaction, which holds their shard. */
const PAGE = 1_000;

interface Page {
  readonly through: number;
  readonly rows: number;
  readonly events: readonly { readonly id: string; readonly ambiguous: string }[];
}

// With the shard held no consolidation says meanwhile what names stand for.
const page = statement<{ ref: string; shard: Integer; after: Integer; page: Integer }, Page>(
  'forget.ambiguous_events',
  'constraint shard_number; index event_scope, walked in order',
  `MATCH (shard:Shard {number: $shard})
   SET shard.touched = $ref
   WITH shard
   CALL () {
     MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = $ref AND e.wal_offset > $after
     WITH e ORDER BY e.scope_ref, e.wal_offset LIMIT $page
     RETURN e
   }
   RETURN max(e.wal_offset) AS through, count(*) AS rows, collect(CASE WHEN e.ambiguous IS NOT NULL THEN e {.id, .ambiguous} END) AS events`,
);

const frames = statement<{ ids: readonly string[] }, { sequence: number; data: string }>(
  'forget.ambiguous_frames',
  'index lifecycle_event',
  `UNWIND $ids AS id
   MATCH (f:LifecycleEvent) USING INDEX SEEK f:LifecycleEvent(event_id) WHERE f.event_id = id AND f.type = 'consolidated' AND f.data IS NOT NULL
   RETURN f.sequence AS sequence, f.data AS data`,
);

const write = statement<{ events: readonly Param[]; frames: readonly Param[] }, { written: number }>(
  'forget.write_ambiguity',
  'constraints event_id, lifecycle_sequence',
  `CALL () {
     UNWIND $events AS row
     MATCH (e:Event {id: row.id})
     SET e.ambiguous = row.ambiguous
     RETURN count(*) AS written
   }
   CALL () {
     UNWIND $frames AS row
     MATCH (f:LifecycleEvent {sequence: row.sequence})
     SET f.data = row.data
   }
   RETURN written`,
);

/**
 * Takes entities that are gone from what the events of a scope say of ambiguous names, and from the frames that told of it. Short
 * transactions; `goesOn` is called between them, and may throw. May be repeated. Throws `DATABASE_UNAVAILABLE`.
 */
export async function stripAmbiguity(
  database: Transactions,
  ref: string,
  gone: ReadonlySet<string>,
  goesOn: () => void,
): Promise<void> {
  for (let after: number | null = 0; after !== null;) {
    goesOn();
    const from: number = after;
    after = await database.transactionRepeatable((transaction) => stripPage(transaction, ref, gone, from));
  }
}

/** One page; answers how far it came, null at the end of the scope. */
async function stripPage(
  transaction: Transaction,
  ref: string,
  gone: ReadonlySet<string>,
  after: number,
): Promise<number | null> {
  const place = { ref, shard: int(shardOf(ref)), after: int(after), page: int(PAGE) };
  const [found] = await transaction.run(page, place);
  const events = (found?.events ?? []).flatMap(({ id, ambiguous }) => {
    const names = keptAmbiguous(ambiguous);
    if (!names.some(({ ids }) => ids.some((one) => gone.has(one)))) return [];
    const left = withoutEntities(names, gone);
    return [{ id, ambiguous: left.length === 0 ? null : JSON.stringify(left) }];
  });
  if (events.length > 0) {
    const told = await transaction.run(frames, { ids: events.map(({ id }) => id) });
    const rows = told.map(({ sequence, data }) => ({ sequence: int(sequence), data: withoutIn(data, gone) }));
    await transaction.run(write, { events, frames: rows });
  }
  return found === undefined || found.rows < PAGE ? null : found.through;
}

/** The data of a frame of consolidation, as JSON text, without entities that are gone. */
function withoutIn(data: string, gone: ReadonlySet<string>): string {
  const { ambiguous_entity: names, ...rest } = JSON.parse(data) as Record<string, unknown>;
  if (names === undefined) return data;
  const left = withoutEntities(keptAmbiguous(JSON.stringify(names)), gone);
  return JSON.stringify({ ...rest, ...(left.length === 0 ? {} : { ambiguous_entity: left }) });
}
