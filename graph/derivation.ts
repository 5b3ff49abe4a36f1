import type { Integer } from 'neo4j-driver';

import type { Reader, Writer } from './driver.ts';
import { int, statement } from './statement.ts';

/** Where one event stands, as the capture-status and wait readings need it. */
export interface EventProgress {
  readonly event_id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly wal_offset: number;
  /** Epoch milliseconds. */
  readonly recorded_at: number;
  readonly content_kind: string;
  readonly idempotency_key: string | null;
  readonly extracted: boolean;
  readonly indexed: boolean;
  readonly consolidated: boolean;
  /** Whether a model's answer for it is stored. */
  readonly answered: boolean;
  readonly cancelled: boolean;
  /** The event that took this one's key over, else null. */
  readonly replaced_by: string | null;
  readonly holds: readonly { stage: string; state: string; reason: string }[];
}

const PROGRESS = `MATCH (s:Shard {number: e.shard})
   MATCH (i:ShardIntake {number: e.shard})
   OPTIONAL MATCH (e)-[:SUPERSEDED_BY]->(by:Event)
   RETURN e.id AS event_id, e.tenant AS tenant, e.scope AS scope, e.wal_offset AS wal_offset, e.recorded_at.epochMillis AS recorded_at,
     e.content_kind AS content_kind, e.idempotency_key AS idempotency_key,
     i.extracted >= e.wal_offset AS extracted, i.indexed >= e.wal_offset AS indexed,
     s.consolidated >= e.wal_offset AND NOT EXISTS { MATCH (r:Rebuild {scope_ref: e.scope_ref}) WHERE r.cursor < e.wal_offset } AS consolidated,
     EXISTS { MATCH (:Extraction {event_id: e.id}) } AS answered, EXISTS { (e)<-[:CANCELS]-() } AS cancelled, by.id AS replaced_by,
     COLLECT { MATCH (h:StageRetry) WHERE h.event_id = e.id WITH h {.stage, .state, .reason} AS hold WHERE hold IS NOT NULL RETURN hold } AS holds`;

type StoredProgress = Omit<EventProgress, 'holds'> & {
  readonly holds: readonly (EventProgress['holds'][number] | null)[];
};

const progressById = statement<{ ids: readonly string[]; tenant: string | null }, StoredProgress>(
  'derivation.progress_by_id',
  'constraints event_id, shard_number, shard_intake, extraction_event, rebuild_scope; index retry_event',
  `UNWIND $ids AS id
   MATCH (e:Event {id: id}) WHERE ($tenant IS NULL OR e.tenant = $tenant) AND e.redacted_at IS NULL
   ${PROGRESS}`,
);

const holderByScope = statement<{ scope_ref: string; key: string }, { event_id: string; scope_ref: string }>(
  'derivation.key_in_scope',
  'constraint idempotency_key, index released_key_scope',
  `OPTIONAL MATCH (held:IdempotencyKey {scope_ref: $scope_ref, key: $key})
   CALL (held) {
     WITH held WHERE held IS NULL
     MATCH (r:ReleasedKey) WHERE r.scope_ref = $scope_ref AND r.key = $key
     WITH r LIMIT 100
     RETURN r ORDER BY r.wal_offset DESC LIMIT 1
     UNION
     WITH held WHERE held IS NOT NULL
     RETURN held AS r
   }
   RETURN r.event_id AS event_id, r.scope_ref AS scope_ref`,
);

const holderByTenant = statement<
  { tenant: string; key: string; limit: Integer },
  { event_id: string; scope_ref: string; held: boolean }
>(
  'derivation.key_in_tenant',
  'indexes idempotency_key_tenant, released_key_tenant',
  `CALL () {
     MATCH (k:IdempotencyKey) WHERE k.tenant = $tenant AND k.key = $key
     WITH k LIMIT $limit
     RETURN k.event_id AS event_id, k.scope_ref AS scope_ref, k.wal_offset AS wal_offset, true AS held
     UNION ALL
     MATCH (k:ReleasedKey) WHERE k.tenant = $tenant AND k.key = $key
     WITH k LIMIT $limit
     RETURN k.event_id AS event_id, k.scope_ref AS scope_ref, k.wal_offset AS wal_offset, false AS held
   }
   WITH event_id, scope_ref, held, wal_offset LIMIT 2 * $limit
   ORDER BY held DESC, wal_offset DESC
   RETURN event_id, scope_ref, held`,
);

const requeue = statement<{ event_ids: readonly string[] }, { shard: number }>(
  'derivation.requeue',
  'index retry_event',
  `UNWIND $event_ids AS event_id
   MATCH (h:StageRetry) WHERE h.event_id = event_id AND h.state = 'failed'
   SET h.state = 'queued'
   REMOVE h.retry_at
   RETURN DISTINCT h.shard AS shard`,
);

