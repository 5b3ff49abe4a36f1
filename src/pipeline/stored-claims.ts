import type { NewStatement } from '../../graph/claim/new-statement.ts';
import type { Decision, Statement } from '../derive/claim/statement.ts';
import type { FoundPremise, StoredClaim } from '../../graph/claim/read.ts';
import type { StoredRow } from '../../graph/claim/stored-row.ts';
import type { ClaimWrites, NewResumption, NewRow } from '../../graph/claim/row.ts';
import type { StoredStatement } from '../../graph/stored-statement.ts';
import { OPEN_END } from '../../schemas/time.ts';
import type { Term } from '../../schemas/triple.ts';
import { standBefore, type ClaimChange, type ScopeKey, type ValueTerms } from '../derive/claim/change.ts';
import { EMPTY_CLAIM } from '../derive/claim/claim.ts';
import type { Facts, Premise, ClaimStatement, ClaimGround } from '../derive/claim/conclusion.ts';
import { grouped } from '../derive/grouped.ts';
import { DECLARED, isOfItself } from '../derive/belief/declared.ts';
import {
  difference,
  type ClaimInput,
  type ClaimOutput,
  type Resumption,
  type RowOfFact,
} from '../derive/claim/consolidate.ts';
import type { Extent, FactHistory, FactRow } from '../derive/claim/history.ts';
import type { Reassignment } from '../derive/claim/assignment.ts';
import type { StatementLimits } from '../derive/claim/forgotten.ts';

// Between what is stored of claims and what is decided about them.

/** A statement of either kind, as far as both have the same. */
type AnyStatement = StoredStatement | NewStatement;

/** What is known when a claim is derived. */
export interface ClaimContext {
  /** Statements that are new, in the order of the log. */
  readonly fresh: readonly NewStatement[];
  /** What each name of a premise stands for. */
  readonly premises: ReadonlyMap<string, FoundPremise>;
  /** Whether something was taken out, or a premise changed. */
  readonly changed: boolean;
}

/** A stored claim with its new statements, ready to be derived. */
export function inputOf(stored: StoredClaim, { fresh, premises, changed }: ClaimContext): ClaimInput {
  const known = [...stored.statements].sort(byPosition);
  const factOf = new Map(known.flatMap(({ id, fact_id }) => (fact_id === null ? [] : [[id, fact_id]])));
  const stated = [...known, ...fresh].sort(byPosition).map((one): ClaimStatement => {
    const statement = { statement: toStatement(one), ...assignmentIntervalsOf(one) };
    if (one.extractor !== DECLARED)
      return { ...statement, premises: one.premises.flatMap((id) => premiseOf(premises.get(id))) };
    return { ...statement, premises: [], grounds: one.premises.map((id) => groundOf(id, premises.get(id))) };
  });
  return {
    claim: stored.claim,
    before: { claim: { statements: known.map(toStatement), factOf }, facts: factsFrom(stored.rows) },
    stated,
    fresh: [...fresh].sort(byPosition).map(toStatement),
    changed,
  };
}

/** An event that is there is no premise: it always holds. */
function premiseOf(found: FoundPremise | undefined): Premise[] {
  if (found?.event === true) return [];
  const { claim, value, moved } = found ?? { claim: null, value: null, moved: null };
  if (claim === null || value === null) return [null];
  return [{ claim, value, ...(moved === null ? {} : { assignments: movedOf(moved).assignments }) }];
}

function groundOf(id: string, found: FoundPremise | undefined): ClaimGround {
  const [premise = 'always'] = premiseOf(found);
  return { id, type: id.startsWith('evt_') ? 'event' : 'fact', premise };
}

/** Since when, and until when, it is about its claim; nothing where that is all the time. */
function assignmentIntervalsOf({ moved }: AnyStatement): Pick<ClaimStatement, 'assigned_during'> {
  return moved === undefined || moved === null ? {} : { assigned_during: movedOf(moved).assigned_during };
}

/** What links made of a statement, as it is stored or about to be. */
export function movedOf(moved: Reassignment | string): Reassignment {
  return typeof moved === 'string' ? (JSON.parse(moved) as Reassignment) : moved;
}

/** The facts that rows are of; of each, the rows in the order in which they became known. */
export function factsFrom(rows: readonly StoredRow[]): Facts {
  const facts = new Map<string, FactHistory>();
  const resumed = grouped(
    rows.filter(({ resumes }) => resumes).sort((a, b) => a.valid_from - b.valid_from),
    ({ fact_id }) => fact_id,
  );
  for (const row of rows.filter(({ resumes }) => !resumes).sort(byRecorded)) {
    const { fact_id: id, value, superseded_by, ended_at, confidence, same_time, caused_by } = row;
    const further = (resumed.get(id) ?? []).filter(
      ({ recorded_from: since, recorded_to: until }) =>
        since <= row.recorded_from && row.recorded_from < until,
    );
    const kept = {
      extents: [row, ...further].map(extentOf),
      recorded: { from: row.recorded_from, to: row.recorded_to },
      superseded_by,
      ended_at,
      confidence,
      same_time,
      caused_by,
    };
    facts.set(id, { id, value, rows: [...(facts.get(id)?.rows ?? []), kept] });
  }
  return facts;
}

