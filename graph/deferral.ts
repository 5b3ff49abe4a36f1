import type { Integer } from 'neo4j-driver';

import type { Transaction, Writer } from './driver.ts';
import { PENDING_FIELDS, type PendingEvent } from './pending-event.ts';
import { int, intOrNull, statement, type Param } from './statement.ts';

/** An event that waits for its scope to be consolidated. */
export interface DeferredEvent {
  readonly event_id: string;
  readonly tenant: string;
  readonly scope_ref: string;
  readonly shard: number;
  readonly wal_offset: number;
}

/** Events of one scope that begin to wait. */
export interface NewDeferral {
  /** In the order of the log; one at least. */
  readonly events: readonly DeferredEvent[];
  /** Epoch milliseconds at which all that waits is due; null where only asking for it ends the waiting. */
  readonly due_at: number | null;
}

// The scope is held before its end of waiting is read: whoever asks for it at the same time comes before or after this as a whole.
const enter = statement<{ scopes: readonly Param[]; now: Integer }, { events: number }>(
  'deferral.enter',
  'constraints deferral_scope, retry_id',
  `UNWIND $scopes AS scope
   MERGE (d:Deferral {scope_ref: scope.scope_ref})
     ON CREATE SET d.shard = scope.shard, d.through = 0
   SET d.touched = $now
   WITH d, scope
   SET d.checked = coalesce(d.checked, 0), d.due_at = coalesce(d.due_at, scope.due_at),
     d.open_shard = CASE WHEN d.through >= scope.first THEN d.shard ELSE d.open_shard END
   WITH scope
   UNWIND scope.events AS event
   MERGE (h:StageRetry {id: event.event_id + '/consolidated'})
   SET h += event, h.shard = scope.shard, h.scope_ref = scope.scope_ref, h.stage = 'consolidated', h.state = 'deferred',
     h.reason = 'its scope is consolidated later', h.since = $now
   RETURN count(h) AS events`,
);

const known = statement<
  { refs: readonly string[]; ids: readonly string[] },
  { through: { scope_ref: string; offset: number }[]; waiting: string[] }
>(
  'deferral.known',
  'constraints deferral_scope, retry_id',
  `CALL () {
     UNWIND $refs AS ref
     MATCH (d:Deferral {scope_ref: ref})
     RETURN collect({scope_ref: ref, offset: d.through}) AS through
   }
   CALL () {
     UNWIND $ids AS id
     MATCH (h:StageRetry {id: id + '/consolidated'}) WHERE h.state = 'deferred'
     RETURN collect(id) AS waiting
   }
   RETURN through, waiting`,
);

/** What is known of the waiting of events. */
export interface KnownDeferrals {
  /** Up to which offset a scope was asked to be consolidated, by its reference; scopes in which nothing ever waited are missing. */
  readonly through: ReadonlyMap<string, number>;
  /** Ids of the events that wait. */
  readonly waiting: ReadonlySet<string>;
}

/** Reads what is known of the waiting of events, in scopes that the transaction holds. */
export async function knownDeferrals(
  transaction: Transaction,
  refs: readonly string[],
  ids: readonly string[],
): Promise<KnownDeferrals> {
  const [row] = await transaction.run(known, { refs, ids });
  return {
    through: new Map(row?.through.map(({ scope_ref, offset }) => [scope_ref, offset])),
    waiting: new Set(row?.waiting),
  };
}

/** Lets events wait until their scope is consolidated; of each scope one deferral. */
export async function enterDeferrals(
  transaction: Transaction,
  deferrals: readonly NewDeferral[],
  now: number,
): Promise<void> {
  const scopes = deferrals.flatMap(({ events, due_at }) => {
    const [first] = events;
    if (first === undefined) return [];
    const { scope_ref, shard } = first;
    const rows = events.map(({ event_id, tenant, wal_offset }) => ({
      event_id,
      tenant,
      deferred_offset: int(wal_offset),
    }));
    return [
      {
        scope_ref,
        shard: int(shard),
        first: int(first.wal_offset),
        due_at: intOrNull(due_at),
        events: rows,
      },
    ];
  });
  if (scopes.length > 0) await transaction.run(enter, { scopes, now: int(now) });
}

const release = statement<{ ref: string; through: Integer; now: Integer }, { scope_ref: string }>(
  'deferral.release',
  'constraint deferral_scope',
  `MATCH (d:Deferral {scope_ref: $ref})
   SET d.touched = $now
   WITH d WHERE d.through < $through
   SET d.through = $through, d.open_shard = d.shard
   RETURN d.scope_ref AS scope_ref`,
);

