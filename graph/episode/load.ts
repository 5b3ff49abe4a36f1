import type { Integer } from 'neo4j-driver';

import type {
  Episode,
  EpisodeEnd,
  EpisodeEvent,
  SealEntry,
  Thread,
} from '../../src/derive/episode/episode.ts';
import type { Transaction } from '../driver.ts';
import { int, statement, type Param } from '../statement.ts';
import { IN_NO_EPISODE, TAKEN_OUT } from '../visible.ts';
import { isPostponed, LEAVES } from './leaving.ts';

/** Where a scope lies. */
export interface EpisodeScope {
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
}

/** What has to be known before events are added to episodes. Instants are epoch milliseconds. */
export interface EpisodeRequest {
  /** References of the scopes of the events. */
  readonly scopes: readonly string[];
  /** Ids of events that were taken out. */
  readonly retracted: readonly string[];
  /** Ids of events that others say led to them. */
  readonly linked: readonly string[];
  /** Threads, each with the instant that its events must not end before to be near. */
  readonly near: readonly { readonly key: string; readonly from: number }[];
  /** Threads read at most for each of `near`. */
  readonly limit: number;
}

/** How far a scope is. */
export interface ScopeProgress {
  readonly scope_ref: string;
  /** Place of the newest event that is in an episode; null when none is. */
  readonly position: number | null;
  /** Entries that seal, so far as they were not carried out, in no order. */
  readonly seals: readonly SealEntry[];
}

/** An episode as it is stored, without its revisions, and the scope that it is in. */
export interface StoredEpisode extends EpisodeScope {
  readonly episode: Episode;
}

/** A scope of which events leave their episodes. */
export interface LeavingScope extends EpisodeScope {
  /** Whether some of them were redacted, or their part in episodes forgotten: of these there may be very many. So too where a replay is left for later. */
  readonly leaves: boolean;
}

/** What was found. */
export interface FoundEpisodes {
  readonly progress: readonly ScopeProgress[];
  /** Scopes of the events that were taken out, so far as they were in episodes. */
  readonly stale: readonly LeavingScope[];
  readonly episodes: readonly StoredEpisode[];
  readonly threads: readonly Thread[];
  /** The episodes of linked events. */
  readonly places: readonly { readonly event_id: string; readonly episode_id: string }[];
}

/** All of one scope that its episodes are told from, and the episodes as they are. */
export interface WholeScope {
  /** Events that are in an episode; `excluded` ones were taken out of the log, or are to be in none, since. */
  readonly events: readonly (EpisodeEvent & {
    readonly episode_id: string;
    readonly excluded: boolean;
    /** Whether it is marked as named by another one as what led to it. */
    readonly named: boolean;
  })[];
  /** All entries that seal, and up to which `idle_before` they were carried out; null for none. */
  readonly seals: readonly SealEntry[];
  readonly sealed_before: number | null;
  /** Whether the scope is being deleted with all that is in it. */
  readonly deleting: boolean;
  readonly episodes: readonly {
    readonly id: string;
    readonly sealed_at: number | null;
    readonly follows: string | null;
    /** Its events, as they were counted last. */
    readonly count: number;
  }[];
}

/** What is stored on an episode of what it goes on from. */
export interface EpisodeNode extends EpisodeScope {
  readonly id: string;
  readonly position: number;
  readonly recorded_from: number;
  readonly newest_at: number;
  readonly event_count: number;
  /** Null where an earlier version wrote it. */
  readonly doublings: readonly number[] | null;
  readonly sealed_at: number | null;
  readonly follows: string | null;
  readonly first_event: string;
  readonly started_at: number;
  readonly first_position: number;
  readonly first_quote: string;
  readonly last_event: string;
  readonly last_at: number;
  readonly last_position: number;
  readonly last_quote: string;
}

