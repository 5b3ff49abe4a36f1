import type { Content } from '../../schemas/content.ts';
import { searchableText } from './searchable-text.ts';

/** Characters of a text that a summary quotes at most. */
const QUOTED_CHARS = 160;
/** Characters of the caption of an event at most. */
const CAPTION_CHARS = 280;

/** A text on one line, cut at a word where it is longer than `most` characters. */
export function quoted(text: string, most = QUOTED_CHARS): string {
  // Of a long text only the beginning is looked at; runs of blanks count as one, so that it is some times as much.
  const line = text
    .slice(0, most * 8)
    .replace(/\s+/gu, ' ')
    .trim();
  if (line.length <= most) return line;
  const head = line.slice(0, most);
  const end = head.lastIndexOf(' ');
  return `${(end > most / 2 ? head.slice(0, end) : head).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}

/** What an event says, on one line of 280 characters at most; empty where it says nothing in words. */
export function caption(content: Content): string {
  return quoted(
    content.kind === 'json' ? JSON.stringify(content.data) : searchableText(content),
    CAPTION_CHARS,
  );
}
