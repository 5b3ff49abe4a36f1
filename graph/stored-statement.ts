import type { NewStatement } from './claim/new-statement.ts';
import type { Statement } from '../src/derive/claim/statement.ts';
import { Columns, type RowOf } from './columns.ts';

/** A statement as it is stored, as far as the log of its claim depends on it. Instants are epoch milliseconds. */
export interface StoredStatement {
  readonly id: string;
  readonly event_id: string;
  readonly position: number;
  readonly recorded_at: number;
  readonly value: string;
  readonly kind: 'asserted' | 'denied' | 'never' | 'settled';
  readonly valid_from: number;
  readonly valid_to: number;
  /** Whether it says itself since when it holds. */
  readonly has_explicit_valid_from: boolean;
  readonly confidence: number;
  /** The fact that it belongs to; null for one that belongs to none. */
  readonly fact_id: string | null;
  /** Ids of what it was concluded from. */
  readonly premises: readonly string[];
  readonly cardinality: string;
  /** Whether that is the default, since nothing knows the predicate. */
  readonly cardinality_assumed: boolean;
  readonly extractor: string;
  readonly subject_id: string;
  readonly subject_name: string | null;
  /** The name, else the id, as names are compared. */
  readonly subject_normal: string;
  readonly subject_type: string;
  readonly predicate: string;
  /** JSON text of the term. */
  readonly object: string;
  readonly object_id: string | null;
  readonly object_name: string | null;
  readonly object_normal: string | null;
  readonly object_type: string | null;
  readonly span_start: number | null;
  readonly span_end: number | null;
  /** What picks where it contradicts what was stated before; null: the latest. */
  readonly policy: Statement['policy'] | null;
  /** The last layer that it counts in; null: all. */
  readonly max_layer: Statement['max_layer'] | null;
  /** Which of its entities it tells the concept nothing of; null: neither. */
  readonly not_about: Statement['not_about'] | null;
  /** JSON text of what was decided; null where nothing was. */
  readonly decision: string | null;
  /** JSON text of what links made of it; null where it stays in its claim. */
  readonly moved: string | null;
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
  readonly shard: number;
}

/** Properties of a statement that derivation reads. */
export const READ_PROPS = [
  'id',
  'event_id',
  'position',
  'recorded_at',
  'value',
  'kind',
  'stated_from',
  'stated_to',
  'has_explicit_valid_from',
  'stated_confidence',
  'fact_id',
  'premises',
  'cardinality',
  'cardinality_assumed',
  'extractor',
  'subject_id',
  'subject_name',
  'subject_normal',
  'subject_type',
  'predicate',
  'term',
  'object_id',
  'object_name',
  'object_normal',
  'object_type',
  'span_start',
  'span_end',
  'policy',
  'max_layer',
  'not_about',
  'decision',
  'moved',
  'tenant',
  'scope',
  'scope_ref',
  'shard',
] as const satisfies readonly (keyof ReadStatement)[];

/** Those of them that are instants. */
export const READ_INSTANTS = [
  'recorded_at',
  'stated_from',
  'stated_to',
] as const satisfies readonly (typeof READ_PROPS)[number][];

const READ = new Columns(READ_PROPS, READ_INSTANTS);

/** What is read of a statement `s`. */
export const STATEMENT = READ.values('s');

/** What {@link STATEMENT} answers; a list of premises is absent where there are none. */
export type StatementRow = RowOf<ReadStatement>;

/** By the names of its properties: those that a fact has as known now are taken. */
type ReadStatement = Omit<
  StoredStatement,
  'premises' | 'valid_from' | 'valid_to' | 'confidence' | 'object'
> & {
  readonly stated_from: number;
  readonly stated_to: number;
  readonly stated_confidence: number;
  readonly term: string;
  readonly premises: readonly string[] | null;
};

/** A statement as derivation knows it. */
export function storedStatement(row: StatementRow): StoredStatement {
  const { stated_from, stated_to, stated_confidence, term, premises, ...rest } =
    READ.record<ReadStatement>(row);
  return {
    ...rest,
    valid_from: stated_from,
    valid_to: stated_to,
    confidence: stated_confidence,
    object: term,
    premises: premises ?? [],
  };
}

/** What never changes of a statement, as it is stored. */
export function unchanging(row: NewStatement): Omit<StoredStatement, 'fact_id' | 'moved'> {
  const { subject, object_entity: object, span, decision } = row;
  return {
    id: row.id,
    event_id: row.event_id,
    position: row.position,
    recorded_at: row.recorded_at,
    value: row.value,
    kind: row.kind,
    valid_from: row.valid_from,
    valid_to: row.valid_to,
    has_explicit_valid_from: row.has_explicit_valid_from,
    confidence: row.confidence,
    premises: row.premises,
    cardinality: row.cardinality,
    cardinality_assumed: row.cardinality_assumed ?? false,
    extractor: row.extractor,
    subject_id: subject.id,
    subject_name: subject.name,
    subject_normal: subject.normalised_name,
    subject_type: subject.type,
    predicate: row.predicate,
    object: row.object,
    object_id: object?.id ?? null,
    object_name: object?.name ?? null,
    object_normal: object?.normalised_name ?? null,
    object_type: object?.type ?? null,
    span_start: span?.start ?? null,
    span_end: span?.end ?? null,
    policy: row.policy ?? null,
    max_layer: row.max_layer ?? null,
    not_about: row.not_about ?? null,
    decision: decision === undefined ? null : JSON.stringify(decision),
    tenant: row.tenant,
    scope: row.scope,
    scope_ref: row.scope_ref,
    shard: row.shard,
  };
}