const releaseAll = statement<{ ref: string; shard: Integer; now: Integer }, { scope_ref: string }>(
  'deferral.release_all',
  'constraints counter_name, deferral_scope',
  `MATCH (wal:Counter {name: 'wal'}) WHERE coalesce(wal.defers, true)
   MERGE (d:Deferral {scope_ref: $ref})
     ON CREATE SET d.shard = $shard, d.through = 0
   SET d.touched = $now
   WITH d, wal
   SET d.through = CASE WHEN d.through < wal.value THEN wal.value ELSE d.through END, d.open_shard = d.shard
   REMOVE d.due_at
   RETURN d.scope_ref AS scope_ref`,
);

const isOpen = statement<{ ref: string }, { open: boolean }>(
  'deferral.is_open',
  'constraint deferral_scope',
  'MATCH (d:Deferral {scope_ref: $ref}) RETURN d.open_shard IS NOT NULL AS open',
);

/** Asks for scopes to be consolidated whose events wait. */
export class DeferralRelease {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /** Asks for the events of a scope up to an offset; where nothing waits, nothing happens. */
  async through(ref: string, offset: number, now: number): Promise<void> {
    await this.writer.writeRepeatable(release, { ref, through: int(offset), now: int(now) });
  }

  /** Asks for all events that a scope has; false when no scope of the store lets events wait. */
  async all({ ref, shard }: { ref: string; shard: number }, now: number): Promise<boolean> {
    const rows = await this.writer.writeRepeatable(releaseAll, { ref, shard: int(shard), now: int(now) });
    return rows.length > 0;
  }

  /** Whether something of a scope that was asked for still waits. */
  async isOpen(ref: string): Promise<boolean> {
    return (await this.writer.read(isOpen, { ref }))[0]?.open === true;
  }
}

/** A scope whose waiting may be over. */
export interface LookedAtDeferral {
  readonly scope_ref: string;
  /** True when its time has come. */
  readonly due: boolean;
  /** Number of the newest entry of policies, where it was not looked at since that was written; else null. */
  readonly newest: number | null;
  /** Where an event that waits lies; null when none does any more. */
  readonly place: { readonly tenant: string; readonly scope: string } | null;
}

const look = statement<{ numbers: readonly Integer[]; now: Integer; limit: Integer }, LookedAtDeferral>(
  'deferral.look',
  'constraint counter_name; indexes deferral_due, deferral_checked, retry_deferred (one row)',
  `MATCH (wal:Counter {name: 'wal'})
   UNWIND $numbers AS number
   CALL (number, wal) {
     MATCH (d:Deferral) USING INDEX SEEK d:Deferral(shard, due_at) WHERE d.shard = number AND d.due_at <= $now
     RETURN d, true AS due LIMIT $limit
     UNION ALL
     MATCH (d:Deferral) USING INDEX SEEK d:Deferral(shard, checked) WHERE d.shard = number AND d.checked < wal.policy_entries
     RETURN d, false AS due LIMIT $limit
   }
   RETURN d.scope_ref AS scope_ref, due, CASE WHEN due THEN null ELSE wal.policy_entries END AS newest,
     COLLECT {
       MATCH (h:StageRetry) USING INDEX SEEK h:StageRetry(scope_ref, deferred_offset) WHERE h.scope_ref = d.scope_ref AND h.deferred_offset > 0
       WITH h LIMIT 1
       MATCH (e:Event {id: h.event_id})
       RETURN {tenant: e.tenant, scope: e.scope}
     }[0] AS place`,
);

/** What becomes of a scope that was looked at. */
export interface DeferralVerdict {
  readonly scope_ref: string;
  /** True: what waits is consolidated now. */
  readonly open: boolean;
  /** The entry of policies that it was judged by; null leaves that as it is. */
  readonly checked: number | null;
  /** Epoch milliseconds at which what waits is due, where that is not said yet; null says nothing. */
  readonly due_at: number | null;
}

