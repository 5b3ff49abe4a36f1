import type { Integer } from 'neo4j-driver';

import { OPEN_END } from '../../schemas/time.ts';
import { MAX_LOOKED_AT_THREADS } from '../../src/derive/episode/book.ts';
import { centralityOf, type Episode, type EpisodeRow } from '../../src/derive/episode/episode.ts';
import type {
  Doubling,
  Reduced,
  RemovalSpan,
  Surroundings,
  WithinSpan,
} from '../../src/derive/episode/removal.ts';
import { EPISODE_REMOVAL_EVENTS, EPISODE_REMOVAL_ROWS } from '../../src/limits.ts';
import type { Transaction } from '../driver.ts';
import { isPostponed } from './leaving.ts';
import { EPISODE_NODE, storedEpisode, type EpisodeNode } from './load.ts';
import { MERGE_REVISION, revisionRow } from './write.ts';
import { FIRST, instant, storedInstant, type Instant } from '../instant.ts';
import { int, real, statement, type Param } from '../statement.ts';

/** Events of its episode that are looked at around one that is taken out, on each side. */
const EPISODE_NEIGHBOURS = 32;

const NEIGHBOUR =
  '{.position, observed_at: n.observed_at.epochMillis, .threads, recorded_at: n.recorded_from.epochMillis}';
const SEEK = 'MATCH ()-[n:CONTAINS]->() USING INDEX SEEK n:CONTAINS(episode_id, observed_at, position)';

interface AroundRow {
  readonly apart: boolean;
  readonly node: EpisodeNode;
  readonly event: Surroundings['event'];
  readonly neighbours: Surroundings['neighbours'];
}

// What was redacted goes with its scope, or with others of which one stands for all.
const around = statement<{ id: string; near: Integer }, AroundRow>(
  'episode.around',
  'constraints event_id, scope_ref, episode_progress; index contains_place',
  `MATCH (e:Event {id: $id})<-[c:CONTAINS]-(ep:Episode)
   CALL (ep, c) {
     ${SEEK} WHERE n.episode_id = ep.id AND n.observed_at = c.observed_at AND n.position < c.position
     WITH n ORDER BY n.episode_id DESC, n.observed_at DESC, n.position DESC LIMIT $near
     RETURN n
     UNION ALL
     ${SEEK} WHERE n.episode_id = ep.id AND n.observed_at < c.observed_at AND n.position >= 0
     WITH n ORDER BY n.episode_id DESC, n.observed_at DESC, n.position DESC LIMIT $near
     RETURN n
     UNION ALL
     ${SEEK} WHERE n.episode_id = ep.id AND n.observed_at = c.observed_at AND n.position > c.position
     WITH n ORDER BY n.episode_id, n.observed_at, n.position LIMIT $near
     RETURN n
     UNION ALL
     ${SEEK} WHERE n.episode_id = ep.id AND n.observed_at > c.observed_at AND n.position >= 0
     WITH n ORDER BY n.episode_id, n.observed_at, n.position LIMIT $near
     RETURN n
   }
   WITH e, c, ep, collect(n ${NEIGHBOUR}) AS neighbours
   RETURN ${EPISODE_NODE} AS node, neighbours,
     c {.position, observed_at: c.observed_at.epochMillis, .threads, id: e.id, recorded_at: c.recorded_from.epochMillis, preceded_by: coalesce(c.preceded_by, []), named: c.named IS NOT NULL} AS event,
     e.redacted_at IS NOT NULL OR EXISTS { MATCH (s:Scope) USING INDEX SEEK s:Scope(ref) WHERE s.ref = ep.scope_ref AND s.deleting_through >= 0 }
       OR ${isPostponed('ep.scope_ref')} AS apart`,
);

