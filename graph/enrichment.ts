import type { Integer } from 'neo4j-driver';

import { MAX_ENRICHED_TOPICS } from '../src/limits/models.ts';
import type { Transaction, Writer } from './driver.ts';
import type { NewStageRetry } from './extraction.ts';
import type { LeasedShard } from './shard.ts';
import { PENDING_FIELDS, type PendingEvent } from './pending-event.ts';
import { int, statement, type Param, type Params } from './statement.ts';
import { STATES_NOTHING, TAKEN_OUT } from './visible.ts';

/** Of an event `e`: it may say something, and nobody has extracted from it, tries to, or gave it up. */
const UNEXTRACTED = `e.redacted_at IS NULL AND NOT e.content_kind IN ['triple', 'json'] AND e.modality <> 'feedback'
       AND NOT ${TAKEN_OUT} AND NOT ${STATES_NOTHING} AND NOT EXISTS { MATCH (:Extraction {event_id: e.id}) }
       AND NOT EXISTS { MATCH (:StageRetry {id: e.id + '/extracted'}) } AND NOT EXISTS { MATCH (:EnrichmentRetry {event_id: e.id}) }`;

const SPAN = `MATCH (e:Event) USING INDEX SEEK e:Event(shard, wal_offset)
     WHERE e.shard = s.number AND e.wal_offset > coalesce(s.enriched, 0) AND e.wal_offset <= i.extracted`;

const unseen = statement<{ numbers: readonly Integer[]; before: Integer }, { number: number }>(
  'enrichment.unseen',
  'constraints shard_number, shard_intake; index event_shard (one row for each shard)',
  `UNWIND $numbers AS number
   MATCH (s:Shard {number: number})
   MATCH (i:ShardIntake {number: number})
   CALL (s, i) {
     ${SPAN}
     WITH e ORDER BY e.shard, e.wal_offset LIMIT 1
     RETURN e.recorded_at.epochMillis AS oldest
   }
   WITH s, oldest WHERE oldest <= $before
   RETURN s.number AS number`,
);

// Instants never run backwards along the log, so what is old enough comes first. With the intake held, what was extracted is wholly there.
const see = statement<
  { number: Integer; epoch: Integer; worker: string; before: Integer; limit: Integer },
  { events: number }
>(
  'enrichment.see',
  'constraints shard_intake, shard_number, extraction_event, retry_id, enrichment_hold, enrichment_scope; index event_shard, walked in order',
  `MATCH (i:ShardIntake {number: $number})
   SET i.touched = $worker
   WITH i
   MATCH (s:Shard {number: i.number})
   SET s.touched = $worker
   WITH s, i WHERE s.owner = $worker AND s.epoch = $epoch
   CALL (s, i) {
     ${SPAN}
     WITH e ORDER BY e.shard, e.wal_offset LIMIT $limit
     WITH e WHERE e.recorded_at.epochMillis <= $before
     RETURN collect(e) AS events, max(e.wal_offset) AS through
   }
   WITH s, events, through WHERE through IS NOT NULL
   SET s.enriched = through
   WITH s, events
   CALL (s, events) {
     UNWIND events AS e
     WITH s, e WHERE ${UNEXTRACTED}
     WITH s, e.scope_ref AS ref, min(e.wal_offset) AS first
     MERGE (p:EnrichmentProgress {scope_ref: ref})
       ON CREATE SET p.served = 0, p.entities = []
     SET p.after = CASE WHEN p.open_shard IS NULL THEN first - 1 ELSE p.after END, p.open_shard = s.number
   }
   RETURN size(events) AS events`,
);

/** A scope with events that nobody has extracted from. */
export interface OpenEnrichment {
  readonly scope_ref: string;
  readonly shard: number;
  /** Whether an entity was named since it was opened. */
  readonly named: boolean;
  /** Where the scope lies, by its first event; null when it has none. */
  readonly place: { readonly tenant: string; readonly scope: string } | null;
  /** The next events of the scope, in the order of the log; none when all are done. */
  readonly events: readonly (PendingEvent & { readonly unextracted: boolean })[];
}

