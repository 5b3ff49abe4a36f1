import type { SupportRow } from '../src/derive/concept/support.ts';
import { Columns } from './columns.ts';
import { OPEN_SUPPORT, openedParam } from './concept/support.ts';
import type { Writer } from './driver.ts';
import { int, statement, type Param, type Params } from './statement.ts';

/** What a store of version 11 says of a support that never changes: a JSON text of these values. */
type Said = readonly [
  scope_ref: string,
  concept_id: string,
  entity_id: string,
  entity_name: SupportRow['entity_name'],
  other_id: SupportRow['other_id'],
  relation: SupportRow['relation'],
  fact_id: string,
  claim: string,
  belief_id: string,
  position: number,
  recorded_from: number,
  caused_by: string,
  stance: SupportRow['stance'],
  confidence: number,
  events: readonly string[],
  newest_at: number,
  text: string,
];

interface SupportNode {
  readonly id: string;
  readonly said: string;
  readonly recorded_to: number;
  readonly closed_by: string | null;
}

const next = statement<Params, SupportNode>(
  'migration.supports',
  'none: all of a kind are gone through once',
  `MATCH (x:ConceptSupport) WITH x LIMIT $rows
   RETURN elementId(x) AS id, x.said AS said, x.recorded_to.epochMillis AS recorded_to, x.closed_by AS closed_by`,
  { patient: true },
);

/** What of a support is sent: the node that it was, and the edge that it becomes. */
const MOVED = new Columns(['id', 'opened']);

/** Under a lock, so that of several processes that start at once one moves each. */
const move = statement<{ rows: readonly Param[] }, unknown>(
  'migration.move_supports',
  'constraints counter_name, statement_id, concept_id',
  `MATCH (version:Counter {name: 'store_version'})
   SET version.touched = timestamp()
   WITH version
   UNWIND $rows AS sent
   MATCH (old:ConceptSupport) WHERE elementId(old) = ${MOVED.cell('sent', 'id')}
   DELETE old
   WITH ${MOVED.cell('sent', 'opened')} AS row
   ${OPEN_SUPPORT}`,
  { patient: true },
);

const unlink = statement<Params, unknown>(
  'migration.versions_unlinked',
  'none: all edges of a kind are gone through once',
  `MATCH (:ConceptVersion)-[old:SUPPORTED_BY]->()
   CALL (old) { DELETE old } IN TRANSACTIONS OF $rows ROWS`,
  { patient: true },
);

/** Rows that one transaction writes. */
const ROWS = 2000;

/**
 * Makes edges of the nodes by which a store of version 11 says what supports concepts, and takes away the edges by which versions of
 * concepts repeat it; the instants have to be datetimes. What was interrupted goes on with what is left.
 */
export async function drawSupports(database: Writer): Promise<void> {
  await database.writeRepeatable(unlink, { rows: int(ROWS) });
  for (;;) {
    const nodes = await database.read(next, { rows: int(ROWS) });
    if (nodes.length === 0) break;
    const rows = nodes.map((node) => MOVED.row({ id: node.id, opened: openedParam(supportIn(node)) }));
    await database.writeRepeatable(move, { rows });
  }
}

function supportIn({ said, recorded_to: to, closed_by }: SupportNode): SupportRow {
  const [
    scope_ref,
    concept_id,
    entity_id,
    entity_name,
    other_id,
    relation,
    fact_id,
    claim,
    belief_id,
    position,
    from,
    caused_by,
    stance,
    confidence,
    events,
    newest_at,
    text,
  ] = JSON.parse(said) as Said;
  const about = { scope_ref, concept_id, entity_id, entity_name, other_id, relation };
  const recorded = { from, to };
  return {
    ...{ ...about, fact_id, claim, belief_id, position, recorded, caused_by, closed_by },
    ...{ stance, confidence, events, newest_at, text },
  };
}
