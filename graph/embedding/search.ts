import type { Integer } from 'neo4j-driver';

import type { Reader } from '../driver.ts';
import { filtersVectors, VECTOR_FIELDS, type VectorField } from './vector-index.ts';
import { VISIBLE } from '../event.ts';
import { narrowedQuery, searchedParts, stretchesAt } from '../passage/query.ts';
import { tagTest, type TagTest } from '../passage/tags.ts';
import {
  FOUND_TURN,
  IN_SELECTION,
  OUTSIDE,
  turnParams,
  type FoundTurn,
  type RecallSearch,
  type TurnParams,
} from '../recall.ts';
import { INDEXED_LEVELS } from '../schema.ts';
import { int, real, statement, type Real, type Statement } from '../statement.ts';
import { isEmpty } from '../../src/time/interval.ts';
import { RECALL_MOST_TURNS, RECALL_WIDEN } from '../../src/limits/recall.ts';

/** Turns of which the vectors are compared one by one where a search is narrowed: some 50 ms; of more the index is asked. */
export const RECALL_EXACT_VECTORS = 2_000;

interface VectorParams extends TurnParams {
  readonly generation: Integer;
  readonly vector: readonly Real[];
  /** Whether the tags of what is found are wanted, to look at them again. */
  readonly tagged: boolean;
}

/** A turn that an index of vectors brought. */
type IndexedTurn = FoundTurn & { readonly tags: readonly string[] | null };

/** Vectors of another model, or of several, say nothing. */
const SEARCHABLE = `MATCH (d:Deployment {id: 'deployment'}) WHERE d.embedding_generation = $generation AND d.embedding_ready`;

const LOOK_AGAIN = `WITH p, score WHERE ${IN_SELECTION}
   MATCH (p)-[:OF]->(e:Event) WHERE ${VISIBLE}
   RETURN score, CASE WHEN $tagged THEN p.tags END AS tags, ${FOUND_TURN}`;

/** One text for each vector and property that the index narrows by, since neither can be a parameter. */
const nearestBy = (
  field: VectorField,
  property: string,
): Statement<VectorParams & { refs: readonly string[] }, IndexedTurn> =>
  statement(
    `embedding.nearest_${field}_${property}`,
    `vector index passage_${field}, narrowed within it; the scope is checked again on the node`,
    `${SEARCHABLE}
   MATCH (p:Passage)
     SEARCH p IN (VECTOR INDEX passage_${field} FOR $vector WHERE p.${property} IN $refs LIMIT $limit) SCORE AS score
   ${LOOK_AGAIN}`,
    { cypher25: true },
  );

const LEVELS = Array.from({ length: INDEXED_LEVELS }, (_, level) => level);

const nearest = Object.fromEntries(
  VECTOR_FIELDS.map((field) => [
    field,
    { scopes: nearestBy(field, 'scope_ref'), below: LEVELS.map((level) => nearestBy(field, `a${level}`)) },
  ]),
) as Record<VectorField, { scopes: ReturnType<typeof nearestBy>; below: ReturnType<typeof nearestBy>[] }>;

const nearestOfAll = Object.fromEntries(
  VECTOR_FIELDS.map((field) => [
    field,
    statement<VectorParams, IndexedTurn>(
      `embedding.nearest_${field}`,
      `vector index passage_${field}; what is found elsewhere is left out`,
      `${SEARCHABLE}
   CALL db.index.vector.queryNodes('passage_${field}', $limit, $vector) YIELD node AS p, score
   ${LOOK_AGAIN}`,
    ),
  ]),
) as Record<VectorField, Statement<VectorParams, IndexedTurn>>;

/** The best passages `p` by a `score`, as a list of maps; what has no such vector says nothing. */
const BEST = `WHERE score IS NOT NULL
     WITH p, score ORDER BY score DESC LIMIT $limit
     MATCH (p)-[:OF]->(e:Event)
     WITH score, ${FOUND_TURN}
     RETURN collect({score: score, id: id, scope: scope, observed_actor: observed_actor, observed_at: observed_at,
       thread: thread, segment: segment, said_tokens: said_tokens, outside: outside})`;

// An event is looked up for each turn by itself: else the plan that is made on an empty store scans the relationships.
/** The best by each vector, and how many turns were compared; `around`: whether by their windows too. */
const compare = statement<
  VectorParams & { most: Integer; around: boolean },
  NearestTurns & { readonly compared: number }
>(
  'embedding.compare',
  'full-text index passage_text, which is handed the number of rows that are compared',
  `${SEARCHABLE}
   CALL db.index.fulltext.queryNodes('passage_text', $query, {limit: $most}) YIELD node AS p
   WITH collect(p) AS narrowed
   CALL (narrowed) {
     UNWIND narrowed AS p
     WITH p WHERE (p.vector IS NOT NULL OR p.window_vector IS NOT NULL) AND ${IN_SELECTION}
     CALL (p) {
       MATCH (p)-[:OF]->(e:Event) WHERE ${VISIBLE} AND NOT (${OUTSIDE})
       RETURN e
     }
     RETURN collect(p) AS turns
   }
   CALL (turns) {
     UNWIND turns AS p
     WITH p, vector.similarity.cosine(p.vector, $vector) AS score ${BEST} AS vector
   }
   CALL (turns) {
     UNWIND CASE WHEN $around THEN turns ELSE [] END AS p
     WITH p, vector.similarity.cosine(p.window_vector, $vector) AS score ${BEST} AS window_vector
   }
   RETURN size(narrowed) AS compared, vector, window_vector`,
);

/** What is nearest to a vector, by each vector of a turn. */
export type NearestTurns = Record<VectorField, FoundTurn[]>;

export const NOTHING_NEAR: NearestTurns = { vector: [], window_vector: [] };