function extentOf({ valid_from: from, valid_to: to, recorded_from: since }: StoredRow): Extent {
  return { from, to, since };
}

/** Rows of one instant come in the order of their facts, in whatever order they were read. */
function byRecorded(a: StoredRow, b: StoredRow): number {
  return a.recorded_from - b.recorded_from || (a.fact_id < b.fact_id ? -1 : 1);
}

/** What has to be written of a claim. */
export function writesOf(
  stored: StoredClaim,
  output: ClaimOutput,
  before: ClaimInput['before'],
  fresh: readonly NewStatement[],
): ClaimWrites {
  const unlike = difference(before, output);
  const all = [...stored.statements, ...fresh];
  const [first] = all;
  if (first === undefined) return { ...NOTHING };
  const place = { claim: output.claim, tenant: first.tenant, scope_ref: first.scope_ref };
  const rows = unlike.rows.map((row) => ({ ...place, ...versionOf(row), over_at: overAt(row.row, all) }));
  const resumption = (one: Resumption): NewResumption => ({ ...place, ...resumptionOf(one) });
  return {
    statements: [
      ...fresh,
      ...output.continuations.flatMap((stretch) => withContinuations(stretch, all, output.claim)),
    ],
    belonging: unlike.belonging,
    rows,
    removed: unlike.removed.map(({ fact, row }) => ({ fact_id: fact.id, recorded_from: row.recorded.from })),
    resumptions: unlike.resumptions.map(resumption),
    dropped: unlike.dropped.map(resumption),
    supports: unlike.supports.map(({ fact_id, event_id, recorded }) => ({
      fact_id,
      event_id,
      recorded_from: recorded.from,
      recorded_to: recorded.to,
    })),
    ended: unlike.ended,
  };
}

/** What a row of a fact says, apart from where the fact lies. */
function versionOf({ fact, row, before }: RowOfFact): Omit<NewRow, keyof Place | 'over_at'> {
  const { extents, recorded, superseded_by, ended_at, confidence, same_time, caused_by } = row;
  const [first, ...further] = extents;
  if (first === undefined) throw new Error('a row of a fact has no interval');
  return {
    fact_id: fact.id,
    value: fact.value,
    valid_from: first.from,
    valid_to: first.to,
    ends_at: further.at(-1)?.to ?? null,
    recorded_from: recorded.from,
    recorded_to: recorded.to,
    superseded_by,
    ended_at,
    confidence,
    same_time,
    caused_by,
    is_new_supersession: superseded_by !== null && superseded_by !== before?.superseded_by,
  };
}

/** What a further interval of a fact says, apart from where the fact lies. */
function resumptionOf({ fact, valid, recorded }: Resumption): Omit<NewResumption, keyof Place> {
  return {
    resumes: fact.id,
    value: fact.value,
    valid_from: valid.from,
    valid_to: valid.to,
    recorded_from: recorded.from,
    recorded_to: recorded.to,
  };
}

/** Where facts of a claim lie. */
type Place = Pick<NewRow, 'claim' | 'tenant' | 'scope_ref'>;

/** Of the newest row of a fact that ended no later than that became known: the place of the event by which it did; else null. */
function overAt({ extents, recorded, caused_by }: FactRow, all: readonly AnyStatement[]): number | null {
  const ends = extents.at(-1)?.to ?? OPEN_END;
  if (recorded.to !== OPEN_END || ends > recorded.from) return null;
  const by = all.find(({ event_id, recorded_at }) => event_id === caused_by && recorded_at === recorded.from);
  return by?.position ?? null;
}

/** No writes. */
export const NOTHING: ClaimWrites = {
  statements: [],
  belonging: [],
  rows: [],
  removed: [],
  resumptions: [],
  dropped: [],
  supports: [],
  ended: [],
};

/** All writes as one. */
export function merged(all: readonly ClaimWrites[]): ClaimWrites {
  return {
    statements: all.flatMap(({ statements }) => statements),
    belonging: all.flatMap(({ belonging }) => belonging),
    rows: all.flatMap(({ rows }) => rows),
    removed: all.flatMap(({ removed }) => removed),
    resumptions: all.flatMap(({ resumptions }) => resumptions),
    dropped: all.flatMap(({ dropped }) => dropped),
    supports: all.flatMap(({ supports }) => supports),
    ended: all.flatMap(({ ended }) => ended),
  };
}

/** What became of a claim, for what rests on facts. */
export function changeOf(
  stored: StoredClaim,
  output: ClaimOutput,
  { before, fresh }: { before: ClaimInput['before']; fresh: readonly NewStatement[] },
): ClaimChange {
  const all = [...stored.statements, ...fresh].sort(byPosition);
  const terms = new Map<string, ValueTerms>();
  for (const one of all) if (!terms.has(one.value)) terms.set(one.value, termsOf(one));
  const { claim, replayed, snapshots } = output;
  const since = snapshots[0]?.recorded_at ?? 0;
  const stood = standBefore(replayed ? EMPTY_CLAIM : before.claim, since, stored.appended === 'behind');
  return {
    claim,
    place: placeOf(stored, fresh),
    replayed,
    before: stood,
    snapshots,
    ...(stored.appended ? { within: new Set(stored.statements.map((one) => one.fact_id ?? '')) } : {}),
    terms,
  };
}

