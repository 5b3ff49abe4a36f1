import type { Integer } from 'neo4j-driver';

import type { Reader, Writer } from './driver.ts';
import { int, statement, type Statement } from './statement.ts';

/** The stages that follow capture, in the order in which one event passes them. */
export const STAGES = ['extracted', 'indexed', 'consolidated'] as const;
export type Stage = (typeof STAGES)[number];

/** Stages whose effect is one statement; they need not wait for what is consolidated meanwhile. */
export type EffectStage = Exclude<Stage, 'consolidated'>;

/** What one statement does of them: a stage, or both where nothing has to be asked before. */
export type Intake = EffectStage | 'both';

/** Up to where each stage of a shard is done: every event at or below the offset has passed or is held. */
export type Watermarks = Readonly<Record<Stage, number>>;

/** A shard that this worker holds the lease of. */
export interface LeasedShard {
  readonly number: number;
  /** Grows with every change of owner; a stage transaction of an older epoch changes nothing. */
  readonly epoch: number;
  readonly watermarks: Watermarks;
}

/** A shard as it is leased. */
export interface ShardLease {
  readonly number: number;
  readonly epoch: number;
}

interface ShardRow extends Watermarks, ShardLease {}

const SHARD = `s.number AS number, s.epoch AS epoch, i.extracted AS extracted, i.indexed AS indexed, s.consolidated AS consolidated`;

const beat = statement<{ worker: string; lease: Integer }, { workers: number }>(
  'worker.beat',
  'constraint worker_id, index worker_expiry',
  `MERGE (me:Worker {id: $worker}) SET me.expires_at = timestamp() + $lease
   WITH me
   CALL () { MATCH (gone:Worker) WHERE gone.expires_at <= timestamp() - 10 * $lease DELETE gone }
   CALL () { MATCH (alive:Worker) WHERE alive.expires_at > timestamp() RETURN count(alive) AS workers }
   RETURN workers`,
);

const retire = statement<{ worker: string }, { id: string }>(
  'worker.retire',
  'constraint worker_id',
  `MATCH (me:Worker {id: $worker}) WITH me, me.id AS id DELETE me RETURN id`,
);

// The locks are taken by writing before the lease is looked at, so that of two claimers one sees the other's claim. Of a shard that
// changes hands the intake is held too: stages that hold it go by the lease as they find it.
const claim = statement<{ numbers: readonly Integer[]; worker: string; lease: Integer }, ShardRow>(
  'shard.claim',
  'constraints shard_intake, shard_number',
  `UNWIND $numbers AS number
   MATCH (i:ShardIntake {number: number})
   SET i.touched = $worker
   WITH collect(i) AS intakes
   UNWIND intakes AS i
   MATCH (s:Shard {number: i.number})
   SET s.touched = $worker
   WITH s, i WHERE s.owner IS NULL OR s.owner = $worker OR s.expires_at <= timestamp()
   SET s.epoch = s.epoch + CASE WHEN s.owner = $worker THEN 0 ELSE 1 END,
     s.expires_at = timestamp() + $lease
   SET s.owner = $worker
   RETURN ${SHARD}`,
);

const renew = statement<{ numbers: readonly Integer[]; worker: string; lease: Integer }, ShardLease>(
  'shard.renew',
  'constraint shard_number',
  `UNWIND $numbers AS number
   MATCH (s:Shard {number: number})
   SET s.touched = $worker
   WITH s WHERE s.owner = $worker
   SET s.expires_at = timestamp() + $lease
   RETURN s.number AS number, s.epoch AS epoch`,
);

const release = statement<{ numbers: readonly Integer[]; worker: string }, { number: number }>(
  'shard.release',
  'constraint shard_number',
  `UNWIND $numbers AS number
   MATCH (s:Shard {number: number})
   SET s.touched = $worker
   WITH s WHERE s.owner = $worker
   REMOVE s.owner SET s.expires_at = 0
   RETURN s.number AS number`,
);

const free = statement<{ worker: string; count: Integer }, { number: number }>(
  'shard.free',
  'constraint shard_number; there are 64 shards',
  `UNWIND range(0, $count - 1) AS number
   MATCH (s:Shard {number: number}) USING INDEX SEEK s:Shard(number)
   WHERE s.owner IS NULL OR s.owner = $worker OR s.expires_at <= timestamp()
   RETURN s.number AS number`,
);

const watermarks = statement<{ numbers: readonly Integer[] }, ShardRow>(
  'shard.watermarks',
  'constraints shard_number, shard_intake',
  `UNWIND $numbers AS number
   MATCH (s:Shard {number: number})
   MATCH (i:ShardIntake {number: number})
   RETURN ${SHARD}`,
);

const head = statement<Record<string, never>, { head: number; recorded_at: number }>(
  'counter.head',
  'constraint counter_name',
  `MATCH (wal:Counter {name: 'wal'}) RETURN wal.value AS head, wal.recorded_at AS recorded_at`,
);