const judge = statement<{ rows: readonly Param[]; now: Integer }, { scope_ref: string }>(
  'deferral.judge',
  'constraints counter_name, deferral_scope',
  `MATCH (wal:Counter {name: 'wal'})
   UNWIND $rows AS row
   MATCH (d:Deferral {scope_ref: row.scope_ref})
   SET d.touched = $now
   WITH d, row, wal
   SET d.checked = coalesce(row.checked, d.checked), d.due_at = CASE WHEN row.open THEN null ELSE coalesce(d.due_at, row.due_at) END
   WITH d, row, wal WHERE row.open
   SET d.through = CASE WHEN d.through < wal.value THEN wal.value ELSE d.through END, d.open_shard = d.shard
   RETURN d.scope_ref AS scope_ref`,
);

const next = statement<
  { numbers: readonly Integer[]; limit: Integer; scopes: Integer },
  { scope_ref: string; events: PendingEvent[] }
>(
  'deferral.next',
  'indexes deferral_open, retry_deferred, walked in order; constraints rebuild_scope, event_id',
  `UNWIND $numbers AS number
   CALL (number) {
     MATCH (d:Deferral) USING INDEX SEEK d:Deferral(open_shard) WHERE d.open_shard = number
       AND NOT EXISTS { MATCH (:Rebuild {scope_ref: d.scope_ref}) }
     RETURN d LIMIT $scopes
   }
   WITH d LIMIT $scopes
   RETURN d.scope_ref AS scope_ref, COLLECT {
     MATCH (h:StageRetry) USING INDEX SEEK h:StageRetry(scope_ref, deferred_offset)
     WHERE h.scope_ref = d.scope_ref AND h.deferred_offset > 0 AND h.deferred_offset <= d.through
     WITH h ORDER BY h.scope_ref, h.deferred_offset LIMIT $limit
     MATCH (e:Event {id: h.event_id})
     RETURN {${PENDING_FIELDS}, retry_id: h.id}
   } AS events`,
);

// What came to wait meanwhile holds the scope until it is there, and opens it again where it was asked for.
const close = statement<{ refs: readonly string[]; now: Integer }, { scope_ref: string }>(
  'deferral.close',
  'constraint deferral_scope, index retry_deferred (one row)',
  `UNWIND $refs AS ref
   MATCH (d:Deferral {scope_ref: ref})
   SET d.touched = $now
   WITH d
   WHERE NOT EXISTS { MATCH (h:StageRetry) WHERE h.scope_ref = d.scope_ref AND h.deferred_offset > 0 AND h.deferred_offset <= d.through }
   REMOVE d.open_shard
   WITH d
   WHERE NOT EXISTS { MATCH (h:StageRetry) WHERE h.scope_ref = d.scope_ref AND h.deferred_offset > 0 }
   REMOVE d.checked, d.due_at
   RETURN d.scope_ref AS scope_ref`,
);

/** Events of one scope that are consolidated now; none when all are. */
export interface OpenDeferral {
  readonly scope_ref: string;
  readonly events: readonly PendingEvent[];
}

/** Finds the scopes whose waiting is over, in the shards that a worker holds. */
export class DeferralStore {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /** Scopes that are due, and those that were not looked at since policies changed; of each shard `limit` at most. */
  look(numbers: readonly number[], now: number, limit: number): Promise<LookedAtDeferral[]> {
    return this.writer.read(look, { numbers: numbers.map(int), now: int(now), limit: int(limit) });
  }

  /** Says what becomes of scopes that were looked at. */
  async judge(verdicts: readonly DeferralVerdict[], now: number): Promise<void> {
    const rows = verdicts.map(({ scope_ref, open, checked, due_at }) => ({
      scope_ref,
      open,
      checked: intOrNull(checked),
      due_at: intOrNull(due_at),
    }));
    await this.writer.writeRepeatable(judge, { rows, now: int(now) });
  }

  /** Some of the scopes that are consolidated now, with the first events of each that waited, in the order of the log. */
  next(numbers: readonly number[], limit: number, scopes: number): Promise<OpenDeferral[]> {
    return this.writer.read(next, { numbers: numbers.map(int), limit: int(limit), scopes: int(scopes) });
  }

  /** Says of which scopes everything that was asked for is consolidated; where that is not so, nothing happens. */
  async close(refs: readonly string[], now: number): Promise<void> {
    await this.writer.writeRepeatable(close, { refs, now: int(now) });
  }
}

/** Has the server plan the statements of the stage by running them on nothing. */
export async function planDeferrals(transaction: Transaction): Promise<void> {
  await transaction.run(enter, { scopes: [], now: int(0) });
  await transaction.run(known, { refs: [], ids: [] });
}
