import type { NewStatement, NamedEntity } from './new-statement.ts';
import { quoted } from '../../schemas/text.ts';
import type { Term } from '../../schemas/triple.ts';
import { captionOf } from '../../src/derive/caption.ts';
import { isOfItself } from '../../src/derive/belief/declared.ts';
import { objectText } from '../../src/derive/why.ts';
import { movedRow } from './reassign.ts';
import { Columns } from '../columns.ts';
import { LASTING } from '../fact/life.ts';
import { int, intOrNull, real, type Param } from '../statement.ts';
import { READ_INSTANTS, READ_PROPS, unchanging } from '../stored-statement.ts';

/** A row of a fact to be stored, in place of one of the same fact and beginning. */
export interface NewRow {
  readonly fact_id: string;
  readonly claim: string;
  readonly value: string;
  readonly tenant: string;
  readonly scope_ref: string;
  readonly valid_from: number;
  readonly valid_to: number;
  /** Where the last interval of the fact ends, where others interrupt it; null where this is all of it. */
  readonly ends_at: number | null;
  readonly recorded_from: number;
  readonly recorded_to: number;
  readonly superseded_by: string | null;
  readonly ended_at: number | null;
  /** How sure the fact is, by all that carries it. */
  readonly confidence: number;
  /** Whether only that has changed since the row before it. */
  readonly same_time: boolean;
  readonly caused_by: string;
  /** Whether it says of another fact than the row before it that it took this one's place. */
  readonly is_new_supersession: boolean;
  /** Of what is known of a fact now: the place in the log by which it is over for good; null where it is not, or that is not known. */
  readonly over_at: number | null;
}

/** A further interval of a fact that others interrupt, to be stored in place of one of the same fact and beginnings. */
export interface NewResumption extends Pick<
  NewRow,
  'claim' | 'value' | 'tenant' | 'scope_ref' | 'valid_from' | 'valid_to' | 'recorded_from' | 'recorded_to'
> {
  readonly resumes: string;
}

/** What one consolidation changes of claims. */
export interface ClaimWrites {
  readonly statements: readonly NewStatement[];
  /** Which fact statements belong to, where that is new. */
  readonly belonging: readonly { readonly id: string; readonly fact_id: string }[];
  readonly rows: readonly NewRow[];
  /** Rows that were known for no time. */
  readonly removed: readonly { readonly fact_id: string; readonly recorded_from: number }[];
  readonly resumptions: readonly NewResumption[];
  /** Further intervals that were known for no time. */
  readonly dropped: readonly Pick<NewResumption, 'resumes' | 'valid_from' | 'recorded_from'>[];
  readonly supports: readonly {
    readonly fact_id: string;
    readonly event_id: string;
    readonly recorded_from: number;
    readonly recorded_to: number;
  }[];
  /** Supports that went over to another fact. */
  readonly ended: readonly { readonly fact_id: string; readonly event_id: string; readonly at: number }[];
}

/** What is sent of a statement. */
export const STATEMENT_ROW = new Columns([
  'event_id',
  'premises',
  'requires_full_replay',
  'begins',
  'entities',
  'props',
]);

/** Properties of a statement. */
export const STATEMENT_PROPS = new Columns(
  [
    ...READ_PROPS,
    'assumed_predicate',
    'text',
    'subject',
    'object',
    'datatype',
    'claim',
    'continuation_of',
    'retracted',
    'settles',
    'resolution',
    'known_at',
    'left_at',
    'life_class',
  ],
  READ_INSTANTS,
  ['known_at', 'left_at'],
);

/** What is sent of an entity that a statement names. */
export const ENTITY_ROW = new Columns(['role', 'id', 'name', 'normalised_name', 'type']);

/** A statement as it is sent to be stored, with the fact that it belongs to if that is known. */
export function statementRow(row: NewStatement, factId: string | null): Param {
  const { premises } = row;
  const { valid_from, valid_to, confidence, object, shard, ...kept } = unchanging(row);
  const begins = factId === row.id;
  return STATEMENT_ROW.row({
    event_id: row.event_id,
    premises: row.retracted ? [] : premises,
    requires_full_replay: requires_full_replay(row),
    begins,
    // What is about itself alone, or about records, makes no entity known.
    entities:
      row.retracted || row.kind === 'settled' || isOfItself(row, row.subject.id) ? [] : entityRows(row),
    props: STATEMENT_PROPS.row({
      ...kept,
      ...wordsOf(row),
      shard: int(shard),
      position: int(kept.position),
      recorded_at: int(kept.recorded_at),
      stated_from: int(valid_from),
      stated_to: int(valid_to),
      stated_confidence: real(confidence),
      term: object,
      span_start: intOrNull(kept.span_start),
      span_end: intOrNull(kept.span_end),
      premises: premises.length === 0 ? null : premises,
      policy: kept.policy ?? null,
      assumed_predicate: kept.cardinality_assumed ? kept.predicate : null,
      max_layer: kept.max_layer ?? null,
      not_about: kept.not_about ?? null,
      fact_id: factId,
      claim: row.claim,
      continuation_of: row.continuation_of,
      retracted: row.retracted,
      settles: row.settles ?? null,
      resolution: row.resolution ?? null,
      life_class: begins ? int(LASTING) : null,
      ...movedRow(row.moved),
    }),
  });
}

