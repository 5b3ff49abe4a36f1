/** A sentence of a text, and the sources that it cites. */
export interface Claim {
  /** Without its markers. */
  readonly text: string;
  /** Numbers of sources, at least one. */
  readonly sources: readonly number[];
}

/** How well a source supports a claim, by the number of each, 0 to 1. */
export interface Support {
  /** From 1. */
  readonly claim: number;
  readonly source: number;
  readonly support: number;
}

/** Sources of one claim that are looked at: nobody backs a sentence with more. */
const MOST_SOURCES = 16;

const MARKER = /\[S?(\d+)\]/gu;
const SPACED_MARKER = /[ \t]{0,8}\[S?\d+\]/gu;
/** Markers behind the end of a sentence belong to it. */
const MARKED_END = /([.!?。！？])[ \t]{0,8}((?:\[S?\d+\][ \t]{0,8})*\[S?\d+\])/gu;
/** So do those that stand on a line of their own below it. */
const MARKED_LINE = /\s{0,8}\n\s{0,8}((?:\[S?\d+\][ \t]{0,8})+)(?=\n|$)/gu;
const BETWEEN = /(?<=[.!?。！？])\s|\n/u;

/** What a text with markers claims on the word of its sources, at most so many sentences from its beginning. */
export function claimsOf(text: string, most: number): Claim[] {
  return text
    .replace(MARKED_LINE, '$1')
    .replace(MARKED_END, '$2$1')
    .split(BETWEEN)
    .map((sentence) => ({
      text: sentence.replace(SPACED_MARKER, '').replace(/\s+/gu, ' ').trim(),
      sources: [...new Set([...sentence.matchAll(MARKER)].map(([, number]) => Number(number)))].slice(
        0,
        MOST_SOURCES,
      ),
    }))
    .filter(({ text: said, sources }) => said !== '' && sources.length > 0)
    .slice(0, most);
}

/** The least support that was found for each source that was checked. */
export function leastSupport(found: readonly Support[]): Map<number, number> {
  const least = new Map<number, number>();
  for (const { source, support } of found) {
    const bounded = Math.min(1, Math.max(0, support));
    least.set(source, Math.min(least.get(source) ?? 1, bounded));
  }
  return least;
}
