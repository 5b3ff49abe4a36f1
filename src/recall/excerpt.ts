import type { Span } from './span.ts';
import { CutPlaces } from './cut-place.ts';
import { finished, type Steps } from './steps.ts';
import { countingTokens, LONGEST_TOKEN } from './token-count.ts';
import { bestPlaces, wordMatches, type Sought, type WordMatch } from './word-match.ts';

/** What a text takes; of one that takes more than `limit` that may be infinite. */
export type Cost = (text: string, limit: number) => Steps<number>;

/** A stretch of a text in bytes of its UTF-8, half open. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A part of a text, or the whole of it. */
export interface Excerpt {
  /** What lies in the ranges, joined by ` … `. */
  readonly text: string;
  /** In the order of the text; none overlaps another. */
  readonly ranges: readonly ByteRange[];
  /** Length of the whole text. */
  readonly original_bytes: number;
}

/** What stands for what was left out between two ranges. */
const GAP = ' … ';
/** Ranges of an excerpt at most: more of them are too short to be understood. */
const MOST_RANGES = 3;
/** Code units of a range, about, below which there are fewer ranges: a sentence. */
const RANGE_UNITS = 120;
/** Ranges that are no further apart than this are one, code units: about what the sign between them takes. */
const JOINED_WITHIN = 8;
/** Code units of a token, about, in English prose: where the search for the length begins. */
const UNITS_PER_TOKEN = 4;
/** An excerpt that fills this share of its tokens is not made longer. */
const ENOUGH = 0.9;
/** Lengths that are tried. Two or three are enough for prose; a text that changes its kind midway takes more. */
const TRIES = 12;

/**
 * The excerpt of a text that takes at most `tokens` tokens and says most of what is sought: around the places that have its words, or
 * the beginning where none has. A text that fits is given whole. It is cut at blanks, where there is none within 40 code units at the
 * edge of a word, and never inside a character. Null where not even a few words fit. `cost` says what a text takes; by default its
 * own tokens.
 */
export function excerptOf(
  text: string,
  sought: Sought,
  tokens: number,
  cost: Cost = ownTokens,
): Excerpt | null {
  if (text.length <= tokens * LONGEST_TOKEN && finished(cost(text, tokens)) <= tokens) return wholeOf(text);
  return finished(cuttingTo(text, wordMatches(text, sought), tokens, cost));
}

/** The same in steps, of a text that does not fit, around the places that are known to have what is sought. */
export function* cuttingTo(
  text: string,
  matches: readonly WordMatch[],
  tokens: number,
  cost: Cost,
): Steps<Excerpt | null> {
  const places = new CutPlaces(text);
  let best: { spans: Span[]; size: number } | null = null;
  let over = Infinity;
  let size = Math.min(Math.floor(tokens * UNITS_PER_TOKEN), text.length);
  for (let tried = 0; tried < TRIES && size > (best?.size ?? 0) && size < over; tried += 1) {
    yield matches.length;
    const spans = spansOf(text, places, matches, size);
    const taken = yield* cost(joined(text, spans), Infinity);
    if (taken > tokens) over = size;
    else if (spans.length > 0) best = { spans, size };
    if (taken <= tokens && taken >= tokens * ENOUGH) break;
    size = nextSize(size, tokens / Math.max(1, taken), best?.size ?? 0, over);
  }
  return best === null ? null : made(text, best.spans);
}

function wholeOf(text: string): Excerpt {
  return made(text, [{ from: 0, to: text.length }]);
}

function* ownTokens(text: string, limit: number): Steps<number> {
  return (yield* countingTokens(text, limit)) ?? Infinity;
}

/** The next length to try: what the last one says in proportion, where that lies between what fits and what does not. */
function nextSize(size: number, share: number, fits: number, over: number): number {
  const next = Math.floor(size * share * 0.97);
  if (next > fits && next < over) return next;
  return Math.floor(over === Infinity ? size * 1.5 : (fits + over) / 2);
}

/** The spans of an excerpt of about so many code units. */
function spansOf(text: string, places: CutPlaces, matches: readonly WordMatch[], size: number): Span[] {
  const width = Math.min(size, Math.max(RANGE_UNITS, Math.floor(size / MOST_RANGES)));
  const most = Math.min(MOST_RANGES, Math.max(1, Math.floor(size / RANGE_UNITS)));
  const found = bestPlaces(matches, width, most);
  const cores = found.length > 0 ? found : beginning(text);
  const rest = size - cores.reduce((sum, { from, to }) => sum + to - from, 0);
  const around = Math.max(0, Math.floor(rest / cores.length / 2));
  const spans = cores.map((core) => places.cut(widened(core, around, text.length), core));
  return merged(spans.filter(({ from, to }) => from < to));
}

/** Where the words of a text begin; nowhere in one that has none. */
function beginning(text: string): Span[] {
  const from = text.search(/\S/u);
  return from < 0 ? [] : [{ from, to: from }];
}

/** A stretch with so much on either side; where the text ends before that, the other side has it. */
function widened({ from, to }: Span, around: number, length: number): Span {
  const missing = { before: Math.max(0, around - from), behind: Math.max(0, to + around - length) };
  return {
    from: Math.max(0, from - around - missing.behind),
    to: Math.min(length, to + around + missing.before),
  };
}

function merged(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last === undefined || span.from > last.to + JOINED_WITHIN) all.push(span);
    else all[all.length - 1] = { from: Math.min(last.from, span.from), to: Math.max(last.to, span.to) };
  }
  return all;
}

function joined(text: string, spans: readonly Span[]): string {
  return spans.map(({ from, to }) => text.slice(from, to)).join(GAP);
}

function made(text: string, spans: readonly Span[]): Excerpt {
  const bytesBefore = (at: number): number => Buffer.byteLength(text.slice(0, at));
  return {
    text: joined(text, spans),
    ranges: spans.map(({ from, to }) => ({ start: bytesBefore(from), end: bytesBefore(to) })),
    original_bytes: Buffer.byteLength(text),
  };
}
