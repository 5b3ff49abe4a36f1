import type { Cardinality } from '../../../schemas/scope-policy.ts';

/** The end of a pattern that stands for plurals. */
const PLURAL = '*s';

/**
 * Predicates that are known by their form: `*` stands for any characters, one at least. At the end, `*s` stands for a plural: what
 * ends in `ss`, `us` or `is` is none. A predicate that is known by its name goes before; of several patterns the one with the most
 * characters does, then the first in the order of letters.
 */
export const PATTERNS: Readonly<Record<string, Cardinality>> = {
  'likes_*': 'many',
  'loves_*': 'many',
  'enjoys_*': 'many',
  'dislikes_*': 'many',
  'hates_*': 'many',
  'interested_in_*': 'many',
  'visited_*': 'many',
  'has_visited_*': 'many',
  'speaks_*': 'many',
  'plays_*': 'many',
  'takes_*': 'many',
  'allergic_to_*': 'many',
  'wants_to_*': 'many',
  'plans_to_*': 'many',
  'has_*s': 'many',
  'favorite_*': 'one',
  'favourite_*': 'one',
  'number_of_*': 'one',
  'date_of_*': 'one',
  'current_*': 'one',
  'default_*': 'one',
  'primary_*': 'one',
  'latest_*': 'one',
  'total_*': 'one',
  '*_count': 'one',
  '*_date': 'one',
  '*_status': 'one',
  '*_version': 'one',
};

/** Whether a text is a pattern of predicates: one `*` among other characters. */
export function isPattern(name: string): boolean {
  return name.length > 1 && name.split('*').length === 2;
}

/** Whether a predicate has the form of a pattern; both in canonical spelling. */
export function hasForm(predicate: string, pattern: string): boolean {
  const [head = '', tail = ''] = pattern.split('*');
  if (predicate.length <= head.length + tail.length) return false;
  if (!predicate.startsWith(head) || !predicate.endsWith(tail)) return false;
  return !pattern.endsWith(PLURAL) || !/[siu]s$/.test(predicate);
}
