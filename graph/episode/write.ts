import { levelRefs, shardOf } from '../../src/capture/scope-key.ts';
import {
  summaryOf,
  type Episode,
  type EpisodeEvent,
  type EpisodeRow,
  type Thread,
} from '../../src/derive/episode/episode.ts';
import { OPEN_END } from '../../schemas/time.ts';
import { Columns, levelProps } from '../columns.ts';
import type { Transaction } from '../driver.ts';
import { EpisodeLoader, type EpisodeScope } from './load.ts';
import { FIRST, storedInstant } from '../instant.ts';
import { int, intOrNull, real, statement, type Param } from '../statement.ts';

/** What is to be written of the episodes of one scope. */
export interface EpisodeWrites {
  readonly place: EpisodeScope;
  readonly episodes: readonly Episode[];
  readonly threads: readonly Thread[];
  /** Events that are in an episode now. */
  readonly contains: readonly { readonly event: EpisodeEvent; readonly episode_id: string }[];
  /** Episodes whose revisions and threads are replaced by those given here. */
  readonly replayed: readonly string[];
  /** Episodes that there are no longer. */
  readonly deleted: readonly string[];
  /** Events that leave the episode that they are in. */
  readonly leaving: readonly string[];
  /** Events that others name as what led to them, and those that none names any more. */
  readonly named: readonly string[];
  readonly unnamed: readonly string[];
  /** Whether they were told from all that is left of the scope. */
  readonly isReplay: boolean;
  /** Place of the newest event, null when no event and no entry that seals is left; how far such entries were carried out, null for as before. */
  readonly position: number | null;
  readonly sealed_before: number | null;
}

interface WriteParams {
  readonly [name: string]: Param;
  readonly cleared: readonly string[];
  readonly deleted: readonly string[];
  readonly leaving: readonly string[];
  readonly episodes: readonly Param[];
  readonly revisions: readonly Param[];
  readonly threads: readonly Param[];
  readonly contains: readonly Param[];
  readonly preceded: readonly Param[];
  readonly named: readonly string[];
  readonly unnamed: readonly string[];
  readonly progress: readonly Param[];
}

const clear = statement<
  { cleared: readonly string[]; deleted: readonly string[]; leaving: readonly string[] },
  { done: boolean }
>(
  'episode.clear',
  'constraints episode_id, episode_revision, event_id; index episode_thread_episode',
  `CALL () {
     UNWIND $cleared AS id
     CALL (id) { MATCH (v:EpisodeRevision) WHERE v.episode_id = id AND v.recorded_from >= ${FIRST} DELETE v }
     CALL (id) { MATCH (t:EpisodeThread) WHERE t.episode_id = id DELETE t }
     CALL (id) { MATCH (:Episode {id: id})-[f:FOLLOWS]->() DELETE f }
   }
   CALL () {
     UNWIND $deleted AS id
     MATCH (ep:Episode {id: id})
     DETACH DELETE ep
   }
   CALL () {
     UNWIND $leaving AS id
     MATCH (:Event {id: id})<-[c:CONTAINS]-()
     DELETE c
   }
   RETURN true AS done`,
);

const CONTAINS_PROPS = new Columns(
  ['episode_id', 'position', 'observed_at', 'recorded_from', 'role', 'summary', 'threads', 'preceded_by'],
  ['observed_at', 'recorded_from'],
);

/** Instants of an episode. */
const EPISODE_INSTANTS = new Columns(
  ['recorded_from', 'newest_at', 'sealed_at', 'started_at', 'last_at', 'ended_at'],
  ['recorded_from', 'newest_at', 'started_at', 'last_at', 'ended_at'],
  ['sealed_at'],
);

/** Stores the revision `row` of an episode, in place of one of the same beginning. */
export const MERGE_REVISION = `MERGE (v:EpisodeRevision {episode_id: row.episode_id, recorded_from: ${storedInstant('row.recorded_from')}})
     SET v += row.props, v.started_at = ${storedInstant('row.started_at')}, v.ended_at = ${storedInstant('row.ended_at')}`;

