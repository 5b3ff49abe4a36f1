import type { ActiveFact, Statement } from '../claim/statement.ts';
import { OPEN_END } from '../../../schemas/time.ts';
import { overlap, type Interval } from '../../time/interval.ts';
import { leaning, weightOf, type Evidence, type Stance } from '../belief/weight.ts';
import type { ClaimChange, ClaimSnapshot, ValueTerms } from '../claim/change.ts';
import { endsAsStated } from '../claim/claim.ts';
import { relationOfPredicate, type ConceptRelation } from './relation.ts';
import type { KeyedIds } from '../keyed-ids.ts';
import { phrase } from '../why.ts';

/** Events that have to speak of something independently before a concept of it is whole. */
export const INDEPENDENT_SUPPORTS = 3;
/** Where a fact names the entities that it is about. */
const SIDES = ['subject', 'object'] as const;
type Side = (typeof SIDES)[number];
/** By how much the confidence of a fact has to move for what rests on it to be told. */
const LEAST_CHANGE = 0.05;
/** How far the newest statement of a fact has to move on for that, milliseconds: how stale a concept is, is told to a day. */
const LEAST_AGE_MS = 86_400_000;
const EPSILON = 1e-9;

/**
 * That a fact supports the concept of an entity that it is about, while it was known to: of each fact that is the newest value of
 * its claim there is one row at a time for its subject and one for its object. Instants are epoch milliseconds.
 */
export interface SupportRow {
  readonly scope_ref: string;
  readonly concept_id: string;
  readonly entity_id: string;
  /** As the fact names the entity; null where it gives no name. */
  readonly entity_name: string | null;
  readonly fact_id: string;
  readonly claim: string;
  readonly belief_id: string;
  /** Place in the log of its first statement. */
  readonly position: number;
  readonly recorded: Interval;
  /** The event that began the row, and the one that ended it. */
  readonly caused_by: string;
  readonly closed_by: string | null;
  readonly stance: Stance;
  readonly confidence: number;
  /** Its first events, as many as tell what several say from what one repeats. */
  readonly events: readonly string[];
  /** When its newest statement was recorded, to a day. */
  readonly newest_at: number;
  /** What the fact says, in words. */
  readonly text: string;
  /** The concept of the other entity of the fact, and what this one is to it; null where there is no other. */
  readonly other_id: string | null;
  readonly relation: ConceptRelation | null;
}

/** What a change of a claim changes of its supports. */
export interface SupportChange {
  readonly opened: readonly SupportRow[];
  /** Rows that are known until another instant than before. */
  readonly moved: readonly SupportRow[];
  readonly removed: readonly SupportRow[];
}

/** What has to be known of the supports of a claim: the rows that are known at or after an instant; of one that is replayed, all. */
export function supportsNeeded({ replayed, snapshots }: ClaimChange): number {
  return replayed ? 0 : (snapshots[0]?.recorded_at ?? OPEN_END);
}

/** What no two rows share. */
export function supportKey({ fact_id, recorded, concept_id }: SupportRow): string {
  return `${fact_id}/${recorded.from}/${concept_id}`;
}

/** What becomes of the supports that a claim gives, of which `all` are the ones that are needed. */
export function supportChange(change: ClaimChange, all: readonly SupportRow[], ids: KeyedIds): SupportChange {
  const found = all.filter(({ fact_id }) => change.within?.has(fact_id) !== false);
  let rows = change.replayed ? [] : takenBack(found, supportsNeeded(change));
  for (const snapshot of change.snapshots)
    rows = supportsAfter(rows, snapshot, supportsAt(snapshot, change, ids));
  const before = new Map(found.map((row) => [supportKey(row), row]));
  const now = new Map(rows.map((row) => [supportKey(row), row]));
  const opened: SupportRow[] = [];
  const moved: SupportRow[] = [];
  for (const [key, row] of now) {
    const old = before.get(key);
    if (old === undefined || !saysSame(old, row)) opened.push(row);
    else if (old.recorded.to !== row.recorded.to || old.closed_by !== row.closed_by) moved.push(row);
  }
  const removed = [...before].flatMap(([key, row]) => {
    const kept = now.get(key);
    return kept === undefined || !saysSame(row, kept) ? [row] : [];
  });
  return { opened, moved, removed };
}

