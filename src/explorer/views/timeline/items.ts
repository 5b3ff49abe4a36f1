import { inWords } from '../home/content.ts';
import type { Item } from './line.ts';
import type { FoundNode, LineEpisode, LineEvent } from './queries.ts';

/** An event as it stands on the line: where it was observed. */
export function itemOfEvent({ id, content, observedActor, context }: LineEvent): Item {
  const start = Date.parse(context.observedAt);
  return { id, kind: 'event', start, end: start, text: inWords(content), actor: observedActor.id };
}

/** An episode as it stands on the line: from its first event to its last. */
export function itemOfEpisode({ id, name, startedAt, endedAt }: LineEpisode): Item {
  const end = endedAt === null ? null : Date.parse(endedAt);
  return { id, kind: 'episode', start: Date.parse(startedAt), end, text: name, actor: null };
}

/** What holds the words that were looked for. */
export function itemOfFound({ id, type, summary, validFrom, validTo }: FoundNode): Item[] {
  if (validFrom === null) return [];
  const start = Date.parse(validFrom);
  const end = type === 'event' ? start : validTo === null ? null : Date.parse(validTo);
  return [{ id, kind: type, start, end, text: summary, actor: null }];
}

/** Newest first by when they were observed or began; each once, though pages may tell of it twice. */
export function inOrder(items: readonly Item[]): Item[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  return [...byId.values()].sort((a, b) => b.start - a.start);
}