const requeueEnrichment = statement<{ event_ids: readonly string[] }, { event_id: string }>(
  'derivation.requeue_enrichment',
  'constraint enrichment_hold',
  `UNWIND $event_ids AS event_id
   MATCH (n:EnrichmentRetry {event_id: event_id}) WHERE n.state = 'failed'
   SET n.state = 'held', n.retry_at = 0, n.unusable = 0
   RETURN n.event_id AS event_id`,
);

/** Where the stages of one scope stand. */
export interface ScopeProgress {
  readonly head_offset: number;
  /** Epoch milliseconds of the newest event of the scope, null when it has none. */
  readonly newest_at: number | null;
  readonly extracted: number;
  readonly indexed: number;
  readonly consolidated: number;
  /** Whether what is derived of the scope is being derived anew. */
  readonly rebuilding: boolean;
  readonly episodes: number;
  readonly beliefs: number;
  readonly concepts: number;
  readonly held: number;
  /** Events that wait for the scope to be consolidated. */
  readonly deferred: number;
  readonly failed: number;
  /** Whether enrichment has something to do in the scope. */
  readonly enriching: boolean;
  /** Events without a usable answer of enrichment: tried again, or given up. */
  readonly enrichment_held: number;
  readonly enrichment_failed: number;
  /** Passages whose vectors are due, counted up to a bound, and since when the oldest is, epoch milliseconds. */
  readonly embedding_due: number;
  readonly embedding_oldest: number | null;
  /** Events of which a text is not embedded because the model does not take it. */
  readonly embedding_refused: number;
}

const scopeProgress = statement<{ scope_ref: string; shard: Integer; limit: Integer }, ScopeProgress>(
  'derivation.scope_progress',
  'index event_scope (one row), constraints shard_number, shard_intake, rebuild_scope, enrichment_scope, indexes retry_scope, enrichment_hold_scope, passage_due_scope, passage_unembedded, episode_place, belief_place, concept_place',
  `MATCH (s:Shard {number: $shard})
   MATCH (i:ShardIntake {number: $shard})
   OPTIONAL CALL () {
     MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = $scope_ref AND e.wal_offset > 0
     WITH e ORDER BY e.scope_ref DESC, e.wal_offset DESC LIMIT 1
     RETURN e.wal_offset AS head_offset, e.recorded_at.epochMillis AS newest_at
   }
   OPTIONAL MATCH (r:Rebuild {scope_ref: $scope_ref})
   CALL () {
     MATCH (p:Passage) USING INDEX SEEK p:Passage(scope_ref, due_since) WHERE p.scope_ref = $scope_ref AND p.due_since >= 0
     WITH p.due_since AS since LIMIT $limit
     RETURN count(since) AS embedding_due, min(since) AS embedding_oldest
   }
   RETURN coalesce(head_offset, 0) AS head_offset, newest_at, i.extracted AS extracted, i.indexed AS indexed,
     CASE WHEN r.cursor < s.consolidated THEN r.cursor ELSE s.consolidated END AS consolidated, r IS NOT NULL AS rebuilding,
     COUNT { MATCH (x:Episode) WHERE x.scope_ref = $scope_ref AND x.position >= 0 } AS episodes,
     COUNT { MATCH (x:Belief) WHERE x.scope_ref = $scope_ref AND x.position >= 0 } AS beliefs,
     COUNT { MATCH (x:Concept) WHERE x.scope_ref = $scope_ref AND x.position >= 0 } AS concepts,
     COUNT { MATCH (h:StageRetry) WHERE h.scope_ref = $scope_ref AND h.state IN ['held', 'queued'] } AS held,
     COUNT { MATCH (h:StageRetry) WHERE h.scope_ref = $scope_ref AND h.state = 'deferred' } AS deferred,
     COUNT { MATCH (h:StageRetry) WHERE h.scope_ref = $scope_ref AND h.state = 'failed' } AS failed,
     EXISTS { MATCH (n:EnrichmentProgress {scope_ref: $scope_ref}) WHERE n.open_shard IS NOT NULL } AS enriching,
     COUNT { MATCH (n:EnrichmentRetry) WHERE n.scope_ref = $scope_ref AND n.state = 'held' } AS enrichment_held,
     COUNT { MATCH (n:EnrichmentRetry) WHERE n.scope_ref = $scope_ref AND n.state = 'failed' } AS enrichment_failed,
     embedding_due, embedding_oldest,
     COUNT {
       MATCH (p:Passage) USING INDEX SEEK p:Passage(scope_ref, embed_fault)
       WHERE p.scope_ref = $scope_ref AND p.embed_fault IS NOT NULL
     } AS embedding_refused`,
);

/** Whether a scope is being derived anew, and whether every event of it up to a place of the log is consolidated and none is being forgotten; those that a stage holds back, or gave up, are not counted. */
export interface ScopeState {
  readonly rebuilding: boolean;
  readonly derived: boolean;
}