/** Part of a statement that reads it of an episode `ep`. */
export const EPISODE_NODE = `ep {.id, .tenant, .scope, .scope_ref, .position, recorded_from: ep.recorded_from.epochMillis, newest_at: ep.newest_at.epochMillis, .event_count,
  .doublings, sealed_at: ep.sealed_at.epochMillis, .follows, .first_event, started_at: ep.started_at.epochMillis, .first_position, .first_quote,
  .last_event, last_at: ep.last_at.epochMillis, .last_position, .last_quote}`;
const SEAL = `l {.after_offset, recorded_at: l.recorded_at.epochMillis, .idle_before}`;

interface LoadRow {
  readonly progress: ScopeProgress[];
  readonly stale: LeavingScope[];
  readonly nodes: EpisodeNode[];
  readonly threads: Thread[];
  readonly places: { event_id: string; episode_id: string }[];
}

interface LoadParams {
  readonly [name: string]: Param;
  readonly scopes: readonly string[];
  readonly retracted: readonly string[];
  readonly linked: readonly string[];
  readonly near: readonly Param[];
  readonly limit: Integer;
}

const load = statement<LoadParams, LoadRow>(
  'episode.load',
  'constraints episode_progress, event_id, episode_id; indexes log_entry_seal, episode_thread_end',
  `CALL () {
     UNWIND $scopes AS ref
     OPTIONAL MATCH (p:EpisodeProgress {scope_ref: ref})
     CALL (ref, p) {
       MATCH (l:LogEntry) USING INDEX SEEK l:LogEntry(sealed_scope, idle_before)
       WHERE l.sealed_scope = ref AND l.idle_before > coalesce(p.sealed_before, -9223372036854775807)
       RETURN collect(${SEAL}) AS seals
     }
     RETURN collect({scope_ref: ref, position: p.position, seals: seals}) AS progress
   }
   CALL () {
     UNWIND $retracted AS id
     MATCH (e:Event {id: id})<-[:CONTAINS]-(ep:Episode)
     WITH ep.tenant AS tenant, ep.scope AS scope, ep.scope_ref AS scope_ref, true IN collect(${LEAVES}) AS leaves
     RETURN collect({tenant: tenant, scope: scope, scope_ref: scope_ref, leaves: leaves OR ${isPostponed('scope_ref')}}) AS stale
   }
   CALL () {
     UNWIND $linked AS id
     MATCH (:Event {id: id})<-[:CONTAINS]-(ep:Episode)
     RETURN collect({event_id: id, episode_id: ep.id}) AS places
   }
   CALL () {
     UNWIND $near AS near
     CALL (near) {
       MATCH (t:EpisodeThread) USING INDEX SEEK t:EpisodeThread(key, last, position)
       WHERE t.key = near.key AND t.last >= near.from AND t.position >= 0
       WITH t ORDER BY t.key, t.last, t.position LIMIT $limit
       RETURN t
       UNION
       MATCH (t:EpisodeThread) USING INDEX SEEK t:EpisodeThread(key, last, position)
       WHERE t.key = near.key AND t.last < near.from AND t.position >= 0
       WITH t ORDER BY t.key DESC, t.last DESC, t.position DESC LIMIT 1
       RETURN t
     }
     RETURN collect(DISTINCT t {.key, .episode_id, .position, .first, .last}) AS threads
   }
   CALL (places, threads) {
     UNWIND [t IN threads | t.episode_id] + [place IN places | place.episode_id] AS id
     WITH DISTINCT id
     MATCH (ep:Episode {id: id})
     RETURN collect(${EPISODE_NODE}) AS nodes
   }
   RETURN progress, stale, places, threads, nodes`,
);

const threadsOf = statement<{ pairs: readonly Param[] }, Thread>(
  'episode.threads',
  'constraint episode_thread',
  `UNWIND $pairs AS pair
   MATCH (t:EpisodeThread {key: pair.key, episode_id: pair.episode_id})
   RETURN t.key AS key, t.episode_id AS episode_id, t.position AS position, t.first AS first, t.last AS last`,
);