/** A concept whose supports have changed, and the recorded instant from which on that makes a difference. */
export interface StaleConcept extends Pick<SupportRow, 'concept_id' | 'entity_id' | 'scope_ref'> {
  readonly since: number;
}

/** The concepts that a change of supports makes a difference to. */
export function staleConcepts(
  { opened, moved, removed }: SupportChange,
  found: readonly SupportRow[],
): StaleConcept[] {
  const before = new Map(found.map((row) => [supportKey(row), row]));
  const since = new Map<string, StaleConcept>();
  const note = ({ concept_id, entity_id, scope_ref }: SupportRow, at: number): void => {
    const known = since.get(concept_id)?.since ?? OPEN_END;
    since.set(concept_id, { concept_id, entity_id, scope_ref, since: Math.min(known, at) });
  };
  for (const row of [...opened, ...removed]) note(row, row.recorded.from);
  for (const row of moved)
    note(row, Math.min(row.recorded.to, before.get(supportKey(row))?.recorded.to ?? OPEN_END));
  return [...since.values()];
}

function saysSame(a: SupportRow, b: SupportRow): boolean {
  const { recorded: _known, closed_by: _closed, events, ...said } = a;
  const keys = Object.keys(said) as (keyof typeof said)[];
  return events.join() === b.events.join() && keys.every((key) => a[key] === b[key]);
}

/** Rows as they were before an instant. */
function takenBack(rows: readonly SupportRow[], since: number): SupportRow[] {
  return rows
    .filter(({ recorded }) => recorded.from < since)
    .map((row) =>
      row.recorded.to < since
        ? row
        : { ...row, recorded: { from: row.recorded.from, to: OPEN_END }, closed_by: null },
    );
}

/** The rows after a moment of the claim, where those that `begin` would be all. */
function supportsAfter(
  rows: readonly SupportRow[],
  snapshot: ClaimSnapshot,
  begin: readonly SupportRow[],
): SupportRow[] {
  const next = new Map(begin.map((row) => [`${row.fact_id} ${row.concept_id}`, row]));
  const { recorded_at: at, event_id: closed_by } = snapshot;
  const kept = rows.map((row) => {
    if (row.recorded.to !== OPEN_END) return row;
    const place = `${row.fact_id} ${row.concept_id}`;
    const now = next.get(place);
    if (now === undefined || differs(row, now))
      return { ...row, recorded: { from: row.recorded.from, to: at }, closed_by };
    next.delete(place);
    return row;
  });
  return [...kept, ...next.values()];
}

function differs(row: SupportRow, now: SupportRow): boolean {
  return (
    row.stance !== now.stance ||
    row.position !== now.position ||
    row.events.join() !== now.events.join() ||
    row.other_id !== now.other_id ||
    Math.abs(row.confidence - now.confidence) >= LEAST_CHANGE - EPSILON ||
    Math.abs(row.newest_at - now.newest_at) >= LEAST_AGE_MS
  );
}

/**
 * The rows that begin where a claim stands like this. Each concept is told from the statements that are about it: where some are not about
 * one of the two, a fact is related to the other only as far as it supports both.
 */
function supportsAt(snapshot: ClaimSnapshot, change: ClaimChange, ids: KeyedIds): SupportRow[] {
  const { activeFacts } = snapshot;
  if (activeFacts.every(({ supports }) => supports.every(({ not_about }) => not_about === undefined)))
    return rowsAt(snapshot, change, ids);
  const rows = SIDES.flatMap((side) =>
    rowsAt({ ...snapshot, activeFacts: seenFrom(side, activeFacts) }, change, ids, [side]),
  );
  const there = new Set(rows.map(({ fact_id, concept_id }) => `${fact_id} ${concept_id}`));
  return rows.map((row) =>
    there.has(`${row.fact_id} ${row.other_id ?? ''}`) ? row : { ...row, other_id: null, relation: null },
  );
}

