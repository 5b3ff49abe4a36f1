import type { Integer } from 'neo4j-driver';

import { LOCK_PASSAGES } from '../passage/window.ts';
import type { Reader, Writer } from '../driver.ts';
import type { LeasedShard } from '../shard.ts';
import { int, real, statement, type Param, type Params } from '../statement.ts';

/** A passage whose vectors have to be made. */
export interface DuePassage {
  readonly event_id: string;
  readonly tenant: string;
  readonly scope_ref: string;
  readonly shard: number;
  /** Whether it has the vector of its own text, which never changes. */
  readonly own: boolean;
  /** Whether it is part of a thread, so that it has a window. */
  readonly threaded: boolean;
  /** The events of its window in their order, its own among them. */
  readonly window: readonly string[];
  /** UTF-8 length of the envelopes of all of them. */
  readonly bytes: number;
}

const BEFORE = `COLLECT {
       MATCH (n:Passage) USING INDEX SEEK n:Passage(thread, place) WHERE n.thread = p.thread AND n.place < p.place
       WITH n ORDER BY n.thread DESC, n.place DESC LIMIT 1
       WITH n WHERE coalesce(n.embed, '') <> 'none'
       RETURN n.event_id
     }`;
const BEHIND = `COLLECT {
       MATCH (n:Passage) USING INDEX SEEK n:Passage(thread, place) WHERE n.thread = p.thread AND n.place > p.place
       WITH n ORDER BY n.thread, n.place LIMIT 1
       WITH n WHERE coalesce(n.embed, '') <> 'none'
       RETURN n.event_id
     }`;

/** The events of the window of ±1 of a passage `p`, by what is stored; what is not to be embedded is in the window of nobody. */
const WINDOW = `${BEFORE} + [p.event_id] + ${BEHIND}`;

const due = statement<{ numbers: readonly Integer[]; limit: Integer }, DuePassage>(
  'embedding.due',
  'index passage_due, walked in order; index passage_place (a row on either side); constraint event_id',
  `UNWIND $numbers AS number
   UNWIND [0, 1] AS class
   CALL (number, class) {
     MATCH (p:Passage) USING INDEX SEEK p:Passage(due_shard, due_class, due_since)
     WHERE p.due_shard = number AND p.due_class = class AND p.due_since >= 0
     WITH p ORDER BY p.due_shard, p.due_class, p.due_since LIMIT $limit
     RETURN p
   }
   WITH p ORDER BY p.due_class, p.due_since LIMIT $limit
   WITH p, ${WINDOW} AS window
   RETURN p.event_id AS event_id, p.tenant AS tenant, p.scope_ref AS scope_ref, p.due_shard AS shard, p.vector IS NOT NULL AS own,
     p.thread IS NOT NULL AS threaded, window,
     reduce(bytes = 0, part IN COLLECT { UNWIND window AS id MATCH (e:Event {id: id}) RETURN e.bytes } | bytes + part) AS bytes`,
);

const envelopes = statement<{ ids: readonly string[] }, { event_id: string; envelope: string }>(
  'embedding.envelopes',
  'constraint event_id',
  `UNWIND $ids AS id
   MATCH (e:Event {id: id}) WHERE e.redacted_at IS NULL
   RETURN e.id AS event_id, e.envelope AS envelope`,
);

interface WriteParams extends Params {
  shards: readonly Param[];
  scopes: readonly Param[];
  rows: readonly Param[];
  worker: string;
  generation: Integer;
  now: Integer;
}

// Whoever adds or removes turns holds the intake of the shard or the lock of the scope, and so do these: what a window is by then stays so until the
// vectors are written. Searches are narrowed by the levels of scopes, which are of no use to a passage without vectors.
const write = statement<WriteParams, { written: string[] }>(
  'embedding.write',
  'constraints shard_intake, shard_number, passage_scope, deployment_id, passage_event; index passage_place (a row on either side)',
  `UNWIND $shards AS step
   MATCH (intake:ShardIntake {number: step.number})
   SET intake.touched = $worker
   WITH step
   MATCH (shard:Shard {number: step.number})
   WITH shard, step WHERE shard.owner = $worker AND shard.epoch = step.epoch
   WITH collect(step.number) AS owned
   CALL (owned) {
     UNWIND $scopes AS scope
     WITH scope.ref AS ref WHERE scope.shard IN owned
     ${LOCK_PASSAGES}
   }
   MATCH (d:Deployment {id: 'deployment'}) WHERE d.embedding_generation = $generation
   UNWIND $rows AS row
   MATCH (p:Passage {event_id: row.event_id}) WHERE p.due_shard IN owned
   WITH row, p, ${WINDOW} AS window
   WITH row, p WHERE window = row.window
   CALL (row, p) {
     WITH row, p WHERE row.vector IS NOT NULL
     CALL db.create.setNodeVectorProperty(p, 'vector', row.vector)
   }
   CALL (row, p) {
     WITH row, p WHERE row.window_vector IS NOT NULL
     CALL db.create.setNodeVectorProperty(p, 'window_vector', row.window_vector)
   }
   FOREACH (stale IN CASE WHEN row.window_vector IS NULL THEN [true] ELSE [] END | REMOVE p.window_vector)
   SET p.a0 = p.scope_tokens[0], p.a1 = p.scope_tokens[1], p.a2 = p.scope_tokens[2], p.a3 = p.scope_tokens[3],
     p.a4 = p.scope_tokens[4], p.a5 = p.scope_tokens[5], p.a6 = p.scope_tokens[6], p.a7 = p.scope_tokens[7], p.embed_fault = row.fault
   REMOVE p.due_shard, p.due_class, p.due_since
   RETURN collect(p.event_id) AS written`,
);

