import { entityKey } from '../../graph/entity/link.ts';
import type { EntityReader } from '../../graph/entity/read.ts';
import type { RecordEdgeReader, StoredEdge } from '../../graph/record-edge.ts';
import type { GraphNodeType } from '../../schemas/graph.ts';
import type { Capability } from '../../schemas/policy.ts';
import { tenantOfReads } from '../access/principal.ts';
import { edgesEach, entityNode, toGraphNode, type BareNode } from '../derive/graph.ts';
import type { LayerRecord } from '../derive/layer-record.ts';
import { byLayer, capabilityOf } from '../derive/provenance.ts';
import type { Instants } from '../time/bitemporal-range.ts';
import type { AccessService, Call, ReadRequest } from './access.ts';
import { isStated } from './fact-listing.ts';
import type { RecordNodes } from './record-nodes.ts';

/** What the reading needs. */
export interface GraphEdgesParts {
  readonly access: AccessService;
  readonly entities: EntityReader;
  readonly nodes: RecordNodes;
  readonly edges: RecordEdgeReader;
  /** What the scope of a node at the other end takes beside reading; default nothing. */
  readonly also?: Capability;
}

/** Edges that are looked at together where all of them are read. */
const EDGE_BATCH = 1000;

/** When the graph is read. */
export interface GraphInstants extends Instants {
  /** Whether facts and events are shown whenever they are true. */
  readonly anyTime: boolean;
}

/** What may be shown at the other end of an edge. */
export interface GraphEnd {
  readonly node: BareNode;
  /** Null of an entity. */
  readonly read: LayerRecord | null;
}

/** Edges of nodes, and what may be shown at their other ends. */
export interface ReadEdges {
  readonly edges: readonly StoredEdge[];
  readonly ends: ReadonlyMap<string, GraphEnd>;
}

/** Reads the edges of nodes as far as the caller may read what is at their other ends. */
export class GraphEdges {
  private readonly parts: GraphEdgesParts;

  constructor(parts: GraphEdgesParts) {
    this.parts = parts;
  }

  /**
   * The edges of records to nodes of some kinds, and what is at their other ends: a round trip for the edges, one for what may be read,
   * one for the records at the other ends, side by side by layer, and two for entities. What may not be read is left out without a trace.
   */
  async read(
    call: Call,
    ids: readonly string[],
    types: ReadonlySet<GraphNodeType>,
    at: GraphInstants,
  ): Promise<ReadEdges> {
    const edges = await this.of(call, ids, types, at, edgesEach(ids.length) + 1);
    const linked = await this.linksOf(call, edges, at);
    const own = new Set(ids);
    const others = [...edges, ...linked].filter(({ other }) => !own.has(other));
    return { edges: [...edges, ...linked], ends: await this.endsOf(call, others, at) };
  }

  /** The edges alone, of each kind and way of a record so many at most, but of conclusions and premises: two round trips. */
  async of(
    call: Call,
    ids: readonly string[],
    types: ReadonlySet<GraphNodeType>,
    at: Instants,
    most: number,
  ): Promise<StoredEdge[]> {
    const where = { tenant: tenantOfReads(call.principal), valid: at.valid, recorded: at.recorded };
    return this.readable(call, await this.parts.edges.of(byLayer(ids), types, where, most));
  }

  /** All edges of records to nodes of some kinds, some at a time, as far as the caller may read what is at their other ends. */
  async *every(
    call: Call,
    ids: readonly string[],
    types: ReadonlySet<GraphNodeType>,
    at: Instants,
  ): AsyncGenerator<StoredEdge[]> {
    const where = { tenant: tenantOfReads(call.principal), valid: at.valid, recorded: at.recorded };
    let batch: StoredEdge[] = [];
    for await (const edge of this.parts.edges.every(byLayer(ids), types, where)) {
      batch.push(edge);
      if (batch.length < EDGE_BATCH) continue;
      yield await this.readable(call, batch);
      batch = [];
    }
    if (batch.length > 0) yield await this.readable(call, batch);
  }

  /** What is at the other ends of edges, as far as it is visible at the instants, by id. */
  async endsOf(call: Call, edges: readonly StoredEdge[], at: GraphInstants): Promise<Map<string, GraphEnd>> {
    const records = edges.flatMap(({ kind, other }) => (kind === 'entity' ? [] : [other]));
    const tenant = tenantOfReads(call.principal);
    const instants = { valid: at.valid, recorded: at.recorded, now: at.valid, whenever: at.anyTime };
    const [read, entities] = await Promise.all([
      this.parts.nodes.records([...new Set(records)], tenant, instants),
      this.parts.entities.byKeys(keysOf(edges), at.recorded),
    ]);
    // An entity of several scopes is shown as it is known in the first of them by name.
    const named = [...entities].sort((a, b) => (a.scope < b.scope ? 1 : -1));
    const ends = new Map<string, GraphEnd>();
    for (const { id, scope, names } of named)
      ends.set(id, { node: entityNode({ id, scope, name: names[0]?.name ?? null }), read: null });
    for (const [id, one] of read)
      if (one.type !== 'fact' || isStated(one.record))
        ends.set(id, { node: toGraphNode(one, at.valid), read: one });
    return ends;
  }

  /** How the entities at the other ends of edges are linked with others, by so many links of each at most. */
  async linksOf(
    call: Call,
    edges: readonly StoredEdge[],
    { recorded }: Pick<Instants, 'recorded'>,
    most?: number,
  ): Promise<StoredEdge[]> {
    const keys = keysOf(edges);
    return keys.length === 0 ? [] : this.readable(call, await this.parts.edges.sameAs(keys, recorded, most));
  }

  /** Those of some records that the caller may read, as he may now. */
  async readableRecords(call: Call, records: readonly LayerRecord[]): Promise<LayerRecord[]> {
    const placeOf = ({ record: { tenant, scope: path, id } }: LayerRecord): ReadRequest => ({
      tenant,
      path,
      capability: capabilityOf(id),
    });
    const asked = records.map(placeOf);
    const mayRead = await this.parts.access.readableNow(call, asked, undefined, this.parts.also);
    return records.filter((record) => mayRead(placeOf(record)));
  }

  private async readable(call: Call, edges: readonly StoredEdge[]): Promise<StoredEdge[]> {
    const placeOf = ({ tenant, scope: path, other }: StoredEdge): ReadRequest => ({
      tenant,
      path,
      capability: capabilityOf(other),
    });
    const mayRead = await this.parts.access.readableNow(call, edges.map(placeOf), undefined, this.parts.also);
    return edges.filter((edge) => mayRead(placeOf(edge)));
  }
}

/** The keys of the entities at the other ends of edges. */
function keysOf(edges: readonly StoredEdge[]): string[] {
  const keys = edges.flatMap(({ kind, scope_ref, other }) =>
    kind === 'entity' ? [entityKey(scope_ref, other)] : [],
  );
  return [...new Set(keys)];
}
