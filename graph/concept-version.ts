import type { ConceptVersion } from '../src/derive/concept.ts';
import { Columns, TextRow } from './columns.ts';
import { int, type Param } from './statement.ts';

/** What of a version statements look through: the ids of what it cites, beside what its text says. */
type Cites = Pick<ConceptVersion, 'facts' | 'beliefs' | 'events'>;

/** The rest of a version as text. */
export const VERSION_TOLD = new TextRow<Omit<ConceptVersion, keyof Cites>>({
  number: true,
  recorded_from: true,
  caused_by: true,
  position: true,
  name: true,
  summary: true,
  stances: true,
  fact_count: true,
  independent: true,
  stance: true,
  confidence: true,
  newest_at: true,
  edges: true,
});

/** Properties of a version as it is stored. */
export const VERSION_PROPS = new Columns([
  'concept_id',
  'recorded_from',
  'facts',
  'beliefs',
  'events',
  'told',
]);

/** A version of a concept as it is sent to be stored. */
export function versionRow(concept_id: string, { facts, beliefs, events, ...told }: ConceptVersion): Param {
  return VERSION_PROPS.row({
    concept_id,
    recorded_from: int(told.recorded_from),
    facts,
    beliefs,
    events,
    told: VERSION_TOLD.text(told),
  });
}

/** A version as it is read. */
export type StoredVersion = readonly [
  told: string,
  facts: readonly string[],
  beliefs: readonly string[],
  events: readonly string[],
];

/** What is read of a version `v`. */
export const VERSION = '[v.told, v.facts, v.beliefs, v.events]';

/** A version as derivation knows it. */
export function versionOf([told, facts, beliefs, events]: StoredVersion): ConceptVersion {
  return { ...VERSION_TOLD.row(told), facts, beliefs, events };
}
