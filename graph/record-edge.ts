import type { Integer } from 'neo4j-driver';

import { MAX_NODE_EDGES, type GraphNodeType } from '../schemas/graph.ts';
import type { NodeEdge } from '../src/derive/graph.ts';
import type { RecordIds } from '../src/derive/provenance.ts';
import { MAX_SCANNED_ROWS } from '../src/limits.ts';
import type { Instants } from '../src/time/bitemporal-range.ts';
import type { Reader, RowStreams } from './driver.ts';
import { instant, type Instant } from './instant.ts';
import { int, statement, type Params } from './statement.ts';

/** Edges that are fetched at once where all of them are read. */
const STREAMED_EDGES = 1000;

/** An edge of a node, and what lies at its other end; whether that may be read is decided elsewhere. */
export interface StoredEdge extends NodeEdge {
  readonly kind: GraphNodeType;
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
}

interface EveryEdgeParams extends Params, RecordIds {
  tenant: string | null;
  kinds: readonly GraphNodeType[];
  valid: Instant;
  recorded: Instant;
}

interface EdgeParams extends EveryEdgeParams {
  most: Integer;
  walk: Integer;
}

/** Whether the edge `x` was known at `$recorded`; one without times stands as long as its nodes. */
const KNOWN = `(x.recorded_from IS NULL OR x.recorded_from <= $recorded) AND (x.recorded_to IS NULL OR $recorded < x.recorded_to)`;

/** What the node `m` at the other end is. */
const KIND = `CASE WHEN m:Event THEN 'event' WHEN m:Statement THEN 'fact' WHEN m:Belief THEN 'belief' WHEN m:Episode THEN 'episode'
       WHEN m:Concept THEN 'concept' WHEN m:Entity THEN 'entity' END`;

/** Of the edges `x` that were known those to nodes of the kinds, as many of each kind and way as are asked for, the newest first. */
const NEWEST = `WITH x, m, out WHERE ${KNOWN} AND ${KIND} IN $kinds
     WITH x, m, out ORDER BY coalesce(m.position, m.wal_offset) DESC, m.id
     WITH type(x) AS type, out, collect({x: x, m: m})[..$most] AS found
     UNWIND found AS one
     RETURN out, one.x AS x, one.m AS m`;

/** Whether the revision `r` of a belief is held at the instants. */
const HELD = `r.recorded_from <= $recorded AND $recorded < r.recorded_to AND r.valid_from <= $valid AND $valid < r.valid_to`;

/** The records `n` that are asked about. */
const ASKED = `CALL () {
     UNWIND $facts AS asked MATCH (n:Statement {id: asked}) RETURN n
     UNION ALL
     UNWIND $beliefs AS asked MATCH (n:Belief {id: asked}) RETURN n
     UNION ALL
     UNWIND $events AS asked MATCH (n:Event {id: asked}) RETURN n
     UNION ALL
     UNWIND $episodes AS asked MATCH (n:Episode {id: asked}) RETURN n
     UNION ALL
     UNWIND $concepts AS asked MATCH (n:Concept {id: asked}) RETURN n
   }
   WITH n WHERE $tenant IS NULL OR n.tenant = $tenant`;

/** What is answered of the edge `x` between `n` and `m`. */
const ANSWERED = `WITH n, out, x, m WHERE m.id IS NOT NULL AND m.tenant IS NOT NULL
   OPTIONAL CALL (n, out, x, m) {
     MATCH (m)<-[:STATED_IN]-(said:Statement)
     WHERE out AND type(x) = 'DERIVED_FROM' AND said.fact_id = n.id AND said.span_start IS NOT NULL
     RETURN min([said.span_start, said.span_end]) AS span
   }
   RETURN n.id AS asked, out, CASE type(x) WHEN 'WEIGHED' THEN 'SUPPORTED_BY' ELSE type(x) END AS type,
     coalesce(m.fact_id, m.id) AS other, coalesce(m.position, m.wal_offset) AS position, m.tenant AS tenant, m.scope AS scope,
     m.scope_ref AS scope_ref, ${KIND} AS kind, x.weight AS weight, x.polarity AS polarity, x.relation AS relation, x.role AS role,
     x.valid_at.epochMillis AS valid_at, x.recorded_from.epochMillis AS recorded_from, span`;

