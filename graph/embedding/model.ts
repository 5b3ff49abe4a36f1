import type { Integer } from 'neo4j-driver';

import type { Reader, Writer } from '../driver.ts';
import { int, statement } from '../statement.ts';

/** The model whose vectors a store holds. */
export interface PinnedModel {
  readonly provider: string;
  readonly model: string;
  /** Numbers of a vector. */
  readonly dimensions: number;
  /** Grows whenever a model is pinned; vectors of another number are neither written nor searched for. */
  readonly generation: number;
  /** Whether a search may go by the vectors: none of a former model is left. */
  readonly ready: boolean;
}

const PINNED = `d.embedding_provider AS provider, d.embedding_model AS model, d.embedding_dimensions AS dimensions,
     d.embedding_generation AS generation, d.embedding_ready AS ready`;

interface PinParams {
  readonly [name: string]: string | Integer | boolean;
  provider: string;
  model: string;
  dimensions: Integer;
  shards: Integer;
  anew: boolean;
}

// Intakes are locked in ascending order, as by stages: what they write after this says that its vectors are due.
const pin = statement<PinParams, PinnedModel>(
  'embedding.pin',
  'constraints deployment_id, shard_intake',
  `MERGE (d:Deployment {id: 'deployment'})
   SET d.touched = $model
   WITH d, $anew OR d.embedding_generation IS NULL AS fresh
   FOREACH (one IN CASE WHEN fresh THEN [1] ELSE [] END |
     SET d.embedding_provider = $provider, d.embedding_model = $model, d.embedding_dimensions = $dimensions,
       d.embedding_generation = coalesce(d.embedding_generation, 0) + one, d.embedding_ready = false)
   WITH d, fresh
   CALL (fresh) {
     UNWIND CASE WHEN fresh THEN range(0, $shards - 1) ELSE [] END AS number
     MATCH (i:ShardIntake {number: number})
     SET i.embeds = true
     SET i.embed_after = CASE WHEN i.indexed > 0 THEN 0 END
   }
   RETURN ${PINNED}`,
);

const pinned = statement<Record<string, never>, PinnedModel>(
  'embedding.pinned',
  'constraint deployment_id',
  `MATCH (d:Deployment {id: 'deployment'}) WHERE d.embedding_generation IS NOT NULL
   RETURN ${PINNED}`,
);

/** How far a shard is gone through to say that the vectors of what was indexed before are due. */
export interface UnmarkedShard {
  readonly number: number;
  /** Up to where it was gone through, and up to where it has to be; offsets. */
  readonly after: number;
  readonly through: number;
}

const unmarked = statement<{ shards: Integer }, UnmarkedShard>(
  'embedding.unmarked',
  'constraint shard_intake; there are 64 shards',
  `UNWIND range(0, $shards - 1) AS number
   MATCH (i:ShardIntake {number: number}) WHERE i.embed_after IS NOT NULL
   RETURN i.number AS number, i.embed_after AS after, i.indexed AS through`,
);

// What is held before its index stage has no passage yet, and is due when it gets one. What was there before comes after what is captured
// now, whose vectors somebody may wait for.
const mark = statement<{ number: Integer; limit: Integer }, { events: number; marked: number }>(
  'embedding.mark',
  'constraints shard_intake, passage_event; index event_shard, walked in order',
  `MATCH (i:ShardIntake {number: $number})
   SET i.touched = 'embedding'
   WITH i WHERE i.embed_after IS NOT NULL
   CALL (i) {
     MATCH (e:Event) USING INDEX SEEK e:Event(shard, wal_offset)
     WHERE e.shard = i.number AND e.wal_offset > i.embed_after AND e.wal_offset <= i.indexed
     WITH e ORDER BY e.shard, e.wal_offset LIMIT $limit
     RETURN collect(e.id) AS ids, max(e.wal_offset) AS through
   }
   SET i.embed_after = through
   WITH i, ids
   CALL (i, ids) {
     UNWIND ids AS id
     MATCH (turn:Passage {event_id: id}) WHERE coalesce(turn.embed, '') <> 'none'
     REMOVE turn.vector, turn.window_vector, turn.embed_fault
     SET turn.embed_shard = i.number
     SET turn.due_shard = i.number, turn.due_class = coalesce(turn.due_class, 1), turn.due_since = timestamp()
     RETURN count(turn) AS marked
   }
   RETURN size(ids) AS events, marked`,
);

// Behind the lock of whoever pins: a model that is pinned meanwhile is not told to be ready for shards of the former.
const settle = statement<{ shards: Integer; generation: Integer }, PinnedModel>(
  'embedding.settle',
  'constraints deployment_id, shard_intake; there are 64 shards',
  `MATCH (d:Deployment {id: 'deployment'})
   SET d.touched = 'settle'
   WITH d WHERE d.embedding_generation = $generation
   CALL () {
     UNWIND range(0, $shards - 1) AS number
     MATCH (i:ShardIntake {number: number}) WHERE i.embed_after IS NOT NULL
     RETURN count(i) AS open
   }
   SET d.embedding_ready = open = 0
   RETURN ${PINNED}`,
);

/** Says of which model the vectors of a store are, and has them made again. */
export class EmbeddingModelStore {
  private readonly writer: Writer;
  private readonly shards: Integer;

  constructor(writer: Writer, shardCount: number) {
    this.writer = writer;
    this.shards = int(shardCount);
  }

  /** The model of the store; null where none was ever pinned. */
  async pinned(): Promise<PinnedModel | null> {
    return (await (this.writer as Reader).read(pinned, {}))[0] ?? null;
  }

  /**
   * The model of the store; the given one becomes it where there is none yet or, with `anew`, whatever it was. Then the vectors of all
   * that is indexed are to be made: {@link mark} says so of them, part by part.
   */
  async pin(
    { provider, model, dimensions }: Pick<PinnedModel, 'provider' | 'model' | 'dimensions'>,
    anew: boolean,
  ): Promise<PinnedModel> {
    const wish = { provider, model, dimensions: int(dimensions), shards: this.shards, anew };
    // Pinned twice because an answer was lost, a model has another number and nothing else.
    const [row] = await this.writer.writeRepeatable(pin, wish);
    if (row === undefined) throw new Error('a model that was pinned is not there');
    return row;
  }

  /** The shards that were not gone through to their end. */
  unmarked(): Promise<UnmarkedShard[]> {
    return this.writer.read(unmarked, { shards: this.shards });
  }

  /** Drops the vectors of the next events of a shard and says that they are due; answers how many events it came past: none at the end. */
  async mark(number: number, limit: number): Promise<number> {
    const rows = await this.writer.writeRepeatable(mark, { number: int(number), limit: int(limit) });
    return rows[0]?.events ?? 0;
  }

  /** Says whether a search may go by the vectors; null when another model was pinned meanwhile. */
  async settle(generation: number): Promise<PinnedModel | null> {
    const params = { shards: this.shards, generation: int(generation) };
    return (await this.writer.writeRepeatable(settle, params))[0] ?? null;
  }
}
