import { supportsNeeded, type SupportChange, type SupportRow } from '../../src/derive/concept/support.ts';
import type { ClaimChange } from '../../src/derive/claim/change.ts';
import { grouped } from '../../src/derive/grouped.ts';
import { Columns, TextRow } from '../columns.ts';
import type { Transaction } from '../driver.ts';
import { storedInstant } from '../instant.ts';
import { int, statement, type Param, type Params } from '../statement.ts';

/** A support as it is stored: the text of all of it that never changes, until when it is known (epoch milliseconds), and the event that ended it. */
export type StoredSupport = readonly [said: string, recorded_to: number, closed_by: string | null];

/** What is read of a support `x`: concepts are told from dozens at once. The properties are there for statements to find it by. */
export const SUPPORT = '[x.said, x.recorded_to.epochMillis, x.closed_by]';

/** What of a support never changes. */
export type ConstantSupport = Omit<SupportRow, 'recorded' | 'closed_by'> & { readonly recorded_from: number };

/** That as text. */
export const CONSTANT_SUPPORT = new TextRow<ConstantSupport>({
  scope_ref: true,
  concept_id: true,
  entity_id: true,
  entity_name: true,
  other_id: true,
  relation: true,
  fact_id: true,
  claim: true,
  belief_id: true,
  position: true,
  recorded_from: true,
  caused_by: true,
  stance: true,
  confidence: true,
  events: true,
  newest_at: true,
  text: true,
});

const CLAIM = new Columns(['key', 'since'], ['since']);

const load = statement<{ claims: readonly Param[] }, { row: StoredSupport }>(
  'concept.load_supports',
  'index concept_support_claim',
  `UNWIND $claims AS claim
   MATCH (x:ConceptSupport) USING INDEX SEEK x:ConceptSupport(claim, recorded_to)
   WHERE x.claim = ${CLAIM.cell('claim', 'key')} AND x.recorded_to >= ${CLAIM.cell('claim', 'since')}
   RETURN ${SUPPORT} AS row`,
);

const PROPS = new Columns(
  [
    'concept_id',
    'fact_id',
    'claim',
    'belief_id',
    'closed_by',
    'recorded_from',
    'recorded_to',
    'position',
    'said',
  ],
  ['recorded_from', 'recorded_to'],
);

interface WriteParams extends Params {
  removed: readonly Param[];
  moved: readonly Param[];
  opened: readonly Param[];
}

const write = statement<WriteParams, { done: boolean }>(
  'concept.write_supports',
  'constraint concept_support',
  `CALL () {
     UNWIND $removed AS row
     MATCH (x:ConceptSupport {fact_id: row.fact_id, recorded_from: ${storedInstant('row.recorded_from')}, concept_id: row.concept_id})
     DELETE x
   }
   CALL () {
     UNWIND $moved AS row
     MATCH (x:ConceptSupport {fact_id: row.fact_id, recorded_from: ${storedInstant('row.recorded_from')}, concept_id: row.concept_id})
     SET x.recorded_to = ${storedInstant('row.recorded_to')}, x.closed_by = row.closed_by
   }
   CALL () {
     UNWIND $opened AS row
     CREATE (x:ConceptSupport)
     SET ${PROPS.set('x', 'row')}
   }
   RETURN true AS done`,
);

/** Reads and writes what supports concepts, within the transaction that derives it; one round trip each. */
export class SupportStore {
  private readonly transaction: Transaction;

  constructor(transaction: Transaction) {
    this.transaction = transaction;
  }

  /** The supports that the changes of claims need to be known, by claim. */
  async load(changes: readonly ClaimChange[]): Promise<ReadonlyMap<string, readonly SupportRow[]>> {
    if (changes.length === 0) return new Map();
    const claims = changes.map((change) =>
      CLAIM.row({ key: change.claim, since: int(supportsNeeded(change)) }),
    );
    const rows = await this.transaction.run(load, { claims });
    return grouped(
      rows.map(({ row }) => supportOf(row)),
      ({ claim }) => claim,
    );
  }

  /** Stores what has changed. */
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

/** A support as derivation knows it. */
export function supportOf([said, to, closed_by]: StoredSupport): SupportRow {
  const { recorded_from: from, ...row } = CONSTANT_SUPPORT.row(said);
  return { ...row, closed_by, recorded: { from, to } };
}

/** Has the server plan the statements of this file by running them on nothing. */
export async function planSupports(transaction: Transaction): Promise<void> {
  await transaction.run(load, { claims: [] });
  await transaction.run(write, { removed: [], moved: [], opened: [] });
}

function keyParam({ fact_id, recorded, concept_id }: SupportRow): Record<string, Param> {
  return { fact_id, recorded_from: int(recorded.from), concept_id };
}

function movedParam(row: SupportRow): Param {
  return { ...keyParam(row), recorded_to: int(row.recorded.to), closed_by: row.closed_by };
}

function openedParam({ recorded, closed_by, ...row }: SupportRow): Param {
  const { concept_id, fact_id, claim, belief_id, position } = row;
  return PROPS.row({
    concept_id,
    fact_id,
    claim,
    belief_id,
    closed_by,
    recorded_from: int(recorded.from),
    recorded_to: int(recorded.to),
    position: int(position),
    said: CONSTANT_SUPPORT.text({ ...row, recorded_from: recorded.from }),
  });
}
