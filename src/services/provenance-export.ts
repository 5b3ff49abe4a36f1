import type { GraphEdge } from '../../schemas/graph.ts';
import type { ProvenanceGraph, ProvenanceQuery, WhyEdge } from '../../schemas/provenance.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import { tenantOfReads } from '../access/principal.ts';
import type { Clock } from '../clock.ts';
import { toGraphNode } from '../derive/graph.ts';
import { capabilityOf, layerOf } from '../derive/provenance.ts';
import { StrataError } from '../errors.ts';
import { MAX_SCANNED_ROWS } from '../limits.ts';
import { namedInstants } from '../time/as-of.ts';
import type { Call } from './access.ts';
import { withIntervals, type IntervalReader } from './export-intervals.ts';
import { exportNode, HeldGraph } from './export-source.ts';
import { MAX_WALKED_NODES, type ProvenanceWalk } from './provenance-walk.ts';
import type { RecordGate } from './record-gate.ts';
import type { NodeInstants, RecordNodes, ScopedNode } from './record-nodes.ts';

/** What reading it needs. */
export interface ProvenanceExportParts {
  readonly gate: RecordGate;
  readonly nodes: RecordNodes;
  readonly facts: IntervalReader;
  /** Goes to what may be exported. */
  readonly walk: ProvenanceWalk;
  readonly clock: Clock;
  /** The instant of the newest entry of the log, epoch milliseconds. */
  readonly head: () => Promise<number>;
}

/** Reads the graph around a record in whole, as far as memory can hold it. */
export class ProvenanceExport {
  private readonly parts: ProvenanceExportParts;

  constructor(parts: ProvenanceExportParts) {
    this.parts = parts;
  }

  /** Throws `NOT_FOUND` for a record that is unknown, or not to be exported by the caller, and `INVALID_QUERY`. */
  async graph(call: Call, id: string, query: ProvenanceQuery): Promise<HeldGraph> {
    const { direction, relation, depth, ...instants } = query;
    const named = namedInstants(instants);
    const now = this.parts.clock.now();
    const recorded = named.recorded ?? Math.max(now, await this.parts.head());
    const at = { valid: named.valid, recorded, now };
    const start = await this.start(call, id, { ...at, whenever: false });
    const bounds = { nodes: MAX_WALKED_NODES, links: MAX_SCANNED_ROWS };
    const [graph] = await this.parts.walk.graphs(call, [start], {
      ...at,
      direction,
      relation,
      depth,
      bounds,
    });
    const about = {
      record: start.id,
      ...{ direction, relation, depth },
      ...(named.valid === null ? {} : { as_of_valid: toRfc3339(named.valid) }),
      as_of_recorded: toRfc3339(recorded),
      truncated: graph?.truncated === true,
    };
    return new HeldGraph(about, await this.held(call, graph, at));
  }

  private async start(call: Call, id: string, at: NodeInstants): Promise<ScopedNode['node']> {
    const question = {
      kind: layerOf(id) ?? ('event' as const),
      ids: [id],
      capability: capabilityOf(id),
      also: 'export' as const,
    };
    const [found] = await this.parts.gate.read(call, question, async (ids, tenant) =>
      (await this.parts.nodes.read(ids, tenant, at)).values(),
    );
    if (found) return found.node;
    throw new StrataError('NOT_FOUND', 'record not found');
  }

  /** The records of a graph as the nodes of one, with the edges between those that are still there. */
  private async held(
    call: Call,
    graph: ProvenanceGraph | undefined,
    at: Omit<NodeInstants, 'whenever'>,
  ): Promise<HeldGraph['held']> {
    const ids = graph?.nodes.map(({ id }) => id) ?? [];
    const tenant = tenantOfReads(call.principal);
    const records = await this.parts.nodes.records(ids, tenant, { ...at, whenever: true });
    const read = new Map([...records.values()].map((one) => [one.record.id, one]));
    const nodes = ids.flatMap((id) => {
      const one = read.get(id);
      return one === undefined ? [] : [exportNode(toGraphNode(one, at.valid), one)];
    });
    const weights = new Map(graph?.nodes.map(({ id, weight }) => [id, weight]));
    const edges = (graph?.edges ?? [])
      .filter(({ from, to }) => read.has(from) && read.has(to))
      .map((edge) => toEdge(edge, edge.from === ids[0] ? weights.get(edge.to) : undefined));
    return { nodes: await withIntervals(this.parts.facts, nodes, at.recorded), edges };
  }
}

/** What one record has to do with another, as an edge of the graph in the database; `weight`: of the other as evidence, where it is known. */
function toEdge({ from, to, relation, span }: WhyEdge, weight: number | undefined): GraphEdge {
  const evidence = weight === undefined ? {} : { weight };
  switch (relation) {
    case 'supported_by':
      return layerOf(from) === 'belief'
        ? { from, to, type: 'SUPPORTED_BY', polarity: 'supports', ...evidence }
        : { from, to, type: 'SUPPORTED_BY' };
    case 'supersedes_against':
    case 'denied_by':
      return { from, to, type: 'SUPPORTED_BY', polarity: 'against', ...evidence };
    case 'extracted_from':
      return { from, to, type: 'DERIVED_FROM', ...(span === undefined ? {} : { span }) };
    case 'concluded_from':
      return { from, to, type: 'CONCLUDED_FROM' };
    case 'contains':
      return { from, to, type: 'CONTAINS' };
    case 'supersedes':
      return { from: to, to: from, type: 'SUPERSEDED_BY' };
  }
}
