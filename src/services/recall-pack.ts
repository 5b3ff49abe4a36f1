import type { EpisodeItem } from '../../schemas/episode.ts';
import type { EventItem } from '../../schemas/event.ts';
import {
  DEFAULT_MAX_TOKENS,
  LAYERS,
  type Layer,
  type RecallPack,
  type RecallRequest,
  type RecalledEvent,
} from '../../schemas/recall.ts';
import { searchableText } from '../capture/searchable-text.ts';
import { indexTerms, wordPlaces, type SoughtTerms } from '../capture/search-words.ts';
import { PACK_TURN_UNITS } from '../limits/recall.ts';
import {
  countingBlock,
  fittingBudget,
  type Candidates,
  type Fitted,
  type FittedEntry,
} from '../recall/budget.ts';
import { renderContext, type ContextBlock } from '../recall/context-block.ts';
import { matchedChunks } from '../recall/chunk.ts';
import { inTurns, type Steps } from '../recall/steps.ts';
import type { Sought } from '../recall/word-match.ts';
import { Clocks } from '../time/clocks.ts';
import { othersTurn } from '../wakeup.ts';
import { beliefEntry, conceptEntry, episodeEntry, eventEntry, factEntry } from './recall-entry.ts';
import type { RankedLayers } from './recall-layers.ts';
import type { Ranked } from './recall-ranking.ts';
import type { FoundFact } from './recall-said.ts';

/** Records of each other layer that a recall brings where no number is asked for. */
const RECALL_RECORDS = 30;

/** What a pack is to hold. */
export type PackRequest = Pick<
  RecallRequest,
  'include' | 'budgets' | 'citation_mode' | 'order' | 'exclude_content' | 'temporal'
> & {
  /** The words of the query as the index has them. */
  readonly words: readonly SoughtTerms[];
};

/** The records that fit, by layer; how facts were said is told later. */
export type PackedLayers = Omit<RecallPack['layers'], 'facts'> & { readonly facts: readonly FoundFact[] };

/** What fits the budget, and how it is shown. */
export interface Packed {
  readonly layers: PackedLayers;
  readonly block: ContextBlock;
  readonly tokens: { readonly budget: number; readonly used: number };
  readonly evicted: Fitted['evicted'];
}

/** Chooses what of the layers fits, and renders it; others have their turn while long texts are gone through. */
export function packed(found: RankedLayers, wish: PackRequest): Promise<Packed> {
  return inTurns(packing(found, wish), PACK_TURN_UNITS, othersTurn);
}

/** The same in steps. */
export function* packing(all: RankedLayers, wish: PackRequest): Steps<Packed> {
  const { include = LAYERS, budgets = {}, citation_mode = 'inline_with_markers', order = 'relevance' } = wish;
  const max_tokens = budgets.max_tokens ?? DEFAULT_MAX_TOKENS;
  const sought = {
    words: new Set(wish.words.flatMap((word) => [...word.keys()])),
    wordsOf: indexTerms,
    placesOf: wordPlaces,
  };
  const limits = limitsOf(budgets);
  const shown = include.includes('events') && limits.events !== 0 ? all.events : [];
  const said = new Set(shown.map(({ item }) => item.id));
  const { repeated, others } = repeatsOf(all.episodes, said);
  const found = { ...all, episodes: others };
  const candidates = candidatesOf(found, new Clocks(wish.temporal?.timezone ?? null), said);
  const fitted = yield* fittingBudget(
    candidates,
    { max_tokens, include, per_layer_limits: limits, citation_mode },
    sought,
  );
  const entries = inOrder(fitted.entries, order);
  const block = renderContext(entries, citation_mode);
  return {
    layers: yield* layersOf(found, entries, wish, sought),
    block,
    tokens: { budget: max_tokens, used: yield* countingBlock(entries, citation_mode) },
    evicted: withUnsaid(fitted, repeated),
  };
}

/** Episodes of a single event that comes itself (`said`), which would say the same twice; and the others. */
function repeatsOf(episodes: RankedLayers['episodes'], said: ReadonlySet<string>) {
  const repeated: string[] = [];
  const others = episodes.filter(({ item: { _partial: cut, events: of } }) => {
    const [only] = of;
    if (cut || of.length !== 1 || only === undefined || !said.has(only)) return true;
    repeated.push(only);
    return false;
  });
  return { repeated, others };
}

/** What did not fit, with the episodes that say only what an event says that did not: `repeated` are those events. */
function withUnsaid({ entries, evicted }: Fitted, repeated: readonly string[]): Fitted['evicted'] {
  if (evicted.episodes === undefined) return evicted;
  const shown = new Set(entries.map(({ id }) => id));
  return { ...evicted, episodes: evicted.episodes + repeated.filter((id) => !shown.has(id)).length };
}

