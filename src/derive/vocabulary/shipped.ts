import { CARDINALITIES } from '../../../schemas/scope-policy.ts';
import { CODE } from './code.ts';
import { EVERYDAY } from './everyday.ts';
import { HEALTH } from './health.ts';
import { PATTERNS } from './patterns.ts';
import { pluralOf } from './plural.ts';
import type { PredicateEntry, PredicateTable } from './table.ts';
import { COUNTABLE, NAMED_THINGS } from './things.ts';
import { WORK } from './work.ts';

const NAMED = wordsOf(NAMED_THINGS);

/**
 * What the service knows of predicates by itself, by name or by pattern (`likes_*`). The vocabulary file of a deployment goes before
 * it, and a scope's `policies.cardinality` before both. Of any other predicate it is assumed that it has one value.
 */
export const VOCABULARY: Readonly<Record<string, PredicateEntry>> = {
  ...Object.fromEntries(wordsOf(COUNTABLE).map(hasThing)),
  ...Object.fromEntries([EVERYDAY, WORK, HEALTH, CODE].flatMap(entriesOf)),
  ...PATTERNS,
};

function entriesOf(table: PredicateTable): [string, PredicateEntry][] {
  return CARDINALITIES.flatMap((cardinality) =>
    wordsOf(table[cardinality]).map(([name = '', ...synonyms]): [string, PredicateEntry] => [
      name,
      { cardinality, synonyms: [...synonyms, ...nounsOf(name)] },
    ]),
  );
}

function hasThing([singular = '', plural = pluralOf(singular)]: readonly string[]): [string, PredicateEntry] {
  return [`has_${singular}`, { cardinality: 'many', synonyms: [`has_${plural}`, plural] }];
}

/** The names of a predicate that are made of its nouns. */
function nounsOf(name: string): string[] {
  return NAMED.filter(([predicate]) => predicate === name)
    .flatMap(([, singular = '', plural = pluralOf(singular)]) => [singular, plural])
    .flatMap((noun) => [noun, `has_${noun}`])
    .filter((noun) => noun !== name);
}

function wordsOf(lines: string): string[][] {
  return lines
    .split('\n')
    .map((line) => line.trim().split(' '))
    .filter(([first]) => first !== '');
}
