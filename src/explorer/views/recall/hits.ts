import { recordInWords, type Layer, type MemoryRecord } from '../../records/record.ts';
import { bytesOf } from './context.ts';
import type { Found, Pack } from './queries.ts';

/** A hit as it is shown, of whatever layer. */
export interface Hit extends Found {
  readonly layer: Layer;
  readonly scope: string | null;
  /** What it says; null where it went meanwhile. */
  readonly words: string | null;
  /** When it was observed, begins to hold or began. */
  readonly at: string | null;
  /** Who said it, or how sure it is. */
  readonly record: MemoryRecord | null;
  /** The parts of a long text that hold words of the query. */
  readonly fragments: readonly string[];
  /** Why only a part of its text is in the pack; null where the whole is. */
  readonly cut: string | null;
}

/** The hits of a layer in the order of the pack. */
export function hitsOf({ layers }: Pack, layer: Layer): readonly Hit[] {
  switch (layer) {
    case 'events':
      return layers.events.map((found) => eventHit(found));
    case 'episodes':
      return layers.episodes.map(({ episode, ...found }) =>
        hitOf(layer, found, {
          record: { __typename: 'Episode', id: found.id, ...episode },
          scope: episode.scope,
          at: episode.startedAt,
        }),
      );
    case 'facts':
      return layers.facts.map(({ fact, ...found }) =>
        hitOf(layer, found, {
          record: { __typename: 'Fact', id: found.id, ...fact },
          scope: fact.scope,
          at: fact.validFrom,
        }),
      );
    case 'beliefs':
      return layers.beliefs.map(({ belief, ...found }) =>
        hitOf(layer, found, {
          record: { __typename: 'Belief', id: found.id, ...belief },
          scope: belief.scope,
          at: belief.validFrom,
        }),
      );
    case 'understanding':
      return layers.understanding.map(({ concept, ...found }) =>
        hitOf(layer, found, {
          record: { __typename: 'Concept', id: found.id, ...concept },
          scope: concept.scope,
          at: null,
        }),
      );
  }
}

interface Told {
  readonly record: MemoryRecord;
  readonly scope: string;
  readonly at: string | null;
}

function hitOf(layer: Layer, { id, score, matchedBy }: Found, { record, scope, at }: Told): Hit {
  const words = recordInWords(record);
  return { id, score, matchedBy, layer, record, scope, at, words, fragments: [], cut: null };
}

function eventHit({ event, content, matchedFragments, ...found }: Pack['layers']['events'][number]): Hit {
  const { id, score, matchedBy } = found;
  const cut = typeof content?._partial_reason === 'string' ? content._partial_reason : null;
  const shared = { id, score, matchedBy, layer: 'events', cut } as const;
  if (event === null) return { ...shared, scope: null, words: null, at: null, record: null, fragments: [] };
  const record: MemoryRecord = { __typename: 'Event', id, ...event };
  const words = recordInWords(record);
  const fragments = (matchedFragments ?? []).map(({ byteRange }) => bytesOf(words, byteRange).trim());
  return { ...shared, scope: event.scope, words, at: event.context.observedAt, record, fragments };
}
