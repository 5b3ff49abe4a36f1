import type { Content } from '../../schemas/content.ts';
import { quoted } from '../../schemas/text.ts';
import { searchableText } from './searchable-text.ts';

/** Characters of the caption of an event at most, before the sign that it was cut. */
const CAPTION_CHARS = 279;

/** What an event says, on one line of 280 characters at most; empty where it says nothing in words. */
export function caption(content: Content): string {
  return quoted(
    content.kind === 'json' ? JSON.stringify(content.data) : searchableText(content),
    CAPTION_CHARS,
  );
}
