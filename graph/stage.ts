import type { Integer } from 'neo4j-driver';

import { LOCK_LIFECYCLE } from './counter.ts';
import type { Reader, Transaction, Writer } from './driver.ts';
import { LOCK_PASSAGES, MARK_DUE, PLACE_TURNS } from './passage-window.ts';
import type { LeasedShard, Stage } from './shard.ts';
import { int, intOrNull, present, statement, type Param, type Params, type Statement } from './statement.ts';

/** An event that a stage still has to do. */
export interface PendingEvent {
  readonly event_id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
  readonly shard: number;
  readonly wal_offset: number;
  readonly content_kind: string;
  /** UTF-8 length of the envelope. */
  readonly bytes: number;
  /** Actor id of the principal. */
  readonly caller: string;
  /** Epoch milliseconds, as is when it was recorded. */
  readonly observed_at: number;
  readonly recorded_at: number;
  /** Cancelled or replaced: it passes without an effect of its own. */
  readonly excluded: boolean;
  /** The hold that this run is to lift, when the stage is repeated for one event. */
  readonly hold_id: string | null;
}

/** What a stage does to one event, besides moving on. */
export interface StageEffect {
  readonly event: PendingEvent;
  /** JSON text of what the frame says beyond its fields; null when the stage passes the event over without a frame. */
  readonly frame: string | null;
  /** What becomes searchable; null for nothing. */
  readonly passage: TurnPassage | null;
}

/** What is searchable of an event, beside what the event itself says. Words are stems. */
export interface TurnPassage {
  /** The words, with a blank between two. */
  readonly text: string;
  /** The beginning of a long text, which is all that passages around it hold; null where they hold the whole. */
  readonly excerpt: string | null;
  /** Key of the events of its scope that follow one another: those of its session, or those of none. Null for what stands by itself. */
  readonly thread: string | null;
  /** References of its scope and every ancestor. */
  readonly scope_tokens: readonly string[];
  /** What a search is narrowed by: see `tagsOf`. */
  readonly tags: readonly string[];
  /** When its vectors are made where that is not soon: after those of others, or never. */
  readonly embed: 'lazy' | 'none' | null;
  /** Tokens of the days on which it was observed and recorded. */
  readonly observed_day: string;
  readonly recorded_day: string;
}

/** Stages whose effect is one statement. */
export type EffectStage = Exclude<Stage, 'consolidated'>;

/** How far one transaction moves the watermark of one shard; a repeat of a held event moves none. */
export interface ShardStep {
  readonly shard: LeasedShard;
  readonly from: number | null;
  readonly to: number | null;
}

/** The columns of a {@link PendingEvent} `e`, but for the hold. */
export const PENDING_EVENT = `e.id AS event_id, e.tenant AS tenant, e.scope AS scope, e.scope_ref AS scope_ref, e.shard AS shard,
     e.wal_offset AS wal_offset, e.content_kind AS content_kind, e.bytes AS bytes, e.caller AS caller,
     e.observed_at AS observed_at, e.recorded_at AS recorded_at, EXISTS { (e)<-[:CANCELS|REPLACES]-() } AS excluded`;

