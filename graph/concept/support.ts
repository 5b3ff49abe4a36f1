import type { SupportChange, SupportRow } from '../../src/derive/concept/support.ts';
import { grouped } from '../../src/derive/grouped.ts';
import { Columns, type RowOf } from '../columns.ts';
import type { Transaction } from '../driver.ts';
import { int, real, statement, type Param, type Params } from '../statement.ts';

/** The concept that a support is of. */
export type SupportedConcept = Pick<SupportRow, 'concept_id' | 'entity_id' | 'scope_ref'>;

/** What a support says, beside the concept that it is of. */
type SaidSupport = Omit<SupportRow, keyof SupportedConcept | 'recorded'> & {
  readonly recorded_from: number;
  readonly recorded_to: number;
};

/**
 * Properties of the edge from a concept to a fact that supports it, beside `concept_id`. `claim`, `fact_id` and `belief_id` repeat what
 * hangs on its ends, so that supports are found by an index, and told from without a walk.
 */
const SAID = new Columns(
  [
    'fact_id',
    'claim',
    'belief_id',
    'position',
    'recorded_from',
    'recorded_to',
    'caused_by',
    'closed_by',
    'stance',
    'confidence',
    'events',
    'newest_at',
    'text',
    'entity_name',
    'other_id',
    'relation',
  ],
  ['recorded_from', 'recorded_to', 'newest_at'],
);

/** What is read of a support `x`; its concept is known. */
export const SUPPORT = SAID.values('x');

/** What {@link SUPPORT} reads. */
export type StoredSupport = RowOf<SaidSupport>;

/** A claim, and since when its supports are wanted. */
const CLAIM = new Columns(['key', 'since'], ['since']);

/** Supports of a claim that were known at an instant (epoch milliseconds) or later. */
export interface WantedSupports {
  readonly claim: string;
  readonly since: number;
}

const load = statement<{ claims: readonly Param[] }, SupportedConcept & { said: StoredSupport }>(
  'concept.load_supports',
  'index support_claim',
  `UNWIND $claims AS claim
   MATCH (c)-[x:SUPPORTED_BY]->(f) USING INDEX SEEK x:SUPPORTED_BY(claim, recorded_to)
   WHERE x.claim = ${CLAIM.cell('claim', 'key')} AND x.recorded_to >= ${CLAIM.cell('claim', 'since')}
   RETURN x.concept_id AS concept_id, c.entity_id AS entity_id, f.scope_ref AS scope_ref, ${SUPPORT} AS said`,
);

/** What tells a support from all others. */
const KEY = new Columns(['fact_id', 'concept_id', 'recorded_from'], ['recorded_from']);
const MOVED = new Columns(['key', 'recorded_to', 'closed_by'], ['recorded_to']);
const OPENED = new Columns(['concept_id', 'said']);

/** The support `x` of a `key`. A concept may have a hundred thousand: its node is left out, so that nobody starts from there. */
const FOUND = `MATCH (f:Statement {id: ${KEY.cell('key', 'fact_id')}}) USING INDEX SEEK f:Statement(id)
     MATCH (f)<-[x:SUPPORTED_BY]-() WHERE x.concept_id = ${KEY.cell('key', 'concept_id')} AND x.recorded_from = ${KEY.cell('key', 'recorded_from')}`;

/** Draws the edge of the {@link openedParam} `row`. The concept may be told later in the transaction: until then it has but its id. */
export const OPEN_SUPPORT = `WITH row, ${OPENED.cell('row', 'said')} AS said
     MATCH (f:Statement {id: ${SAID.cell('said', 'fact_id')}})
     MERGE (c:Concept {id: ${OPENED.cell('row', 'concept_id')}})
     CREATE (c)-[x:SUPPORTED_BY]->(f)
     SET x.concept_id = ${OPENED.cell('row', 'concept_id')}, ${SAID.set('x', 'said')}`;

interface WriteParams extends Params {
  removed: readonly Param[];
  moved: readonly Param[];
  opened: readonly Param[];
}

const write = statement<WriteParams, { done: boolean }>(
  'concept.write_supports',
  'constraints statement_id, concept_id',
  `CALL () {
     UNWIND $removed AS key
     ${FOUND}
     DELETE x
   }
   CALL () {
     UNWIND $moved AS row
     WITH row, ${MOVED.cell('row', 'key')} AS key
     ${FOUND}
     SET x.recorded_to = ${MOVED.cell('row', 'recorded_to')}, x.closed_by = ${MOVED.cell('row', 'closed_by')}
   }
   CALL () {
     UNWIND $opened AS row
     ${OPEN_SUPPORT}
   }
   RETURN true AS done`,
);

/** Reads and writes what supports concepts, within the transaction that derives it; one round trip each. */
export class SupportStore {
  private readonly transaction: Transaction;

  constructor(transaction: Transaction) {
    this.transaction = transaction;
  }

  /** The supports of claims, by claim. */
  async load(wanted: readonly WantedSupports[]): Promise<ReadonlyMap<string, readonly SupportRow[]>> {
    if (wanted.length === 0) return new Map();
    const claims = wanted.map(({ claim, since }) => CLAIM.row({ key: claim, since: int(since) }));
    const rows = await this.transaction.run(load, { claims });
    return grouped(
      rows.map(({ said, ...concept }) => supportOf(said, concept)),
      ({ claim }) => claim,
    );
  }

  /** Stores what has changed; the facts have to be there. */
  write(changes: readonly SupportChange[]): void {
    const [removed, moved, opened] = [
      changes.flatMap((change) => change.removed.map(keyParam)),
      changes.flatMap((change) => change.moved.map(movedParam)),
      changes.flatMap((change) => change.opened.map(openedParam)),
    ];
    if (removed.length + moved.length + opened.length === 0) return;
    this.transaction.send(write, { removed, moved, opened });
  }
}

/** A support of a concept as derivation knows it. */
export function supportOf(
  said: StoredSupport,
  { concept_id, entity_id, scope_ref }: SupportedConcept,
): SupportRow {
  const { recorded_from: from, recorded_to: to, ...row } = SAID.record<SaidSupport>(said);
  return { ...row, concept_id, entity_id, scope_ref, recorded: { from, to } };
}

/** Has the server plan the statements of this file by running them on nothing. */
export async function planSupports(transaction: Transaction): Promise<void> {
  await transaction.run(load, { claims: [] });
  await transaction.run(write, { removed: [], moved: [], opened: [] });
}

function keyParam({ fact_id, recorded, concept_id }: SupportRow): Param {
  return KEY.row({ fact_id, concept_id, recorded_from: int(recorded.from) });
}

function movedParam(row: SupportRow): Param {
  return MOVED.row({ key: keyParam(row), recorded_to: int(row.recorded.to), closed_by: row.closed_by });
}

/** What is sent of a support that begins. */
export function openedParam({
  concept_id,
  entity_id: _of_concept,
  scope_ref: _of_fact,
  recorded,
  ...row
}: SupportRow): Param {
  const said = SAID.row({
    ...row,
    position: int(row.position),
    recorded_from: int(recorded.from),
    recorded_to: int(recorded.to),
    confidence: real(row.confidence),
    newest_at: int(row.newest_at),
  });
  return OPENED.row({ concept_id, said });
}