/** Of the edges `x` that were known those to nodes of the kinds, one of each kind and way to a node: the heaviest, and the oldest of those. */
const EACH = `WITH x, m, out WHERE ${KNOWN} AND ${KIND} IN $kinds
     WITH x, m, out ORDER BY coalesce(x.weight, 0) DESC, x.recorded_from
     WITH type(x) AS type, out, coalesce(m.fact_id, m.id) AS other, x.relation AS relation, x.polarity AS polarity,
       head(collect({x: x, m: m})) AS one
     RETURN out, one.x AS x, one.m AS m`;

// Kinds of which a node may have very many have branches of their own, so that they do not crowd out those of which it has few. Conclusions
// may lie in scopes that a caller may not read, and are all brought, so that what he is shown does not tell of them. What a belief rests on at
// a valid instant is what its revision of then weighs; its own edges say so of all of valid time.
const ofNodes = statement<EdgeParams, StoredEdge>(
  'record.edges',
  'constraints statement_id, belief_id, event_id, episode_id, concept_id, belief_revision_row',
  `${ASKED}
   CALL (n) {
     MATCH (n)-[x:SUPERSEDED_BY|CONTRADICTS|SUBJECT|OBJECT|ABOUT|FOLLOWS]-(m)
     WITH x, m, startNode(x) = n AS out LIMIT $walk
     ${NEWEST}
     UNION ALL
     MATCH (n)-[x:RELATES|PRECEDED_BY]-(m)
     WITH x, m, startNode(x) = n AS out LIMIT $walk
     ${NEWEST}
     UNION ALL
     MATCH (n)-[x:CONCLUDED_FROM]-(m) WHERE ${KNOWN} AND ${KIND} IN $kinds
     WITH x, m, startNode(x) = n AS out WHERE out OR m:Fact
     RETURN out, x, m LIMIT $walk
     UNION ALL
     MATCH (n)-[x:DERIVED_FROM|SUPPORTED_BY|CONTAINS]-(m) WHERE NOT startNode(x):Belief
     WITH x, m, startNode(x) = n AS out LIMIT $walk
     ${NEWEST}
     UNION ALL
     MATCH (r:BeliefRevision) USING INDEX SEEK r:BeliefRevision(belief_id, recorded_from, valid_from)
     WHERE r.belief_id = n.id AND r.recorded_from <= $recorded AND r.valid_from IS NOT NULL
     WITH r ORDER BY r.belief_id DESC, r.recorded_from DESC LIMIT $walk
     WITH r WHERE ${HELD}
     MATCH (r)-[x:WEIGHED]->(m)
     WITH x, m, true AS out LIMIT $walk
     ${NEWEST}
     UNION ALL
     MATCH (n)<-[x:WEIGHED]-(r:BeliefRevision) WHERE ${HELD}
     WITH x, r LIMIT $walk
     MATCH (m:Belief {id: r.belief_id})
     WITH x, m, false AS out
     ${NEWEST}
   }
   ${ANSWERED}`,
);

