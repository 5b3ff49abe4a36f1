import type { Integer } from 'neo4j-driver';

import type { ExtractedStatement } from '../src/derive/extraction.ts';
import type { Reader, Transaction, Writer } from './driver.ts';
import { int, statement, type Param } from './statement.ts';
import { STATES_NOTHING, TAKEN_OUT } from './visible.ts';

/** An event as extraction reads it. */
export interface ExtractionInput {
  readonly event_id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
  readonly observed_actor: string;
  readonly subject: string;
  readonly modality: string;
  /** Epoch milliseconds. */
  readonly observed_at: number;
  /** Epoch milliseconds. */
  readonly recorded_at: number;
  /** JSON text. */
  readonly envelope: string;
  /** Whether a model's answer for it is stored already; then none is asked again. */
  readonly answered: boolean;
  /** Tries so far that ended with the event being held. */
  readonly attempts: number;
  /** Those of them whose answers were unusable or late. */
  readonly unusable: number;
}

const inputs = statement<{ ids: readonly string[] }, ExtractionInput>(
  'extraction.inputs',
  'constraints event_id, extraction_event, retry_id, enrichment_hold',
  `UNWIND $ids AS id
   MATCH (e:Event {id: id}) WHERE e.redacted_at IS NULL AND NOT ${STATES_NOTHING}
   OPTIONAL MATCH (h:StageRetry {id: e.id + '/extracted'})
   OPTIONAL MATCH (n:EnrichmentRetry {event_id: e.id})
   RETURN e.id AS event_id, e.tenant AS tenant, e.scope AS scope, e.scope_ref AS scope_ref, e.observed_actor AS observed_actor,
     e.subject AS subject, e.modality AS modality, e.observed_at.epochMillis AS observed_at, e.recorded_at.epochMillis AS recorded_at, e.envelope AS envelope,
     EXISTS { MATCH (:Extraction {event_id: id}) } AS answered,
     coalesce(h.attempts, n.attempts, 0) AS attempts, coalesce(h.unusable, n.unusable, 0) AS unusable`,
);

/** What a model's answer said of one event, as it is kept: an input of derivation, which is replayed and not asked for again. */
export interface ExtractionAnswer {
  /** In the order in which the model gave them; of those that say the same of the same, the first. */
  readonly statements: readonly ExtractedStatement[];
  /** Why others of the answer are not among them, one text each. */
  readonly left_out: readonly string[];
}

/** A model's answer for one event, to be kept. */
export interface NewExtraction {
  readonly event_id: string;
  readonly model: string;
  readonly prompt_version: string;
  /** Name of the extractor of what derives from it: model and version of the prompt. */
  readonly extractor: string;
  readonly answer: ExtractionAnswer;
}

/** An event that waits for a model. */
export interface NewStageRetry {
  readonly event_id: string;
  /** `held`: tried again at `retry_at`. `failed`: given up until somebody asks for it again. */
  readonly state: 'held' | 'failed';
  readonly reason: string;
  readonly attempts: number;
  readonly unusable: number;
  /** Epoch milliseconds; null when it is given up. */
  readonly retry_at: number | null;
}

// A redaction, or a wish to forget, holds the intake of the shard, which the stage holds by now: what it took away is not written again.
const store = statement<
  { rows: readonly Param[]; owned: readonly Integer[]; now: Integer },
  { stored: number }
>(
  'extraction.store',
  'constraints event_id, extraction_event',
  `UNWIND $rows AS row
   MATCH (e:Event {id: row.event_id})
   WHERE e.shard IN $owned AND e.redacted_at IS NULL AND NOT ${TAKEN_OUT} AND NOT ${STATES_NOTHING}
   MERGE (x:Extraction {event_id: e.id})
     ON CREATE SET x.tenant = e.tenant, x.scope_ref = e.scope_ref, x.wal_offset = e.wal_offset, x.model = row.model,
       x.prompt_version = row.prompt_version, x.extractor = row.extractor, x.answer = row.answer, x.answered_at = $now
   MERGE (x)-[:OF]->(e)
   RETURN count(x) AS stored`,
);