/**
 * Whether it does more to a claim than to assert a value, or is about it for some time only: a claim that has such a statement is not
 * gone on with from its end.
 */
export function requires_full_replay({
  retracted,
  kind,
  premises,
  policy,
  max_layer,
  not_about,
  moved,
  confidence,
}: NewStatement): boolean {
  const unusual = policy ?? max_layer ?? not_about ?? moved;
  const isPlain = kind === 'asserted' && premises.length === 0 && unusual === undefined && confidence > 0;
  return !retracted && !isPlain;
}

/** What a statement says, for whoever looks at the graph: in one line, and by its parts as they were called. */
function wordsOf(row: NewStatement): Record<'text' | 'subject' | 'object' | 'datatype', Param> {
  const { subject, predicate } = row;
  const term = JSON.parse(row.object) as Term;
  const entity = {
    type: 'entity',
    id: subject.id,
    ...(subject.name === null ? {} : { name: subject.name }),
  } as const;
  const ofItself = isOfItself(row, subject.id) ? { of_itself: true as const } : {};
  return {
    text: captionOf({ subject: entity, predicate, object: term, ...ofItself }),
    subject: subject.name ?? subject.id,
    object: quoted(objectText(term)),
    datatype: term.type === 'literal' ? term.datatype : null,
  };
}

function entityRows({ subject, object_entity, aliases = [] }: NewStatement): Param[] {
  const row = (role: string, named: NamedEntity): Param => ENTITY_ROW.row({ ...named, role });
  return [
    row('subject', subject),
    ...(object_entity === null ? [] : [row('object', object_entity)]),
    ...aliases.map((alias) => row('alias', alias)),
  ];
}

/** What is sent of a row of a fact. */
export const VERSION_ROW = new Columns(['over_at', 'superseded_by', 'props']);

/** Properties of a row of a fact. */
export const VERSION_PROPS = new Columns(
  [
    'fact_id',
    'claim',
    'value',
    'tenant',
    'scope_ref',
    'valid_from',
    'valid_to',
    'ends_at',
    'recorded_from',
    'recorded_to',
    'ended_at',
    'confidence',
    'same_time',
    'caused_by',
  ],
  ['valid_from', 'valid_to', 'recorded_from', 'recorded_to'],
  ['ends_at', 'ended_at'],
);

/** A row of a fact as it is sent to be stored. */
export function versionRow({ over_at, superseded_by, is_new_supersession: _, ...row }: NewRow): Param {
  return VERSION_ROW.row({
    over_at: intOrNull(over_at),
    superseded_by,
    props: VERSION_PROPS.row({
      ...row,
      valid_from: int(row.valid_from),
      valid_to: int(row.valid_to),
      ends_at: intOrNull(row.ends_at),
      recorded_from: int(row.recorded_from),
      recorded_to: int(row.recorded_to),
      ended_at: intOrNull(row.ended_at),
      confidence: real(row.confidence),
      same_time: row.same_time || null,
    }),
  });
}

/** What is sent of a further interval of a fact, and its properties. */
export const RESUMPTION_ROW = new Columns(
  [
    'resumes',
    'claim',
    'value',
    'tenant',
    'scope_ref',
    'valid_from',
    'valid_to',
    'recorded_from',
    'recorded_to',
  ],
  ['valid_from', 'valid_to', 'recorded_from', 'recorded_to'],
);

/** A further interval of a fact as it is sent to be stored. */
export function resumptionRow(row: NewResumption): Param {
  return RESUMPTION_ROW.row({
    ...row,
    valid_from: int(row.valid_from),
    valid_to: int(row.valid_to),
    recorded_from: int(row.recorded_from),
    recorded_to: int(row.recorded_to),
  });
}
