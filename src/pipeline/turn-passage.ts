import type { Envelope } from '../../schemas/envelope.ts';
import type { PendingEvent } from '../../graph/pending-event.ts';
import type { TurnPassage } from '../../graph/stage-effect.ts';
import { levelRefs } from '../capture/scope-key.ts';
import { observedDay, recordedDay, tagsOf } from '../capture/search-tags.ts';
import { indexTerms } from '../capture/search-words.ts';
import { searchableText } from '../capture/searchable-text.ts';
import { entityIdOf } from '../derive/entity.ts';
import { threadKeyOf } from '../derive/episode/episode.ts';
import { tokensOfSaid } from '../recall/budget.ts';
import { speakerOf } from '../recall/speaker.ts';

/** Characters of its words that a turn gives to the windows of others and to its session: a long document must not be stored seven times. */
export const MAX_EXCERPT_LENGTH = 2000;

/** What of an event a passage is made of, beside its envelope. */
type PassageEvent = Pick<
  PendingEvent,
  'tenant' | 'scope' | 'scope_ref' | 'caller' | 'observed_at' | 'recorded_at'
>;

/**
 * What is searchable of an event; null for one without words. The words of a message begin with the name of whoever speaks, so that what
 * somebody said is found by his name, and those of a declared belief with what it is about. What is stated, decided or believed in a
 * structure stands by itself: what comes before and after it says nothing about it.
 */
export function turnPassageOf(event: PassageEvent, envelope: Envelope): TurnPassage | null {
  const said = searchableText(envelope.content);
  const words = indexTerms(said);
  if (words.length === 0) return null;
  const { scope_ref, caller } = event;
  const speaker = speakerOf(envelope.content.kind, envelope.observed_actor?.id ?? caller);
  const text = [...indexTerms(speaker ?? topicOf(envelope.content)), ...words].join(' ');
  return {
    text,
    excerpt: text.length > MAX_EXCERPT_LENGTH ? beginningOf(text) : null,
    thread: threadOf(scope_ref, envelope),
    scope_tokens: levelRefs(event.tenant, event.scope),
    tags: tagsOf(envelope, caller),
    embed: laterOrNever(envelope),
    observed_day: observedDay(event.observed_at),
    recorded_day: recordedDay(event.recorded_at),
    said_tokens: tokensOfSaid({ speaker, text: said }),
  };
}

function laterOrNever({ directives }: Envelope): TurnPassage['embed'] {
  const { embed } = directives ?? {};
  return embed === undefined || embed === 'eager' ? null : embed;
}

const STRUCTURED: readonly Envelope['content']['kind'][] = [
  'triple',
  'declared_belief',
  'conflict_resolution',
];

function threadOf(scopeRef: string, { content, observed_actor }: Envelope): string | null {
  if (STRUCTURED.includes(content.kind)) return null;
  const session = observed_actor?.session;
  return session === undefined ? scopeRef : threadKeyOf(scopeRef, 'session', session);
}

/** What a belief is about, in words; empty where its statement says that by itself, and for what is no belief. */
function topicOf(content: Envelope['content']): string {
  if (content.kind !== 'declared_belief') return '';
  const { subject, predicate, statement } = content.declared_belief;
  const { id, name } = subject;
  return id === entityIdOf(statement) ? '' : `${name ?? id} ${predicate.replaceAll('_', ' ')}`;
}

/** The whole words among the first characters of a text; empty where the first word is longer. */
function beginningOf(text: string): string {
  return text.slice(0, Math.max(0, text.lastIndexOf(' ', MAX_EXCERPT_LENGTH)));
}
