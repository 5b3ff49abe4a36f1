import { entryHead, entrySaid, SEPARATOR, type CitationMode, type ContextEntry } from './context-block.ts';
import { cuttingTo, type Excerpt } from './excerpt.ts';
import { DEFAULT_MAX_TOKENS, LAYERS, type Layer } from '../../schemas/recall.ts';
import { finished, type Steps } from './steps.ts';
import { countingAgain, countingTokens, countTokens, LONGEST_TOKEN, PIECE_END } from './token-count.ts';
import { matchingWords, type Sought, type WordMatch } from './word-match.ts';

/** What events have of the budget at least, where they are asked for beside other layers: a third. */
const EVENTS_SHARE = 3;
/** Tokens of a line below which an event is not cut: its stamp and marker take some twenty, and what is left says nothing. */
const LEAST_CUT = 40;
/** Tokens of a text, less than which an excerpt says nothing. */
const LEAST_SAID = 4;
/** Tokens of every line at least: those of its stamp. */
const LEAST_LINE = 13;

/** What a context block may hold. */
export interface Budget {
  /** Tokens of the rendered block, at least 0. Default {@link DEFAULT_MAX_TOKENS}. */
  readonly max_tokens?: number;
  /** Layers, the first served first. Default {@link LAYERS}. A layer that is not named gets nothing. */
  readonly include?: readonly Layer[];
  /** Records of a layer at most; as many as fit where nothing is said. */
  readonly per_layer_limits?: Partial<Record<Layer, number>>;
  /** How the block is rendered. Default `inline_with_markers`. */
  readonly citation_mode?: CitationMode;
}

/** What was found, by layer, best first. */
export type Candidates = Partial<Record<Layer, readonly ContextEntry[]>>;

/** A record that is in the block. */
export interface FittedEntry extends ContextEntry {
  /** What is shown of it where that is not everything; `text` says the same. Null for a record that is shown whole. */
  readonly excerpt: Excerpt | null;
}

/** What fits a budget. */
export interface Fitted {
  /** In the order of `include`, each layer best first. In any order they render to a block within the budget. */
  readonly entries: readonly FittedEntry[];
  /** Records of each layer asked for that are not in the block, for want of tokens or because of the limit of their layer. */
  readonly evicted: Partial<Record<Layer, number>>;
}

/** A record and what it takes; 0 tokens while it is not in the block. */
interface Place {
  readonly entry: ContextEntry;
  tokens: number;
  excerpt: Excerpt | null;
}

interface Group {
  readonly layer: Layer;
  readonly limit: number;
  readonly places: readonly Place[];
}

/** How a record would be shown. */
type Showing = Omit<Place, 'entry'>;

/**
 * Chooses what of a search goes into a context block. Layers are served in the order of `include`, each as far as the tokens go that
 * are left; a third of all stays with the events until they are served. A layer takes its records best first, whole; one that does
 * not fit is passed over, and those behind it still get what is left. An event that does not fit is cut to an excerpt around what is
 * sought, of half of what is left, so that a long one leaves room for those behind it. What nobody used is then given to what was
 * passed over or cut, in the same order. The rendered block never has more tokens than the budget.
 */
export function fitBudget(candidates: Candidates, budget: Budget, sought: Sought): Fitted {
  return finished(fittingBudget(candidates, budget, sought));
}

