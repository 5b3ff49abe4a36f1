import { isPlural } from './plural.ts';
import type { PredicateEntry } from './table.ts';

/** The end of a pattern that stands for plurals. */
const PLURAL = '*s';

/** What makes something else of a verb: `plays_for` is of the one who plays, not of what is played. */
const PARTICLE = /(?:^|_)(?:after|as|at|by|for|from|in|into|off|on|out|over|since|to|until|up)$/;

const many: PredicateEntry = { cardinality: 'many' };
const one: PredicateEntry = { cardinality: 'one' };
const deed: PredicateEntry = { cardinality: 'many', before_objects: true };

/**
 * Predicates that are known by their form: `*` stands for any characters, one at least. At the end, `*s` stands for a plural
 * ({@link isPlural}). A predicate that is known by its name goes before; of several patterns the one with the most characters does,
 * then the first in the order of letters.
 */
export const PATTERNS: Readonly<Record<string, PredicateEntry>> = {
  'likes_*': deed,
  'loves_*': deed,
  'enjoys_*': deed,
  'dislikes_*': deed,
  'hates_*': deed,
  'interested_in_*': deed,
  'visited_*': deed,
  'has_visited_*': deed,
  'speaks_*': deed,
  'plays_*': deed,
  'takes_*': deed,
  'allergic_to_*': deed,
  'wants_to_*': deed,
  'plans_to_*': deed,
  'has_*s': many,
  'favorite_*s': many,
  'favourite_*s': many,
  'current_*s': many,
  'default_*s': many,
  'primary_*s': many,
  'latest_*s': many,
  'favorite_*': one,
  'favourite_*': one,
  'number_of_*': one,
  'date_of_*': one,
  'current_*': one,
  'default_*': one,
  'primary_*': one,
  'latest_*': one,
  'total_*': one,
  '*_count': one,
  '*_date': one,
  '*_status': one,
  '*_version': one,
};

/** Whether a text is a pattern of predicates: one `*` among other characters. */
export function isPattern(name: string): boolean {
  return name.length > 1 && name.split('*').length === 2;
}

/** Whether a predicate has the form of a pattern, of which `entry` is known; both in canonical spelling. */
export function hasForm(predicate: string, pattern: string, entry: PredicateEntry): boolean {
  const isForPlurals = pattern.endsWith(PLURAL);
  const [head = '', tail = ''] = (isForPlurals ? pattern.slice(0, -1) : pattern).split('*');
  if (predicate.length <= head.length + tail.length) return false;
  if (!predicate.startsWith(head) || !predicate.endsWith(tail)) return false;
  const rest = predicate.slice(head.length);
  if (entry.before_objects === true && PARTICLE.test(rest)) return false;
  return !isForPlurals || isPlural(rest);
}
