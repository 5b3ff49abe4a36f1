import type { Statement } from './claim/statement.ts';
import { createHash } from 'node:crypto';

import canonicalize from 'canonicalize';

import type { Envelope } from '../../schemas/envelope.ts';
import type { Cardinality } from '../../schemas/scope-policy.ts';
import { OPEN_END, toEpochMs } from '../../schemas/time.ts';
import type { Term, Triple } from '../../schemas/triple.ts';
import { entityIdOf } from './entity.ts';
import { maxLayerOf } from './claim/max-layer.ts';
import { canonicalPredicate } from './vocabulary.ts';

/** An event of the log, as far as what it states depends on it; instants are epoch milliseconds. */
export interface StatingEvent {
  readonly id: string;
  readonly wal_offset: number;
  readonly recorded_at: number;
  readonly observed_at: number;
  /** Reference of its scope, which its tenant is part of. */
  readonly scope_ref: string;
}

/** A triple in the terms in which claims are compared. */
export interface StatedTriple {
  readonly subject: Extract<Term, { type: 'entity' }>;
  readonly predicate: string;
  readonly object: Term;
  readonly cardinality: Cardinality;
  /** Whether it says itself since when it holds; else that is told by its event. */
  readonly has_explicit_valid_from: boolean;
  /** Key of the claim, unique in the store. */
  readonly claim: string;
  readonly statement: Statement;
}

/** Kinds of content that state something without a model. */
export const STATING_KINDS: ReadonlySet<string> = new Set(['triple', 'declared_belief']);

const DIGITS = 32;
/** Confidence of a statement that names none: whoever states something means it. */
const CERTAIN = 1;

/**
 * What a triple states: pure, so that deriving it again gives the same ids. `cardinalityOf` is asked for the canonical predicate;
 * `canonical` spells it, by default with what the service knows by itself.
 */
export function stateTriple(
  event: StatingEvent,
  triple: Triple,
  cardinalityOf: (predicate: string) => Cardinality,
  canonical: (predicate: string) => string = canonicalPredicate,
): StatedTriple {
  const { value, ...about } = claimed(event.scope_ref, triple, cardinalityOf, canonical);
  const { claim } = about;
  const begins = triple.valid_from ?? null;
  const negative = triple.polarity === 'negative';
  const from = begins === null ? heldSince(event) : toEpochMs(begins);
  return {
    ...about,
    object: triple.object,
    has_explicit_valid_from: begins !== null,
    statement: {
      id: statementId(claim, value, event.id),
      event_id: event.id,
      position: event.wal_offset,
      recorded_at: event.recorded_at,
      value,
      kind: !negative ? 'asserted' : begins === null ? 'never' : 'denied',
      valid: { from, to: triple.valid_to ? Math.max(from, toEpochMs(triple.valid_to)) : OPEN_END },
      confidence: triple.confidence ?? CERTAIN,
    },
  };
}

/**
 * Since when what an event states holds where it does not say so, epoch milliseconds: since it was observed, and since it was recorded
 * where the clock that says so is ahead of ours.
 */
export function heldSince({
  observed_at,
  recorded_at,
}: Pick<StatingEvent, 'observed_at' | 'recorded_at'>): number {
  return Math.min(observed_at, recorded_at);
}

/** The id of what an event states: the same however often it is derived. */
export function statementId(claim: string, value: string, eventId: string): string {
  return `fact_${digest(claim, value, eventId)}`;
}

/** What a statement speaks of. */
export type TripleTerms = Pick<Triple, 'subject' | 'object'>;

/** What a triple is about in a scope: its claim, and which value it gives it. */
export function claimed(
  scopeRef: string,
  triple: Pick<Triple, 'subject' | 'predicate' | 'object'>,
  cardinalityOf: (predicate: string) => Cardinality,
  canonical: (predicate: string) => string,
): Pick<StatedTriple, 'subject' | 'predicate' | 'cardinality' | 'claim'> & { readonly value: string } {
  const subject = entityOf(triple.subject);
  const predicate = canonical(triple.predicate);
  const cardinality = cardinalityOf(predicate);
  return {
    subject,
    predicate,
    cardinality,
    ...claimAbout(scopeRef, { subject, predicate, object: triple.object }, cardinality),
  };
}

/** The claim that terms are about in a scope, and which value they give it; the predicate is in its one spelling. */
export function claimAbout(
  scopeRef: string,
  { subject, predicate, object }: Pick<StatedTriple, 'subject' | 'predicate' | 'object'>,
  cardinality: Cardinality,
): { readonly claim: string; readonly value: string } {
  const [from, to] = [termKey(subject), termKey(object)];
  const key = {
    one: ['one', predicate, from],
    many: ['many', predicate, from, to],
    exclusive: ['exclusive', predicate, to],
  }[cardinality];
  return { claim: digest(scopeRef, ...key), value: cardinality === 'exclusive' ? from : to };
}

/** The triple that an envelope states: none of feedback, which is evidence only, or where its directives ask for nothing that rests on facts. */
export function tripleOf({ content, modality, directives }: Envelope): Triple | null {
  if (content.kind !== 'triple' || modality === 'feedback') return null;
  return maxLayerOf(directives) === null ? null : content.triple;
}

/** A subject as an entity: a literal is the name of one. */
export function entityOf(term: Term): Extract<Term, { type: 'entity' }> {
  if (term.type === 'entity') return term;
  const name = typeof term.value === 'string' ? term.value : JSON.stringify(term.value);
  return { type: 'entity', id: entityIdOf(name), name };
}

/** A subject as its name stands for it (`idOf`), where it is named by that alone; one whose id does not come from its name stays what it is. */
export function calledBy(term: Term, idOf: (name: string) => string): Extract<Term, { type: 'entity' }> {
  const { name, ...entity } = entityOf(term);
  if (name === undefined) return entity;
  return { ...entity, name, id: entity.id === entityIdOf(name) ? idOf(name) : entity.id };
}

/** The text that two terms share when they are the same: an entity by its id, a literal by kind and value, integers being numbers. */
export function termKey(term: Term): string {
  if (term.type === 'entity') return `entity ${term.id}`;
  const datatype = term.datatype === 'integer' ? 'number' : term.datatype;
  return `${datatype} ${canonicalize(term.value) ?? ''}`;
}

function digest(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, DIGITS);
}
