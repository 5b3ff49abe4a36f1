import type { Integer } from 'neo4j-driver';

import { Columns } from './columns.ts';
import { WRITE_FRAMES } from './frame.ts';
import { LOCK_PASSAGES, MARK_DUE, PLACE_TURNS } from './passage/window.ts';
import type { PendingEvent } from './pending-event.ts';
import { FENCE, stepRows, type ShardStep } from './shard-step.ts';
import type { EffectStage, Intake } from './shard.ts';
import { int, statement, type Param, type Params, type Statement } from './statement.ts';
import { TAKEN_OUT } from './visible.ts';

/** What a stage does to one event, besides moving on. */
export interface StageEffect {
  readonly event: PendingEvent;
  /** JSON text of what the frame says beyond its fields; null when the stage passes the event over without a frame. */
  readonly frame: string | null;
  /** The same of the frame of extraction, where that is done with it. */
  readonly extracted?: string | null;
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
  /** Tokens of what its line in a context block says, as `tokensOfSaid` counts them; null where a recall counts them itself. */
  readonly said_tokens: number | null;
}

/** What is sent of an event of a batch; `scope` is the place among the scopes that are sent beside. */
const EFFECT = new Columns(['event_id', 'retry_id', 'frame', 'extracted', 'scope', 'passage']);

/** Properties of what becomes searchable of it. */
const PASSAGE = new Columns([
  'text',
  'excerpt',
  'thread',
  'tags',
  'observed_day',
  'recorded_day',
  'embed',
  'said_tokens',
]);

/** What is sent of a batch. */
export interface StageParams extends Params {
  shards: readonly Param[];
  rows: readonly Param[];
  /** Scopes of the passages of the rows, in ascending order. */
  scopes: readonly Param[];
  worker: string;
  now: Integer;
}

const framed = (stage: EffectStage, data: string): string =>
  `collect(CASE WHEN ${data} IS NOT NULL THEN {event: e, type: '${stage}', data: ${data}} END)`;

/** The frames of the rows. */
const FRAMED: Readonly<Record<Intake, string>> = {
  extracted: framed('extracted', 'row.frame'),
  indexed: framed('indexed', 'row.frame'),
  both: `${framed('extracted', 'row.extracted')} + ${framed('indexed', 'row.frame')}`,
};

/**
 * One text per stage but consolidation, which is several statements. It holds only when the lease, its epoch and the
 * watermark are what the worker believes, shard by shard; effect, watermark and frames are one transaction, so a stage
 * happens once however often it is tried.
 * Rows carry only what is not on the event: what travels as a parameter costs more than what is read.
 */
const stageText = (
  stage: Intake,
  passages: { lock: string; write: string; place: string },
): string => `${FENCE[stage]}${passages.lock}
   CALL (owned, embedding) {
     UNWIND $rows AS sent
     WITH ${EFFECT.map('sent')} AS row, owned, embedding
     MATCH (e:Event {id: row.event_id})
     WHERE e.shard IN owned AND (row.retry_id IS NULL OR EXISTS { MATCH (:StageRetry {id: row.retry_id}) })
     CALL (row, e) {
       MATCH (h:StageRetry {id: row.retry_id})
       DELETE h
       WITH e
       MATCH (shard:Shard {number: e.shard})
       WHERE shard.consolidated >= e.wal_offset
       MERGE (next:StageRetry {id: e.id + '/consolidated'})
       SET next.event_id = e.id, next.tenant = e.tenant, next.scope_ref = e.scope_ref, next.shard = e.shard,
         next.stage = 'consolidated', next.state = 'queued', next.reason = 'an earlier stage was repeated', next.since = $now
     }
     WITH row, e, embedding WHERE NOT ${TAKEN_OUT}
     ${passages.write}
     RETURN ${FRAMED[stage]} AS framed,
       collect(CASE WHEN turn.thread IS NOT NULL THEN turn END) AS added
   }${passages.place}
   ${WRITE_FRAMES}
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
       WITH row, e, embedding WHERE row.passage IS NOT NULL
       CREATE (turn:Passage {event_id: e.id, kind: 'turn', tenant: e.tenant, scope_ref: e.scope_ref, wal_offset: e.wal_offset,
         scope_tokens: $scopes[row.scope].tokens, indexed_at: timestamp()})-[:OF]->(e)
       SET ${PASSAGE.set('turn', 'row.passage')}
       FOREACH (number IN CASE WHEN e.shard IN embedding AND coalesce(turn.embed, '') <> 'none' THEN [e.shard] ELSE [] END |
         SET turn.embed_shard = number SET ${MARK_DUE})
       RETURN turn
     }`,
  place: `
   ${PLACE_TURNS}`,
};

const NO_PASSAGES = { lock: '', write: 'WITH row, e, null AS turn', place: '' };

const RELIES_ON = 'constraints shard_intake, shard_number, event_id, retry_id, counter_name';
const INDEX_RELIES_ON = `${RELIES_ON}, passage_event, passage_scope, session_passage; index passage_place`;

/** What a stage answers. */
export interface StageRow {
  readonly owned: number[];
  readonly newest_frame: number;
}

/** Does a batch. */
export const applyEffects: Readonly<Record<Intake, Statement<StageParams, StageRow>>> = {
  extracted: statement('stage.extract', RELIES_ON, stageText('extracted', NO_PASSAGES)),
  indexed: statement('stage.index', INDEX_RELIES_ON, stageText('indexed', PASSAGES)),
  both: statement('stage.intake', INDEX_RELIES_ON, stageText('both', PASSAGES)),
};

/** A batch of a stage to be done by a worker. */
interface StageBatch {
  readonly steps: readonly ShardStep[];
  /** Those of events that are only passed over may be left out. */
  readonly effects: readonly StageEffect[];
  readonly worker: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A batch as it is sent. */
export function stageParams({ steps, effects, worker, now }: StageBatch): StageParams {
  return { shards: stepRows(steps), worker, ...effectRows(effects), now: int(now) };
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
  const rows = effects.map(({ event, frame, extracted = null, passage }) => {
    const { event_id, retry_id } = event;
    const sent = { event_id, retry_id, frame, extracted };
    if (passage === null) return EFFECT.row({ ...sent, scope: null, passage });
    const { scope_tokens: _shared, said_tokens: tokens, ...own } = passage;
    const scope = places.get(event.scope_ref) ?? null;
    return EFFECT.row({
      ...sent,
      scope,
      passage: PASSAGE.row({ ...own, said_tokens: tokens === null ? null : int(tokens) }),
    });
  });
  return { rows, scopes: refs.map((ref) => scopes.get(ref) as Param) };
}