/** Whether events that come themselves say all that the summary of an episode does: its first and, once it is over, its last. */
function isSaid({ events, ended_at, _partial: cut }: EpisodeItem, said: ReadonlySet<string>): boolean {
  const over = ended_at !== null;
  const ends = over ? [events[0], events.at(-1)] : [events[0]];
  return !(over && cut) && ends.every((id) => id !== undefined && said.has(id));
}

function candidatesOf(found: RankedLayers, clocks: Clocks, said: ReadonlySet<string>): Candidates {
  return {
    events: found.events.map(({ item, ended, said_tokens }) => ({
      ...eventEntry(item, clocks, ended),
      ...(typeof said_tokens === 'number' && ended === undefined ? { said_tokens } : {}),
    })),
    facts: found.facts.map(({ item }) => factEntry(item, clocks)),
    beliefs: found.beliefs.map(({ item }) => beliefEntry(item, clocks)),
    episodes: found.episodes.map(({ item, ended }) =>
      episodeEntry(item, { clocks, said: isSaid(item, said), ...(ended === undefined ? {} : { ended }) }),
    ),
    understanding: found.understanding.map(({ item }) => conceptEntry(item, clocks)),
  };
}

/** Records of each layer at most; `max_events` where the layer says nothing itself. */
function limitsOf({ per_layer_limits: own = {}, max_events }: NonNullable<RecallRequest['budgets']>) {
  const others = LAYERS.filter((layer) => layer !== 'events').map((layer) => [
    layer,
    own[layer] ?? RECALL_RECORDS,
  ]);
  const events = own.events ?? max_events;
  return {
    ...(Object.fromEntries(others) as Partial<Record<Layer, number>>),
    ...(events === undefined ? {} : { events }),
  };
}

function inOrder(
  entries: readonly FittedEntry[],
  order: NonNullable<RecallRequest['order']>,
): readonly FittedEntry[] {
  if (order === 'relevance') return entries;
  const sign = order === 'recency' ? -1 : 1;
  return [...entries].sort((a, b) => sign * (a.at - b.at) || (a.id < b.id ? -1 : 1));
}

/** The records of the entries, by layer, in the order of the entries. */
function* layersOf(
  found: RankedLayers,
  entries: readonly FittedEntry[],
  wish: PackRequest,
  sought: Sought,
): Steps<PackedLayers> {
  const of = <Item extends { readonly id: string }>(layer: Layer, ranked: readonly Ranked<Item>[]) => {
    const byId = new Map(ranked.map((one) => [one.item.id, one]));
    return entries.flatMap((entry) => {
      const one = entry.layer === layer ? byId.get(entry.id) : undefined;
      return one === undefined ? [] : [{ entry, ...one, matched_by: [...one.matched_by] }];
    });
  };
  const ranked = <Item extends object>({
    item,
    score,
    matched_by,
  }: Omit<Ranked<Item>, 'matched_by'> & { matched_by: Ranked<Item>['matched_by'][number][] }) => ({
    ...item,
    score,
    matched_by,
  });
  const events = [];
  for (const { item, entry, score, matched_by } of of('events', found.events))
    events.push({ ...(yield* shownEvent(item, entry, wish, sought)), score, matched_by });
  return {
    events,
    facts: of('facts', found.facts).map(ranked),
    beliefs: of('beliefs', found.beliefs).map(ranked),
    episodes: of('episodes', found.episodes).map(ranked),
    understanding: of('understanding', found.understanding).map(ranked),
  };
}

/** An event as it is shown: with its content whole, cut to what is in the block, or without. */
function* shownEvent(
  { content, ...event }: EventItem,
  { excerpt }: FittedEntry,
  { exclude_content: without = false }: PackRequest,
  sought: Sought,
): Steps<Omit<RecalledEvent, 'score' | 'matched_by'>> {
  const chunks = yield* matchedChunks(event.id, searchableText(content), sought);
  const fragments = chunks.length === 0 ? {} : { matched_fragments: chunks };
  if (without) return { ...event, ...fragments };
  if (excerpt === null) return { ...event, content, ...fragments };
  const partial = {
    _partial: true,
    _partial_reason: 'budget_excerpt',
    _original_bytes: excerpt.original_bytes,
    _excerpt_ranges: excerpt.ranges,
  };
  const kept =
    content.kind === 'message' ? { kind: content.kind, role: content.role } : { kind: content.kind };
  return { ...event, content: { ...kept, text: excerpt.text, ...partial }, ...fragments };
}