/** Searches the vectors of turns; every scope that it is handed was authorised before. */
export class VectorReader {
  private readonly reader: Reader;
  private readonly filters: boolean;

  constructor(reader: Reader, serverVersion: string) {
    this.reader = reader;
    this.filters = filtersVectors(serverVersion);
  }

  /**
   * At most `limit` turns by each vector, in no order; in the past by their own alone, since what stands around one may have been said
   * later. Where filters or days narrow a search, or the server cannot narrow within the index, what it is narrowed to is compared one by
   * one as far as that is not much; else the index is asked, for more and more until enough of it is asked for. One round trip for each
   * vector (one more for each level of subtrees, up to four times as many), or one for both.
   */
  async nearest(
    vector: Float32Array,
    search: RecallSearch,
    at: { generation: number; limit: number },
  ): Promise<NearestTurns> {
    const stretches = stretchesAt(search, search.at);
    if (Object.values(stretches).some((during) => during !== null && isEmpty(during))) return NOTHING_NEAR;
    const paramsOf = (part: RecallSearch): VectorParams => ({
      ...turnParams(part, narrowedQuery({ ...part, ...stretches }), at.limit),
      generation: int(at.generation),
      vector: Array.from(vector, real),
      tagged: tagTest(search) !== null,
    });
    const exact = isNarrowed(search) || !this.filters ? await this.compared(search, paramsOf) : null;
    return exact ?? this.indexed(search, paramsOf(search));
  }

  /** Has the server plan the statements, which find nothing: no generation has this number. */
  async plan(search: RecallSearch, isWanted: () => boolean): Promise<void> {
    const params = {
      ...turnParams(search, narrowedQuery(search), 1),
      generation: int(-1),
      vector: [real(1)],
      tagged: false,
    };
    const read = async <P extends VectorParams>(text: Statement<P, unknown>, more: P): Promise<void> => {
      if (isWanted()) await this.reader.read(text, more);
    };
    await read(compare, { ...params, most: int(1), around: true });
    for (const field of VECTOR_FIELDS) {
      const { scopes, below } = nearest[field];
      if (!this.filters) await read(nearestOfAll[field], params);
      else for (const text of [scopes, ...below]) await read(text, { ...params, refs: [] });
    }
  }

  /** What a search is narrowed to, compared one by one; null where that is too much. */
  private async compared(
    search: RecallSearch,
    paramsOf: (part: RecallSearch) => VectorParams,
  ): Promise<NearestTurns | null> {
    const bounds = { most: int(RECALL_EXACT_VECTORS), around: !search.past };
    const parts = await Promise.all(
      searchedParts(search.selection).map((selection) =>
        this.reader.read(compare, { ...paramsOf({ ...search, selection }), ...bounds }),
      ),
    );
    const found = parts.flat();
    if (found.some(({ compared }) => compared >= RECALL_EXACT_VECTORS)) return null;
    const { limit } = paramsOf(search);
    const by = (field: VectorField): FoundTurn[] =>
      best(
        found.flatMap((part) => part[field]),
        limit,
      );
    return { vector: by('vector'), window_vector: by('window_vector') };
  }

  private async indexed(search: RecallSearch, params: VectorParams): Promise<NearestTurns> {
    const [own, around] = await Promise.all([
      this.enough('vector', search, params),
      search.past ? [] : this.enough('window_vector', search, params),
    ]);
    return { vector: own, window_vector: around };
  }

  /** The nearest that the index brings and that are asked for: more and more, until there are enough. */
  private async enough(field: VectorField, search: RecallSearch, params: VectorParams): Promise<FoundTurn[]> {
    const wanted = Number(params.limit);
    const fits = tagTest(search);
    const whole = this.filters && !isNarrowed(search);
    for (let limit = wanted; ; limit *= RECALL_WIDEN) {
      const asked = { ...params, limit: int(Math.min(limit, RECALL_MOST_TURNS)) };
      const rows = await (this.filters
        ? this.within(field, asked, search)
        : this.reader.read(nearestOfAll[field], asked));
      const found = rows.filter((row) => !row.outside && hasTags(row, fits));
      if (whole || found.length >= wanted || limit >= RECALL_MOST_TURNS)
        return best(
          found.map(({ tags: _, ...turn }) => turn),
          params.limit,
        );
    }
  }

  private async within(
    field: VectorField,
    params: VectorParams,
    { selection }: RecallSearch,
  ): Promise<IndexedTurn[]> {
    const { scopes, below } = nearest[field];
    const levels = below.map((text, level) => ({
      text,
      // What lies deeper than the levels of the index is found by the last of them, and looked at again.
      refs: selection.subtrees
        .filter((one) => Math.min(one.level, INDEXED_LEVELS - 1) === level)
        .flatMap(({ levels: of, ref }) => of[level] ?? ref),
    }));
    const found = await Promise.all(
      [{ text: scopes, refs: selection.scopes }, ...levels]
        .filter(({ refs }) => refs.length > 0)
        .map(({ text, refs }) => this.reader.read(text, { ...params, refs })),
    );
    return [...new Map(found.flat().map((turn) => [turn.id, turn])).values()];
  }
}

/** Whether more than its scopes narrows a search, which no index of vectors knows of. */
function isNarrowed({ past, filter, observed, recorded, refers }: RecallSearch): boolean {
  return past || filter !== null || observed !== null || recorded !== null || refers;
}

function hasTags({ tags }: IndexedTurn, fits: TagTest | null): boolean {
  return fits === null || fits(new Set(tags));
}

function best(turns: readonly FoundTurn[], limit: Integer): FoundTurn[] {
  return [...turns].sort((a, b) => b.score - a.score).slice(0, Number(limit));
}