/** The same as the entries of a map. */
export const PENDING_FIELDS = `event_id: e.id, tenant: e.tenant, scope: e.scope, scope_ref: e.scope_ref, shard: e.shard, wal_offset: e.wal_offset,
       content_kind: e.content_kind, bytes: e.bytes, caller: e.caller, observed_at: e.observed_at,
       recorded_at: e.recorded_at, excluded: EXISTS { (e)<-[:CANCELS|REPLACES]-() }`;

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
   RETURN ${PENDING_EVENT}, null AS hold_id`,
);

const queued = statement<{ numbers: readonly Integer[]; stage: string; limit: Integer }, PendingEvent>(
  'stage.queued',
  'index hold_queue, constraints event_id, rebuild_scope',
  `UNWIND $numbers AS number
   CALL (number) {
     MATCH (q:Hold) WHERE q.shard = number AND q.state = 'queued' AND q.stage = $stage
       AND ($stage <> 'consolidated' OR NOT EXISTS { MATCH (:Rebuild {scope_ref: q.scope_ref}) })
     RETURN q LIMIT $limit
   }
   WITH q LIMIT $limit
   MATCH (e:Event {id: q.event_id})
   RETURN ${PENDING_EVENT}, q.id AS hold_id`,
);

interface StageParams extends Params {
  shards: readonly Param[];
  rows: readonly Param[];
  /** Scopes of the passages of the rows, in ascending order. */
  scopes: readonly Param[];
  worker: string;
  now: Integer;
}

const FENCE = (stage: Stage): string => `UNWIND $shards AS step
   MATCH (shard:Shard {number: step.number})
   SET shard.touched = $worker
   WITH shard, step WHERE shard.owner = $worker AND shard.epoch = step.epoch AND (step.from IS NULL OR shard.${stage} = step.from)
   FOREACH (to IN CASE WHEN step.to IS NULL THEN [] ELSE [step.to] END | SET shard.${stage} = to)
   WITH collect(step.number) AS owned, collect(CASE WHEN shard.embeds THEN step.number END) AS embedding`;

/**
 * One text per stage but consolidation, which is several statements. It holds only when the lease, its epoch and the
 * watermark are what the worker believes, shard by shard; effect, watermark and frames are one transaction, so a stage
 * happens once however often it is tried.
 * Rows carry only what is not on the event: what travels as a parameter costs more than what is read.
 */
const stageText = (
  stage: EffectStage,
  passages: { lock: string; write: string; place: string },
): string => `${FENCE(stage)}${passages.lock}
   CALL (owned, embedding) {
     UNWIND $rows AS row
     MATCH (e:Event {id: row.event_id})
     WHERE e.shard IN owned AND (row.hold_id IS NULL OR EXISTS { MATCH (:Hold {id: row.hold_id}) })
     CALL (row, e) {
       MATCH (h:Hold {id: row.hold_id})
       DELETE h
       WITH e
       MATCH (shard:Shard {number: e.shard})
       WHERE shard.consolidated >= e.wal_offset
       MERGE (next:Hold {id: e.id + '/consolidated'})
       SET next.event_id = e.id, next.tenant = e.tenant, next.scope_ref = e.scope_ref, next.shard = e.shard,
         next.stage = 'consolidated', next.state = 'queued', next.reason = 'an earlier stage was repeated', next.since = $now
     }
     WITH row, e, embedding WHERE NOT EXISTS { (e)<-[:CANCELS|REPLACES]-() }
     ${passages.write}
     RETURN collect(CASE WHEN row.frame IS NOT NULL THEN {event: e, data: row.frame} END) AS framed,
       collect(CASE WHEN turn.thread IS NOT NULL THEN turn END) AS added
   }${passages.place}
   ${LOCK_LIFECYCLE}
   WITH *, lifecycle.value + size(framed) AS newest_frame
   SET lifecycle.value = newest_frame
   WITH owned, framed, newest_frame
   CALL (framed, newest_frame) {
     UNWIND range(0, size(framed) - 1) AS i
     WITH framed[i].event AS e, framed[i].data AS data, newest_frame - size(framed) + 1 + i AS sequence
     CREATE (:LifecycleEvent {sequence: sequence, type: '${stage}', tenant: e.tenant, scope: e.scope, scope_ref: e.scope_ref,
       event_id: e.id, wal_offset: e.wal_offset, actor: e.caller, modality: e.modality, batch_id: e.batch_id,
       ts: $now, data: data})
   }
   RETURN owned, newest_frame`;

/** The lock of a scope's passages comes before its events are asked whether they are excluded: what replaces one takes it too. */
const PASSAGES = {
  lock: `
   CALL (owned) {
     UNWIND $scopes AS scope
     WITH scope.ref AS ref WHERE scope.shard IN owned
     ${LOCK_PASSAGES}
   }`,
  write: `OPTIONAL CALL (row, e, embedding) {
       WITH row.passage AS passage, e, embedding WHERE passage IS NOT NULL
       CREATE (turn:Passage {event_id: e.id, kind: 'turn', tenant: e.tenant, scope_ref: e.scope_ref, wal_offset: e.wal_offset,
         text: passage.text, excerpt: passage.excerpt, thread: passage.thread, scope_tokens: $scopes[passage.scope].tokens,
         tags: passage.tags, observed_day: passage.observed_day, recorded_day: passage.recorded_day, embed: passage.embed})-[:OF]->(e)
       FOREACH (number IN CASE WHEN e.shard IN embedding AND coalesce(passage.embed, '') <> 'none' THEN [e.shard] ELSE [] END |
         SET turn.embed_shard = number SET ${MARK_DUE})
       RETURN turn
     }`,
  place: `
   ${PLACE_TURNS}`,
};

const NO_PASSAGES = { lock: '', write: 'WITH row, e, null AS turn', place: '' };

/** A batch that the stage passes over moves watermarks and touches nothing else. */
const passText = (stage: Stage): string => `${FENCE(stage)} RETURN owned, 0 AS newest_frame`;

const RELIES_ON = 'constraints shard_number, event_id, hold_id, counter_name';

interface StageRow {
  readonly owned: number[];
  readonly newest_frame: number;
}

const apply: Readonly<Record<EffectStage, Statement<StageParams, StageRow>>> = {
  extracted: statement('stage.extract', RELIES_ON, stageText('extracted', NO_PASSAGES)),
  indexed: statement(
    'stage.index',
    `${RELIES_ON}, passage_event, passage_scope, session_passage; index passage_place`,
    stageText('indexed', PASSAGES),
  ),
};

interface PassParams extends Params {
  shards: readonly Param[];
  worker: string;
}

const pass: Readonly<Record<Stage, Statement<PassParams, StageRow>>> = {
  extracted: statement('stage.pass_extract', 'constraint shard_number', passText('extracted')),
  indexed: statement('stage.pass_index', 'constraint shard_number', passText('indexed')),
  consolidated: statement('stage.pass_consolidate', 'constraint shard_number', passText('consolidated')),
};

interface ParkParams extends Params {
  shards: readonly Param[];
  hold: Param;
  worker: string;
}

const parkText = (stage: Stage): string => `${FENCE(stage)}
   UNWIND owned AS number
   MERGE (h:Hold {id: $hold.id})
   SET h += $hold
   RETURN collect(number) AS owned`;

const park: Readonly<Record<Stage, Statement<ParkParams, { owned: number[] }>>> = {
  extracted: statement('stage.park_extract', 'constraints shard_number, hold_id', parkText('extracted')),
  indexed: statement('stage.park_index', 'constraints shard_number, hold_id', parkText('indexed')),
  consolidated: statement(
    'stage.park_consolidate',
    'constraints shard_number, hold_id',
    parkText('consolidated'),
  ),
};

function stepRow({ shard, from, to }: ShardStep): Param {
  return { number: int(shard.number), epoch: int(shard.epoch), from: intOrNull(from), to: intOrNull(to) };
}

/** Moves watermarks within a transaction that goes on; answers the shards that are still this worker's, and holds them. */
export async function passWithin(
  transaction: Transaction,
  stage: Stage,
  steps: readonly ShardStep[],
  worker: string,
): Promise<ReadonlySet<number>> {
  const shards = ascending(steps).map(stepRow);
  const [row] = await transaction.run(pass[stage], { shards, worker });
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
    stage: EffectStage,
    steps: readonly ShardStep[],
    effects: readonly StageEffect[],
    now: number,
    within?: StageAddition,
  ): Promise<AppliedBatch> {
    const shards = ascending(steps).map(stepRow);
    const { worker } = this;
    const moved = (writer: Pick<Transaction, 'run'>): Promise<StageRow[]> =>
      effects.length === 0
        ? writer.run(pass[stage], { shards, worker })
        : writer.run(apply[stage], { shards, worker, ...effectRows(effects), now: int(now) });
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
    const shards = [stepRow({ shard, from: null, to: null })];
    await this.writer.write(pass[stage], { shards, worker: this.worker });
  }

  /** Has the server plan the statements of all stages by doing a batch of nothing. */
  async plan(): Promise<void> {
    for (const text of [...Object.values(apply), ...Object.values(pass)]) {
      await this.writer.write(text, { shards: [], rows: [], scopes: [], worker: this.worker, now: int(0) });
    }
  }

  /** Moves past one event that the stage cannot do and keeps why; `false` when the lease is lost. */
  async park(
    stage: Stage,
    step: ShardStep,
    event: PendingEvent,
    failure: { reason: string; attempts: number; now: number },
  ): Promise<boolean> {
    const rows = await this.writer.writeRepeatable(park[stage], {
      shards: [stepRow(step)],
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

function ascending(steps: readonly ShardStep[]): ShardStep[] {
  return [...steps].sort((a, b) => a.shard.number - b.shard.number);
}

/** The rows of a batch; what passages of one scope share travels once. */
function effectRows(effects: readonly StageEffect[]): Pick<StageParams, 'rows' | 'scopes'> {
  const scopes = new Map<string, Param>();
  for (const { event, passage } of effects) {
    if (passage === null || scopes.has(event.scope_ref)) continue;
    scopes.set(event.scope_ref, {
      ref: event.scope_ref,
      shard: int(event.shard),
      tokens: passage.scope_tokens,
    });
  }
  const refs = [...scopes.keys()].sort();
  const places = new Map(refs.map((ref, place) => [ref, int(place)]));
  const rows = effects.map(({ event, frame, passage }) => {
    const { event_id, hold_id } = event;
    if (passage === null) return { event_id, hold_id, frame, passage };
    const { scope_tokens: _shared, ...own } = passage;
    return {
      event_id,
      hold_id,
      frame,
      passage: present({ ...own, scope: places.get(event.scope_ref) ?? null }),
    };
  });
  return { rows, scopes: refs.map((ref) => scopes.get(ref) as Param) };
}
