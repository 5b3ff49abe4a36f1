import type { Integer } from 'neo4j-driver';

import type { Reader, Transaction, Writer } from './driver.ts';
import { PENDING_EVENT, type PendingEvent } from './pending-event.ts';
import { FENCE, stepRows, type ShardStep } from './shard-step.ts';
import type { Intake, LeasedShard, Stage } from './shard.ts';
import { applyEffects, stageParams, type StageEffect, type StageRow } from './stage-effect.ts';
import { int, statement, type Param, type Params, type Statement } from './statement.ts';

const pending = statement<{ shards: readonly Param[]; limit: Integer }, PendingEvent>(
  'stage.pending',
  'index event_shard, walked in order once per shard',
  `UNWIND $shards AS shard
   CALL (shard) {
     MATCH (e:Event) USING INDEX SEEK e:Event(shard, wal_offset) WHERE e.shard = shard.number AND e.wal_offset > shard.from AND e.wal_offset <= shard.to
     WITH e ORDER BY e.shard, e.wal_offset LIMIT $limit
     RETURN e
   }
   WITH e ORDER BY e.wal_offset LIMIT $limit
   RETURN ${PENDING_EVENT}, null AS retry_id`,
);

const queued = statement<{ numbers: readonly Integer[]; stage: string; limit: Integer }, PendingEvent>(
  'stage.queued',
  'index retry_queue, constraints event_id, rebuild_scope',
  `UNWIND $numbers AS number
   CALL (number) {
     MATCH (q:StageRetry) WHERE q.shard = number AND q.state = 'queued' AND q.stage = $stage
       AND ($stage <> 'consolidated' OR NOT EXISTS { MATCH (:Rebuild {scope_ref: q.scope_ref}) })
     RETURN q LIMIT $limit
   }
   WITH q LIMIT $limit
   MATCH (e:Event {id: q.event_id})
   RETURN ${PENDING_EVENT}, q.id AS retry_id`,
);

/** A batch that the stage passes over moves watermarks and touches nothing else. */
const passText = (stage: Stage | Intake): string => `${FENCE[stage]} RETURN owned, 0 AS newest_frame`;

interface PassParams extends Params {
  shards: readonly Param[];
  worker: string;
}

const pass: Readonly<Record<Stage | Intake, Statement<PassParams, StageRow>>> = {
  extracted: statement('stage.pass_extract', 'constraints shard_intake, shard_number', passText('extracted')),
  indexed: statement('stage.pass_index', 'constraints shard_intake, shard_number', passText('indexed')),
  both: statement('stage.pass_intake', 'constraints shard_intake, shard_number', passText('both')),
  consolidated: statement('stage.pass_consolidate', 'constraint shard_number', passText('consolidated')),
};

interface ParkParams extends Params {
  shards: readonly Param[];
  hold: Param;
  worker: string;
}

const parkText = (stage: Stage): string => `${FENCE[stage]}
   UNWIND owned AS number
   MERGE (h:StageRetry {id: $hold.id})
   SET h += $hold
   RETURN collect(number) AS owned`;

const park: Readonly<Record<Stage, Statement<ParkParams, { owned: number[] }>>> = {
  extracted: statement(
    'stage.park_extract',
    'constraints shard_intake, shard_number, retry_id',
    parkText('extracted'),
  ),
  indexed: statement(
    'stage.park_index',
    'constraints shard_intake, shard_number, retry_id',
    parkText('indexed'),
  ),
  consolidated: statement(
    'stage.park_consolidate',
    'constraints shard_number, retry_id',
    parkText('consolidated'),
  ),
};

/** Moves the watermarks of consolidation within a transaction that goes on; answers the shards that are still this worker's, and holds them. */
export async function passWithin(
  transaction: Transaction,
  steps: readonly ShardStep[],
  worker: string,
): Promise<ReadonlySet<number>> {
  const shards = stepRows(steps);
  const [row] = await transaction.run(pass.consolidated, { shards, worker });
  return new Set(row?.owned ?? []);
}