/** What is due in some shards, or in a scope. */
export interface EmbeddingLag {
  /** Passages, counted up to a bound. */
  readonly due: number;
  /** Since when the oldest of them is, epoch milliseconds; null when there are none. */
  readonly oldest: number | null;
}

const lag = statement<{ numbers: readonly Integer[]; limit: Integer }, EmbeddingLag>(
  'embedding.lag',
  'index passage_due, a bounded number of rows for each shard',
  `UNWIND $numbers AS number
   CALL (number) {
     MATCH (p:Passage) USING INDEX SEEK p:Passage(due_shard, due_class, due_since)
     WHERE p.due_shard = number AND p.due_class >= 0 AND p.due_since IS NOT NULL
     WITH p.due_since AS since LIMIT $limit
     RETURN count(since) AS due, min(since) AS oldest
   }
   RETURN sum(due) AS due, min(oldest) AS oldest`,
);

/** Why vectors of an event are not there: they are still to be made, or the model does not take its text. */
export type VectorsMissing = 'held' | 'refused';

const missing = statement<{ ids: readonly string[] }, { event_id: string; why: VectorsMissing }>(
  'embedding.missing',
  'constraint passage_event',
  `UNWIND $ids AS id
   MATCH (p:Passage {event_id: id})
   WITH p, CASE WHEN p.due_class = 0 THEN 'held' WHEN p.due_class IS NULL AND p.embed_fault IS NOT NULL THEN 'refused' END AS why
   WHERE why IS NOT NULL
   RETURN p.event_id AS event_id, why`,
);

/** The vectors of one passage, or why it has none. */
export interface NewVectors {
  readonly passage: DuePassage;
  /** Of its own text; null where that is stored, or refused. */
  readonly vector: Float32Array | null;
  /** Of its window; null where it has none, or that is refused. */
  readonly windowVector: Float32Array | null;
  /** Why a text of it is not embedded; null when all are. */
  readonly fault: string | null;
}

/** Finds passages whose vectors are due in the shards that a worker holds, and writes them. */
export class EmbeddingStore {
  private readonly writer: Writer;
  private readonly worker: string;

  constructor(writer: Writer, worker: string) {
    this.writer = writer;
    this.worker = worker;
  }

  /** At most so many passages of the shards, those first that are not left for later, and of them the oldest. */
  due(numbers: readonly number[], limit: number): Promise<DuePassage[]> {
    return (this.writer as Reader).read(due, { numbers: numbers.map(int), limit: int(limit) });
  }

  /** JSON texts of envelopes, by event; of what was redacted none. */
  async envelopes(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.writer.read(envelopes, { ids });
    return new Map(rows.map(({ event_id, envelope }) => [event_id, envelope]));
  }

  /**
   * Writes vectors of a generation in the shards that are still held, of passages whose window is what was embedded; the others stay
   * due. Answers the events of those written. May be repeated.
   */
  async write(
    shards: readonly LeasedShard[],
    vectors: readonly NewVectors[],
    { generation, now }: { generation: number; now: number },
  ): Promise<ReadonlySet<string>> {
    const refs = new Map(vectors.map(({ passage: { scope_ref, shard } }) => [scope_ref, shard]));
    const [row] = await this.writer.writeRepeatable(write, {
      shards: [...shards]
        .sort((a, b) => a.number - b.number)
        .map(({ number, epoch }) => ({ number: int(number), epoch: int(epoch) })),
      scopes: [...refs]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([ref, shard]) => ({ ref, shard: int(shard) })),
      rows: vectors.map(({ passage: { event_id, window }, vector, windowVector, fault }) => ({
        event_id,
        window,
        vector: vector && numbersOf(vector),
        window_vector: windowVector && numbersOf(windowVector),
        fault,
      })),
      worker: this.worker,
      generation: int(generation),
      now: int(now),
    });
    return new Set(row?.written ?? []);
  }

  /** What is due in some shards; of each it is counted up to a bound. */
  async lag(numbers: readonly number[], limit: number): Promise<EmbeddingLag> {
    const rows = await this.writer.read(lag, { numbers: numbers.map(int), limit: int(limit) });
    return rows[0] ?? { due: 0, oldest: null };
  }
}

/** Tells whether vectors are still to be made. */
export class EmbeddingReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** Those of some events that wait for vectors that are wanted soon, or of which a text was refused. */
  async missing(ids: readonly string[]): Promise<ReadonlyMap<string, VectorsMissing>> {
    const rows = await this.reader.read(missing, { ids });
    return new Map(rows.map(({ event_id, why }) => [event_id, why]));
  }
}

function numbersOf(vector: Float32Array): Param {
  return Array.from(vector, real);
}