const open = statement<{ numbers: readonly Integer[]; scopes: Integer; window: Integer }, OpenEnrichment>(
  'enrichment.open',
  'index enrichment_open, walked in order; constraint shard_number; index event_scope, walked in order',
  `UNWIND $numbers AS number
   CALL (number) {
     MATCH (p:EnrichmentProgress) USING INDEX SEEK p:EnrichmentProgress(open_shard, served) WHERE p.open_shard = number AND p.served >= 0
     WITH p ORDER BY p.open_shard, p.served LIMIT $scopes
     RETURN p
   }
   WITH p ORDER BY p.served, p.scope_ref LIMIT $scopes
   MATCH (s:Shard {number: p.open_shard})
   RETURN p.scope_ref AS scope_ref, s.number AS shard, size(p.entities) > 0 AS named, COLLECT {
     MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = p.scope_ref AND e.wal_offset > 0
     WITH e ORDER BY e.scope_ref, e.wal_offset LIMIT 1
     RETURN {tenant: e.tenant, scope: e.scope}
   }[0] AS place, COLLECT {
     MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset)
     WHERE e.scope_ref = p.scope_ref AND e.wal_offset > p.after AND e.wal_offset <= coalesce(s.enriched, 0)
     WITH e ORDER BY e.scope_ref, e.wal_offset LIMIT $window
     RETURN {${PENDING_FIELDS}, retry_id: null, unextracted: ${UNEXTRACTED}}
   } AS events`,
);

const due = statement<{ numbers: readonly Integer[]; now: Integer; limit: Integer }, { event: PendingEvent }>(
  'enrichment.due',
  'index enrichment_due, walked in order; constraint event_id',
  `UNWIND $numbers AS number
   CALL (number) {
     MATCH (h:EnrichmentRetry) USING INDEX SEEK h:EnrichmentRetry(shard, retry_at) WHERE h.shard = number AND h.retry_at <= $now
     WITH h ORDER BY h.shard, h.retry_at LIMIT $limit
     RETURN h
   }
   WITH h LIMIT $limit
   MATCH (e:Event {id: h.event_id})
   RETURN {${PENDING_FIELDS}, retry_id: null} AS event`,
);

interface WriteParams extends Params {
  scopes: readonly Param[];
  holds: readonly Param[];
  done: readonly string[];
  stating: readonly string[];
  topics: Integer;
  now: Integer;
}

// Of more entities than a synthesis names none has to be known any more. The shards are held: no consolidation is under way that has not seen
// the answers, and what is forgotten of an event is forgotten before, and counts, or behind it.
const write = statement<WriteParams, { scopes: number }>(
  'enrichment.write',
  'constraints enrichment_scope, event_id, enrichment_hold, shard_number, retry_id',
  `CALL () {
     UNWIND $scopes AS row
     MATCH (p:EnrichmentProgress {scope_ref: row.scope_ref})
     SET p.after = row.after, p.served = $now
     WITH p, row, COLLECT {
       UNWIND row.named AS named
       MATCH (e:Event {id: named.event_id}) WHERE e.redacted_at IS NULL AND NOT ${TAKEN_OUT} AND NOT ${STATES_NOTHING}
       UNWIND named.entities AS id
       WITH DISTINCT id WHERE NOT id IN p.entities
       RETURN id
     } AS entities
     SET p.entities = CASE WHEN size(p.entities) > $topics THEN p.entities ELSE p.entities + entities END
     RETURN count(p) AS scopes
   }
   CALL () {
     UNWIND $done AS id
     MATCH (h:EnrichmentRetry {event_id: id})
     DELETE h
   }
   CALL () {
     UNWIND $holds AS row
     MATCH (e:Event {id: row.event_id})
     MERGE (h:EnrichmentRetry {event_id: e.id})
       ON CREATE SET h.tenant = e.tenant, h.scope_ref = e.scope_ref, h.shard = e.shard, h.since = $now
     SET h += row
   }
   CALL () {
     UNWIND $stating AS id
     MATCH (e:Event {id: id}) WHERE NOT ${TAKEN_OUT}
     MATCH (s:Shard {number: e.shard}) WHERE s.consolidated >= e.wal_offset
     MERGE (h:StageRetry {id: e.id + '/consolidated'})
       ON CREATE SET h.event_id = e.id, h.tenant = e.tenant, h.scope_ref = e.scope_ref, h.shard = e.shard, h.stage = 'consolidated',
         h.state = 'queued', h.reason = 'it was enriched', h.since = $now
       ON MATCH SET h.state = CASE h.state WHEN 'failed' THEN 'queued' ELSE h.state END
   }
   RETURN scopes`,
);

