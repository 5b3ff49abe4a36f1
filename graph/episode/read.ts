import type { ScopeSelection } from '../scope-selection.ts';
import type { Integer } from 'neo4j-driver';

import type { EpisodeContent, KnownEpisode } from '../../src/derive/episode/item.ts';
import type { Reader } from '../driver.ts';
import type { LogOffsets } from '../log-offset.ts';
import { isBare, newestOf, scopeOf, subtreeWalks, type BareParams, type WalkedRow } from '../record-walk.ts';
import { INDEXED_LEVELS } from '../schema.ts';
import { instant, instantOrNull, type Instant } from '../instant.ts';
import { int, statement, type Params, type Statement } from '../statement.ts';
import { TAKEN_OUT } from '../visible.ts';

/** Which episodes a walk is to show, and as of when. Epoch milliseconds. */
export interface EpisodeFilter {
  /** What was known then. */
  readonly recorded: number;
  /** Only what had begun by then; null for any. */
  readonly valid: number | null;
  /** Only what goes on within; a side that is null is open. */
  readonly from: number | null;
  readonly to: number | null;
}

/** An episode with how many events it has now. */
export interface ReadEpisode extends KnownEpisode {
  readonly event_count: number;
}

/** One row of a walk: an episode that is wanted, or the place of one that is not, or of any. */
export interface WalkedEpisode extends WalkedRow {
  readonly episode: ReadEpisode | null;
}

interface AtParams extends Params {
  recorded: Instant;
  valid: Instant | null;
  from: Instant | null;
  to: Instant | null;
}

interface WalkParams extends AtParams, BareParams {
  before: Integer;
  scan: Integer;
}

/** The newest revision `v` of an episode `ep` that was known; null where none was, and where `only` is not so. */
const known = (only = 'true'): string => `OPTIONAL CALL (ep) {
     UNWIND CASE WHEN ${only} THEN [ep.id] ELSE [] END AS sought
     CALL (sought) {
       MATCH (v:EpisodeRevision) USING INDEX SEEK v:EpisodeRevision(episode_id, recorded_from)
       WHERE v.episode_id = sought AND v.recorded_from <= $recorded
       WITH v ORDER BY v.episode_id DESC, v.recorded_from DESC LIMIT 1
       RETURN v
     }
     RETURN v
   }`;
const WANTED = `v IS NOT NULL AND ($valid IS NULL OR v.started_at <= $valid)
     AND ($to IS NULL OR v.started_at < $to) AND ($from IS NULL OR v.ended_at >= $from)`;
const EPISODE = `ep {.id, .tenant, .scope, .position, recorded_from: ep.recorded_from.epochMillis, .follows, .event_count, name: v.name, opening: v.opening,
     closing: v.closing, started_at: v.started_at.epochMillis, ended_at: v.ended_at.epochMillis, centrality_score: v.centrality_score}`;
/** Goes on from the episodes `ep` of a walk, of which those are not looked at for which `within` is not so. */
const walked = (
  within?: string,
): string => `${known(`NOT $bare${within === undefined ? '' : ` AND ${within}`}`)}
   RETURN ep.position AS position, ep.id AS id, ${scopeOf('ep', within)}, CASE WHEN ${WANTED} THEN ${EPISODE} END AS episode`;

const scanScopes = statement<WalkParams & { refs: readonly string[] }, WalkedEpisode>(
  'episode.scan_scopes',
  'indexes episode_place, walked in order once per scope, and episode_revision',
  `UNWIND $refs AS ref
   CALL (ref) {
     MATCH (ep:Episode) USING INDEX SEEK ep:Episode(scope_ref, position) WHERE ep.scope_ref = ref AND ep.position <= $before
     WITH ep ORDER BY ep.scope_ref DESC, ep.position DESC LIMIT $scan
     RETURN ep
   }
   WITH ep ORDER BY ep.position DESC LIMIT $scan
   ${walked()}`,
);

const DEEPER = Array.from({ length: 32 - INDEXED_LEVELS }, (_, i) => `ep.a${INDEXED_LEVELS + i}`).join(', ');

/** One text per indexed level, since a property name cannot be a parameter; `within` narrows the last one to deeper scopes. */
const scanSubtree: readonly Statement<WalkParams & { ref: string; within: string | null }, WalkedEpisode>[] =
  Array.from({ length: INDEXED_LEVELS }, (_, level) =>
    statement(
      `episode.scan_subtree_a${level}`,
      `indexes episode_a${level}, walked in order, and episode_revision`,
      `MATCH (ep:Episode) USING INDEX SEEK ep:Episode(a${level}, position) WHERE ep.a${level} = $ref AND ep.position <= $before
       WITH ep ORDER BY ep.a${level} DESC, ep.position DESC LIMIT $scan
       ${walked(`($within IS NULL OR $within IN [${level === INDEXED_LEVELS - 1 ? DEEPER : ''}])`)}`,
    ),
  );

const byIds = statement<
  AtParams & { ids: readonly string[]; tenant: string | null },
  { episode: ReadEpisode | null }
>(
  'episode.by_ids',
  'constraints episode_id, episode_revision',
  `UNWIND $ids AS id
   MATCH (ep:Episode {id: id}) WHERE $tenant IS NULL OR ep.tenant = $tenant
   ${known()}
   RETURN CASE WHEN ${WANTED} THEN ${EPISODE} END AS episode`,
);

