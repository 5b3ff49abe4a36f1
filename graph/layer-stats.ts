import type { Integer } from 'neo4j-driver';

import type { Reader } from './driver.ts';
import { int, statement } from './statement.ts';

/** Records of each layer in the whole store. */
export interface LayerCounts {
  readonly events: number;
  readonly episodes: number;
  readonly facts: number;
  readonly beliefs: number;
  readonly concepts: number;
}

const counts = statement<Record<string, never>, LayerCounts>(
  'layer_stats.counts',
  'none: the database keeps the number of nodes of each label',
  `CALL () { MATCH (n:Event) RETURN count(n) AS events }
   CALL () { MATCH (n:Episode) RETURN count(n) AS episodes }
   CALL () { MATCH (n:Fact) RETURN count(n) AS facts }
   CALL () { MATCH (n:Belief) RETURN count(n) AS beliefs }
   CALL () { MATCH (n:Concept) RETURN count(n) AS concepts }
   RETURN events, episodes, facts, beliefs, concepts`,
);

/** Events that stages have not passed. */
export interface StoreLag {
  readonly indexed: number;
  readonly consolidated: number;
}

const lag = statement<{ shards: readonly Integer[]; limit: Integer }, StoreLag>(
  'layer_stats.lag',
  'constraints shard_number, shard_intake; index event_shard, a bounded number of rows of each shard',
  `UNWIND $shards AS number
   MATCH (s:Shard {number: number})
   MATCH (i:ShardIntake {number: number})
   CALL (s, i) {
     MATCH (e:Event) USING INDEX SEEK e:Event(shard, wal_offset) WHERE e.shard = i.number AND e.wal_offset > i.indexed
     WITH e LIMIT $limit
     RETURN count(e) AS unindexed
   }
   CALL (s) {
     MATCH (e:Event) USING INDEX SEEK e:Event(shard, wal_offset) WHERE e.shard = s.number AND e.wal_offset > s.consolidated
     WITH e LIMIT $limit
     RETURN count(e) AS waiting
   }
   RETURN coalesce(sum(unindexed), 0) AS indexed, coalesce(sum(waiting), 0) AS consolidated`,
);

/** Reads how much the store holds, of all tenants; who asks was authorised before. */
export class LayerStatsReader {
  private readonly reader: Reader;
  private readonly shards: readonly Integer[];

  /** @param shardCount parts of the log */
  constructor(reader: Reader, shardCount: number) {
    this.reader = reader;
    this.shards = Array.from({ length: shardCount }, (_, number) => int(number));
  }

  /** How many records of each layer there are, those too that are shown to nobody any more. */
  async counts(): Promise<LayerCounts> {
    const [row] = await this.reader.read(counts, {});
    if (row === undefined) throw new Error('counting answered nothing');
    return row;
  }

  /** How many events lie behind what stages have passed, of each shard at most `limit`. */
  async lag(limit: number): Promise<StoreLag> {
    const [row] = await this.reader.read(lag, { shards: this.shards, limit: int(limit) });
    if (row === undefined) throw new Error('counting answered nothing');
    return row;
  }
}
