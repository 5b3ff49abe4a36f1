import type { StoredEdge } from '../../graph/record-edge.ts';
import {
  GRAPH_NODE_TYPES,
  neighboursQuery,
  type GraphNodeType,
  type GraphPage,
  type NeighboursQuery,
} from '../../schemas/graph.ts';
import type { Clock } from '../clock.ts';
import { entityNode, graphOf, toGraphNode, type BareNode } from '../derive/graph.ts';
import { graphTimes } from '../derive/graph-times.ts';
import type { AmbiguousName } from '../derive/known-names.ts';
import { capabilityOf, layerOf } from '../derive/provenance.ts';
import { StrataError } from '../errors.ts';
import { MAX_SCANNED_ROWS } from '../limits.ts';
import { readingInstants } from '../time/as-of.ts';
import type { Call } from './access.ts';
import { ambiguityOf } from './ambiguous-names.ts';
import type { GraphEdges, GraphInstants } from './graph-edges.ts';
import { nodesOf } from './graph-part.ts';
import { graphWalk, type GraphLayers } from './graph-walk.ts';
import type { NamedEntities } from './named-entities.ts';
import { parseQuery } from './query-input.ts';
import type { RecordGate } from './record-gate.ts';
import type { RecordNodes } from './record-nodes.ts';
import { recordPage, type RecordWalk } from './record-page.ts';
import type { SelectionService } from './scope-selection.ts';

/** What the reading needs. */
export interface GraphNeighboursParts {
  readonly gate: RecordGate;
  readonly selection: SelectionService;
  readonly layers: GraphLayers;
  readonly named: NamedEntities;
  readonly nodes: RecordNodes;
  readonly edges: GraphEdges;
  readonly clock: Clock;
}

/** Bytes that a neighbour takes in an answer with its edges, about. */
const NEIGHBOUR_BYTES = 1_000;

/** What is at the other end of an edge. */
interface Neighbour {
  readonly node: BareNode;
  readonly bytes: number;
}

/** What a page of neighbours is made of. */
interface Found {
  readonly walk: RecordWalk<Neighbour>;
  /** The edges of a record by its side; none of an entity, whose edges are those of the others. */
  readonly edges: readonly StoredEdge[];
  /** Ids by which others lead to the node. */
  readonly ids: ReadonlySet<string>;
  readonly self: readonly BareNode[];
  readonly ambiguous: readonly AmbiguousName[];
}

/** Tells what one node of the graph has to do with others. */
export class GraphNeighbours {
  private readonly parts: GraphNeighboursParts;

  constructor(parts: GraphNeighboursParts) {
    this.parts = parts;
  }

  /**
   * A page of what is at the other ends of the edges of a node, newest first, with these edges. Throws `NOT_FOUND` for a record that is
   * unknown, not to be seen, or not there at the instants, `INVALID_QUERY` for an entity without a scope, `POLICY_DENIED`.
   */
  async page(call: Call, id: string, query: unknown): Promise<GraphPage> {
    const parsed = parseQuery(neighboursQuery, query);
    const anyTime = parsed.include_superseded === true;
    const at = { ...readingInstants(parsed, this.parts.clock.now()), anyTime };
    const types = new Set(parsed.types ?? GRAPH_NODE_TYPES);
    const found =
      layerOf(id) === null
        ? await this.ofEntity(call, id, parsed, at)
        : await this.ofRecord(call, id, types, at);
    const { records, next } = await recordPage(found.walk, { ...parsed, listing: 'neighbours' });
    const nodes = records.map(({ node }) => node).filter(({ type }) => types.has(type));
    const here = new Set(nodes.map((node) => node.id));
    const own = await this.parts.edges.read(call, [...here], new Set(GRAPH_NODE_TYPES), at);
    const graph = graphOf({
      nodes,
      edges: [...found.edges.filter(({ other }) => here.has(other)).map(turned), ...own.edges],
      ends: new Map([...nodesOf(own.ends), ...found.self.map((node) => [node.id, node] as const)]),
      shows: ({ asked, other }) => here.has(asked) && found.ids.has(other),
      brings: () => false,
    });
    return {
      nodes: graph.nodes,
      edges: graph.edges,
      times: graphTimes([graph]),
      has_more: next !== null,
      ...(next === null ? {} : { next_cursor: next }),
      ...ambiguityOf(found.ambiguous),
    };
  }

  private async ofRecord(
    call: Call,
    id: string,
    types: ReadonlySet<GraphNodeType>,
    at: GraphInstants,
  ): Promise<Found> {
    const self = await this.record(call, id, at);
    const edges = await this.parts.edges.of(call, [self.id], types, at, MAX_SCANNED_ROWS);
    const ends = [...new Map(edges.map((edge) => [edge.other, edge])).values()].sort(
      (a, b) => b.position - a.position || (a.other < b.other ? -1 : 1),
    );
    const walk: RecordWalk<Neighbour> = async (position, rows) => {
      const walked = ends.filter((edge) => edge.position <= position).slice(0, rows);
      const seen = await this.parts.edges.endsOf(call, walked, at);
      return walked.map((edge) => {
        const node = seen.get(edge.other)?.node;
        return {
          position: edge.position,
          id: edge.other,
          record: node === undefined ? null : { node, bytes: NEIGHBOUR_BYTES },
        };
      });
    };
    return { walk, edges, ids: new Set([self.id]), self: [self], ambiguous: [] };
  }

  /** What is said of an entity leads to it. */
  private async ofEntity(
    call: Call,
    id: string,
    { scope, types }: NeighboursQuery,
    at: GraphInstants,
  ): Promise<Found> {
    if (scope === undefined) {
      const reason = 'is needed of an entity, which may be known in several scopes';
      throw new StrataError('INVALID_QUERY', `scope: ${reason}`, {
        details: { field_path: 'scope', reason },
      });
    }
    const selection = await this.parts.selection.select(call, scope, 'local');
    const [about = null] = await this.parts.named.of(call, selection, [id], at.recorded);
    const layers = (['fact', 'belief', 'concept'] as const).filter(
      (layer) => types === undefined || types.includes(layer),
    );
    const filter = { types: new Set(layers), about, at };
    const records = graphWalk(this.parts.layers, call, selection, filter);
    const walk: RecordWalk<Neighbour> = async (position, rows) =>
      (await records(position, rows)).map(({ record, ...row }) => ({
        ...row,
        record: record && { node: toGraphNode(record.read, at.valid), bytes: record.bytes },
      }));
    const ids = new Set(about?.ids ?? []);
    const self = [...ids].map((one) => entityNode({ id: one, scope, name: null }));
    return { walk, edges: [], ids, self, ambiguous: about?.ambiguous ?? [] };
  }

  private async record(call: Call, id: string, at: GraphInstants): Promise<BareNode> {
    const { gate, nodes } = this.parts;
    const question = { kind: layerOf(id) ?? 'event', ids: [id], capability: capabilityOf(id) };
    const [found] = await gate.read(call, question, async (admitted, tenant) => {
      const instants = { valid: null, recorded: at.recorded, now: at.valid, whenever: true };
      const read = await nodes.records(admitted, tenant, instants);
      return [...read.values()].map((one) => ({
        tenant: one.record.tenant,
        scope: one.record.scope,
        node: toGraphNode(one, null),
      }));
    });
    if (found) return found.node;
    throw new StrataError('NOT_FOUND', 'record not found');
  }
}

/** An edge as it is seen from its other end. */
function turned(edge: StoredEdge): StoredEdge {
  return { ...edge, asked: edge.other, out: !edge.out, other: edge.asked };
}
