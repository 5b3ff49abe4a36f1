import type { Integer } from 'neo4j-driver';

import { LOCK_LIFECYCLE } from './counter.ts';
import type { Reader, Transaction, Writer } from './driver.ts';
import type { LeasedShard } from './shard.ts';
import { HOLD_LEASED_SHARD } from './shard-step.ts';
import { storedInstant } from './instant.ts';
import { int, statement, type Param, type Params } from './statement.ts';

/** A synthesis that is asked for. */
export interface NewSynthesis {
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
  readonly shard: number;
  /** Who asks for it. */
  readonly actor: string;
  /** Ids of entities; null for all. */
  readonly topics: readonly string[] | null;
  readonly force: boolean;
}

/** A synthesis that is to be carried out. Instants are epoch milliseconds. */
export interface PendingSynthesis extends NewSynthesis {
  /** The place in the log behind which it stands. */
  readonly after_offset: number;
  readonly recorded_at: number;
  /** The last concept that was told; empty before the first. */
  readonly cursor: string;
  readonly concepts: number;
  readonly versions: number;
}

interface EnterParams extends Params {
  id: string;
  tenant: string;
  scope: string;
  scope_ref: string;
  shard: Integer;
  actor: string;
  topics: readonly string[] | null;
  force: boolean;
  now: Integer;
}

// A scope that is being deleted is not gone into any more: what its syntheses name is removed before its end.
const HOLD_SCOPE = `MATCH (wal:Counter {name: 'wal'})
   SET wal.touched = $now
   WITH wal
   MATCH (scope:Scope {ref: $scope_ref}) WHERE coalesce(scope.deleting_through, -1) < 0`;

const ENTER = `WITH wal, topics, CASE WHEN wal.recorded_at > $now THEN wal.recorded_at ELSE $now END AS recorded_at
   SET wal.recorded_at = recorded_at
   MERGE (s:LogEntry {id: $id})
     ON CREATE SET s:Synthesis, s.kind = 'synthesize', s.tenant = $tenant, s.scope = $scope, s.scope_ref = $scope_ref,
       s.shard = $shard, s.pending_shard = $shard, s.actor = $actor, s.topics = topics, s.force = $force,
       s.after_offset = wal.value, s.recorded_at = ${storedInstant('recorded_at')}, s.cursor = '', s.concepts = 0, s.versions = 0
   RETURN s.id AS id`;

const enter = statement<EnterParams, { id: string }>(
  'synthesis.enter',
  'constraints scope_ref, counter_name, log_entry_id',
  `${HOLD_SCOPE}
   WITH wal, $topics AS topics
   ${ENTER}`,
);

// With the log held, what is forgotten of the scope is taken from the progress of enrichment before, or from the entry behind it.
const enterEnriched = statement<EnterParams & { most: Integer }, { id: string }>(
  'synthesis.enter_enriched',
  'constraints scope_ref, counter_name, log_entry_id, enrichment_scope',
  `${HOLD_SCOPE}
   MATCH (p:EnrichmentProgress {scope_ref: $scope_ref})
   SET p.touched = $now
   WITH wal, p WHERE size(p.entities) > 0
   WITH wal, CASE WHEN size(p.entities) > $most THEN $topics
     ELSE COLLECT { UNWIND p.entities AS id WITH id ORDER BY id LIMIT $most RETURN id } END AS topics
   ${ENTER}`,
);

const PENDING = `s {.id, .tenant, .scope, .scope_ref, .shard, .actor, .topics, .force, .after_offset, recorded_at: s.recorded_at.epochMillis, .cursor, .concepts,
     .versions}`;

const pending = statement<{ numbers: readonly Integer[] }, { synthesis: PendingSynthesis }>(
  'synthesis.pending',
  'index synthesis_pending (walked in order for each shard), constraint rebuild_scope',
  `UNWIND $numbers AS number
   CALL (number) {
     MATCH (s:Synthesis) USING INDEX SEEK s:Synthesis(pending_shard, after_offset) WHERE s.pending_shard = number AND s.after_offset >= 0 AND NOT EXISTS { MATCH (:Rebuild {scope_ref: s.scope_ref}) }
     WITH s ORDER BY s.pending_shard, s.after_offset LIMIT 1
     RETURN s
   }
   RETURN ${PENDING} AS synthesis`,
);

// What stands in front of the entry has to be consolidated, and a rebuild of the scope to be over; what stands behind it may be consolidated or not.
const begin = statement<
  { number: Integer; epoch: Integer; worker: string; id: string },
  { synthesis: PendingSynthesis }
>(
  'synthesis.begin',
  'constraints shard_number, log_entry_id, rebuild_scope; index event_shard (one row)',
  `${HOLD_LEASED_SHARD}
   MATCH (s:LogEntry {id: $id}) USING INDEX SEEK s:LogEntry(id)
   WHERE s.pending_shard = shard.number
     AND NOT EXISTS { MATCH (e:Event) USING INDEX SEEK e:Event(shard, wal_offset) WHERE e.shard = shard.number AND e.wal_offset > shard.consolidated AND e.wal_offset <= s.after_offset }
     AND NOT EXISTS { MATCH (:Rebuild {scope_ref: s.scope_ref}) }
   RETURN ${PENDING} AS synthesis`,
);

const concepts = statement<
  { scope_ref: string; cursor: string; limit: Integer },
  { concept_id: string; entity_id: string }
