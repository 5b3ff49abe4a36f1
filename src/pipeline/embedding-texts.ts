import type { DuePassage } from '../../graph/embedding/work.ts';
import type { Envelope } from '../../schemas/envelope.ts';
import { searchableText } from '../capture/searchable-text.ts';

/** Characters of a turn on either side that the window of a turn holds: of 256 tokens that count, some are left for the turn itself. */
export const EMBEDDING_NEIGHBOUR_CHARACTERS = 500;

/** The two vectors that a passage has. */
export type VectorName = 'vector' | 'windowVector';

/** A text that a vector is to be made of. */
export interface TextToEmbed {
  readonly passage: DuePassage;
  readonly names: readonly VectorName[];
  readonly text: string;
}

/**
 * The texts of passages, by the envelopes (JSON) of their windows: what the event itself says, and what those on either side say before
 * and behind it, of a long one its beginning. A passage of whose window an event is gone has none: it is replayed.
 */
export function textsToEmbed(
  passages: readonly DuePassage[],
  envelopes: ReadonlyMap<string, string>,
): TextToEmbed[] {
  const said = new Map([...envelopes].map(([id, envelope]) => [id, textOf(envelope)]));
  return passages.flatMap((passage): TextToEmbed[] => {
    const { event_id, window, threaded, own } = passage;
    const text = said.get(event_id);
    const parts = window.map((id) =>
      id === event_id ? text : said.get(id)?.slice(0, EMBEDDING_NEIGHBOUR_CHARACTERS),
    );
    if (text === undefined || parts.includes(undefined)) return [];
    if (!threaded) return own ? [] : [{ passage, names: ['vector'], text }];
    if (parts.length === 1)
      return [{ passage, names: own ? ['windowVector'] : ['vector', 'windowVector'], text }];
    const around: TextToEmbed = { passage, names: ['windowVector'], text: parts.join('\n') };
    return own ? [around] : [{ passage, names: ['vector'], text }, around];
  });
}

function textOf(envelope: string): string {
  return searchableText((JSON.parse(envelope) as Envelope).content).trim();
}
