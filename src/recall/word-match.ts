import type { Span } from './span.ts';
import { stretchesOf } from './cut-place.ts';
import { finished, STEP_UNITS, type Steps } from './steps.ts';

/** What an excerpt is cut around. */
export interface Sought {
  /** The words of the query and their other forms, as the index has them; empty where there is no query. */
  readonly words: ReadonlySet<string>;
  /** How the index takes words out of a text: folded, in order. */
  readonly wordsOf: (text: string) => readonly string[];
  /** Where a text has what the index may hold as a word, in order. */
  readonly placesOf: (text: string) => Iterable<Span>;
}

/** Where a text has a word of the query. */
export interface WordMatch extends Span {
  readonly word: string;
}

const BETWEEN_BLANKS = /\S+/gu;

/**
 * Where a text has words of the query, in order. A word counts where the index would have found it; where folding makes words of what
 * was none (`㎏`), the place is everything between the blanks around it.
 */
export function wordMatches(text: string, sought: Sought): WordMatch[] {
  return finished(matchingWords(text, sought));
}

/** The same in steps. */
export function* matchingWords(text: string, { words, wordsOf, placesOf }: Sought): Steps<WordMatch[]> {
  const matches: WordMatch[] = [];
  if (words.size === 0) return matches;
  const known = new Map<string, string | null>();
  const soughtIn = (part: string): string | null => {
    const before = known.get(part);
    if (before !== undefined) return before;
    const found = wordsOf(part).find((word) => words.has(word)) ?? null;
    known.set(part, found);
    return found;
  };
  for (const { from, to } of stretchesOf(text, STEP_UNITS)) {
    for (const match of matchesIn(text.slice(from, to), soughtIn, placesOf))
      matches.push({ word: match.word, from: from + match.from, to: from + match.to });
    yield to - from;
  }
  return matches;
}

function matchesIn(
  text: string,
  soughtIn: (part: string) => string | null,
  placesOf: Sought['placesOf'],
): WordMatch[] {
  return [...text.matchAll(BETWEEN_BLANKS)].flatMap(({ 0: whole, index: from }) => {
    const word = soughtIn(whole);
    if (word === null) return [];
    const parts = [...placesOf(whole)].flatMap((place) => {
      const found = soughtIn(whole.slice(place.from, place.to));
      return found === null ? [] : [{ word: found, from: from + place.from, to: from + place.to }];
    });
    return parts.length > 0 ? parts : [{ word, from, to: from + whole.length }];
  });
}

/**
 * The places of a text that say most of what is sought, in the order of the text: at most `most`, none longer than `width` code
 * units. Each is the one with the most of the words that no place before it has, a word being worth the more the rarer it is in the
 * text; of equals the first.
 */
export function bestPlaces(matches: readonly WordMatch[], width: number, most: number): Span[] {
  const worth = worths(matches);
  const places: Span[] = [];
  while (places.length < most) {
    const open = matches.filter(({ word }) => worth.has(word));
    const best = bestPlace(open, worth, width);
    if (best === null) break;
    for (const { word, from, to } of open) if (from >= best.from && to <= best.to) worth.delete(word);
    places.push({ from: best.from, to: Math.min(best.to, best.from + width) });
  }
  return places.sort((a, b) => a.from - b.from);
}

/** What each word is worth; whole numbers, so that sums do not depend on the order of adding. */
function worths(matches: readonly WordMatch[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { word } of matches) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Map([...counts].map(([word, count]) => [word, Math.ceil(1e6 / count)]));
}

/** The worthiest stretch from a match to a match that is not longer than `width`, unless a single match is. */
function bestPlace(
  matches: readonly WordMatch[],
  worth: ReadonlyMap<string, number>,
  width: number,
): Span | null {
  const inside = new Map<string, number>();
  let best: (Span & { value: number }) | null = null;
  let value = 0;
  let first = 0;
  for (const [last, { word, to }] of matches.entries()) {
    const count = inside.get(word) ?? 0;
    inside.set(word, count + 1);
    if (count === 0) value += worth.get(word) ?? 0;
    let start = matches[first];
    while (start !== undefined && first < last && to - start.from > width) {
      const left = (inside.get(start.word) ?? 0) - 1;
      inside.set(start.word, left);
      if (left === 0) value -= worth.get(start.word) ?? 0;
      first += 1;
      start = matches[first];
    }
    if (start !== undefined && (best === null || value > best.value)) best = { from: start.from, to, value };
  }
  return best;
}