const whole = statement<{ ref: string }, WholeScope>(
  'episode.whole_scope',
  'indexes episode_place, log_entry_seal; constraints episode_progress, scope_ref',
  `OPTIONAL MATCH (p:EpisodeProgress {scope_ref: $ref})
   CALL () {
     MATCH (ep:Episode) USING INDEX SEEK ep:Episode(scope_ref, position) WHERE ep.scope_ref = $ref AND ep.position >= 0
     RETURN collect(ep {.id, sealed_at: ep.sealed_at.epochMillis, .follows, count: ep.event_count}) AS episodes
   }
   CALL () {
     MATCH (ep:Episode) USING INDEX SEEK ep:Episode(scope_ref, position) WHERE ep.scope_ref = $ref AND ep.position >= 0
     MATCH (ep)-[c:CONTAINS]->(e:Event)
     RETURN collect(c {.episode_id, .position, observed_at: c.observed_at.epochMillis, .threads, .role, id: e.id, recorded_at: c.recorded_from.epochMillis,
       preceded_by: coalesce(c.preceded_by, []), quote: c.summary,
       named: c.named IS NOT NULL, excluded: ${TAKEN_OUT} OR ${IN_NO_EPISODE}}) AS events
   }
   CALL () {
     MATCH (l:LogEntry) USING INDEX SEEK l:LogEntry(sealed_scope, idle_before)
     WHERE l.sealed_scope = $ref AND l.idle_before > -9223372036854775807
     RETURN collect(${SEAL}) AS seals
   }
   RETURN episodes, events, seals, p.sealed_before AS sealed_before,
     EXISTS { MATCH (s:Scope) USING INDEX SEEK s:Scope(ref) WHERE s.ref = $ref AND s.deleting_through >= 0 } AS deleting`,
);

/** Reads episodes within the transaction that changes them. */
export class EpisodeLoader {
  private readonly transaction: Transaction;

  constructor(transaction: Transaction) {
    this.transaction = transaction;
  }

  /** What a batch of events needs to know: one round trip. */
  async load({ near, limit, ...ids }: EpisodeRequest): Promise<FoundEpisodes> {
    const from = near.map((one) => ({ key: one.key, from: int(one.from) }));
    const [row] = await this.transaction.run(load, { ...ids, near: from, limit: int(limit) });
    if (row === undefined) throw new Error('a statement without its row');
    const { nodes, ...found } = row;
    return { ...found, episodes: nodes.map(storedEpisode) };
  }

  /** Threads of episodes; those that are not there are left out. */
  threads(pairs: readonly { readonly key: string; readonly episode_id: string }[]): Promise<Thread[]> {
    return this.transaction.run(threadsOf, { pairs: pairs.map((pair) => ({ ...pair })) });
  }

  /** Everything of a scope. */
  async whole(scopeRef: string): Promise<WholeScope> {
    const [row] = await this.transaction.run(whole, { ref: scopeRef });
    if (row === undefined) throw new Error('a statement without its row');
    return row;
  }
}

/** An episode as a node says it. */
export function storedEpisode(node: EpisodeNode): StoredEpisode {
  const { tenant, scope, scope_ref, id, position, recorded_from, newest_at, sealed_at, follows } = node;
  const first: EpisodeEnd = {
    event_id: node.first_event,
    observed_at: node.started_at,
    position: node.first_position,
    quote: node.first_quote,
  };
  const last: EpisodeEnd = {
    event_id: node.last_event,
    observed_at: node.last_at,
    position: node.last_position,
    quote: node.last_quote,
  };
  const count = node.event_count;
  const episode = {
    id,
    position,
    recorded_from,
    first,
    last,
    newest_at,
    count,
    doublings: node.doublings,
    sealed_at,
    follows,
    rows: [],
  };
  return { tenant, scope, scope_ref, episode };
}