interface WithinParams {
  readonly [name: string]: Param;
  readonly ref: string;
  readonly keys: readonly string[];
  readonly after: Integer;
  readonly through: Integer;
  readonly until: Integer;
  readonly idle_after: Integer;
  readonly recorded_at: Integer;
  readonly observed_at: Integer;
  readonly window: Integer;
  readonly scan: Integer;
  readonly most: Integer;
}

const within = statement<WithinParams, WithinSpan>(
  'episode.within_span',
  'indexes event_scope, log_entry_seal, episode_thread_end',
  `CALL () {
     MATCH (x:Event) USING INDEX SEEK x:Event(scope_ref, wal_offset)
     WHERE x.scope_ref = $ref AND x.wal_offset > $after AND x.wal_offset <= $through
     WITH x LIMIT $scan
     RETURN count(x) AS events, max(x.observed_at).epochMillis AS latest, coalesce(min(x.observed_at).epochMillis, $observed_at) AS earliest
   }
   CALL (earliest) {
     UNWIND $keys AS key
     CALL (key, earliest) {
       MATCH (t:EpisodeThread) USING INDEX SEEK t:EpisodeThread(key, last, position)
       WHERE t.key = key AND t.last >= earliest - $window AND t.position >= 0
       WITH t LIMIT $most
       RETURN count(t) AS near
     }
     RETURN max(near) AS threads
   }
   RETURN events, latest, coalesce(threads, 0) AS threads, EXISTS {
     MATCH (l:LogEntry) USING INDEX SEEK l:LogEntry(sealed_scope, idle_before)
     WHERE l.sealed_scope = $ref AND l.idle_before > $idle_after AND l.idle_before <= $recorded_at
       AND l.after_offset >= $after AND l.after_offset < $until
   } AS seals`,
);

interface CountedRow {
  readonly rows: readonly EpisodeRow[];
  readonly doublings: readonly Doubling[];
}

// Events of other episodes may stand between two of this one.
const counted = statement<
  {
    id: string;
    ref: string;
    doublings: readonly Integer[];
    position: Integer;
    scan: Integer;
    most: Integer;
    open: Instant;
  },
  CountedRow
>(
  'episode.counted',
  'constraints episode_revision, event_wal_offset; index event_scope',
  `CALL () {
     MATCH (v:EpisodeRevision) WHERE v.episode_id = $id AND v.recorded_from >= ${FIRST}
     WITH v ORDER BY v.episode_id, v.recorded_from LIMIT $most
     RETURN collect(v {recorded_from: v.recorded_from.epochMillis, started_at: v.started_at.epochMillis, .name, .opening, .closing, .centrality_score,
       ended_at: nullif(v.ended_at, $open).epochMillis}) AS rows
   }
   CALL () {
     UNWIND $doublings AS place
     MATCH (d:Event {wal_offset: place})
     CALL (place) {
       MATCH (x:Event) USING INDEX SEEK x:Event(scope_ref, wal_offset)
       WHERE x.scope_ref = $ref AND x.wal_offset > place AND place >= $position
       WITH x ORDER BY x.scope_ref, x.wal_offset LIMIT $scan
       MATCH (x)<-[k:CONTAINS]-() WHERE k.episode_id = $id
       WITH k ORDER BY k.position LIMIT 1
       RETURN collect(k {.position, recorded_at: k.recorded_from.epochMillis})[0] AS next
     }
     RETURN collect({position: place, recorded_at: d.recorded_at.epochMillis, next: next}) AS doublings
   }
   RETURN rows, doublings`,
);

interface TakeOutParams {
  readonly [name: string]: Param;
  readonly id: string;
  readonly event: string;
  readonly count: Integer;
  readonly doublings: readonly Integer[];
  readonly centrality: Param;
  readonly deleted: readonly Integer[];
  readonly rows: readonly Param[];
}