/** What became of a batch. */
export interface AppliedBatch {
  /** The shards whose step held; the others are somebody else's by now. */
  readonly owned: ReadonlySet<number>;
  /** Number of the newest frame when the batch was committed; 0 when it wrote none. */
  readonly newestFrame: number;
}

/** Writes more in the transaction of a stage, of events in the shards of the numbers given; told of none it writes nothing. */
export type StageAddition = (transaction: Transaction, owned: readonly number[]) => Promise<void>;

/** Finds and does the work of stages. */
export class StageStore {
  private readonly writer: Writer;
  private readonly worker: string;

  constructor(writer: Writer, worker: string) {
    this.writer = writer;
    this.worker = worker;
  }

  /** At most `limit` events between the offsets of the shards (from exclusive, to inclusive), in the order of the log. */
  pending(
    spans: readonly { number: number; from: number; to: number }[],
    limit: number,
  ): Promise<PendingEvent[]> {
    const shards = spans.map(({ number, from, to }) => ({
      number: int(number),
      from: int(from),
      to: int(to),
    }));
    return (this.writer as Reader).read(pending, { shards, limit: int(limit) });
  }

  /** Held events of the shards that somebody asked to try again. */
  queued(numbers: readonly number[], stage: Stage, limit: number): Promise<PendingEvent[]> {
    return (this.writer as Reader).read(queued, { numbers: numbers.map(int), stage, limit: int(limit) });
  }

  /**
   * Does one batch; effects of events that are only passed over may be left out. `within` writes more in the same transaction, of
   * events in the shards whose step held. Errors are the driver's own.
   */
  async apply(
    stage: Intake,
    steps: readonly ShardStep[],
    effects: readonly StageEffect[],
    now: number,
    within?: StageAddition,
  ): Promise<AppliedBatch> {
    const { worker } = this;
    const moved = (writer: Pick<Transaction, 'run'>): Promise<StageRow[]> =>
      effects.length === 0
        ? writer.run(pass[stage], { shards: stepRows(steps), worker })
        : writer.run(applyEffects[stage], stageParams({ steps, effects, worker, now }));
    const rows =
      within === undefined
        ? await moved({ run: (text, params) => this.writer.write(text, params) })
        : await this.writer.transaction(async (transaction) => {
            const found = await moved(transaction);
            await within(transaction, found[0]?.owned ?? []);
            return found;
          });
    return { owned: new Set(rows[0]?.owned ?? []), newestFrame: rows[0]?.newest_frame ?? 0 };
  }

  /** Whether a stage can write: it moves a shard by nothing. Errors are the driver's own. */
  async probe(stage: Stage, shard: LeasedShard): Promise<void> {
    const at = shard.watermarks[stage];
    const shards = stepRows([{ shard, from: at, to: at }]);
    await this.writer.write(pass[stage], { shards, worker: this.worker });
  }

  /** Has the server plan the statements of all stages by doing a batch of nothing. */
  async plan(): Promise<void> {
    const params = { shards: [], rows: [], scopes: [], worker: this.worker, now: int(0) };
    for (const texts of [applyEffects, pass])
      for (const text of Object.values<Statement<typeof params, unknown>>(texts))
        await this.writer.write(text, params);
  }

  /** Moves past one event that the stage cannot do and keeps why; `false` when the lease is lost. */
  async park(
    stage: Stage,
    step: ShardStep,
    event: PendingEvent,
    failure: { reason: string; attempts: number; now: number },
  ): Promise<boolean> {
    const rows = await this.writer.writeRepeatable(park[stage], {
      shards: stepRows([step]),
      worker: this.worker,
      hold: {
        id: `${event.event_id}/${stage}`,
        event_id: event.event_id,
        tenant: event.tenant,
        scope_ref: event.scope_ref,
        shard: int(event.shard),
        stage,
        state: 'failed',
        reason: failure.reason,
        attempts: int(failure.attempts),
        since: int(failure.now),
        deferred_offset: null,
      },
    });
    return (rows[0]?.owned.length ?? 0) > 0;
  }
}
