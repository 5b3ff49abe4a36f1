import { readableTurns, type FoundTurns, type Search, type SoughtQuery } from './recall-turns.ts';
import type { UnindexedTurn } from './unindexed-turn.ts';
import type { FoundTurn, RecallReader } from '../../graph/recall.ts';
import { RECALL_MOST_TURNS, RECALL_WIDEN } from '../limits/recall.ts';
import { searchWords, type SoughtTerms } from '../capture/search-words.ts';
import { fuse, type FusedHit, type ListHit, type QueryLists } from '../recall/fusion.ts';
import { inBoth } from '../recall/filter.ts';
import { RECENT, RELEVANCE, SIGNALS, type Signal } from '../recall/recipe.ts';
import { rankedUnindexed } from '../recall/unindexed.ts';
import { contains, isEmpty, type Interval } from '../time/interval.ts';
import type { UnindexedTurns } from './recall-unindexed.ts';
import type { Nearest, RecallVectors } from './recall-vectors.ts';

/** Turns that one formulation of a query brings from the index: those behind rank 200 come into the first fifty hardly ever. */
export const RECALL_TURNS = 200;

/** Turns that are asked for beyond these where some may be left out: a search that finds too few is made again, wider. */
const RECALL_SPARE_TURNS = 100;

/** Dates of a query without other words of which everything is brought that was observed then; of more what names them. */
const RECALL_DATES = 4;

/** Sessions that one formulation of a query brings: more count for the turns of nobody. */
const RECALL_SESSIONS = 100;

/** An event that a search found. */
export interface FoundHit extends FusedHit {
  /** As of a {@link FoundTurn}. */
  readonly said_tokens?: number | null;
}

/** What a search found. */
export interface Searched {
  /** Events, best first. */
  readonly hits: readonly FoundHit[];
  /** The lists of each formulation, which were fused. */
  readonly lists: readonly QueryLists[];
  /** Events that the index brought although they lie outside of what is asked for. */
  readonly outside: readonly string[];
  /** The signals that were active, whether or not they found something. */
  readonly signals: readonly Signal[];
  /** Whether the search ended at a bound before it had found as many as are wanted. */
  readonly cut: boolean;
  /** What the search went without. */
  readonly warnings?: readonly string[];
}

/** Finds events by words and, where there are any, by vectors, ranked. */
export class RecallSearching {
  private readonly reader: RecallReader;
  private readonly unindexed: Pick<UnindexedTurns, 'of'>;
  private readonly vectors: Pick<RecallVectors, 'nearest'> | undefined;

  constructor(
    reader: RecallReader,
    unindexed: Pick<UnindexedTurns, 'of'>,
    vectors?: Pick<RecallVectors, 'nearest'>,
  ) {
    this.reader = reader;
    this.unindexed = unindexed;
    this.vectors = vectors;
  }

  /**
   * Ranks what any formulation finds. Two statements beside one another for each, and one for what the index does not know yet; more
   * where many rows are left out.
   */
  async search(search: Search): Promise<Searched> {
    const unindexed = this.unindexed.of(search);
    const formulations = search.sought.map((sought) => this.list(sought, search, unindexed));
    const [found, stated, nearest] = await Promise.all([
      Promise.all(formulations),
      search.stated,
      this.vectors?.nearest(search.texts, search),
    ]);
    const near = nearest !== undefined && 'found' in nearest ? nearest.found : [];
    const turns = new Map(
      [...near.flatMap((by) => Object.values(by).flat()), ...found.flatMap(({ kept }) => kept)].map(
        (turn) => [turn.id, turn] as const,
      ),
    );
    const lists = found.map(({ bm25 }, index): QueryLists => ({
      bm25,
      ...near[index],
      ...(index === 0 && stated.length > 0 ? { fact: stated } : {}),
      ...(search.recent ? { recency: recencyOf(bm25, turns) } : {}),
    }));
    const heard = new Set(search.texts.flatMap((text) => searchWords(text)));
    const actors = [...new Set([...turns.values()].map(({ observed_actor: actor }) => actor))];
    const spoken = new Set(actors.filter((actor) => isNamed(actor, heard)));
    const named = [...turns.values()].filter(({ observed_actor: actor }) => spoken.has(actor));
    const hits = fuse(search.recent ? RECENT : RELEVANCE, lists, new Set(named.map(({ id }) => id)));
    return {
      hits: hits.map((hit) => ({ ...hit, said_tokens: turns.get(hit.id)?.said_tokens ?? null })),
      lists,
      outside: [...new Set(found.flatMap(({ outside }) => outside))],
      signals: SIGNALS.filter(
        (signal) =>
          signal === 'keyword' ||
          signal === 'graph' ||
          (signal === 'vector' && near.length > 0) ||
          (signal === 'recency' && search.recent),
      ),
      warnings: leftOut(nearest),
      cut: found.some((list) => list.cut),
    };
  }

