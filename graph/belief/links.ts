import { CONTRADICTION } from './drawn.ts';
import { Columns } from '../columns.ts';
import type { Param, Params } from '../statement.ts';

/** A belief, and what may speak for it or against it otherwise than before. */
export const CITED = new Columns(['belief_id', 'id']);

/** The same of what spoke or speaks against it; `ended` is false where it only began. Without an id: of a belief that is replayed. */
export const CONTESTED = new Columns(['belief_id', 'fact_id', 'event_id', 'ended']);

/** What of the edges of beliefs themselves may have changed, and is checked. */
export interface LinksToCheck {
  readonly cited_facts: readonly Param[];
  readonly cited_events: readonly Param[];
  readonly contested: readonly Param[];
}

/** The same, and the edges between beliefs that are drawn as they are. */
export interface LinkParams extends Params, LinksToCheck {
  readonly contradicting: readonly Param[];
}

/**
 * The longest stretches of recorded time that the stretches `rows` (pairs of instants) cover, one after the other: goes on with their ends
 * `since` and `until`, and with what is named in `kept`.
 */
const intervals = (
  kept = '',
): string => `UNWIND [row IN rows WHERE none(other IN rows WHERE other[0] < row[0] AND row[0] <= other[1]) | row[0]] AS since
       WITH DISTINCT ${kept} rows, since
       WITH ${kept} since, reduce(until = $open_end, row IN rows | CASE
         WHEN since <= row[1] AND row[1] < until AND none(other IN rows WHERE other[0] <= row[1] AND row[1] < other[1]) THEN row[1]
         ELSE until END) AS until`;

/** Whether an edge `e` is the one that is wanted as `one`. */
const IS_WEIGHED = `e.weight = one[0] AND e.polarity = one[1] AND e.recorded_from = one[2] AND e.recorded_to = one[3]`;
const IS_KNOWN = `e.recorded_from = one[0] AND e.recorded_to = one[1]`;

// Rows are looked for from what they cite, so their label is left out: from a belief there may be thousands.
const cited = (label = 'Statement', param = 'cited_facts'): string => `CALL () {
     UNWIND $${param} AS pair
     MATCH (b:Belief {id: ${CITED.cell('pair', 'belief_id')}})
     MATCH (n:${label} {id: ${CITED.cell('pair', 'id')}})
     CALL (b, n) {
       MATCH (n)<-[w:WEIGHED]-(x) WHERE x.belief_id = b.id
       WITH w.weight AS weight, w.polarity AS polarity, collect([x.recorded_from, x.recorded_to]) AS rows
       ${intervals('weight, polarity,')}
       RETURN collect([weight, polarity, since, until]) AS wanted
     }
     CALL (b, n, wanted) {
       MATCH (b)-[e:SUPPORTED_BY]->(n)
       WITH e, wanted WHERE none(one IN wanted WHERE ${IS_WEIGHED})
       DELETE e
     }
     CALL (b, n, wanted) {
       UNWIND wanted AS one
       WITH b, n, one WHERE NOT EXISTS { MATCH (b)-[e:SUPPORTED_BY]->(n) WHERE ${IS_WEIGHED} }
       CREATE (b)-[:SUPPORTED_BY {weight: one[0], polarity: one[1], recorded_from: one[2], recorded_to: one[3]}]->(n)
     }
   }`;

/**
 * Keeps what beliefs rest on themselves: an edge for as long as any of their rows weighs something so. They are made from the rows alone,
 * so that going on and deriving anew leave the same; those that are right stay.
 */
export const SUPPORTED = `${cited('Statement', 'cited_facts')}
   ${cited('Event', 'cited_events')}`;

/**
 * Keeps which beliefs contradict one another: one does another about the same claim for as long as what has supported it counts against the
 * other. What only began is not looked for where they contradict one another already.
 */
export const CONTRADICTED = `CALL () {
     UNWIND $contradicting AS sent
     MATCH (a:Belief {id: ${CONTRADICTION.cell('sent', 'by')}})
     MATCH (b:Belief {id: ${CONTRADICTION.cell('sent', 'belief_id')}})
     CREATE (a)-[c:CONTRADICTS]->(b)
     SET c.recorded_from = ${CONTRADICTION.cell('sent', 'recorded_from')}, c.recorded_to = ${CONTRADICTION.cell('sent', 'recorded_to')}
   }
   CALL () {
     UNWIND $contested AS pair
     MATCH (b:Belief {id: ${CONTESTED.cell('pair', 'belief_id')}})
     OPTIONAL MATCH (fact:Statement {id: ${CONTESTED.cell('pair', 'fact_id')}})
     OPTIONAL MATCH (event:Event {id: ${CONTESTED.cell('pair', 'event_id')}})
     WITH b, coalesce(fact, event) AS n, ${CONTESTED.cell('pair', 'ended')} AS ended
     CALL (b, n, ended) {
       MATCH (n)<-[:SUPPORTED_BY {polarity: 'supports'}]-(a:Belief) WHERE a.claim = b.claim AND a.id <> b.id
         AND (ended OR NOT EXISTS { MATCH (a)-[c:CONTRADICTS]->(b) WHERE c.recorded_to = $open_end })
       RETURN a
       UNION
       WITH b, ended WHERE ended
       MATCH (b)<-[:CONTRADICTS]-(a)
       RETURN a
     }
     WITH DISTINCT a, b
     CALL (a, b) {
       MATCH (b)-[s:SUPPORTED_BY {polarity: 'against'}]->(n)
       WHERE EXISTS { MATCH (n)<-[:SUPPORTED_BY {polarity: 'supports'}]-(a) }
       WITH collect([s.recorded_from, s.recorded_to]) AS rows
       ${intervals()}
       RETURN collect([since, until]) AS wanted
     }
     CALL (a, b, wanted) {
       MATCH (a)-[e:CONTRADICTS]->(b)
       WITH e, wanted WHERE none(one IN wanted WHERE ${IS_KNOWN})
       DELETE e
     }
     CALL (a, b, wanted) {
       UNWIND wanted AS one
       WITH a, b, one WHERE NOT EXISTS { MATCH (a)-[e:CONTRADICTS]->(b) WHERE ${IS_KNOWN} }
       CREATE (a)-[:CONTRADICTS {recorded_from: one[0], recorded_to: one[1]}]->(b)
     }
   }`;
