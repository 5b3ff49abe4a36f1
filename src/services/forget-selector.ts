import type { ForgetSelector } from '../../schemas/forget.ts';
import type { PredicateNames } from '../derive/predicate-names.ts';
import type { Selector } from '../forget/selector.ts';
import { halfOpen } from '../recall/window.ts';

/** A selector as records are selected by it: with the spellings of its predicate, its intervals as instants, and without what is left out. */
export function selectorOf(given: ForgetSelector, predicates: Pick<PredicateNames, 'spellings'>): Selector {
  const { predicate, valid_during: valid, recorded_during: recorded, ...rest } = given;
  return {
    ...stated(rest),
    ...(predicate === undefined ? {} : { predicates: predicates.spellings(predicate) }),
    ...(valid === undefined ? {} : { valid_during: halfOpen(valid) }),
    ...(recorded === undefined ? {} : { recorded_during: halfOpen(recorded) }),
  };
}

/** What is given, without what is left out. */
function stated({ memory_ids, about_subject, about_entity, labels }: ForgetSelector): Selector {
  return {
    ...(memory_ids === undefined ? {} : { memory_ids }),
    ...(about_subject === undefined ? {} : { about_subject }),
    ...(about_entity === undefined ? {} : { about_entity }),
    ...(labels === undefined ? {} : { labels }),
  };
}
