import type { DeclareBeliefBody } from '../../../schemas/belief.ts';
import type { DeclaredBelief } from '../../../schemas/content.ts';
import type { Term, Triple } from '../../../schemas/triple.ts';
import { entityIdOf } from '../entity.ts';

/** Extractor of what is declared as a belief. */
export const DECLARED = 'declared';

/** Characters of a name. */
const MAX_NAME = 256;

/** What is stored of a declaration. A subject is named by its id or by its name; without one the statement is the subject. */
export function toDeclaredBelief({ statement, subject, ...body }: DeclareBeliefBody): DeclaredBelief {
  const { predicate, confidence, supports = [], valid_from } = body;
  return {
    subject: subjectOf(subject ?? null, statement),
    predicate,
    statement,
    confidence,
    supports: [...new Set(supports)],
    ...(valid_from === undefined ? {} : { valid_from }),
  };
}

function subjectOf(named: string | null, statement: string): DeclaredBelief['subject'] {
  if (named?.startsWith('ent_') === true) return { type: 'entity', id: named };
  const name = named ?? statement;
  return { type: 'entity', id: entityIdOf(name), name: Array.from(name).slice(0, MAX_NAME).join('') };
}

/** What a declared belief states: that its subject has the statement as the value of its predicate, as a triple would. */
export function tripleOfBelief({
  subject,
  predicate,
  statement,
  confidence,
  valid_from,
}: DeclaredBelief): Triple {
  const object = { type: 'literal', datatype: 'string', value: statement } as const;
  return { subject, predicate, object, confidence, ...(valid_from === undefined ? {} : { valid_from }) };
}

/**
 * Whether a statement was declared of nothing but itself, so that its subject is no entity but its own words; `object` is the JSON text
 * of its term.
 */
export function isOfItself(
  { extractor, object }: { readonly extractor: string; readonly object: string },
  subjectId: string,
): boolean {
  if (extractor !== DECLARED) return false;
  const term = JSON.parse(object) as Term;
  return term.type === 'literal' && typeof term.value === 'string' && entityIdOf(term.value) === subjectId;
}
