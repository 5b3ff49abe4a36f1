import { OPEN_END } from '../../schemas/time.ts';
import type { Stance } from '../../src/derive/belief/weight.ts';
import { coverageOf } from '../../src/derive/concept/item.ts';
import { isPartial, type CitingVersion, type ConceptVersion } from '../../src/derive/concept/evolve.ts';
import { Columns, fromProperties } from '../columns.ts';
import { int, intOrNull, real, type Param } from '../statement.ts';

/** What a version says of its concept; the concept carries what its last version says. */
export const SAYS = ['version', 'name', 'summary', 'stance', 'confidence', 'coverage', 'partial'] as const;

/**
 * Properties of a version as it is stored. What was believed of the `facts`, which events they rest on and what they say of other concepts is
 * kept with the supports of the concept.
 */
export const VERSION_PROPS = new Columns(
  [
    'concept_id',
    ...SAYS,
    'recorded_from',
    'recorded_to',
    'caused_by',
    'position',
    'fact_count',
    'independent',
    'newest_at',
    'facts',
  ],
  ['recorded_from', 'recorded_to'],
  ['newest_at'],
);

/** What a version says as it is sent. */
export function saysRow(version: ConceptVersion): Record<(typeof SAYS)[number], Param> {
  return {
    version: int(version.number),
    name: version.name,
    summary: version.summary,
    stance: version.stance,
    confidence: real(version.confidence),
    coverage: real(coverageOf(version)),
    partial: isPartial(version),
  };
}

/** A version of a concept as it is sent to be stored, and when the next one follows. */
export function versionRow(concept_id: string, version: CitingVersion, next: ConceptVersion | null): Param {
  const { facts, caused_by } = version;
  return VERSION_PROPS.row({
    concept_id,
    ...saysRow(version),
    recorded_from: int(version.recorded_from),
    recorded_to: int(next?.recorded_from ?? OPEN_END),
    caused_by,
    position: int(version.position),
    fact_count: int(version.fact_count),
    independent: int(version.independent),
    newest_at: intOrNull(version.newest_at),
    facts,
  });
}

/** What is read of a version `v`: without the names of its properties, which cost as much as their values. */
export const VERSION = fromProperties(
  'v',
  (
    of,
  ) => `[${of}.version, ${of}.recorded_from.epochMillis, ${of}.caused_by, ${of}.position, ${of}.name, ${of}.summary, size(${of}.facts), ${of}.fact_count,
     ${of}.independent, ${of}.stance, ${of}.confidence, ${of}.newest_at.epochMillis]`,
);

/** A version as it is read. */
export type StoredVersion = readonly [
  number: number,
  recorded_from: number,
  caused_by: string,
  position: number,
  name: string,
  summary: string,
  cited_count: number,
  fact_count: number,
  independent: number,
  stance: Stance,
  confidence: number,
  newest_at: number | null,
];

/** A version as derivation knows it. */
export function versionOf(stored: StoredVersion): ConceptVersion {
  const [
    number,
    recorded_from,
    caused_by,
    position,
    name,
    summary,
    cited_count,
    fact_count,
    independent,
    stance,
    confidence,
    newest_at,
  ] = stored;
  const content = { name, summary, cited_count, fact_count, independent, stance };
  return { number, recorded_from, caused_by, position, ...content, confidence, newest_at };
}