/** What is kept of a batch beside answers and frames. */
export interface EnrichmentWrites {
  /** How far scopes are, by their references, and which entities events named. */
  readonly scopes: readonly {
    readonly scope_ref: string;
    readonly after: number;
    readonly named: readonly { readonly event_id: string; readonly entities: readonly string[] }[];
  }[];
  readonly holds: readonly NewStageRetry[];
  /** Events that are not tried again. */
  readonly done: readonly string[];
  /** Events that state something now: they are consolidated again where they were before. */
  readonly stating: readonly string[];
}

/** Keeps how far enrichment is, in a transaction that holds the shards of all that is named. */
export async function writeEnrichment(
  transaction: Transaction,
  { scopes, holds, done, stating }: EnrichmentWrites,
  now: number,
): Promise<void> {
  await transaction.run(write, {
    scopes: scopes.map(({ scope_ref, after, named }) => ({
      scope_ref,
      after: int(after),
      named: named.map((one) => ({ ...one })),
    })),
    holds: holds.map(({ attempts, unusable, retry_at, ...row }) => ({
      ...row,
      attempts: int(attempts),
      unusable: int(unusable),
      retry_at: retry_at === null ? null : int(retry_at),
    })),
    done,
    stating,
    topics: int(MAX_ENRICHED_TOPICS),
    now: int(now),
  });
}

// What is seen meanwhile opens the scope again; both hold the shard.
const close = statement<
  { refs: readonly string[]; number: Integer; epoch: Integer; worker: string },
  { closed: number }
>(
  'enrichment.close',
  'constraints shard_number, enrichment_scope; index event_scope (one row)',
  `MATCH (s:Shard {number: $number})
   SET s.touched = $worker
   WITH s WHERE s.owner = $worker AND s.epoch = $epoch
   UNWIND $refs AS ref
   MATCH (p:EnrichmentProgress {scope_ref: ref})
   WHERE NOT EXISTS { MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = ref AND e.wal_offset > p.after AND e.wal_offset <= s.enriched }
   SET p.entities = []
   REMOVE p.open_shard
   RETURN count(p) AS closed`,
);

/** Finds events that nobody has extracted from, in the shards that a worker holds. */
export class EnrichmentStore {
  private readonly writer: Writer;
  private readonly worker: string;

  constructor(writer: Writer, worker: string) {
    this.writer = writer;
    this.worker = worker;
  }

  /** Those of the shards that have events recorded until then which were not looked at yet. */
  async unseen(numbers: readonly number[], before: number): Promise<number[]> {
    const rows = await this.writer.read(unseen, { numbers: numbers.map(int), before: int(before) });
    return rows.map(({ number }) => number);
  }

  /** Looks at the next events of a shard that were recorded until then, and opens their scopes; answers how many it looked at. */
  async see({ number, epoch }: LeasedShard, before: number, limit: number): Promise<number> {
    const { worker } = this;
    const fence = { number: int(number), epoch: int(epoch), worker };
    const rows = await this.writer.writeRepeatable(see, { ...fence, before: int(before), limit: int(limit) });
    return rows[0]?.events ?? 0;
  }

  /** The scopes with something to do that were served the longest ago, with the next events of each. */
  open(numbers: readonly number[], scopes: number, window: number): Promise<OpenEnrichment[]> {
    return this.writer.read(open, {
      numbers: numbers.map(int),
      scopes: int(scopes),
      window: int(window),
    });
  }

  /** Events without a usable answer that are due again. */
  async due(numbers: readonly number[], now: number, limit: number): Promise<PendingEvent[]> {
    const params = { numbers: numbers.map(int), now: int(now), limit: int(limit) };
    return (await this.writer.read(due, params)).map(({ event }) => event);
  }

  /** Says that nothing of a scope is left; where something came meanwhile, nothing happens. */
  async close({ number, epoch }: LeasedShard, refs: readonly string[]): Promise<void> {
    const { worker } = this;
    await this.writer.writeRepeatable(close, { refs, number: int(number), epoch: int(epoch), worker });
  }
}
