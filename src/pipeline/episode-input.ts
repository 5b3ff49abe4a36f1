import type { Envelope } from '../../schemas/envelope.ts';
import { searchableText } from '../capture/searchable-text.ts';
import { statedRole } from '../derive/episode/role.ts';
import { threadKeyOf, type EpisodeEvent } from '../derive/episode/episode.ts';
import { quoteOf } from '../derive/quote.ts';

/** An event as it is stored, with its envelope. Instants are epoch milliseconds. */
export interface EnvelopedEvent {
  readonly id: string;
  readonly position: number;
  readonly recorded_at: number;
  readonly observed_at: number;
  readonly scope_ref: string;
  /** Id of who or what it is about; the caller where it names nobody. */
  readonly subject: string;
  readonly envelope: Envelope;
}

/** Characters of what an event adds to a chain, and of the two parts of a summary. */
const QUOTE_LENGTH = 240;
/** Events that led to another, of those that it names: the first so many that differ are followed. */
export const MAX_FOLLOWED_EVENTS = 16;

/**
 * An event as episodes see it; null for one that belongs to none: feedback, which is evidence only, and what was written with
 * directives that do not name episodes.
 */
export function episodeEventOf(event: EnvelopedEvent): EpisodeEvent | null {
  const { envelope, scope_ref, subject } = event;
  const extract = envelope.directives?.extract;
  if (envelope.modality === 'feedback' || (extract !== undefined && !extract.includes('episodes')))
    return null;
  const session = envelope.observed_actor?.session;
  const text = quoteOf(searchableText(envelope.content), QUOTE_LENGTH);
  return {
    id: event.id,
    position: event.position,
    recorded_at: event.recorded_at,
    observed_at: event.observed_at,
    threads: [
      ...(session === undefined ? [] : [threadKeyOf(scope_ref, 'session', session)]),
      threadKeyOf(scope_ref, 'subject', subject),
    ],
    preceded_by: [...new Set(envelope.context?.preceded_by ?? [])].slice(0, MAX_FOLLOWED_EVENTS),
    role: statedRole(envelope.context?.intent, envelope.modality),
    // A blob without a transcript has no words: what it is has to do.
    quote: text === '' ? envelope.content.kind : text,
  };
}
