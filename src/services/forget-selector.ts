import type { ForgetSelector } from '../../schemas/forget.ts';
import type { Selector } from '../forget/selector.ts';
import { halfOpen } from '../recall/window.ts';
import type { PredicatePlaces, PredicateSpellings } from './predicate-spellings.ts';

/**
 * A selector as records are selected by it: with the spellings of its predicate, its intervals as instants, and without what is left out.
 * One round trip where it names a predicate.
 */
export async function selectorOf(
  given: ForgetSelector,
  place: PredicatePlaces,
  predicates: Pick<PredicateSpellings, 'of'>,
): Promise<Selector> {
  const { predicate, valid_during: valid, recorded_during: recorded, ...rest } = given;
  return {
    ...stated(rest),
    ...(predicate === undefined ? {} : { predicates: await predicates.of(place, predicate) }),
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