/** The same in steps. */
export function* fittingBudget(candidates: Candidates, budget: Budget, sought: Sought): Steps<Fitted> {
  const { max_tokens = DEFAULT_MAX_TOKENS, include = LAYERS, per_layer_limits = {} } = budget;
  const groups = [...new Set(include)].map((layer): Group => ({
    layer,
    limit: per_layer_limits[layer] ?? Infinity,
    places: (candidates[layer] ?? []).map((entry) => ({ entry, tokens: 0, excerpt: null })),
  }));
  const all = groups.flatMap(({ places }) => places);
  const marked = (budget.citation_mode ?? 'inline_with_markers') === 'inline_with_markers';
  const press = new Press(sought, marked ? all.length : null);
  let left = max_tokens;
  for (const [i, group] of groups.entries()) {
    const ahead = groups.slice(i + 1).some(({ layer }) => layer === 'events');
    const kept = ahead ? Math.floor(max_tokens / EVENTS_SHARE) : 0;
    left = kept + (yield* serve(group, left - kept, press));
  }
  for (const group of groups) left = yield* serveRest(group, left, press);
  return {
    entries: all.filter(({ tokens }) => tokens > 0).map(shownEntry),
    evicted: Object.fromEntries(groups.map(({ layer, places }) => [layer, places.length - shownOf(places)])),
  };
}

/** Serves a layer for the first time. Returns what is left of the tokens. */
function* serve({ layer, limit, places }: Group, tokens: number, press: Press): Steps<number> {
  let left = tokens;
  let count = 0;
  for (const [i, place] of places.entries()) {
    if (count >= limit) break;
    const forCut = i === places.length - 1 ? left : Math.floor(left / 2);
    const showing = yield* press.fit(place.entry, left, layer === 'events' ? forCut : 0);
    if (showing === null) continue;
    Object.assign(place, showing);
    left -= showing.tokens;
    count += 1;
  }
  return left;
}

/** Serves what of a layer is not shown, or not whole, with what nobody used. Returns what is left of it. */
function* serveRest({ layer, limit, places }: Group, tokens: number, press: Press): Steps<number> {
  let left = tokens;
  let count = shownOf(places);
  for (const place of places) {
    const isCut = place.excerpt !== null;
    const served = place.tokens > 0 ? !isCut || left < LEAST_CUT : count >= limit;
    if (served) continue;
    const room = left + place.tokens;
    const showing = yield* press.fit(place.entry, room, layer === 'events' ? room : 0);
    if (showing === null || showing.tokens <= place.tokens) continue;
    if (!isCut) count += 1;
    left = room - showing.tokens;
    Object.assign(place, showing);
  }
  return left;
}

function shownOf(places: readonly Place[]): number {
  return places.filter(({ tokens }) => tokens > 0).length;
}

function shownEntry({ entry, excerpt }: Place): FittedEntry {
  if (excerpt === null) return { ...entry, excerpt };
  const { said_tokens: _ofAll, ...rest } = entry;
  return { ...rest, text: excerpt.text, excerpt };
}

/** Measures records as they are rendered. */
class Press {
  readonly #sought: Sought;
  /** The greatest number that a marker may have; null where there are none. */
  readonly #number: number | null;
  readonly #found = new Map<ContextEntry, readonly WordMatch[]>();

  constructor(sought: Sought, number: number | null) {
    this.#sought = sought;
    this.#number = number;
  }