const hold = statement<{ rows: readonly Param[]; owned: readonly Integer[]; now: Integer }, { held: number }>(
  'extraction.hold',
  'constraints event_id, retry_id',
  `UNWIND $rows AS row
   MATCH (e:Event {id: row.event_id})
   WHERE e.shard IN $owned AND NOT ${TAKEN_OUT}
   MERGE (h:StageRetry {id: e.id + '/extracted'})
     ON CREATE SET h.since = $now
   SET h.event_id = e.id, h.tenant = e.tenant, h.scope_ref = e.scope_ref, h.shard = e.shard, h.stage = 'extracted',
     h.state = row.state, h.reason = row.reason, h.attempts = row.attempts, h.unusable = row.unusable, h.retry_at = row.retry_at
   RETURN count(h) AS held`,
);

const due = statement<{ shards: readonly Integer[]; now: Integer; limit: Integer }, { released: number }>(
  'extraction.due',
  'index retry_due, walked in order once per shard',
  `UNWIND $shards AS shard
   CALL (shard) {
     MATCH (h:StageRetry) USING INDEX SEEK h:StageRetry(shard, retry_at) WHERE h.shard = shard AND h.retry_at <= $now
     WITH h ORDER BY h.shard, h.retry_at LIMIT $limit
     RETURN h
   }
   WITH h LIMIT $limit
   SET h.state = 'queued'
   REMOVE h.retry_at
   RETURN count(h) AS released`,
);

const byEvent = statement<
  { ids: readonly string[] },
  { event_id: string; extractor: string; answer: string }
>(
  'extraction.by_event',
  'constraint extraction_event',
  `UNWIND $ids AS id
   MATCH (x:Extraction {event_id: id})
   RETURN x.event_id AS event_id, x.extractor AS extractor, x.answer AS answer`,
);

/** What a model extracted from one event. */
export interface StoredExtraction extends ExtractionAnswer {
  /** Model and version of the prompt. */
  readonly extractor: string;
}

/** The stored answers for events, by event id, read within a transaction; an event without one is missing. */
export async function extractionsOf(
  transaction: Transaction,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, StoredExtraction>> {
  const rows = eventIds.length === 0 ? [] : await transaction.run(byEvent, { ids: eventIds });
  return new Map(
    rows.map(({ event_id, extractor, answer }) => [
      event_id,
      { extractor, ...(JSON.parse(answer) as ExtractionAnswer) },
    ]),
  );
}

/** What the stage keeps of a batch beside its frames. */
export interface ExtractionWrites {
  readonly extractions: readonly NewExtraction[];
  readonly holds: readonly NewStageRetry[];
}

/** Keeps answers and holds in the transaction of the stage, of events in the shards that it still owns. */
export async function writeExtractions(
  transaction: Transaction,
  { extractions, holds }: ExtractionWrites,
  { owned, now }: { owned: readonly number[]; now: number },
): Promise<void> {
  const given = { owned: owned.map(int), now: int(now) };
  if (extractions.length > 0) {
    const rows = extractions.map(({ answer, ...row }) => ({ ...row, answer: JSON.stringify(answer) }));
    await transaction.run(store, { ...given, rows });
  }
  if (holds.length > 0) {
    const rows = holds.map((row) => ({
      ...row,
      attempts: int(row.attempts),
      unusable: int(row.unusable),
      retry_at: row.retry_at === null ? null : int(row.retry_at),
    }));
    await transaction.run(hold, { ...given, rows });
  }
}

/** Finds what is to be extracted from. */
export class ExtractionStore {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /** The events by their ids; unknown and redacted ones, and those that state nothing any more, are missing. */
  inputs(ids: readonly string[]): Promise<ExtractionInput[]> {
    return ids.length === 0 ? Promise.resolve([]) : (this.writer as Reader).read(inputs, { ids });
  }

  /** Queues held events of the shards that are due again, at most `limit`; answers how many. */
  async releaseDue(shards: readonly number[], now: number, limit: number): Promise<number> {
    const params = { shards: shards.map(int), now: int(now), limit: int(limit) };
    return (await this.writer.writeRepeatable(due, params))[0]?.released ?? 0;
  }
}
