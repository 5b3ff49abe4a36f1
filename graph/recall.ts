import type { Integer } from 'neo4j-driver';

import type { SoughtTerms } from '../src/capture/search-words.ts';
import { isEmpty, type Interval } from '../src/time/interval.ts';
import type { Reader } from './driver.ts';
import { VISIBLE, type EventInstants } from './event.ts';
import { searchedParts, sessionQuery, stretchesAt, turnQuery, type PassageFilter } from './passage/query.ts';
import { IN_SESSION, IN_WINDOW } from './passage/window.ts';
import { instant, instantOrNull, type Instant } from './instant.ts';
import { int, statement, type Params, type Statement } from './statement.ts';
import { EVENT_AT, NOT_YET } from './visible.ts';

/** A turn that a search found. */
export interface FoundTurn {
  readonly id: string;
  /** Weighted sum of the BM25 of its texts; comparable within one search only. */
  readonly score: number;
  readonly scope: string;
  readonly observed_actor: string;
  /** Epoch milliseconds. */
  readonly observed_at: number;
  /** Null, as is the segment, for what is no part of a thread. */
  readonly thread: string | null;
  readonly segment: number | null;
  /** Whether it lies outside of the instants and stretches asked for: the index knows days only. */
  readonly outside: boolean;
  /** Tokens of what its line in a context block says, as they were counted when it was indexed; null or left out where they were not. */
  readonly said_tokens?: number | null;
}

/** A session, or a stretch of one, that a search found. */
export interface FoundSession {
  readonly thread: string;
  readonly segment: number;
  /** BM25, weighted as the texts of turns are. */
  readonly score: number;
}

/** What every search is narrowed by. */
interface SearchParams extends Params {
  query: string;
  tenant: string;
  scopes: readonly string[];
  subtrees: readonly string[];
  limit: Integer;
}

/** The same of one for turns. */
export interface TurnParams extends SearchParams {
  valid: Instant | null;
  recorded: Instant;
  observed_from: Instant | null;
  observed_to: Instant | null;
  recorded_from: Instant | null;
  recorded_to: Instant | null;
}

/** The scope is part of the query to the index, and is looked at again: the index is no boundary. */
export const IN_SELECTION = `p.tenant = $tenant AND (p.scope_ref IN $scopes OR any(ref IN $subtrees WHERE ref IN p.scope_tokens))`;

/** Whether the event `e` lies outside of the instants and stretches that are asked for. */
export const OUTSIDE = `NOT (${EVENT_AT})
       OR ($observed_from IS NOT NULL AND (e.observed_at < $observed_from OR e.observed_at >= $observed_to))
       OR ($recorded_from IS NOT NULL AND (e.recorded_at < $recorded_from OR e.recorded_at >= $recorded_to))`;

/** The columns of a {@link FoundTurn} of a passage `p` and its event `e`, but for the score. */
export const FOUND_TURN = `e.id AS id, e.scope AS scope, e.observed_actor AS observed_actor, e.observed_at.epochMillis AS observed_at,
     p.thread AS thread, p.segment AS segment, p.said_tokens AS said_tokens, ${OUTSIDE} AS outside`;

const turns = statement<TurnParams, FoundTurn>(
  'recall.turns',
  'full-text index passage_text',
  `CALL db.index.fulltext.queryNodes('passage_text', $query, {limit: $limit}) YIELD node AS p, score
   WITH p, score WHERE ${IN_SELECTION}
   MATCH (p)-[:OF]->(e:Event) WHERE ${VISIBLE}
   RETURN score, ${FOUND_TURN}`,
);

const pastTurns = statement<TurnParams, FoundTurn & { readonly beside_later: boolean }>(
  'recall.past_turns',
  'full-text index passage_text; index passage_place, a bounded number of rows for each turn',
  `CALL db.index.fulltext.queryNodes('passage_text', $query, {limit: $limit}) YIELD node AS p, score
   WITH p, score WHERE ${IN_SELECTION}
   MATCH (p)-[:OF]->(e:Event) WHERE ${VISIBLE}
   RETURN score, ${FOUND_TURN}, EXISTS {
     MATCH (n:Passage)-[:OF]->(later:Event) USING INDEX SEEK n:Passage(thread, place)
     WHERE n.thread = p.thread AND ${IN_WINDOW} AND ${NOT_YET}
   } AS beside_later`,
);