  /** A record whole where it fits into `room`, else cut to `forCut` where that is enough to say something, else null. */
  *fit(entry: ContextEntry, room: number, forCut: number): Steps<Showing | null> {
    if (room < LEAST_LINE) return null;
    const whole = yield* this.#whole(entry, room);
    if (whole !== null) return { tokens: whole, excerpt: null };
    if (forCut < LEAST_CUT) return null;
    const bare = yield* this.#tokens(entry, '', forCut - LEAST_SAID);
    if (bare === null) return null;
    const cost = (text: string, limit: number): Steps<number> => this.#cost(entry, text, limit);
    const excerpt = yield* cuttingTo(entry.text, yield* this.#matches(entry), forCut, cost);
    return excerpt === null ? null : { tokens: yield* cost(excerpt.text, Infinity), excerpt };
  }

  /** The tokens of the whole line; null above `room`. */
  *#whole(entry: ContextEntry, room: number): Steps<number | null> {
    const { text, said_tokens: said } = entry;
    if (text.length > room * LONGEST_TOKEN) return null;
    if (said === undefined) return yield* this.#tokens(entry, text, room);
    const tokens = tokensOfHead(entryHead(entry, this.#number)) + said;
    return tokens <= room ? tokens : null;
  }

  /** Where a record says what is sought: looked for once, although it may be cut twice. */
  *#matches(entry: ContextEntry): Steps<readonly WordMatch[]> {
    const known = this.#found.get(entry) ?? (yield* matchingWords(entry.text, this.#sought));
    this.#found.set(entry, known);
    return known;
  }

  *#cost(entry: ContextEntry, text: string, limit: number): Steps<number> {
    return (yield* this.#tokens(entry, text, limit)) ?? Infinity;
  }

  /**
   * The tokens of a line with what separates it from the next one, or without where that is more; null above `room`. Each line begins
   * with a bracket, where the encoding always begins a new piece; so those of a block are never more than those of its lines.
   */
  *#tokens(entry: ContextEntry, text: string, room: number): Steps<number | null> {
    const [head, said] = [entryHead(entry, this.#number), entrySaid({ ...entry, text })];
    const separated = yield* countingLine(head, said, room);
    if (separated === null) return null;
    const tokens = separated + moreAlone(head + said);
    return tokens <= room ? tokens : null;
  }
}

/** The tokens of the block that entries render to: each line begins with a bracket, where the encoding begins a new piece. */
export function* countingBlock(entries: readonly ContextEntry[], mode: CitationMode): Steps<number> {
  let tokens = 0;
  for (const [i, entry] of entries.entries()) {
    const head = entryHead(entry, mode === 'inline_with_markers' ? i + 1 : null);
    const last = i === entries.length - 1;
    if (!last && entry.said_tokens !== undefined) tokens += tokensOfHead(head) + entry.said_tokens;
    else {
      const said = entrySaid(entry);
      const line = last ? countingTokens(head + said, Infinity) : countingLine(head, said, Infinity);
      tokens += (yield* line) ?? 0;
    }
  }
  return tokens;
}

/** Code units of a text whose tokens are kept beside it at most: a longer one is cut in most packs. */
const COUNTED_TEXT = 4096;

/**
 * The tokens of what a line says behind its head, with what separates it from the next. They are stored: whatever changes them, or how a
 * line is rendered, needs another property. Null for a long text, and for the few whose line has more tokens where nothing follows.
 */
export function tokensOfSaid(entry: Pick<ContextEntry, 'speaker' | 'text'>): number | null {
  if (entry.text.length > COUNTED_TEXT) return null;
  const said = entrySaid(entry);
  return said === '' || moreAlone(said) > 0 ? null : countTokens(said + SEPARATOR);
}

/** The tokens of a line with what separates it from the next: a bracket before a blank ends a piece, so that both parts are counted apart. */
function* countingLine(head: string, said: string, room: number): Steps<number | null> {
  const first = tokensOfHead(said === '' ? head + SEPARATOR : head);
  if (said === '') return first <= room ? first : null;
  const rest = yield* countingAgain(said + SEPARATOR, room - first);
  return rest === null ? null : first + rest;
}

const DIGIT = /\d/gu;

/** The tokens of a head, with or without a separator: which digits it has makes no difference, since up to three of them are one token. */
function tokensOfHead(head: string): number {
  return finished(countingAgain(head.replace(DIGIT, '0'), Infinity)) ?? 0;
}

const ENDS_A_PIECE = /[\p{L}\p{N}]$/u;

/** How many tokens more a line has without a separator behind it than with one: mostly none, or fewer. */
function moreAlone(line: string): number {
  if (ENDS_A_PIECE.test(line)) return 0;
  const tail = line.slice(lastPieces(line));
  return Math.max(0, countTokens(tail) - countTokens(tail + SEPARATOR));
}

/** Where the last pieces of a line begin: only they are others where something follows it. */
function lastPieces(line: string): number {
  let at = line.lastIndexOf(' ');
  while (at > 0 && !PIECE_END.test(line.slice(at - 1, at + 1))) at = line.lastIndexOf(' ', at - 1);
  return Math.max(0, at);
}
