import type { Span } from './span.ts';
import { stretchesOf } from './cut-place.ts';
import type { Steps } from './steps.ts';
import { matchingWords, type Sought } from './word-match.ts';

/** Code units of a chunk, about: a long paragraph. */
const CHUNK_UNITS = 1600;
/** Chunks of one event that are told of at most, the best ones. */
const MOST_CHUNKS = 16;

/** A chunk of an event that holds words of a query, as the contract has it. */
export interface MatchedChunk {
  readonly chunk_id: string;
  readonly text_source: 'event_text';
  /** In bytes of the UTF-8 of the text, half open. */
  readonly byte_range: { readonly start: number; readonly end: number };
  readonly matched_via: 'bm25';
}

/** The chunks of a text, in order: each some 1,600 code units, cut at a blank where there is one; a text of one chunk has none. In steps. */
export function* chunksOf(text: string): Steps<Span[]> {
  const chunks: Span[] = [];
  if (text.length <= CHUNK_UNITS) return chunks;
  for (const chunk of stretchesOf(text, CHUNK_UNITS)) {
    chunks.push(chunk);
    yield chunk.to - chunk.from;
  }
  return chunks;
}

/** The chunks of a long text that hold words of a query: those with the most different ones first, then in their order. In steps. */
export function* matchedChunks(eventId: string, text: string, sought: Sought): Steps<MatchedChunk[]> {
  const chunks = sought.words.size === 0 ? [] : yield* chunksOf(text);
  if (chunks.length === 0) return [];
  const found = chunks.map(() => new Set<string>());
  let at = 0;
  for (const { word, from } of yield* matchingWords(text, sought)) {
    while (from >= (chunks[at]?.to ?? Infinity)) at += 1;
    found[at]?.add(word);
  }
  const bytes = bytePlaces(text, chunks);
  return chunks
    .map((_, index) => ({ index, words: found[index]?.size ?? 0 }))
    .filter(({ words }) => words > 0)
    .sort((a, b) => b.words - a.words || a.index - b.index)
    .slice(0, MOST_CHUNKS)
    .map(({ index }) => ({
      chunk_id: `${eventId}#${index}`,
      text_source: 'event_text',
      byte_range: bytes[index] ?? { start: 0, end: 0 },
      matched_via: 'bm25',
    }));
}

function bytePlaces(text: string, chunks: readonly Span[]): { start: number; end: number }[] {
  let start = 0;
  return chunks.map(({ from, to }) => {
    const end = start + Buffer.byteLength(text.slice(from, to));
    const place = { start, end };
    start = end;
    return place;
  });
}
