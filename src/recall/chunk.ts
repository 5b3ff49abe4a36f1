import { CutPlaces } from './cut-place.ts';
import { wordMatches, type Sought, type Span } from './word-match.ts';

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

/** The chunks of a text, in order: each some 1,600 code units, cut at a blank where there is one; a text of one chunk has none. */
export function chunksOf(text: string): Span[] {
  if (text.length <= CHUNK_UNITS) return [];
  const places = new CutPlaces(text);
  const chunks: Span[] = [];
  for (let from = 0; from < text.length;) {
    const wish = { from, to: Math.min(from + CHUNK_UNITS, text.length) };
    const { to } =
      text.length - wish.to < CHUNK_UNITS / 4
        ? { to: text.length }
        : places.cut(wish, { from, to: from + 1 });
    const end = Math.max(to, from + 1);
    chunks.push({ from, to: end });
    from = end;
  }
  return chunks;
}

/** The chunks of a long text that hold words of a query: those with the most different ones first, then in their order. */
export function matchedChunks(eventId: string, text: string, sought: Sought): MatchedChunk[] {
  const chunks = chunksOf(text);
  if (chunks.length === 0) return [];
  const found = chunks.map(() => new Set<string>());
  let at = 0;
  for (const { word, from } of wordMatches(text, sought)) {
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
