import type { Writer } from './driver.ts';
import { storedInstant } from './instant.ts';
import { int, statement, type Params, type Statement } from './statement.ts';

/** Properties that hold instants, by the label of their nodes. */
export const NODE_INSTANTS: Readonly<Record<string, readonly string[]>> = {
  Event: ['recorded_at', 'observed_at'],
  LogEntry: ['recorded_at', 'ended_at'],
  Statement: [
    'recorded_at',
    'stated_from',
    'stated_to',
    'known_at',
    'left_at',
    'valid_from',
    'valid_to',
    'recorded_from',
    'recorded_to',
  ],
  FactVersion: ['valid_from', 'valid_to', 'recorded_from', 'recorded_to', 'ended_at'],
  Belief: ['recorded_at', 'valid_from', 'valid_to', 'recorded_from'],
  BeliefRevision: [
    'valid_from',
    'valid_to',
    'recorded_from',
    'recorded_to',
    'holds_from',
    'holds_to',
    'revised_at',
  ],
  Concept: ['recorded_at', 'recorded_from'],
  ConceptVersion: ['recorded_from', 'recorded_to', 'newest_at'],
  ConceptSupport: ['recorded_from', 'recorded_to'],
  Conflict: ['detected_at', 'resolved_at'],
  Episode: ['recorded_from', 'newest_at', 'sealed_at', 'started_at', 'last_at', 'ended_at'],
  EpisodeRevision: ['recorded_from', 'started_at', 'ended_at'],
  EntityName: ['recorded_at'],
};

/** The same by the type of edges. */
export const EDGE_INSTANTS: Readonly<Record<string, readonly string[]>> = {
  DERIVED_FROM: ['recorded_from', 'recorded_to'],
  SUPERSEDED_BY: ['recorded_from', 'recorded_to', 'valid_at'],
  CONCLUDED_FROM: ['recorded_from', 'recorded_to'],
  SUPPORTED_BY: ['recorded_from', 'recorded_to', 'newest_at'],
  CONTRADICTS: ['recorded_from', 'recorded_to'],
  CONTAINS: ['recorded_from', 'observed_at'],
  RELATES: ['recorded_from', 'recorded_to'],
};

const isNumber = (property: string): string => `x.${property} IS :: INTEGER NOT NULL`;
const converted = (property: string): string =>
  `x.${property} = CASE WHEN ${isNumber(property)} THEN ${storedInstant(`x.${property}`)} ELSE x.${property} END`;

const convert = (name: string, match: string, properties: readonly string[]): Statement<Params, unknown> =>
  statement(
    `migration.instants_of_${name}`,
    'none: all of a kind are gone through once',
    `MATCH ${match} WHERE ${properties.map(isNumber).join(' OR ')}
     CALL (x) { SET ${properties.map(converted).join(', ')} } IN TRANSACTIONS OF $rows ROWS`,
    { patient: true },
  );

const CONVERSIONS = [
  ...Object.entries(NODE_INSTANTS).map(([label, names]) => convert(label, `(x:${label})`, names)),
  ...Object.entries(EDGE_INSTANTS).map(([type, names]) => convert(type, `()-[x:${type}]->()`, names)),
];

/** Rows that one transaction converts. */
const ROWS = 2000;

/** Makes datetimes of the instants that a store of version 10 has as numbers. What was interrupted goes on with what is left. */
export async function convertInstants(database: Writer): Promise<void> {
  for (const one of CONVERSIONS) await database.writeRepeatable(one, { rows: int(ROWS) });
}