const frameHead = statement<Record<string, never>, { head: number }>(
  'counter.frame_head',
  'constraint counter_name',
  `MATCH (lifecycle:Counter {name: 'lifecycle'}) RETURN lifecycle.value AS head`,
);

// Writing first waits for the capture that holds the lock, so that what it commits is wholly readable afterwards.
const settle = statement<{ now: Integer }, { head: number }>(
  'counter.settle',
  'constraint counter_name',
  `MATCH (wal:Counter {name: 'wal'}) SET wal.touched = $now WITH wal RETURN wal.value AS head`,
);

const settleFrames = statement<{ now: Integer }, { head: number }>(
  'counter.settle_frames',
  'constraint counter_name',
  `MATCH (lifecycle:Counter {name: 'lifecycle'}) SET lifecycle.touched = $now WITH lifecycle RETURN lifecycle.value AS head`,
);

/**
 * Waits for the transactions in flight. A commit becomes readable piece by piece (its counter before its index entries);
 * only what lies at or below a settled head is there without a hole.
 */
export class HeadSettler {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /** The newest offset below which no event is still becoming readable. */
  async events(now: number): Promise<number> {
    return (await this.writer.writeRepeatable(settle, { now: int(now) }))[0]?.head ?? 0;
  }

  /** The newest frame number below which no frame is still becoming readable. */
  async frames(now: number): Promise<number> {
    return (await this.writer.writeRepeatable(settleFrames, { now: int(now) }))[0]?.head ?? 0;
  }
}

function leased(row: ShardRow): LeasedShard {
  const { number, epoch, extracted, indexed, consolidated } = row;
  return { number, epoch, watermarks: { extracted, indexed, consolidated } };
}

/** Reads shards and the head of the log. */
export class ShardReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** The watermarks of shards, by number. */
  async watermarks(numbers: readonly number[]): Promise<Map<number, Watermarks>> {
    const rows = await this.reader.read(watermarks, { numbers: numbers.map(int) });
    return new Map(rows.map((row) => [row.number, leased(row).watermarks]));
  }

  /** The newest offset of the log, 0 when it is empty, and the instant of its newest entry (epoch milliseconds). */
  async head(): Promise<{ head: number; recorded_at: number }> {
    const row = (await this.reader.read(head, {}))[0];
    if (!row) throw new Error('the store has no counter: it is not migrated');
    return row;
  }

  /** The newest frame number, 0 when there is none; read without waiting for what is being written. */
  async frameHead(): Promise<number> {
    return (await this.reader.read(frameHead, {}))[0]?.head ?? 0;
  }
}

/** Takes, keeps and gives back the leases of shards; leases expire by the clock of the database. */
export class ShardLeases {
  private readonly writer: Writer;
  private readonly worker: string;
  private readonly leaseMs: number;

  constructor(writer: Writer, worker: string, leaseMs: number) {
    this.writer = writer;
    this.worker = worker;
    this.leaseMs = leaseMs;
  }

  /** Says that this worker lives, and answers how many do. */
  async beat(): Promise<number> {
    const rows = await this.writer.writeRepeatable(beat, { worker: this.worker, lease: int(this.leaseMs) });
    return rows[0]?.workers ?? 1;
  }

  /** The numbers among the first `count` shards that nobody else holds now. */
  async free(count: number): Promise<number[]> {
    const rows = await this.writer.read(free, { worker: this.worker, count: int(count) });
    return rows.map((row) => row.number);
  }

  /** Takes what is still free of the shards. */
  async claim(numbers: readonly number[]): Promise<LeasedShard[]> {
    return (await this.send(claim, numbers)).map(leased);
  }

  /** Prolongs the leases that are still this worker's and answers them. */
  renew(numbers: readonly number[]): Promise<ShardLease[]> {
    return this.send(renew, numbers);
  }

  /** Gives leases back. */
  async release(numbers: readonly number[]): Promise<void> {
    if (numbers.length === 0) return;
    await this.writer.writeRepeatable(release, { numbers: ascending(numbers), worker: this.worker });
  }

  /** Says that this worker is no more. */
  async retire(): Promise<void> {
    await this.writer.writeRepeatable(retire, { worker: this.worker });
  }

  private async send<Row>(
    text: Statement<{ numbers: readonly Integer[]; worker: string; lease: Integer }, Row>,
    numbers: readonly number[],
  ): Promise<Row[]> {
    if (numbers.length === 0) return [];
    return this.writer.writeRepeatable(text, {
      numbers: ascending(numbers),
      worker: this.worker,
      lease: int(this.leaseMs),
    });
  }
}

/** Locks are always taken in ascending order of shards. */
function ascending(numbers: readonly number[]): Integer[] {
  return [...numbers].sort((a, b) => a - b).map(int);
}
