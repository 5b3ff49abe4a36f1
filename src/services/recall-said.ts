import type { FactSaidReader, SaidWords } from '../../graph/fact/said.ts';
import type { EventItem } from '../../schemas/event.ts';
import type { RecalledFact, RecallPack } from '../../schemas/recall.ts';
import { searchableText } from '../capture/searchable-text.ts';
import { RECALL_QUOTED_BYTES } from '../limits/recall.ts';
import { KNOWN_NOW } from '../time/as-of.ts';
import type { Call } from './access.ts';
import type { EventService } from './event.ts';

/** A fact of a pack before it is known how it was said. */
export type FoundFact = Omit<RecalledFact, 'polarity' | 'quote' | 'date_basis'>;

/** What is known where it is told how facts were said. */
export interface SayingQuestion {
  /** Events that were read already. */
  readonly events: readonly EventItem[];
  /** Epoch milliseconds; null for now. */
  readonly recorded: number | null;
  /** Whether contents are shown. */
  readonly quotes: boolean;
}

/** Tells of facts of a pack how they were said. */
export class RecallSayings {
  private readonly reader: Pick<FactSaidReader, 'of'>;
  private readonly event: Pick<EventService, 'getSome'>;

  constructor(reader: Pick<FactSaidReader, 'of'>, event: Pick<EventService, 'getSome'>) {
    this.reader = reader;
    this.event = event;
  }

  /** Facts with how they were said. One round trip, one more where words stand in events that were not read; none for no facts. */
  async tell(call: Call, facts: readonly FoundFact[], question: SayingQuestion): Promise<RecalledFact[]> {
    const ids = facts.map(({ id }) => id);
    const said = await this.reader.of(ids, question.recorded ?? KNOWN_NOW);
    const words = question.quotes ? [...said.values()].flatMap((one) => one.words ?? []) : [];
    const events = await this.eventsOf(call, words, question);
    return facts.map((fact): RecalledFact => {
      const one = said.get(fact.id);
      // It went while the pack was made.
      if (one === undefined) return fact;
      const event = one.words === null ? undefined : events.get(one.words.event);
      const quote = event === undefined || one.words === null ? '' : wordsIn(event, one.words);
      return {
        ...fact,
        polarity: one.is_denied ? 'negative' : 'positive',
        date_basis: one.has_explicit_valid_from ? 'stated' : 'observed',
        ...(quote === '' ? {} : { quote }),
      };
    });
  }

  /** The events that words stand in; those of them that were not read are, as far as they are not too large together. */
  private async eventsOf(
    call: Call,
    words: readonly SaidWords[],
    { events, recorded }: SayingQuestion,
  ): Promise<ReadonlyMap<string, EventItem>> {
    const wanted = new Set(words.map(({ event }) => event));
    const known = new Map(events.filter(({ id }) => wanted.has(id)).map((event) => [event.id, event]));
    const unread = [...wanted].filter((id) => !known.has(id));
    if (unread.length === 0) return known;
    const instants = { valid: null, recorded };
    const read = await this.event.getSome(call, unread, instants, { bytes: RECALL_QUOTED_BYTES });
    return new Map([...known, ...read.events.map((event) => [event.id, event] as const)]);
  }
}

/** A pack as it is kept: a fact may outlive the event whose words it quotes. */
export function unquoted(pack: RecallPack): RecallPack {
  const facts = pack.layers.facts.map(({ quote: _quote, ...fact }) => fact);
  return { ...pack, layers: { ...pack.layers, facts } };
}

const BEYOND_ONE_UNIT = /[\ud800-\udfff]/;

/** Words of an event by their place in characters. */
function wordsIn({ content }: EventItem, { start, end }: SaidWords): string {
  const text = searchableText(content);
  if (!BEYOND_ONE_UNIT.test(text)) return text.slice(start, end);
  return Array.from(text).slice(start, end).join('');
}