const write = statement<WriteParams, { done: boolean }>(
  'episode.write',
  'constraints episode_id, episode_revision, episode_thread, event_id, episode_progress',
  `CALL () {
     UNWIND $episodes AS row
     MERGE (ep:Episode {id: row.id})
     SET ep += row.levels, ep += row.props, ${EPISODE_INSTANTS.set('ep', 'row.instants')}
   }
   CALL () {
     UNWIND $episodes AS row
     MATCH (ep:Episode {id: row.id}), (before:Episode {id: row.follows})
     MERGE (ep)-[:FOLLOWS]->(before)
   }
   CALL () {
     UNWIND $revisions AS row
     ${MERGE_REVISION}
   }
   CALL () {
     UNWIND $threads AS row
     MERGE (t:EpisodeThread {key: row.key, episode_id: row.episode_id})
     SET t.position = row.position, t.first = row.first, t.last = row.last
   }
   CALL () {
     UNWIND $contains AS whole
     MATCH (ep:Episode {id: whole.episode_id})
     UNWIND whole.rows AS row
     MATCH (e:Event {id: row[0]})
     CREATE (ep)-[c:CONTAINS]->(e)
     SET ${CONTAINS_PROPS.set('c', 'row[1]')}
   }
   CALL () {
     UNWIND $preceded AS row
     MATCH (e:Event {id: row.event})
     UNWIND row.by AS id
     MATCH (before:Event {id: id}) WHERE before.tenant = e.tenant
     MERGE (e)-[:PRECEDED_BY]->(before)
   }
   CALL () {
     UNWIND $named AS id
     MATCH (:Event {id: id})<-[c:CONTAINS]-()
     SET c.named = true
   }
   CALL () {
     UNWIND $unnamed AS id
     MATCH (:Event {id: id})<-[c:CONTAINS]-()
     REMOVE c.named
   }
   CALL () {
     UNWIND $progress AS row
     WITH row WHERE row.position IS NOT NULL
     MERGE (p:EpisodeProgress {scope_ref: row.scope_ref})
     SET p.tenant = row.tenant, p.position = row.position, p.sealed_before = coalesce(row.sealed_before, p.sealed_before)
     WITH p, row WHERE row.is_replay
     REMOVE p.postponed_shard, p.postponed_at, p.scope
   }
   CALL () {
     UNWIND $progress AS row
     WITH row WHERE row.position IS NULL
     MATCH (p:EpisodeProgress {scope_ref: row.scope_ref})
     DELETE p
   }
   RETURN true AS done`,
);

/** Writes episodes within a transaction: one round trip, two where something leaves an episode. */
export function writeEpisodes(transaction: Transaction, writes: readonly EpisodeWrites[]): void {
  const cleared = writes.flatMap(({ replayed, deleted }) => [...replayed, ...deleted]);
  const deleted = writes.flatMap((one) => one.deleted);
  const leaving = writes.flatMap((one) => one.leaving);
  if (cleared.length + leaving.length > 0) transaction.send(clear, { cleared, deleted, leaving });
  if (writes.length === 0) return;
  transaction.send(write, {
    cleared,
    deleted,
    leaving,
    episodes: writes.flatMap(({ place, episodes }) => episodes.map((episode) => episodeRow(place, episode))),
    revisions: writes.flatMap(({ episodes }) =>
      episodes.flatMap(({ id, rows }) => rows.map((row) => revisionRow(id, row))),
    ),
    threads: writes.flatMap(({ threads }) => threads.map(threadRow)),
    contains: writes.flatMap(({ contains }) => containsRows(contains)),
    preceded: writes.flatMap(({ contains }) => contains.flatMap(precededRow)),
    named: writes.flatMap((one) => one.named),
    unnamed: writes.flatMap((one) => one.unnamed),
    progress: writes.map(({ place, position, sealed_before, isReplay }) => ({
      scope_ref: place.scope_ref,
      is_replay: isReplay,
      tenant: place.tenant,
      position: intOrNull(position),
      sealed_before: intOrNull(sealed_before),
    })),
  });
}