const takeOut = statement<TakeOutParams, { done: boolean }>(
  'episode.take_out',
  'constraints event_id, episode_id, episode_revision',
  `MATCH (ep:Episode {id: $id})
   SET ep.event_count = $count, ep.doublings = $doublings, ep.centrality_score = $centrality
   WITH true AS done
   CALL () {
     MATCH (:Event {id: $event})<-[c:CONTAINS]-()
     DELETE c
   }
   CALL () {
     UNWIND $deleted AS at
     MATCH (v:EpisodeRevision {episode_id: $id, recorded_from: ${storedInstant('at')}})
     DELETE v
   }
   CALL () {
     UNWIND $rows AS row
     ${MERGE_REVISION}
   }
   RETURN done`,
);

/** Takes single events out of episodes, within a transaction. */
export class EpisodeRemovals {
  private readonly transaction: Transaction;

  constructor(transaction: Transaction) {
    this.transaction = transaction;
  }

  /**
   * What lies around an event; null for one that is in no episode. Without `surroundings` where its scope is replayed whatever
   * lies there, because more goes than this event.
   */
  async around(id: string): Promise<{ scope_ref: string; surroundings: Surroundings | null } | null> {
    const [row] = await this.transaction.run(around, { id, near: int(EPISODE_NEIGHBOURS) });
    if (row === undefined) return null;
    const { episode, scope_ref } = storedEpisode(row.node);
    const { event, neighbours } = row;
    return { scope_ref, surroundings: row.apart ? null : { event, episode, neighbours } };
  }

  /** What happened within a stretch of the log behind an event. */
  async within(
    ref: string,
    event: Surroundings['event'],
    span: RemovalSpan,
    window: number,
  ): Promise<WithinSpan> {
    const [row] = await this.transaction.run(within, {
      ref,
      keys: event.threads,
      after: int(span.after),
      through: int(span.through),
      until: int(span.until),
      idle_after: int(span.idleAfter),
      recorded_at: int(event.recorded_at),
      observed_at: int(event.observed_at),
      window: int(window),
      scan: int(EPISODE_REMOVAL_EVENTS),
      most: int(MAX_LOOKED_AT_THREADS + 1),
    });
    if (row === undefined) throw new Error('a statement without its row');
    return row;
  }

  /** The rows of an episode, and where the number of its events doubled: from a place on with the next event of it, if one is near. */
  async counted(ref: string, episode: Episode, position: number): Promise<CountedRow> {
    const [row] = await this.transaction.run(counted, {
      id: episode.id,
      ref,
      doublings: (episode.doublings ?? []).map(int),
      position: int(position),
      scan: int(EPISODE_REMOVAL_EVENTS),
      most: int(EPISODE_REMOVAL_ROWS),
      open: instant(OPEN_END),
    });
    if (row === undefined) throw new Error('a statement without its row');
    return row;
  }

  /** Writes an episode without an event. */
  takeOut(event: string, { episode, deleted }: Reduced): void {
    const { id, count, doublings, rows } = episode;
    this.transaction.send(takeOut, {
      id,
      event,
      count: int(count),
      doublings: (doublings ?? []).map(int),
      centrality: real(centralityOf(count)),
      deleted: deleted.map(int),
      rows: rows.map((row) => revisionRow(id, row)),
    });
  }
}

/** Has the server plan the statements by running them on nothing. */
export async function planEpisodeRemovals(transaction: Transaction): Promise<void> {
  const removals = new EpisodeRemovals(transaction);
  await removals.around('');
  const event = { id: '', position: 0, recorded_at: 0, observed_at: 0, threads: [], preceded_by: [] };
  const span = { after: 0, through: 0, latest: 0, until: 0, idleAfter: 0 };
  await removals.within('', { ...event, named: false }, span, 0);
  await transaction.run(counted, {
    id: '',
    ref: '',
    doublings: [],
    position: int(0),
    scan: int(1),
    most: int(1),
    open: instant(OPEN_END),
  });
  await transaction.run(takeOut, {
    id: '',
    event: '',
    count: int(0),
    doublings: [],
    centrality: real(0),
    deleted: [],
    rows: [],
  });
}
