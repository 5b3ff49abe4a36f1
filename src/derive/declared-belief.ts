import { createHash } from 'node:crypto';

import type { DeclareBeliefBody } from '../../schemas/belief.ts';
import type { DeclaredBelief } from '../../schemas/content.ts';
import type { Term } from '../../schemas/triple.ts';
import { OPEN_END, toEpochMs } from '../../schemas/time.ts';
import type { Statement } from './claim.ts';
import { entityIdOf } from './entity.ts';
import { heldSince, statementId, type StatingEvent } from './statement.ts';

/** Extractor of what is declared as a belief, by which it is told from what is stated as a fact. */
export const DECLARED = 'declared';

/** A declared belief in the terms in which claims are compared. */
export interface Declared {
  readonly subject: DeclaredBelief['subject'];
  readonly predicate: string;
  readonly object: Term;
  readonly says_from: boolean;
  readonly claim: string;
  readonly statement: Statement;
}

const DIGITS = 32;
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

/**
 * What a declared belief states. Its claim is one of its own, apart from what is stated about the same subject: a belief ends no fact,
 * and no fact of the claim ends a belief.
 */
export function declared(
  event: StatingEvent,
  belief: DeclaredBelief,
  canonical: (predicate: string) => string,
): Declared {
  const predicate = canonical(belief.predicate);
  const claim = declaredClaim(event.scope_ref, belief, canonical);
  const value = `string ${JSON.stringify(belief.statement)}`;
  const begins = belief.valid_from;
  return {
    subject: belief.subject,
    predicate,
    object: { type: 'literal', datatype: 'string', value: belief.statement },
    says_from: begins !== undefined,
    claim,
    statement: {
      id: statementId(claim, value, event.id),
      event_id: event.id,
      position: event.wal_offset,
      recorded_at: event.recorded_at,
      value,
      kind: 'asserted',
      valid: { from: begins === undefined ? heldSince(event) : toEpochMs(begins), to: OPEN_END },
      confidence: belief.confidence,
      grounds: [],
    },
  };
}

/** The claim that a belief is declared of in a scope. */
export function declaredClaim(
  scopeRef: string,
  { subject, predicate }: Pick<DeclaredBelief, 'subject' | 'predicate'>,
  canonical: (predicate: string) => string,
): string {
  return digest(scopeRef, DECLARED, canonical(predicate), subject.id);
}

function digest(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, DIGITS);
}