const sessions = statement<SearchParams, FoundSession>(
  'recall.sessions',
  'full-text index passage_text',
  `CALL db.index.fulltext.queryNodes('passage_text', $query, {limit: $limit}) YIELD node AS p, score
   WITH p, score WHERE ${IN_SELECTION}
   RETURN p.thread AS thread, p.segment AS segment, score`,
);

const pastSessions = statement<
  SearchParams & { readonly valid: Instant | null; readonly recorded: Instant },
  FoundSession
>(
  'recall.past_sessions',
  'full-text index passage_text; index passage_place, a bounded number of rows for each session',
  `CALL db.index.fulltext.queryNodes('passage_text', $query, {limit: $limit}) YIELD node AS p, score
   WITH p, score WHERE ${IN_SELECTION} AND NOT EXISTS {
     MATCH (n:Passage)-[:OF]->(later:Event) USING INDEX SEEK n:Passage(thread, place)
     WHERE n.thread = p.thread AND ${IN_SESSION} AND ${NOT_YET}
   }
   RETURN p.thread AS thread, p.segment AS segment, score`,
);

/** What a search is narrowed to. */
export interface RecallSearch extends PassageFilter {
  readonly tenant: string;
  readonly at: EventInstants;
  /** Whether the instants lie in the past, so that what stands around a turn may have been said later. */
  readonly past: boolean;
}

/** Searches the words of events and of what stands around them; every scope that it is handed was authorised before. */
export class RecallReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /**
   * At most `limit` turns that hold any of some words, in no order. One round trip; for more than 256 scopes several beside one another,
   * and in the past twice as many: there a turn beside which something was said later counts by its own words alone.
   */
  async turns(words: readonly SoughtTerms[], search: RecallSearch, limit: number): Promise<FoundTurn[]> {
    const stretches = stretchesAt(search, search.at);
    if (Object.values(stretches).some((during) => during !== null && isEmpty(during))) return [];
    const read = <Row extends FoundTurn>(text: Statement<TurnParams, Row>, alone: boolean): Promise<Row[]> =>
      bestOf(search, limit, (part) =>
        this.reader.read(text, turnParams(part, turnQuery(words, { ...part, ...stretches }, alone), limit)),
      );
    if (!search.past || words.length === 0) return read(turns, false);
    const [found, own] = await Promise.all([read(pastTurns, false), read(turns, true)]);
    const scores = new Map(own.map(({ id, score }) => [id, score]));
    return found.map(({ beside_later, ...turn }) => {
      if (!beside_later) return turn;
      const score = scores.get(turn.id);
      return { ...turn, score: score ?? 0, outside: turn.outside || score === undefined };
    });
  }

  /** At most `limit` sessions, the same way; in the past those in which nothing was said later. */
  sessions(words: readonly SoughtTerms[], search: RecallSearch, limit: number): Promise<FoundSession[]> {
    const { valid, recorded } = search.at;
    return bestOf(search, limit, (part) => {
      const params = paramsOf(part, sessionQuery(words, part), limit);
      return search.past
        ? this.reader.read(pastSessions, {
            ...params,
            valid: instantOrNull(valid),
            recorded: instant(recorded),
          })
        : this.reader.read(sessions, params);
    });
  }
}

/** The best rows of the parts of a search. */
async function bestOf<Row extends { readonly score: number }>(
  search: RecallSearch,
  limit: number,
  read: (part: RecallSearch) => Promise<Row[]>,
): Promise<Row[]> {
  const parts = searchedParts(search.selection);
  const rows = await Promise.all(parts.map((selection) => read({ ...search, selection })));
  const [only = []] = rows;
  if (rows.length <= 1) return only;
  return rows
    .flat()
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

/** What a search for turns is narrowed by, with the query to the full-text index. */
export function turnParams(search: RecallSearch, query: string, limit: number): TurnParams {
  return {
    ...paramsOf(search, query, limit),
    valid: instantOrNull(search.at.valid),
    recorded: instant(search.at.recorded),
    ...bounds('observed', search.observed),
    ...bounds('recorded', search.recorded),
  } as TurnParams;
}

function paramsOf({ tenant, selection }: RecallSearch, query: string, limit: number): SearchParams {
  const subtrees = selection.subtrees.map(({ ref }) => ref);
  return { query, tenant, scopes: selection.scopes, subtrees, limit: int(limit) };
}

function bounds(axis: string, during: Interval | null): Params {
  return {
    [`${axis}_from`]: instantOrNull(during?.from ?? null),
    [`${axis}_to`]: instantOrNull(during?.to ?? null),
  };
}
