import type { Content, Term } from '../views/home/queries.ts';
import { inWords, termInWords } from '../views/home/content.ts';

interface Named {
  readonly id: string;
  readonly name: string | null;
}

/** A fact as it is selected by `FACT`. */
export interface FactPart {
  readonly subject: Named;
  readonly predicate: string;
  readonly object: Term;
  readonly confidence: number;
  readonly validFrom: string;
  readonly validTo: string | null;
}

/** A belief as it is selected by `BELIEF`. */
export interface BeliefPart extends Omit<FactPart, 'subject'> {
  readonly claim: { readonly subject: Named };
  readonly stance: string;
  readonly confidenceInterval: { readonly lower: number; readonly upper: number };
}

/** An event as it is selected by `EVENT`. */
export interface EventPart {
  readonly observedActor: { readonly id: string };
  readonly context: { readonly observedAt: string };
  readonly content: Content;
}

/** An episode as it is selected by `EPISODE`. */
export interface EpisodePart {
  readonly name: string;
  readonly summary: string;
  readonly startedAt: string;
}

/** A concept as it is selected by `CONCEPT`. */
export interface ConceptPart {
  readonly name: string;
  readonly summary: string;
  readonly version: number;
  readonly stance: string;
  readonly confidence: number;
}

/** A record of whatever layer, as it is selected by `RECORD`. */
export type MemoryRecord =
  | ({ readonly __typename: 'Event'; readonly id: string } & EventPart)
  | ({ readonly __typename: 'Episode'; readonly id: string } & EpisodePart)
  | ({ readonly __typename: 'Fact'; readonly id: string } & FactPart)
  | ({ readonly __typename: 'Belief'; readonly id: string } & BeliefPart)
  | ({ readonly __typename: 'Concept'; readonly id: string } & ConceptPart);

/** A layer of memory. */
export type Layer = 'events' | 'episodes' | 'facts' | 'beliefs' | 'understanding';

/** The layers from what was captured up to what was made of it. */
export const LAYERS: readonly Layer[] = ['events', 'episodes', 'facts', 'beliefs', 'understanding'];

/** What one record of a layer is called. */
export const ONE_OF: Readonly<Record<Layer, string>> = {
  events: 'event',
  episodes: 'episode',
  facts: 'fact',
  beliefs: 'belief',
  understanding: 'concept',
};

/** What the records of a layer are called. */
export const MANY_OF: Readonly<Record<Layer, string>> = {
  events: 'Events',
  episodes: 'Episodes',
  facts: 'Facts',
  beliefs: 'Beliefs',
  understanding: 'Concepts',
};

/** A record in one line. */
export function recordInWords(record: MemoryRecord): string {
  switch (record.__typename) {
    case 'Event':
      return inWords(record.content);
    case 'Episode':
      return record.summary === '' ? record.name : record.summary;
    case 'Concept':
      return record.summary === '' ? record.name : record.summary;
    case 'Fact':
      return statementInWords(record.subject, record);
    case 'Belief':
      return statementInWords(record.claim.subject, record);
  }
}

function statementInWords(
  subject: Named,
  { predicate, object }: Pick<FactPart, 'predicate' | 'object'>,
): string {
  return `${subject.name ?? subject.id} ${predicate.replaceAll('_', ' ')} ${termInWords(object)}`;
}