const scopeState = statement<{ scope_ref: string; shard: Integer; through: Integer }, ScopeState>(
  'derivation.scope_state',
  'index event_scope (one row), constraints shard_number, rebuild_scope; indexes retry_scope, forget_plan_scope',
  `MATCH (s:Shard {number: $shard})
   RETURN EXISTS { MATCH (r:Rebuild {scope_ref: $scope_ref}) } AS rebuilding, NOT EXISTS { MATCH (h:StageRetry) USING INDEX SEEK h:StageRetry(scope_ref, state) WHERE h.scope_ref = $scope_ref AND (h.state = 'queued' OR h.deferred_offset <= $through) AND h.state IN ['queued', 'deferred'] }
     AND NOT EXISTS { MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = $scope_ref AND e.wal_offset > s.consolidated AND e.wal_offset <= $through }
     AND NOT EXISTS { MATCH (p:ForgetPlan) USING INDEX SEEK p:ForgetPlan(scope_ref) WHERE p.scope_ref = $scope_ref } AS derived`,
);

/** How many events of a scope lie behind a place in the log, and when the first of them was recorded, epoch milliseconds. */
export interface ScopeLag {
  readonly after: number;
  readonly events: number;
  readonly oldest_at: number | null;
}

const scopeLag = statement<{ scope_ref: string; places: readonly Integer[]; limit: Integer }, ScopeLag>(
  'derivation.scope_lag',
  'index event_scope, a bounded number of rows for each place',
  `UNWIND $places AS after
   CALL (after) {
     MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = $scope_ref AND e.wal_offset > after
     WITH e ORDER BY e.scope_ref, e.wal_offset LIMIT $limit
     RETURN count(e) AS events
   }
   OPTIONAL CALL (after) {
     MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = $scope_ref AND e.wal_offset > after
     WITH e ORDER BY e.scope_ref, e.wal_offset LIMIT 1
     RETURN e.recorded_at.epochMillis AS oldest_at
   }
   RETURN after, events, oldest_at`,
);

/** Reads how far derivation is. */
export class DerivationReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** The progress of events, of one tenant or (null) of any; unknown ids are missing from the answer. */
  async progress(ids: readonly string[], tenant: string | null): Promise<EventProgress[]> {
    const rows = await this.reader.read(progressById, { ids, tenant });
    // A hold that is lifted while it is read is told as null.
    return rows.map((row) => ({ ...row, holds: row.holds.flatMap((hold) => hold ?? []) }));
  }

  /** The event that holds a key in a scope, else the last that held it, else null. */
  async keyInScope(scopeRef: string, key: string): Promise<string | null> {
    return (await this.reader.read(holderByScope, { scope_ref: scopeRef, key }))[0]?.event_id ?? null;
  }

  /** The events that hold a key in any scope of a tenant, those that once held it last; at most `2 × limit`. */
  keyInTenant(
    tenant: string,
    key: string,
    limit: number,
  ): Promise<{ event_id: string; scope_ref: string; held: boolean }[]> {
    return this.reader.read(holderByTenant, { tenant, key, limit: int(limit) });
  }

  /** Whether a scope is derived up to a place of the log, and no forget is under way in it. */
  async scopeState(scopeRef: string, shard: number, through: number): Promise<ScopeState> {
    const [row] = await this.reader.read(scopeState, {
      scope_ref: scopeRef,
      shard: int(shard),
      through: int(through),
    });
    if (!row) throw new Error(`the store has no shard ${shard}: it is not migrated`);
    return row;
  }

  /** Where the stages of a scope stand; what waits for vectors is counted up to `limit`. */
  async scopeProgress(scopeRef: string, shard: number, limit: number): Promise<ScopeProgress> {
    const params = { scope_ref: scopeRef, shard: int(shard), limit: int(limit) };
    const [row] = await this.reader.read(scopeProgress, params);
    if (!row) throw new Error(`the store has no shard ${shard}: it is not migrated`);
    return row;
  }

  /** The events of a scope behind each of some places of the log, each place once; they are counted up to `limit`. */
  async scopeLag(scopeRef: string, places: readonly number[], limit: number): Promise<ScopeLag[]> {
    if (places.length === 0) return [];
    const params = { scope_ref: scopeRef, places: [...new Set(places)].map(int), limit: int(limit) };
    return this.reader.read(scopeLag, params);
  }
}

/** Asks for stages to be tried again. */
export class DerivationWriter {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /** Queues the stages that gave events up; answers the shards that have new work. */
  async requeue(eventIds: readonly string[]): Promise<number[]> {
    const rows = await this.writer.writeRepeatable(requeue, { event_ids: eventIds });
    await this.writer.writeRepeatable(requeueEnrichment, { event_ids: eventIds });
    return rows.map((row) => row.shard);
  }
}
