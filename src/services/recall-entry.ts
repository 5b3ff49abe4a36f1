import type { BeliefItem } from '../../schemas/belief.ts';
import type { ConceptItem } from '../../schemas/concept.ts';
import type { EpisodeItem } from '../../schemas/episode.ts';
import type { EventItem } from '../../schemas/event.ts';
import type { FactItem } from '../../schemas/fact.ts';
import { toEpochMs } from '../../schemas/time.ts';
import { searchableText } from '../capture/searchable-text.ts';
import { sentence } from '../derive/why.ts';
import type { ContextEntry } from '../recall/context-block.ts';
import { speakerOf } from '../recall/speaker.ts';
import { Clocks, minuteText } from '../time/clocks.ts';

/** Nothing is known of the clocks of whoever reads. */
const ANY_CLOCKS = new Clocks();

/**
 * What an event says, who says it, and until when that held where it is over (`ended`); told by the clocks of whoever reads, else of
 * whoever observed it. It is of the time since when what it states holds, else of the time at which it was observed.
 */
export function eventEntry(
  { id, content, context, observed_actor: actor }: EventItem,
  clocks: Clocks = ANY_CLOCKS,
  ended: string | null = null,
): ContextEntry {
  const since = statedSince(content);
  const at = toEpochMs(since ?? context.observed_at);
  return {
    layer: 'events',
    id,
    at,
    offsetMs: since === null ? clocks.offsetAt(at, context) : clocks.offsetOfBound(at),
    speaker: speakerOf(content.kind, actor.id),
    text: searchableText(content),
    ended: ended === null ? null : endText(ended, clocks),
  };
}

function statedSince(content: EventItem['content']): string | null {
  if (content.kind === 'triple') return content.triple.valid_from ?? null;
  return content.kind === 'declared_belief' ? (content.declared_belief.valid_from ?? null) : null;
}

/** A fact as a line: what is stated, and until when where that is over. */
export function factEntry(fact: FactItem, clocks: Clocks = ANY_CLOCKS): ContextEntry {
  return {
    layer: 'facts',
    id: fact.id,
    ...since(fact, clocks),
    text: `${factText(fact)}${until(fact, clocks)}`,
  };
}

/** A belief as a line: what is believed, and how sure that is. */
export function beliefEntry(belief: BeliefItem, clocks: Clocks = ANY_CLOCKS): ContextEntry {
  const { stance, confidence } = belief;
  const sure = `(${stance}, confidence ${confidence.toFixed(2)})`;
  return {
    layer: 'beliefs',
    id: belief.id,
    ...since(belief, clocks),
    text: `${beliefText(belief)} ${sure}${until(belief, clocks)}`,
  };
}

/** How an episode is told. */
interface EpisodeEntryOptions {
  readonly clocks?: Clocks;
  /** Whether its events say themselves what it came to. Default false. */
  readonly said?: boolean;
  /** Until when that held by which it is called, RFC 3339; left out where it holds. */
  readonly ended?: string;
}

/** An episode as a line: its name, and what it came to; where its events say that themselves (`said`), how many it is of instead. */
export function episodeEntry(
  { id, started_at, name, summary, events, _partial: cut }: EpisodeItem,
  { clocks = ANY_CLOCKS, said = false, ended }: EpisodeEntryOptions = {},
): ContextEntry {
  const called = ended === undefined ? name : `${name} (${endText(ended, clocks)})`;
  const more = summary.startsWith(name) ? summary.slice(name.length) : `: ${summary}`;
  const count = ` (episode of ${cut ? 'more than ' : ''}${events.length} events)`;
  const at = toEpochMs(started_at);
  return {
    layer: 'episodes',
    id,
    at,
    offsetMs: clocks.offsetAt(at),
    text: `${called}${said ? count : more}`,
  };
}

/** A concept as a line: what it is called, and what is understood of it. */
export function conceptEntry(
  { id, name, summary, recorded_from }: ConceptItem,
  clocks: Clocks = ANY_CLOCKS,
): ContextEntry {
  const at = toEpochMs(recorded_from);
  return { layer: 'understanding', id, at, offsetMs: clocks.offsetAt(at), text: `${name}: ${summary}` };
}

/** What a fact states, in words. */
export function factText({ subject, predicate, object }: FactItem): string {
  return sentence({ subject: subject.name ?? subject.id, predicate, object });
}

/** What a belief is of, in words. */
export function beliefText({ claim: { subject, predicate, object } }: BeliefItem): string {
  return sentence({ subject: subject.name ?? subject.id, predicate, object });
}

function since({ valid_from }: Pick<FactItem, 'valid_from'>, clocks: Clocks) {
  const at = toEpochMs(valid_from);
  return { at, offsetMs: clocks.offsetOfBound(at) };
}

function until({ valid_to: end }: Pick<FactItem, 'valid_to'>, clocks: Clocks): string {
  return end === null ? '' : ` (${endText(end, clocks)})`;
}

function endText(end: string, clocks: Clocks): string {
  const at = toEpochMs(end);
  return `until ${minuteText(at, clocks.offsetOfBound(at))}`;
}
