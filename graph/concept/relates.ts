import type { ConceptEdge } from '../../src/derive/concept/version.ts';
import { OPEN_END } from '../../schemas/time.ts';
import type { CitingVersion } from '../../src/derive/concept/evolve.ts';
import { Columns } from '../columns.ts';
import { int, type Param } from '../statement.ts';

/** An edge to another concept: it lasts as long as versions that follow one another have it. */
const BEGUN = new Columns(['from', 'to', 'edge']);
const EDGE = new Columns(
  ['relation', 'weight', 'recorded_from', 'recorded_to'],
  ['recorded_from', 'recorded_to'],
);
const ENDED = new Columns(['from', 'to', 'relation', 'recorded_to'], ['recorded_to']);

/**
 * Ends edges (`$unrelated`) and begins others (`$related`). Both ends are looked up, so that the edges of the smaller of two concepts are gone
 * through. The other concept may be told later in the transaction: the facts that say what the two have to do with one another are about both.
 */
export const WRITE_RELATES = `CALL () {
     UNWIND $unrelated AS sent
     MATCH (c:Concept {id: ${ENDED.cell('sent', 'from')}}) USING INDEX SEEK c:Concept(id)
     MATCH (o:Concept {id: ${ENDED.cell('sent', 'to')}}) USING INDEX SEEK o:Concept(id)
     MATCH (c)-[r:RELATES]->(o) WHERE r.relation = ${ENDED.cell('sent', 'relation')} AND r.recorded_to = $open
     SET r.recorded_to = ${ENDED.cell('sent', 'recorded_to')}
   }
   CALL () {
     UNWIND $related AS sent
     WITH sent, ${BEGUN.cell('sent', 'edge')} AS edge
     MATCH (c:Concept {id: ${BEGUN.cell('sent', 'from')}})
     MERGE (o:Concept {id: ${BEGUN.cell('sent', 'to')}})
     CREATE (c)-[r:RELATES]->(o)
     SET ${EDGE.set('r', 'edge')}
   }`;

/** What is sent for {@link WRITE_RELATES}. */
export interface RelatesParams {
  readonly unrelated: readonly Param[];
  readonly related: readonly Param[];
}

interface Lasting {
  readonly edge: ConceptEdge;
  readonly from: number | null;
}

/** Which edges of a concept the versions after its last one end and begin; `before` are those of the last one. */
export function relatesParams(
  concept_id: string,
  before: readonly ConceptEdge[],
  versions: readonly CitingVersion[],
): RelatesParams {
  const unrelated: Param[] = [];
  const related: Param[] = [];
  // Those that began before the versions have no beginning here.
  const open = new Map<string, Lasting>();
  for (const edge of before) open.set(keyOf(edge), { edge, from: null });
  const end = ({ edge, from }: Lasting, at: number): void => {
    if (from === null) unrelated.push(endedRow(concept_id, edge, at));
    else related.push(begunRow(concept_id, edge, { from, to: at }));
  };
  for (const { recorded_from: at, edges } of versions) {
    const now = new Map(edges.map((edge) => [keyOf(edge), edge]));
    for (const [key, one] of open) {
      if (now.delete(key)) continue;
      open.delete(key);
      end(one, at);
    }
    for (const [key, edge] of now) open.set(key, { edge, from: at });
  }
  for (const one of open.values()) if (one.from !== null) end(one, OPEN_END);
  return { unrelated, related };
}

function keyOf({ to, relation, facts }: ConceptEdge): string {
  return `${to} ${relation} ${facts}`;
}

function begunRow(
  from: string,
  { to, relation, facts }: ConceptEdge,
  recorded: { from: number; to: number },
): Param {
  const edge = {
    relation,
    weight: int(facts),
    recorded_from: int(recorded.from),
    recorded_to: int(recorded.to),
  };
  return BEGUN.row({ from, to, edge: EDGE.row(edge) });
}

function endedRow(from: string, { to, relation }: ConceptEdge, at: number): Param {
  return ENDED.row({ from, to, relation, recorded_to: int(at) });
}
