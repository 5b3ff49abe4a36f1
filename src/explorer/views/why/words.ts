import type { Content, Span } from './queries.ts';

/** Characters of the text before and behind the words that are shown with them. */
const AROUND = 60;

/** Words in their text, with what stands before and behind. */
export interface Quote {
  readonly before: string;
  readonly words: string;
  readonly after: string;
}

/** The words that a span names. Spans count characters, a text counts code units. */
export function quoteOf(text: string, { start, end }: Span): Quote {
  const characters = Array.from(text);
  const from = Math.max(0, start - AROUND);
  const to = Math.min(characters.length, end + AROUND);
  return {
    before: `${from > 0 ? '…' : ''}${characters.slice(from, start).join('')}`,
    words: characters.slice(start, end).join(''),
    after: `${characters.slice(end, to).join('')}${to < characters.length ? '…' : ''}`,
  };
}

/** The text that spans of an event count in; null where its content has none. */
export function textOf({ text, transcript, data }: Content): string | null {
  if (text !== undefined) return text;
  if (typeof transcript === 'string') return transcript;
  return typeof data === 'string' ? data : null;
}

/** A text of so many characters at most. */
export function cut(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

const RELATIONS: Readonly<Record<string, string>> = {
  supported_by: 'is supported by',
  supersedes_against: 'is spoken against by',
  denied_by: 'is denied by',
  extracted_from: 'is stated in',
  concluded_from: 'is concluded from',
  contains: 'contains',
  supersedes: 'took the place of',
  contradicts: 'contradicts',
  relates: 'has to do with',
  follows: 'follows',
};
const BACKWARDS: Readonly<Record<string, string>> = {
  supported_by: 'supports',
  supersedes_against: 'speaks against',
  denied_by: 'denies',
  extracted_from: 'states',
  concluded_from: 'is a premise of',
  contains: 'is part of',
  supersedes: 'gave way to',
  contradicts: 'is contradicted by',
  relates: 'has to do with',
  follows: 'comes before',
};

/** What one end of a link is to the other, as a verb: of its beginning, or, backwards, of its end. */
export function verbOf(relation: string, isBackwards = false): string {
  return (isBackwards ? BACKWARDS : RELATIONS)[relation] ?? relation.replaceAll('_', ' ');
}

/** A share or a weight with two digits at most. */
export function shortNumber(value: number): string {
  return String(Math.round(value * 100) / 100);
}
