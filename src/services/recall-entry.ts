import type { BeliefItem } from '../../schemas/belief.ts';
import type { ConceptItem } from '../../schemas/concept.ts';
import type { EpisodeItem } from '../../schemas/episode.ts';
import type { EventItem } from '../../schemas/event.ts';
import type { FactItem } from '../../schemas/fact.ts';
import { toEpochMs } from '../../schemas/time.ts';
import { searchableText } from '../capture/searchable-text.ts';
import { sentence } from '../derive/why.ts';
import type { ContextEntry } from '../recall/context-block.ts';

/** What an event says, and who says it. */
export function eventEntry({ id, content, context, observed_actor: actor }: EventItem): ContextEntry {
  const speaker = content.kind === 'message' ? nameOf(actor.id) : null;
  return { layer: 'events', id, at: toEpochMs(context.observed_at), speaker, text: searchableText(content) };
}

/** A fact as a line: what is stated, and until when where that is over. */
export function factEntry(fact: FactItem): ContextEntry {
  return {
    layer: 'facts',
    id: fact.id,
    at: toEpochMs(fact.valid_from),
    text: `${factText(fact)}${until(fact)}`,
  };
}

/** A belief as a line: what is believed, and how sure that is. */
export function beliefEntry(belief: BeliefItem): ContextEntry {
  const { stance, confidence } = belief;
  const sure = `(${stance}, confidence ${confidence.toFixed(2)})`;
  return {
    layer: 'beliefs',
    id: belief.id,
    at: toEpochMs(belief.valid_from),
    text: `${beliefText(belief)} ${sure}${until(belief)}`,
  };
}

/** An episode as a line: its name, and what it came to. */
export function episodeEntry({ id, started_at, name, summary }: EpisodeItem): ContextEntry {
  const text = summary.startsWith(name) ? summary : `${name}: ${summary}`;
  return { layer: 'episodes', id, at: toEpochMs(started_at), text };
}

/** A concept as a line: what it is called, and what is understood of it. */
export function conceptEntry({ id, name, summary, recorded_from: at }: ConceptItem): ContextEntry {
  return { layer: 'understanding', id, at: toEpochMs(at), text: `${name}: ${summary}` };
}

/** What a fact states, in words. */
export function factText({ subject, predicate, object }: FactItem): string {
  return sentence({ subject: subject.name ?? subject.id, predicate, object });
}

/** What a belief is of, in words. */
export function beliefText({ claim: { subject, predicate, object } }: BeliefItem): string {
  return sentence({ subject: subject.name ?? subject.id, predicate, object });
}

function until({ valid_to: end }: Pick<FactItem, 'valid_to'>): string {
  return end === null ? '' : ` (until ${end.slice(0, 16).replace('T', ' ')} UTC)`;
}

/** What an actor is called: what stands behind the first colon. */
function nameOf(actor: string): string {
  return actor.slice(actor.indexOf(':') + 1);
}
