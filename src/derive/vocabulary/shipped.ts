import { CARDINALITIES, type Cardinality } from '../../../schemas/scope-policy.ts';
import { CODE } from './code.ts';
import { EVERYDAY } from './everyday.ts';
import { HEALTH } from './health.ts';
import { PATTERNS } from './patterns.ts';
import type { PredicateTable } from './table.ts';
import { COUNTABLE } from './things.ts';
import { WORK } from './work.ts';

/** What is known of a predicate beforehand. */
export interface PredicateEntry {
  readonly cardinality: Cardinality;
  /** Other names that mean the same, in canonical spelling. */
  readonly synonyms?: readonly string[];
}

/**
 * What the service knows of predicates by itself, by name or by pattern (`likes_*`). The vocabulary file of a deployment goes before
 * it, and a scope's `policies.cardinality` before both. Of any other predicate it is assumed that it has one value.
 */
export const VOCABULARY: Readonly<Record<string, PredicateEntry>> = {
  ...Object.fromEntries(wordsOf(COUNTABLE).map(hasThing)),
  ...Object.fromEntries([EVERYDAY, WORK, HEALTH, CODE].flatMap(entriesOf)),
  ...Object.fromEntries(Object.entries(PATTERNS).map(([pattern, cardinality]) => [pattern, { cardinality }])),
};

function entriesOf(table: PredicateTable): [string, PredicateEntry][] {
  return CARDINALITIES.flatMap((cardinality) =>
    wordsOf(table[cardinality]).map(([name = '', ...synonyms]): [string, PredicateEntry] => [
      name,
      { cardinality, synonyms },
    ]),
  );
}

function hasThing([singular = '', plural = `${singular}s`]: readonly string[]): [string, PredicateEntry] {
  return [`has_${singular}`, { cardinality: 'many', synonyms: [`has_${plural}`, plural] }];
}

function wordsOf(lines: string): string[][] {
  return lines
    .split('\n')
    .map((line) => line.trim().split(' '))
    .filter(([first]) => first !== '');
}
