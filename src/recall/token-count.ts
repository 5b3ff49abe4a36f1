import { LRUCache } from 'lru-cache';

import {
  countTokens as countOf,
  isWithinTokenLimit,
  setMergeCacheSize,
} from 'gpt-tokenizer/encoding/o200k_base';
import { O200K_TOKEN_SPLIT_REGEX as PIECES } from 'gpt-tokenizer/encodingParams/constants';

import { finished, STEP_UNITS, type Steps } from './steps.ts';

/** Characters of the longest token of o200k_base, a run of blanks: a text of n tokens has at most so many times n. */
export const LONGEST_TOKEN = 128;
/**
 * Code units of a piece that is encoded. The encoding cuts a text into pieces (words, numbers of up to three digits, runs of signs or
 * of blanks) and encodes each alone, in time that grows with the square of its length.
 */
const LONG_PIECE = 256;
/**
 * What each longer piece has, and some texts without one: half of it is of blanks or has none, but signs may be followed by line
 * ends and slashes in any mixture.
 */
const RUN = /\S{128}|\s{128}|[\r\n/]{128}/;
/** Code units of a text that are looked at together. */
const PART = STEP_UNITS;
/** Where a piece always ends, so that a text cut there has the same pieces: behind a letter or digit before a blank. */
export const PIECE_END = /^[\p{L}\p{N}]\s$/u;
/** Pieces whose tokens the library remembers, at most: its own bound, ten times as much, could hold a hundred megabytes. */
const REMEMBERED_PIECES = 10_000;
/** What looks like a token of control (`<|endoftext|>`) is text like any other. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

setMergeCacheSize(REMEMBERED_PIECES);

/** Code units of the texts whose counts are remembered, together; and of one of them at most. */
const REMEMBERED_UNITS = 4 * 1024 * 1024;
const REMEMBERED_TEXT = 4096;
/** What was counted of texts that are shown again and again: a popular memory is in many packs. */
const remembered = new LRUCache<string, number>({
  maxSize: REMEMBERED_UNITS,
  maxEntrySize: REMEMBERED_TEXT,
  sizeCalculation: (_count, text) => text.length + 1,
});

/**
 * The tokens of a text in the encoding o200k_base. Never fewer than there are: a run of more than 256 letters, signs or blanks is
 * not encoded but counted by its bytes in UTF-8, of which each token has at least one. All other texts are counted exactly.
 */
export function countTokens(text: string): number {
  return tokensWithin(text, Infinity) ?? 0;
}

/** The same where it is at most `limit`, else null; a text that is much too long is read only as far as it takes to know that. */
export function tokensWithin(text: string, limit: number): number | null {
  return finished(countingTokens(text, limit));
}

/** The same in steps. */
export function* countingTokens(text: string, limit: number): Steps<number | null> {
  let tokens = 0;
  for (let from = 0; from < text.length;) {
    const to = partEnd(text, from);
    const part = text.slice(from, to);
    const more =
      part.length > PART || RUN.test(part)
        ? yield* byPieces(part, limit - tokens)
        : yield* whole(part, limit - tokens);
    if (more === null) return null;
    tokens += more;
    from = to;
  }
  return tokens;
}

/** The same of a text that is likely to be counted again. */
export function* countingAgain(text: string, limit: number): Steps<number | null> {
  const known = remembered.get(text);
  if (known !== undefined) return known <= limit ? known : null;
  if (text.length >= REMEMBERED_TEXT) return yield* countingTokens(text, limit);
  // To the end even where it is too long: what is passed over now is so in the next pack too.
  const tokens = (yield* countingTokens(text, Infinity)) ?? Infinity;
  remembered.set(text, tokens);
  return tokens <= limit ? tokens : null;
}

/** Where the part that begins at a place ends: within {@link PART}, or where the text has no such end there, at its end. */
function partEnd(text: string, from: number): number {
  const last = from + PART;
  if (last >= text.length) return text.length;
  for (let to = last; to > from; to -= 1) if (PIECE_END.test(text.slice(to - 1, to + 1))) return to;
  return text.length;
}

function* whole(text: string, limit: number): Steps<number | null> {
  const tokens = isWithinTokenLimit(text, limit, AS_TEXT);
  yield text.length;
  return tokens === false ? null : tokens;
}

function* byPieces(text: string, limit: number): Steps<number | null> {
  let tokens = 0;
  let start = 0;
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    tokens += piece.length > LONG_PIECE ? Buffer.byteLength(piece) : countOf(piece, AS_TEXT);
    if (tokens > limit) return null;
    if (index - start < PART) continue;
    yield index - start;
    start = index;
  }
  yield text.length - start;
  return tokens;
}