  private async list(
    { words, during }: SoughtQuery,
    search: Search,
    unindexed: Promise<readonly UnindexedTurn[]>,
  ): Promise<FoundTurns & { bm25: ListHit[] }> {
    if (words.length === 0) return { bm25: [], kept: [], outside: [], cut: false };
    const [{ kept, outside, cut }, sessions, fresh, observed] = await Promise.all([
      this.turns(words, search),
      this.reader.sessions(words, search, RECALL_SESSIONS),
      unindexed,
      this.observed(during, search, unindexed),
    ]);
    const scores = new Map(sessions.map((session) => [placeOf(session), session.score]));
    const bm25 = kept.map(({ id, score, ...turn }) => ({
      id,
      score: score + (scores.get(placeOf(turn)) ?? 0),
    }));
    const added = rankedUnindexed(words, fresh, bm25);
    const ids = new Set(added.map(({ id }) => id));
    const turns = [...kept, ...fresh.filter(({ id }) => ids.has(id)), ...observed.kept];
    return {
      bm25: withObserved([...bm25, ...added], observed.kept, during),
      kept: [...new Map(turns.map((turn) => [turn.id, turn])).values()],
      outside,
      cut: cut || observed.cut,
    };
  }

  /** The turns that were observed in some stretches of time, whatever they say. */
  private async observed(
    stretches: readonly Interval[],
    search: Search,
    unindexed: Promise<readonly UnindexedTurn[]>,
  ): Promise<Omit<FoundTurns, 'outside'>> {
    const asked = stretches
      .slice(0, RECALL_DATES)
      .flatMap((stretch) => inBoth(stretch, search.observed) ?? [])
      .filter((stretch) => !isEmpty(stretch));
    const found = await Promise.all(asked.map((observed) => this.turns([], { ...search, observed })));
    const fresh = (await unindexed).filter((turn) => asked.some((part) => contains(part, turn.observed_at)));
    return {
      kept: [...found.flatMap(({ kept }) => kept), ...fresh],
      cut: found.some(({ cut }) => cut),
    };
  }

  /** Turns that lie inside; where the index brings many that do not, it is asked for more. */
  private async turns(words: readonly SoughtTerms[], search: Search): Promise<FoundTurns> {
    const spare = leavesOut(search) ? RECALL_SPARE_TURNS : 0;
    for (let limit = Math.max(RECALL_TURNS, search.wanted) + spare; ; limit *= RECALL_WIDEN) {
      const most = Math.min(limit, RECALL_MOST_TURNS);
      const rows = await this.reader.turns(words, search, most);
      const found = await readableTurns(search.selection, rows);
      const few = found.kept.length < search.wanted && rows.length >= most;
      if (!few || limit >= RECALL_MOST_TURNS) return { ...found, cut: few };
    }
  }
}

/**
 * The hits of words with the turns that were observed in a stretch of time, which gain from half to all of the score of the best hit: the
 * later in its stretch, the more.
 */
function withObserved(
  hits: readonly ListHit[],
  turns: readonly FoundTurn[],
  stretches: readonly Interval[],
): ListHit[] {
  const best = hits.length === 0 ? 1 : Math.max(...hits.map(({ score }) => score));
  const scores = new Map(hits.map(({ id, score }) => [id, score]));
  const dated = new Map(turns.map(({ id, observed_at: at }) => [id, at]));
  for (const [id, at] of dated) {
    const shares = stretches
      .filter((part) => contains(part, at))
      .map(({ from, to }) => (at - from) / (to - from));
    scores.set(id, (scores.get(id) ?? 0) + best * (0.5 + Math.max(0, ...shares) / 2));
  }
  return [...scores].map(([id, score]) => ({ id, score }));
}

function leftOut(nearest: Nearest | undefined): string[] {
  if (nearest === undefined || 'found' in nearest || nearest.left_out === null) return [];
  return [`vectors were left out: ${nearest.left_out}`];
}

/** Whether the index may bring turns that do not count: it knows days and not instants, and not who asks. */
function leavesOut({ past, observed, recorded, selection }: Search): boolean {
  return past || observed !== null || recorded !== null || selection.check !== null;
}

function placeOf({ thread, segment }: Pick<FoundTurn, 'thread' | 'segment'>): string {
  return `${thread}/${segment}`;
}

function recencyOf(hits: readonly ListHit[], turns: ReadonlyMap<string, FoundTurn>): ListHit[] {
  return hits.map(({ id }) => ({ id, score: turns.get(id)?.observed_at ?? 0 }));
}

/** Whether a query has the name of an actor: what stands behind the first colon, all of it. */
function isNamed(actor: string, heard: ReadonlySet<string>): boolean {
  const words = searchWords(actor.slice(actor.indexOf(':') + 1));
  return words.length > 0 && words.every((word) => heard.has(word));
}