>(
  'synthesis.concepts',
  'index concept_scope_id, walked in order',
  `MATCH (c:Concept) USING INDEX SEEK c:Concept(scope_ref, id) WHERE c.scope_ref = $scope_ref AND c.id > $cursor
   WITH c ORDER BY c.scope_ref, c.id LIMIT $limit
   RETURN c.id AS concept_id, c.entity_id AS entity_id`,
);

interface AdvanceParams extends Params {
  id: string;
  topics: readonly Param[];
  cursor: string;
  concepts: Integer;
  versions: Integer;
  over: boolean;
  failed: boolean;
  type: string;
  data: string;
  now: Integer;
}

// A synthesis that failed stays in the log for the concepts that it came to, so that replaying these comes to the same. In the end it names
// nothing that was not there: a topic is a text that somebody sent.
const advance = statement<AdvanceParams, { newest_frame: number }>(
  'synthesis.advance',
  'constraints log_entry_id, counter_name, rebuild_scope, entity_key, concept_id',
  `MATCH (s:LogEntry {id: $id})
   SET s.cursor = $cursor, s.concepts = $concepts, s.versions = $versions
   FOREACH (done IN CASE WHEN $over THEN [1] ELSE [] END | REMOVE s.pending_shard)
   FOREACH (done IN CASE WHEN $failed THEN [1] ELSE [] END | SET s.through = $cursor)
   WITH s
   CALL (s) {
     WITH s WHERE $over AND s.topics IS NOT NULL AND NOT EXISTS { MATCH (:Rebuild {scope_ref: s.scope_ref}) }
     SET s.topics = COLLECT {
       UNWIND $topics AS topic
       WITH topic WHERE topic.entity_id IN s.topics
         AND (EXISTS { MATCH (:Entity {key: s.scope_ref + ' ' + topic.entity_id}) } OR EXISTS { MATCH (:Concept {id: topic.concept_id}) })
       RETURN topic.entity_id
     }
   }
   WITH s
   ${LOCK_LIFECYCLE}
   WITH *, lifecycle.value + 1 AS newest_frame
   SET lifecycle.value = newest_frame
   CREATE (:LifecycleEvent {sequence: newest_frame, type: $type, tenant: s.tenant, scope: s.scope, scope_ref: s.scope_ref,
     actor: s.actor, job_id: s.id, ts: $now, data: $data})
   RETURN newest_frame`,
);

/** Has syntheses entered into the log. */
export class SynthesisWriter {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /** Enters a synthesis at the end of the log; false for a scope that is not known. */
  async enter(synthesis: NewSynthesis, now: number): Promise<boolean> {
    const params = { ...synthesis, shard: int(synthesis.shard), now: int(now) };
    return (await this.writer.writeRepeatable(enter, params)).length > 0;
  }

  /**
   * Enters one about the entities that enrichment has named in the scope, of more than so many about everything; false where it named none,
   * and for a scope that is not known.
   */
  async enterEnriched(synthesis: Omit<NewSynthesis, 'topics'>, most: number, now: number): Promise<boolean> {
    const params = {
      ...synthesis,
      topics: null,
      shard: int(synthesis.shard),
      most: int(most),
      now: int(now),
    };
    return (await this.writer.writeRepeatable(enterEnriched, params)).length > 0;
  }
}

/** The first synthesis of each of the shards that has one to be carried out. */
export async function pendingSyntheses(
  reader: Reader,
  numbers: readonly number[],
): Promise<PendingSynthesis[]> {
  const rows = await reader.read(pending, { numbers: numbers.map(int) });
  return rows.map(({ synthesis }) => synthesis);
}

/** How far a synthesis has come, and what is told of it. */
export interface SynthesisStep extends Pick<PendingSynthesis, 'id' | 'cursor' | 'concepts' | 'versions'> {
  readonly over: boolean;
  readonly failed: boolean;
  readonly frame: string;
  /** JSON text. */
  readonly data: string;
  /** The topics, with the ids of their concepts: when it is over, those stay of which something is known. */
  readonly topics: readonly { readonly entity_id: string; readonly concept_id: string }[];
}

/** Carries a synthesis out, within one transaction for each part of it. */
export class SynthesisStore {
  private readonly transaction: Transaction;

  constructor(transaction: Transaction) {
    this.transaction = transaction;
  }

  /**
   * Holds the shard; null when its lease is lost, when something in front of the synthesis is still to be consolidated, or when the
   * synthesis is over.
   */
  async begin({ number, epoch }: LeasedShard, worker: string, id: string): Promise<PendingSynthesis | null> {
    const params = { number: int(number), epoch: int(epoch), worker, id };
    return (await this.transaction.run(begin, params))[0]?.synthesis ?? null;
  }

  /** The next concepts of a scope in the order of their ids. */
  concepts(
    scopeRef: string,
    cursor: string,
    limit: number,
  ): Promise<{ concept_id: string; entity_id: string }[]> {
    return this.transaction.run(concepts, { scope_ref: scopeRef, cursor, limit: int(limit) });
  }

  /** Notes how far it has come, last of all; answers the number of the frame that tells so, 0 where nobody is told. */
  async advance({ frame, topics, ...step }: SynthesisStep, now: number): Promise<number> {
    const rows = await this.transaction.run(advance, {
      ...step,
      topics: topics.map((topic) => ({ ...topic })),
      concepts: int(step.concepts),
      versions: int(step.versions),
      type: frame,
      now: int(now),
    });
    return rows[0]?.newest_frame ?? 0;
  }
}
