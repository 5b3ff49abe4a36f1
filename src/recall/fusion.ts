import {
  CHANNEL_SIGNALS,
  CHANNELS,
  SIGNALS,
  type Channel,
  type Recipe,
  type Signal,
  type Weight,
} from './recipe.ts';

/** Formulations of one query at most: the query and four variants, as the contract has it. */
export const MAX_QUERIES = 5;
/**
 * The part of the weakest hit of a list. Plain min–max gives it 0, as if the list had not found it; with this, to be found counts
 * for a little, and no hit ends with the score 0.
 */
const WEAKEST = 0.05;

/** What a list says of a record. */
export interface ListHit {
  readonly id: string;
  /** The higher the better; any finite number. Scores of different lists need not be alike. */
  readonly score: number;
}

/** What was found by one formulation of a query: a list for each channel that was searched. */
export type QueryLists = Partial<Record<Channel, readonly ListHit[]>>;

/** Where a hit stood in a list. */
export interface ChannelHit {
  /** From zero. */
  readonly rank: number;
  /** As the list had it. */
  readonly score: number;
  /** Normalised over the list: 1 for its best hit. */
  readonly part: number;
}

/** What one formulation says of a hit. */
export interface QueryHit {
  /** Of the formulation: 0 for the query itself. */
  readonly index: number;
  /** Among the hits of this formulation, from zero. */
  readonly rank: number;
  /** Above 0, at most 1; without the boost for a named speaker. */
  readonly score: number;
  readonly channels: Partial<Record<Channel, ChannelHit>>;
}

/** A record that a search found. */
export interface FusedHit {
  readonly id: string;
  /** Above 0, at most 1; comparable with the other hits of the same fusion only. */
  readonly score: number;
  readonly matched_by: readonly Signal[];
  /** What each formulation that found it says of it, in their order. */
  readonly queries: readonly QueryHit[];
}

/** What one formulation says of a hit, before it has a place. */
type Unranked = Omit<QueryHit, 'rank'> & { readonly id: string };

/**
 * Makes one ranking of all lists of a query and its variants. A list is normalised by its own least and greatest score, and a hit
 * gets the weighted mean of its parts over the lists that found anything; a list that does not have it counts as 0. Likewise over
 * the formulations that found anything: the mean, not the best, because every formulation has a best hit, and only agreement tells
 * one that found something from one that did not. A list that says the same of all its hits, or has only one, gives each the part
 * 1. A record that a list has twice counts with its better score. `named` holds the records whose speaker the query names.
 *
 * Every record of any list is a hit. The order is by score, equal scores by id (code units), whatever the order of lists and hits.
 * Throws a `RangeError` for more than five formulations, a score that is not finite and a channel that the recipe does not have.
 */
export function fuse(
  recipe: Recipe,
  queries: readonly QueryLists[],
  named: ReadonlySet<string> = new Set(),
): FusedHit[] {
  if (queries.length > MAX_QUERIES) throw new RangeError(`more than ${MAX_QUERIES} formulations`);
  const fused = queries
    .map((lists, index) => fusedQuery(recipe, lists, index))
    .filter(({ length }) => length > 0);
  const found = new Map<string, QueryHit[]>();
  for (const hits of fused)
    for (const [rank, { id, ...said }] of hits.entries()) {
      const before = found.get(id);
      if (before === undefined) found.set(id, [{ ...said, rank }]);
      else before.push({ ...said, rank });
    }
  const weightOf = (index: number): number => (index === 0 ? 1 : recipe.variant.weight);
  const whole = sum(fused.map(([first]) => weightOf(first?.index ?? 0)));
  // A speaker whom no hit has must not make all scores smaller.
  const boost = [...named].some((id) => found.has(id)) ? 1 + recipe.speaker_boost.weight : 1;
  return [...found]
    .map(([id, said]) => {
      const mean = sum(said.map(({ index, score }) => score * weightOf(index))) / whole;
      return {
        id,
        score: Math.min(1, named.has(id) ? mean : mean / boost),
        matched_by: signalsOf(said),
        queries: said,
      };
    })
    .sort(byScore);
}

/** The hits of one formulation in their order. */
function fusedQuery(recipe: Recipe, lists: QueryLists, index: number): Unranked[] {
  const active = Object.entries(lists).filter(([, list]) => list.length > 0);
  const weights = new Map(active.map(([name]) => [name, weightIn(recipe, name as Channel)]));
  const whole = sum(CHANNELS.map((channel) => weights.get(channel) ?? 0));
  const found = new Map<string, { channels: Partial<Record<Channel, ChannelHit>>; total: number }>();
  for (const channel of CHANNELS)
    for (const [id, hit] of normalised(lists[channel] ?? [])) {
      const one = found.get(id) ?? { channels: {}, total: 0 };
      one.channels[channel] = hit;
      one.total += (weights.get(channel) ?? 0) * hit.part;
      found.set(id, one);
    }
  return [...found]
    .map(([id, { channels, total }]) => ({ id, index, channels, score: Math.min(1, total / whole) }))
    .sort(byScore);
}

function weightIn({ channels }: Recipe, channel: Channel): number {
  const weight: Weight | undefined = channels[channel];
  if (weight === undefined) throw new RangeError(`the recipe has no channel ${channel}`);
  return weight.weight;
}

/** Each record of a list with its place, best first. */
function normalised(list: readonly ListHit[]): Map<string, ChannelHit> {
  const best = new Map<string, number>();
  for (const { id, score } of list) {
    if (!Number.isFinite(score)) throw new RangeError(`the score ${score} of ${id} is not finite`);
    best.set(id, Math.max(score, best.get(id) ?? score));
  }
  const hits = [...best].map(([id, score]) => ({ id, score })).sort(byScore);
  const most = hits[0]?.score ?? 0;
  const least = hits.at(-1)?.score ?? 0;
  return new Map(hits.map(({ id, score }, rank) => [id, { rank, score, part: partOf(score, least, most) }]));
}

function partOf(score: number, least: number, most: number): number {
  if (least === most) return 1;
  // Halves where the whole distance is more than a double holds.
  const scale = Number.isFinite(most - least) ? 1 : 0.5;
  return WEAKEST + (1 - WEAKEST) * ((score * scale - least * scale) / (most * scale - least * scale));
}

function signalsOf(said: readonly QueryHit[]): Signal[] {
  const channels = said.flatMap((query) => Object.keys(query.channels) as Channel[]);
  const signals = new Set<Signal>(channels.map((channel) => CHANNEL_SIGNALS[channel]));
  return SIGNALS.filter((signal) => signals.has(signal));
}

/** The better first, equals by id. */
export function byScore(a: ListHit, b: ListHit): number {
  if (a.score !== b.score) return b.score - a.score;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
