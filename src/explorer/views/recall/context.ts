import type { Citations } from './queries.ts';

/** A line of a context block. */
export interface ContextLine {
  readonly text: string;
  /** The stamp before the marker, with its brackets. */
  readonly stamp: string | null;
  /** The marker of what the line cites, such as `[1]`. */
  readonly marker: string | null;
}

const BEGINNING = /^(\[[^\]\n]*\]) (\[\d+\]) /;

/** A context block line by line. Only what stands where a marker belongs, and stands for a record, is one: texts may hold brackets. */
export function contextLines(block: string, citations: Citations): readonly ContextLine[] {
  if (block === '') return [];
  return block.split('\n').map((line) => {
    const [beginning, stamp, marker] = BEGINNING.exec(line) ?? [];
    if (beginning === undefined || stamp === undefined || marker === undefined || !(marker in citations))
      return { text: line, stamp: null, marker: null };
    return { text: line.slice(beginning.length), stamp, marker };
  });
}

/** The markers of records by their ids. */
export function markersById(citations: Citations): ReadonlyMap<string, string> {
  return new Map(Object.entries(citations).map(([marker, { id }]) => [id, marker]));
}

/** A part of an answer: text, or a marker that a citation has. */
export type AnswerPart =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'marker'; readonly marker: string };

/** An answer with its markers apart. */
export function answerParts(answer: string, markers: ReadonlySet<string>): readonly AnswerPart[] {
  return answer
    .split(/(\[\d+\])/)
    .filter((part) => part !== '')
    .map((part) => (markers.has(part) ? { is: 'marker', marker: part } : { is: 'text', text: part }));
}

/** The part of a text between two places counted in bytes of its UTF-8; where they cut a character, without it. */
export function bytesOf(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): string {
  const bytes = new TextEncoder().encode(text).slice(start, end);
  return new TextDecoder().decode(bytes).replaceAll('\uFFFD', '');
}