/** The first events `e` of the episode `sought` as known and observed by the instants, in their order, with the edges `c`. */
const FIRST_EVENTS = `MATCH ()-[c:CONTAINS]->(e:Event) USING INDEX SEEK c:CONTAINS(episode_id, observed_at, position)
     WHERE c.episode_id = sought AND c.observed_at <= $until AND c.position >= 0 AND c.recorded_from <= $recorded
       AND NOT ${TAKEN_OUT}
     WITH c, e ORDER BY c.episode_id, c.observed_at, c.position LIMIT $most`;

const shortByIds = statement<
  AtParams & { ids: readonly string[]; tenant: string | null; until: Instant; most: Integer },
  { episode: ReadEpisode; events: string[] }
>(
  'episode.short',
  'constraints episode_id, episode_revision; index contains_place, walked in order once per episode',
  `UNWIND $ids AS id
   MATCH (ep:Episode {id: id}) WHERE $tenant IS NULL OR ep.tenant = $tenant
   ${known()}
   WITH ep, v WHERE ${WANTED}
   CALL (ep) {
     UNWIND [ep.id] AS sought
     CALL (sought) {
       ${FIRST_EVENTS}
       RETURN e.id AS event
     }
     RETURN collect(event) AS events
   }
   RETURN ${EPISODE} AS episode, events`,
);

const contents = statement<
  { ids: readonly string[]; recorded: Instant; until: Instant; most: Integer; chain: boolean },
  { id: string; contents: EpisodeContent[] }
>(
  'episode.contents',
  'index contains_place, walked in order once per episode',
  `UNWIND $ids AS sought
   CALL (sought) {
     ${FIRST_EVENTS}
     RETURN collect({event: e.id, role: c.role, summary: CASE WHEN $chain THEN c.summary ELSE '' END}) AS contents
   }
   RETURN sought AS id, contents`,
);

/** Reads episodes; every tenant and scope is authorised before or after by the caller. */
export class EpisodeReader {
  private readonly reader: Reader;
  private readonly log: LogOffsets;

  constructor(reader: Reader, log: LogOffsets) {
    this.reader = reader;
    this.log = log;
  }

  /**
   * At most `scan` rows of a selection at or below a position, newest first; places alone of one that may partly not be read. Fewer mean
   * that the end was reached.
   */
  async scan(
    selection: ScopeSelection,
    filter: EpisodeFilter,
    before: number,
    scan: number,
  ): Promise<WalkedEpisode[]> {
    const from = await this.log.bound(before, filter.recorded);
    const params = { ...paramsOf(filter), before: int(from), scan: int(scan), ...isBare(selection) };
    const walks: Promise<WalkedEpisode[]>[] = [];
    if (selection.scopes.length > 0)
      walks.push(this.reader.read(scanScopes, { ...params, refs: selection.scopes }));
    walks.push(...subtreeWalks(this.reader, scanSubtree, params, selection.subtrees));
    return newestOf(await Promise.all(walks), scan);
  }

  /** Those of the episodes that were known and had begun, of one tenant or (null) of any, by id; of these what else is filtered by. */
  async byIds(
    ids: readonly string[],
    tenant: string | null,
    at: Pick<EpisodeFilter, 'recorded' | 'valid'> & Partial<EpisodeFilter>,
  ): Promise<Map<string, ReadEpisode>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reader.read(byIds, { ...paramsOf({ from: null, to: null, ...at }), ids, tenant });
    return new Map(rows.flatMap(({ episode }) => (episode === null ? [] : [[episode.id, episode] as const])));
  }

  /** The same with the ids of the first of their events, at most `most` of each, as {@link contents} reads them. One round trip. */
  async shortByIds(
    ids: readonly string[],
    tenant: string | null,
    { recorded, valid }: Pick<EpisodeFilter, 'recorded' | 'valid'>,
    { until, most }: { readonly until: number; readonly most: number },
  ): Promise<{ readonly episode: ReadEpisode; readonly events: readonly string[] }[]> {
    if (ids.length === 0) return [];
    const at = paramsOf({ recorded, valid, from: null, to: null });
    return this.reader.read(shortByIds, { ...at, ids, tenant, until: instant(until), most: int(most) });
  }

  /** The first events of episodes as known at an instant and observed by another, at most `most` of each, by id of the episode; without `chain` what they say is left out. */
  async contents(
    ids: readonly string[],
    { recorded, until }: { readonly recorded: number; readonly until: number },
    { most, chain }: { readonly most: number; readonly chain: boolean },
  ): Promise<Map<string, readonly EpisodeContent[]>> {
    if (ids.length === 0) return new Map();
    const params = { ids, recorded: instant(recorded), until: instant(until), most: int(most), chain };
    const rows = await this.reader.read(contents, params);
    return new Map(rows.map((row) => [row.id, row.contents]));
  }
}

function paramsOf({ recorded, valid, from, to }: EpisodeFilter): AtParams {
  return {
    recorded: instant(recorded),
    valid: instantOrNull(valid),
    from: instantOrNull(from),
    to: instantOrNull(to),
  };
}
