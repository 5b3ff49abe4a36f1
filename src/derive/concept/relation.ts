import type { CONCEPT_RELATIONS } from '../../../schemas/concept.ts';

/** What one concept has to do with another. */
export type ConceptRelation = (typeof CONCEPT_RELATIONS)[number];

/** What a predicate makes of its subject for its object, and of its object for its subject. */
interface Reading {
  readonly subject: ConceptRelation;
  readonly object: ConceptRelation;
}

const SPECIALIZES: Reading = { subject: 'specializes', object: 'generalizes' };
const GENERALIZES: Reading = { subject: 'generalizes', object: 'specializes' };
const CONTRASTS: Reading = { subject: 'contrasts', object: 'contrasts' };
/** An effect goes with its cause; there is no relation that says more of it. */
const CAUSES: Reading = { subject: 'causes', object: 'co_occurs' };
const CAUSED: Reading = { subject: 'co_occurs', object: 'causes' };
/** All that a fact about two entities says by itself. */
const TOGETHER: Reading = { subject: 'co_occurs', object: 'co_occurs' };

/**
 * Predicates, in canonical spelling, that say more than that two entities go together. A part is no special case of its whole, so
 * `part_of` is not among them.
 */
const READINGS: Readonly<Record<string, Reading>> = {
  is_a: SPECIALIZES,
  kind_of: SPECIALIZES,
  type_of: SPECIALIZES,
  instance_of: SPECIALIZES,
  subclass_of: SPECIALIZES,
  subtype_of: SPECIALIZES,
  specializes: SPECIALIZES,
  superclass_of: GENERALIZES,
  generalizes: GENERALIZES,
  opposite_of: CONTRASTS,
  contrasts_with: CONTRASTS,
  differs_from: CONTRASTS,
  contradicts: CONTRASTS,
  causes: CAUSES,
  leads_to: CAUSES,
  results_in: CAUSES,
  triggers: CAUSES,
  caused_by: CAUSED,
  results_from: CAUSED,
  triggered_by: CAUSED,
};

/** What a fact of a predicate makes of its subject for its object, or the other way round. */
export function relationOfPredicate(predicate: string, side: 'subject' | 'object'): ConceptRelation {
  return (Object.hasOwn(READINGS, predicate) ? (READINGS[predicate] ?? TOGETHER) : TOGETHER)[side];
}
