import type { StoredOpinion } from '../../src/derive/belief/item.ts';
import type { Evidence } from '../../src/derive/belief/weight.ts';
import { Columns, fromProperties } from '../columns.ts';

/** Properties of a row as it is stored. */
export const REVISION_PROPS = new Columns(
  [
    'belief_id',
    'claim',
    'valid_from',
    'valid_to',
    'recorded_from',
    'recorded_to',
    'stance',
    'confidence',
    'lower',
    'upper',
    'holds_from',
    'holds_to',
    'revised_at',
    'caused_by',
    'revision',
  ],
  ['valid_from', 'valid_to', 'recorded_from', 'recorded_to', 'holds_from', 'holds_to', 'revised_at'],
);

/** An edge to what a row rests on, as it is read: `place` orders those of a row, of which the first has none. */
type StoredEvidence = readonly [
  id: string,
  is_event: boolean,
  weight: number,
  polarity: Evidence['polarity'],
  place: number | null,
];

/** A row as it is read. */
export type StoredRevision = readonly [
  valid_from: number,
  valid_to: number,
  recorded_from: number,
  recorded_to: number,
  stance: StoredOpinion['stance'],
  confidence: number,
  lower: number,
  upper: number,
  holds_from: number,
  holds_to: number,
  revised_at: number,
  caused_by: string,
  revision: number,
  evidence: readonly StoredEvidence[],
];

/** What is read of a row `x`. */
export const REVISION = `${fromProperties(
  'x',
  (
    of,
  ) => `[${of}.valid_from.epochMillis, ${of}.valid_to.epochMillis, ${of}.recorded_from.epochMillis, ${of}.recorded_to.epochMillis, ${of}.stance,
     ${of}.confidence, ${of}.lower, ${of}.upper, ${of}.holds_from.epochMillis, ${of}.holds_to.epochMillis, ${of}.revised_at.epochMillis, ${of}.caused_by,
     ${of}.revision]`,
)} + [COLLECT { MATCH (x)-[s:WEIGHED]->(n) RETURN [n.id, n:Event, s.weight, s.polarity, s.place] }]`;

/** A row as it was read. */
export function revisionOf([
  valid_from,
  valid_to,
  recorded_from,
  recorded_to,
  stance,
  confidence,
  lower,
  upper,
  holds_from,
  holds_to,
  revised_at,
  caused_by,
  revision,
  evidence,
]: StoredRevision): StoredOpinion {
  return {
    valid_from,
    valid_to,
    recorded_from,
    recorded_to,
    stance,
    confidence,
    lower,
    upper,
    holds_from,
    holds_to,
    revised_at,
    caused_by,
    revision,
    evidence: evidenceOf(evidence),
  };
}

function evidenceOf(edges: readonly StoredEvidence[]): Evidence[] {
  return [...edges]
    .sort(([, , , , a], [, , , , b]) => (a ?? 0) - (b ?? 0))
    .map(([id, isEvent, weight, polarity]) => ({ type: isEvent ? 'event' : 'fact', id, weight, polarity }));
}