/** Where a claim lies. */
export function placeOf({ statements }: StoredClaim, fresh: readonly NewStatement[]): ScopeKey {
  const { tenant, scope, scope_ref } = statements[0] ?? fresh[0] ?? NOWHERE;
  return { tenant, scope, scope_ref };
}

/** Where a claim lies of which nothing is left. */
const NOWHERE: ScopeKey = { tenant: '', scope: '', scope_ref: '' };

function termsOf(one: AnyStatement): ValueTerms {
  const { predicate, object } = one;
  const [id, name] =
    'subject' in one ? [one.subject.id, one.subject.name] : [one.subject_id, one.subject_name];
  return {
    subject: { type: 'entity', id, ...(name === null ? {} : { name }) },
    predicate,
    object: JSON.parse(object) as Term,
    ...assumptionOf(one),
    ...(isOfItself(one, id) ? { of_itself: true as const } : {}),
  };
}

/** That it is only assumed how many values the predicate of a statement has at once. */
export function assumptionOf({
  cardinality_assumed,
}: AnyStatement): Pick<NewStatement, 'cardinality_assumed'> {
  return cardinality_assumed ? { cardinality_assumed } : {};
}

function withContinuations(stretch: Statement, all: readonly AnyStatement[], claim: string): NewStatement[] {
  const origin = all.find(({ id }) => id === stretch.continuation_of);
  if (origin === undefined) return [];
  const { subject, object_entity, cardinality, extractor, span } =
    'subject' in origin ? origin : namesOf(origin);
  return [
    {
      subject,
      object_entity,
      cardinality,
      extractor,
      span,
      id: stretch.id,
      event_id: origin.event_id,
      tenant: origin.tenant,
      scope: origin.scope,
      scope_ref: origin.scope_ref,
      shard: origin.shard,
      claim,
      position: origin.position,
      recorded_at: origin.recorded_at,
      kind: origin.kind,
      value: origin.value,
      valid_from: stretch.valid.from,
      valid_to: stretch.valid.to,
      has_explicit_valid_from: origin.has_explicit_valid_from,
      confidence: origin.confidence,
      predicate: origin.predicate,
      object: origin.object,
      premises: origin.premises,
      continuation_of: origin.id,
      retracted: false,
      ...assumptionOf(origin),
      ...(origin.policy ? { policy: origin.policy } : {}),
      ...ownLimits(origin),
      ...(origin.moved ? { moved: movedOf(origin.moved) } : {}),
    },
  ];
}

/** What a stored statement names, as a new one has it. */
export function namesOf(
  one: StoredStatement,
): Pick<NewStatement, 'subject' | 'object_entity' | 'cardinality' | 'extractor' | 'span'> {
  const { subject_id, subject_name, subject_normal, object_id, object_name, object_normal } = one;
  const { span_start: start, span_end: end } = one;
  return {
    cardinality: one.cardinality,
    extractor: one.extractor,
    span: start === null || end === null ? null : { start, end },
    subject: { id: subject_id, name: subject_name, normalised_name: subject_normal, type: one.subject_type },
    object_entity:
      object_id === null
        ? null
        : {
            id: object_id,
            name: object_name,
            normalised_name: object_normal ?? object_id,
            type: one.object_type ?? 'other',
          },
  };
}

function toStatement(one: AnyStatement): Statement {
  const { id, event_id, position, recorded_at, value, confidence } = one;
  return {
    id,
    event_id,
    position,
    recorded_at,
    value,
    kind: one.kind,
    valid: { from: one.valid_from, to: one.valid_to },
    confidence,
    has_explicit_valid_from: one.has_explicit_valid_from,
    ...(one.policy ? { policy: one.policy } : {}),
    ...ownLimits(one),
    ...(one.extractor === DECLARED ? { grounds: [] } : {}),
    ...decisionOf(one),
  };
}

/** How far a statement counts, as it is stored or about to be. */
function ownLimits({ max_layer, not_about }: AnyStatement): StatementLimits {
  return { ...(max_layer ? { max_layer } : {}), ...(not_about ? { not_about } : {}) };
}

/** What somebody decided, as it is stored or about to be. */
export function decisionOf({ decision }: { readonly decision?: Decision | string | null }): {
  readonly decision?: Decision;
} {
  if (decision === undefined || decision === null) return {};
  return { decision: typeof decision === 'string' ? (JSON.parse(decision) as Decision) : decision };
}

/** The order of the log; what one event states comes in the order of ids. */
export function byPosition(a: AnyStatement, b: AnyStatement): number {
  return a.position - b.position || (a.id < b.id ? -1 : 1);
}
