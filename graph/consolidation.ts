import type { Integer } from 'neo4j-driver';

import { planBeliefs } from './belief/store.ts';
import { planClaimMoves } from './claim/reassign.ts';
import { planClaimReads } from './claim/read.ts';
import { planClaimWrites } from './claim/write.ts';
import { planConceptLoads } from './concept/load.ts';
import { planConcepts } from './concept/write.ts';
import { planSupports } from './concept/support.ts';
import { planClaimSizes } from './claim/size.ts';
import { planDecisions } from './claim/decision.ts';
import { planConflictWrites } from './conflict-writer.ts';
import { Columns } from './columns.ts';
import { planDeferrals } from './deferral.ts';
import type { Transaction, Writer } from './driver.ts';
import { planEntityLinks } from './entity/link.ts';
import { planSameAs } from './entity/same-as.ts';
import { WRITE_FRAMES, type NewFrame } from './frame.ts';
import { planKnownNames } from './known-name.ts';
import { planPolicyReads } from './policy-log.ts';
import { planEpisodeRemovals } from './episode/removal.ts';
import { planEpisodes } from './episode/write.ts';
import { int, statement, type Param, type Params } from './statement.ts';
import { TAKEN_OUT } from './visible.ts';
import type { Wish } from '../src/forget/wish.ts';

/** What consolidation has to know of an event beyond what led to it. Instants are epoch milliseconds. */
export interface OpenedEvent {
  readonly event_id: string;
  readonly recorded_at: number;
  readonly observed_at: number;
  /** Id of who or what it is about. */
  readonly subject: string;
  /** Cancelled, replaced or redacted. */
  readonly excluded: boolean;
  /** Nothing is left of its content. */
  readonly erased: boolean;
  /** Whether some scope of the store is consolidated later than at once, so that the policies of all events have to be known. */
  readonly defers: boolean;
  /** An earlier stage gave it up or has still to repeat it: consolidation comes after that. */
  readonly held: boolean;
  /** False when somebody else has repeated it meanwhile. */
  readonly due: boolean;
  /** Its scope is being rebuilt: the rebuild consolidates it when it comes to it. */
  readonly rebuilding: boolean;
  /** Entities of its scope were linked. */
  readonly linked: boolean;
  /** A repeated event that is in an episode: where it belongs has not changed, for that depends on its envelope alone. */
  readonly placed: boolean;
  /** JSON text: for each name of it the id that it was found to stand for; null where nothing was looked up. */
  readonly resolved: string | null;
  /** JSON text: the names of it that stand for one of several; null where none does. */
  readonly ambiguous: string | null;
  /** The events that it replaces. */
  readonly replaced: readonly string[];
  /** What of it is to be forgotten; of one layer there may be several. */
  readonly wishes: readonly Wish[];
}

const OPENED = new Columns(['event_id', 'retry_id']);

const open = statement<{ rows: readonly Param[] }, OpenedEvent>(
  'consolidation.open',
  'constraints counter_name, event_id, retry_id, rebuild_scope; indexes retry_event, linked_entity_scope',
  `MATCH (wal:Counter {name: 'wal'})
   UNWIND $rows AS sent
   WITH wal, ${OPENED.map('sent')} AS row
   MATCH (e:Event {id: row.event_id})
   RETURN e.id AS event_id, coalesce(wal.defers, true) AS defers, e.recorded_at.epochMillis AS recorded_at, e.observed_at.epochMillis AS observed_at, e.subject AS subject,
     ${TAKEN_OUT} AS excluded, e.redacted_at IS NOT NULL AS erased, e.resolved AS resolved, e.ambiguous AS ambiguous,
     EXISTS { MATCH (h:StageRetry) WHERE h.event_id = e.id AND h.id <> coalesce(row.retry_id, '') AND h.state <> 'deferred' } AS held,
     row.retry_id IS NULL OR EXISTS { MATCH (:StageRetry {id: row.retry_id}) } AS due,
     EXISTS { MATCH (:Rebuild {scope_ref: e.scope_ref}) } AS rebuilding,
     EXISTS { MATCH (m:LinkedEntity) WHERE m.scope_ref = e.scope_ref } AS linked,
     row.retry_id IS NOT NULL AND EXISTS { (e)<-[:CONTAINS]-() } AS placed,
     [(e)<-[:SUPERSEDED_BY]-(old:Event) | old.id] AS replaced, [(e)<-[w:FORGETS]-() | {event_id: e.id, layer: w.layer, ids: w.ids}] AS wishes`,
);

const FRAME_ROW = new Columns(['event_id', 'type', 'data']);

interface CloseParams extends Params {
  holds: readonly string[];
  rows: readonly Param[];
  now: Integer;
}

const close = statement<CloseParams, { newest_frame: number }>(
  'consolidation.close',
  'constraints event_id, retry_id, counter_name',
  `CALL () {
     UNWIND $holds AS id
     MATCH (h:StageRetry {id: id})
     DELETE h
   }
   CALL () {
     UNWIND $rows AS row
     MATCH (e:Event {id: ${FRAME_ROW.cell('row', 'event_id')}})
     RETURN collect({event: e, type: ${FRAME_ROW.cell('row', 'type')}, data: ${FRAME_ROW.cell('row', 'data')}}) AS framed
   }
   ${WRITE_FRAMES}
   RETURN newest_frame`,
);

/** Reads what a consolidation begins with. */
export function openEvents(
  transaction: Transaction,
  events: readonly { readonly event_id: string; readonly retry_id: string | null }[],
): Promise<OpenedEvent[]> {
  const rows = events.map(({ event_id, retry_id }) => OPENED.row({ event_id, retry_id }));
  return transaction.run(open, { rows });
}

/** Lifts holds and writes frames, last of all; answers the number of the newest frame, 0 when there was nothing to do. */
export async function closeEvents(
  transaction: Transaction,
  { holds, frames, now }: { holds: readonly string[]; frames: readonly NewFrame[]; now: number },
): Promise<number> {
  if (holds.length === 0 && frames.length === 0) return 0;
  const rows = frames.map((frame) => FRAME_ROW.row({ ...frame }));
  const [closed] = await transaction.run(close, { holds, rows, now: int(now) });
  return closed?.newest_frame ?? 0;
}

/** What has the statements of a consolidation planned, by running them on nothing. */
const PLANS: readonly ((transaction: Transaction) => Promise<unknown>)[] = [
  (transaction) => openEvents(transaction, []),
  (transaction) => transaction.run(close, { holds: [], rows: [], now: int(0) }),
  planEntityLinks,
  planKnownNames,
  planClaimReads,
  planClaimMoves,
  planClaimWrites,
  planDecisions,
  planSameAs,
  planPolicyReads,
  planDeferrals,
  planBeliefs,
  planEpisodes,
  planEpisodeRemovals,
  planConflictWrites,
  planSupports,
  planConceptLoads,
  planConcepts,
];

/** Has the server plan the statements of a consolidation, a few at a time: together they take longer than a transaction may. Stops where that is not wanted any more. */
export async function planConsolidation(writer: Writer, isWanted: () => boolean): Promise<void> {
  if (isWanted()) await planClaimSizes(writer);
  for (const plan of PLANS) if (isWanted()) await writer.transaction(plan);
}