// All edges, however many a node has: nothing has to be kept from crowding out anything.
const everyOfNodes = statement<EveryEdgeParams, StoredEdge>(
  'record.every_edge',
  'constraints statement_id, belief_id, event_id, episode_id, concept_id, belief_revision_row',
  `${ASKED}
   CALL (n) {
     MATCH (n)-[x:SUPERSEDED_BY|CONTRADICTS|SUBJECT|OBJECT|ABOUT|FOLLOWS|RELATES|PRECEDED_BY|DERIVED_FROM|SUPPORTED_BY|CONTAINS]-(m)
     WHERE type(x) <> 'SUPPORTED_BY' OR NOT startNode(x):Belief
     WITH x, m, startNode(x) = n AS out
     ${EACH}
     UNION ALL
     MATCH (n)-[x:CONCLUDED_FROM]-(m)
     WITH x, m, startNode(x) = n AS out WHERE out OR m:Fact
     ${EACH}
     UNION ALL
     MATCH (r:BeliefRevision) USING INDEX SEEK r:BeliefRevision(belief_id, recorded_from, valid_from)
     WHERE r.belief_id = n.id AND r.recorded_from <= $recorded AND r.valid_from IS NOT NULL
     WITH r WHERE ${HELD}
     MATCH (r)-[x:WEIGHED]->(m)
     WITH x, m, true AS out
     ${EACH}
     UNION ALL
     MATCH (n)<-[x:WEIGHED]-(r:BeliefRevision) WHERE ${HELD}
     MATCH (m:Belief {id: r.belief_id})
     WITH x, m, false AS out
     ${EACH}
   }
   ${ANSWERED}`,
);

const sameAs = statement<{ keys: readonly string[]; recorded: Instant; most: Integer }, StoredEdge>(
  'record.same_as',
  'constraint entity_key',
  `UNWIND $keys AS key
   MATCH (n:Entity {key: key})
   CALL (n) {
     MATCH (n)-[x:SAME_AS]->(m:Entity) WHERE ${KNOWN}
     RETURN x, m ORDER BY x.recorded_from DESC LIMIT $most
   }
   RETURN n.id AS asked, true AS out, 'SAME_AS' AS type, m.id AS other, m.position AS position, m.tenant AS tenant, m.scope AS scope, m.scope_ref AS scope_ref,
     'entity' AS kind, null AS weight, null AS polarity, null AS relation, null AS role, null AS valid_at,
     x.recorded_from.epochMillis AS recorded_from, null AS span`,
);

/** Reads the edges between records, those to what they are about, and those between entities. */
export class RecordEdgeReader {
  private readonly reader: Reader & RowStreams;

  constructor(reader: Reader & RowStreams) {
    this.reader = reader;
  }

  /**
   * The edges of records to nodes of some kinds at a pair of instants (epoch milliseconds), of one tenant or (null) of any: of each node,
   * kind and way `most`, those to what is newest, but all to conclusions and premises. Of more than 10,000 edges of a node some are
   * looked at. One round trip.
   */
  async of(
    ids: RecordIds,
    kinds: ReadonlySet<GraphNodeType>,
    { tenant, valid, recorded }: Instants & { readonly tenant: string | null },
    most: number,
  ): Promise<StoredEdge[]> {
    return this.reader.read(ofNodes, {
      ...ids,
      tenant,
      kinds: [...kinds],
      valid: instant(valid),
      recorded: instant(recorded),
      most: int(most),
      walk: int(MAX_SCANNED_ROWS),
    });
  }

  /**
   * Every edge of records to nodes of some kinds at a pair of instants, one of each kind and way between two nodes, one after the other:
   * however many a node has, memory holds few of them.
   */
  every(
    ids: RecordIds,
    kinds: ReadonlySet<GraphNodeType>,
    { tenant, valid, recorded }: Instants & { readonly tenant: string | null },
  ): AsyncGenerator<StoredEdge> {
    const at = { valid: instant(valid), recorded: instant(recorded) };
    return this.reader.stream(everyOfNodes, { ...ids, tenant, kinds: [...kinds], ...at }, STREAMED_EDGES);
  }

  /**
   * The entities that entities of scopes, by their keys, were linked with at an instant, so many of each at most. One round trip; none for
   * none.
   */
  async sameAs(keys: readonly string[], recorded: number, most = MAX_NODE_EDGES): Promise<StoredEdge[]> {
    if (keys.length === 0) return [];
    return this.reader.read(sameAs, { keys, recorded: instant(recorded), most: int(most) });
  }
}
