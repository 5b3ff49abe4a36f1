import type { Content } from '../../schemas/content.ts';
import { captioned } from '../../schemas/text.ts';
import { searchableText } from './searchable-text.ts';

/** What an event says, on one line of 280 characters at most; empty where it says nothing in words. */
export function caption(content: Content): string {
  return captioned(content.kind === 'json' ? JSON.stringify(content.data) : searchableText(content));
}
