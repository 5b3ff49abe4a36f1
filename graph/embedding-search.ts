import type { Reader } from './driver.ts';
import { filtersVectors, VECTOR_FIELDS, type VectorField } from './embedding-index.ts';
import { VISIBLE } from './event.ts';
import { narrowedQuery, searchedParts, stretchesAt } from './passage-query.ts';
import {
  FOUND_TURN,
  IN_SELECTION,
  turnParams,
  type FoundTurn,
  type RecallSearch,
  type TurnParams,
} from './recall.ts';
import { INDEXED_LEVELS } from './schema.ts';
import { int, real, statement, type Real, type Statement } from './statement.ts';
import { isEmpty } from '../src/time/interval.ts';
import { RECALL_EXACT_VECTORS, RECALL_MOST_TURNS, RECALL_WIDEN } from '../src/limits/recall.ts';

interface VectorParams extends TurnParams {
  readonly generation: bigint;
  readonly vector: readonly Real[];
}

/** Vectors of another model, or of several, say nothing. */
const SEARCHABLE = `MATCH (d:Deployment {id: 'deployment'}) WHERE d.embedding_generation = $generation AND d.embedding_ready`;

const LOOK_AGAIN = `WITH p, score WHERE ${IN_SELECTION}
   MATCH (p)-[:OF]->(e:Event) WHERE ${VISIBLE}
   RETURN score, ${FOUND_TURN}`;

/** One text for each vector and property that the index narrows by, since neither can be a parameter. */
const nearestBy = (
  field: VectorField,
  property: string,
): Statement<VectorParams & { refs: readonly string[] }, FoundTurn> =>
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
    statement<VectorParams, FoundTurn>(
      `embedding.nearest_${field}`,
      `vector index passage_${field}; what is found elsewhere is left out`,
      `${SEARCHABLE}
   CALL db.index.vector.queryNodes('passage_${field}', $limit, $vector) YIELD node AS p, score
   ${LOOK_AGAIN}`,
    ),
  ]),
) as Record<VectorField, Statement<VectorParams, FoundTurn>>;

/** A turn with both of its scores, and how many were compared. */
type ComparedTurn = Omit<FoundTurn, 'score'> &
  Record<VectorField, number | null> & { readonly compared: number };

const compare = statement<VectorParams & { most: bigint }, ComparedTurn>(
  'embedding.compare',
  'full-text index passage_text, which is handed the number of rows that are compared',
  `${SEARCHABLE}
   CALL db.index.fulltext.queryNodes('passage_text', $query, {limit: $most}) YIELD node AS p
   WITH collect(p) AS narrowed
   WITH narrowed, size(narrowed) AS compared
   UNWIND narrowed AS p
   WITH p, compared, vector.similarity.cosine(p.vector, $vector) AS vector,
     vector.similarity.cosine(p.window_vector, $vector) AS window_vector
   WHERE (vector IS NOT NULL OR window_vector IS NOT NULL) AND ${IN_SELECTION}
   WITH p, compared, vector, window_vector
   ORDER BY coalesce(vector, 0) + coalesce(window_vector, 0) DESC LIMIT $limit
   MATCH (p)-[:OF]->(e:Event) WHERE ${VISIBLE}
   RETURN compared, vector, window_vector, ${FOUND_TURN}`,
);

/** What is nearest to a vector, by each vector of a turn. */
export type NearestTurns = Record<VectorField, FoundTurn[]>;

/** Searches the vectors of turns; every scope that it is handed was authorised before. */
export class VectorReader {
  private readonly reader: Reader;
  private readonly filters: boolean;

  constructor(reader: Reader, serverVersion: string) {
    this.reader = reader;
    this.filters = filtersVectors(serverVersion);
  }

  /**
   * At most some `limit` turns by each vector, in no order. Where filters or days narrow a search, or the server cannot narrow within
   * the index, what it is narrowed to is compared one by one as far as that is not much; else the index is asked. One round trip for
   * each vector (one more for each level of subtrees), or one for both.
   */
  async nearest(
    vector: Float32Array,
    search: RecallSearch,
    at: { generation: number; limit: number },
  ): Promise<NearestTurns> {
    const stretches = stretchesAt(search, search.at);
    if (Object.values(stretches).some((during) => during !== null && isEmpty(during)))
      return { vector: [], window_vector: [] };
    const paramsOf = (part: RecallSearch): VectorParams => ({
      ...turnParams(part, narrowedQuery({ ...part, ...stretches }), at.limit),
      generation: int(at.generation),
      vector: Array.from(vector, real),
    });
    const narrowed =
      search.past ||
      search.filter !== null ||
      search.observed !== null ||
      search.recorded !== null ||
      search.refers;
    const found =
      (narrowed || !this.filters ? await this.compared(search, paramsOf) : null) ??
      (await this.indexed(search, paramsOf(search)));
    // What stands around a turn may have been said later.
    return search.past ? { ...found, window_vector: [] } : found;
  }

  /** What a search is narrowed to, compared one by one; null where that is too much. */
  private async compared(
    search: RecallSearch,
    paramsOf: (part: RecallSearch) => VectorParams,
  ): Promise<NearestTurns | null> {
    const parts = await Promise.all(
      searchedParts(search.selection).map((selection) =>
        this.reader.read(compare, { ...paramsOf({ ...search, selection }), most: int(RECALL_EXACT_VECTORS) }),
      ),
    );
    const all = parts.every((found) => (found[0]?.compared ?? 0) < RECALL_EXACT_VECTORS);
    return all ? apart(parts.flat()) : null;
  }

  private async indexed(search: RecallSearch, params: VectorParams): Promise<NearestTurns> {
    const [own, around] = await Promise.all(
      VECTOR_FIELDS.map((field) =>
        this.filters ? this.within(field, params, search) : this.anywhere(field, params),
      ),
    );
    return { vector: own ?? [], window_vector: around ?? [] };
  }

  private async within(
    field: VectorField,
    params: VectorParams,
    { selection }: RecallSearch,
  ): Promise<FoundTurn[]> {
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

  /** The nearest of the whole store, of which those elsewhere are left out: more and more, until there are enough. */
  private async anywhere(field: VectorField, params: VectorParams): Promise<FoundTurn[]> {
    const wanted = Number(params.limit);
    for (let limit = wanted; ; limit *= RECALL_WIDEN) {
      const asked = Math.min(limit, RECALL_MOST_TURNS);
      const found = await this.reader.read(nearestOfAll[field], { ...params, limit: int(asked) });
      if (found.length >= wanted || asked === RECALL_MOST_TURNS) return found;
    }
  }
}

function apart(compared: readonly ComparedTurn[]): NearestTurns {
  const by = (field: VectorField): FoundTurn[] =>
    compared.flatMap(({ compared: _, vector, window_vector, ...turn }) => {
      const score = { vector, window_vector }[field];
      return score === null ? [] : [{ ...turn, score }];
    });
  return { vector: by('vector'), window_vector: by('window_vector') };
}