/** Facts with the statements that are about the entity on a side alone. */
function seenFrom(side: Side, facts: readonly ActiveFact[]): ActiveFact[] {
  return facts
    .map((fact): ActiveFact => ({
      ...fact,
      supports: fact.supports.filter(({ not_about }) => not_about !== side),
    }))
    .filter(({ supports }) => supports.length > 0);
}

/** {@link supportsAt}, where every statement is about the entities on these sides. */
function rowsAt(
  { activeFacts, recorded_at, event_id }: ClaimSnapshot,
  change: ClaimChange,
  ids: KeyedIds,
  sides: readonly Side[] = SIDES,
): SupportRow[] {
  // A fact that was interrupted is one support, by its last interval.
  const newest = activeFacts.filter((fact) => endsAsStated(fact) && fact.ends_at === undefined);
  return newest.flatMap((fact) => {
    const terms = change.terms.get(fact.value);
    if (terms === undefined) throw new Error('a claim does not say what one of its values means');
    const beside = newest.filter(({ value, valid }) => value !== fact.value && overlap(valid, fact.valid));
    const evidence = [evidenceOf(fact, 'supports'), ...beside.map((one) => evidenceOf(one, 'against'))];
    const row = {
      scope_ref: change.place.scope_ref,
      fact_id: fact.id,
      claim: change.claim,
      belief_id: ids.belief(change.place.scope_ref, change.claim, fact.value),
      position: Math.min(...fact.supports.map(({ position }) => position)),
      recorded: { from: recorded_at, to: OPEN_END },
      caused_by: event_id,
      closed_by: null,
      ...leaning(evidence),
      events: firstEvents(fact.supports),
      newest_at: Math.max(...fact.supports.map((one) => one.recorded_at)),
      text: textOf(terms),
    };
    const abouts = aboutsOf(terms, (entity) => ids.concept(change.place.scope_ref, entity));
    return sides.flatMap((side) => {
      const about = abouts[side];
      return about === undefined ? [] : [{ ...about, ...row }];
    });
  });
}

function evidenceOf({ id, supports }: ActiveFact, polarity: Evidence['polarity']): Evidence {
  return { type: 'fact', id, weight: weightOf(supports), polarity };
}

function firstEvents(supports: readonly Statement[]): string[] {
  const inOrder = [...supports].sort((a, b) => a.position - b.position);
  return [...new Set(inOrder.map(({ event_id }) => event_id))].slice(0, INDEPENDENT_SUPPORTS);
}

function textOf({ subject, predicate, object }: ValueTerms): string {
  return phrase({ subject: subject.name ?? subject.id, predicate, object });
}

type About = Pick<SupportRow, 'concept_id' | 'entity_id' | 'entity_name' | 'other_id' | 'relation'>;

/** The entities that a fact is about, by where it names them: none where it is about itself alone, and one that it names twice once. */
function aboutsOf(
  { subject, predicate, object, of_itself }: ValueTerms,
  conceptOf: (entityId: string) => string,
): Partial<Record<Side, About>> {
  if (of_itself) return {};
  const concept = conceptOf(subject.id);
  const about = { concept_id: concept, entity_id: subject.id, entity_name: subject.name ?? null };
  if (object.type !== 'entity' || object.id === subject.id)
    return { subject: { ...about, other_id: null, relation: null } };
  const other = conceptOf(object.id);
  return {
    subject: { ...about, other_id: other, relation: relationOfPredicate(predicate, 'subject') },
    object: {
      concept_id: other,
      entity_id: object.id,
      entity_name: object.name ?? null,
      other_id: concept,
      relation: relationOfPredicate(predicate, 'object'),
    },
  };
}