/** Has the server plan the statements that every consolidation sends by running them on nothing. */
export async function planEpisodes(transaction: Transaction): Promise<void> {
  const nothing = { scopes: [], retracted: [], linked: [], near: [], limit: 0 };
  const loader = new EpisodeLoader(transaction);
  await loader.load(nothing);
  await loader.threads([]);
  const none = {
    episodes: [],
    revisions: [],
    threads: [],
    contains: [],
    preceded: [],
    named: [],
    unnamed: [],
    progress: [],
  };
  await transaction.run(write, { cleared: [], deleted: [], leaving: [], ...none });
}

function episodeRow({ tenant, scope, scope_ref }: EpisodeScope, episode: Episode): Param {
  const { id, first, last, sealed_at, follows } = episode;
  const now = episode.rows.at(-1);
  const levels = levelProps(levelRefs(tenant, scope));
  const props = {
    tenant,
    scope,
    scope_ref,
    shard: int(shardOf(scope_ref)),
    position: int(episode.position),
    // Only what is open can be idle: without it an episode is in no index of the open ones.
    idle_since: sealed_at === null ? int(episode.newest_at) : null,
    event_count: int(episode.count),
    doublings: episode.doublings?.map(int) ?? null,
    follows,
    first_event: first.event_id,
    first_position: int(first.position),
    first_quote: first.quote,
    last_event: last.event_id,
    last_position: int(last.position),
    last_quote: last.quote,
    ...(now === undefined
      ? {}
      : { name: now.name, summary: summaryOf(now), centrality_score: real(now.centrality_score) }),
  };
  const instants = EPISODE_INSTANTS.row({
    recorded_from: int(episode.recorded_from),
    newest_at: int(episode.newest_at),
    sealed_at: intOrNull(sealed_at),
    started_at: int(first.observed_at),
    last_at: int(last.observed_at),
    ended_at: int(sealed_at === null ? OPEN_END : last.observed_at),
  });
  return { id, follows, levels, props, instants };
}

/** A row of an episode as it is stored. */
export function revisionRow(episode_id: string, row: EpisodeRow): Param {
  const { recorded_from, started_at, ended_at, centrality_score, ...texts } = row;
  return {
    episode_id,
    recorded_from: int(recorded_from),
    started_at: int(started_at),
    ended_at: int(ended_at ?? OPEN_END),
    props: { ...texts, centrality_score: real(centrality_score) },
  };
}

function threadRow({ key, episode_id, position, first, last }: Thread): Param {
  return { key, episode_id, position: int(position), first: int(first), last: int(last) };
}

function containsRows(contains: EpisodeWrites['contains']): Param[] {
  const byEpisode = new Map<string, Param[]>();
  for (const one of contains) {
    const rows = byEpisode.get(one.episode_id);
    if (rows === undefined) byEpisode.set(one.episode_id, [containsRow(one)]);
    else rows.push(containsRow(one));
  }
  return [...byEpisode].map(([episode_id, rows]) => ({ episode_id, rows }));
}

/** What an event says led to it. */
function precededRow({ event: { id, preceded_by } }: EpisodeWrites['contains'][number]): Param[] {
  return preceded_by.length === 0 ? [] : [{ event: id, by: preceded_by }];
}

function containsRow({ event, episode_id }: EpisodeWrites['contains'][number]): Param {
  const props = CONTAINS_PROPS.row({
    episode_id,
    position: int(event.position),
    observed_at: int(event.observed_at),
    recorded_from: int(event.recorded_at),
    role: event.role,
    summary: event.quote,
    threads: event.threads,
    preceded_by: event.preceded_by.length === 0 ? null : event.preceded_by,
  });
  return [event.id, props];
}
