import type { ProvenanceGraph, WhyNode } from '../../schemas/provenance.ts';
import { tenantOfReads } from '../access/principal.ts';
import { GrowingGraph } from '../derive/provenance.ts';
import type { Call } from './access.ts';
import type { LinkQuestion, RecordLinkReading } from './record-links.ts';
import type { RecordNodes } from './record-nodes.ts';

/** Records that a graph shows at most: keeps an answer below a few hundred kilobytes. */
const MAX_WHY_NODES = 500;

/** Records of one relation and direction of a record among them, such as the events of a fact: the oldest. */
const MAX_WHY_LINKS = 50;

/** Records of all graphs of one answer together; of many graphs each gets less. */
export const MAX_WALKED_NODES = 10_000;

/** How far to go, which way, and when. */
export interface TraversalLimits extends Omit<LinkQuestion, 'most'> {
  readonly depth: number;
  /** How much of one graph there is at most, where it is not an answer of the usual size. */
  readonly bounds?: WalkBounds;
}

/** Records of a graph at most, and among them those of one relation and direction of a record. */
export interface WalkBounds {
  readonly nodes: number;
  readonly links: number;
}

/** Walks from records to what they rest on and to what rests on them, step by step. */
export class ProvenanceWalk {
  private readonly links: RecordLinkReading;
  private readonly nodes: RecordNodes;

  constructor(parts: { readonly links: RecordLinkReading; readonly nodes: RecordNodes }) {
    this.links = parts.links;
    this.nodes = parts.nodes;
  }

  /**
   * The graphs around records that the caller may read, in their order: a step of all of them takes three round trips, and one more tells
   * whether there is more. What the caller may not read is left out, and nothing tells of it.
   */
  async graphs(
    call: Call,
    starts: readonly WhyNode[],
    { depth, bounds = { nodes: MAX_WHY_NODES, links: MAX_WHY_LINKS }, ...reach }: TraversalLimits,
  ): Promise<ProvenanceGraph[]> {
    const nodes = Math.max(
      2,
      Math.min(bounds.nodes, Math.floor(MAX_WALKED_NODES / Math.max(1, starts.length))),
    );
    const graphs = starts.map((start) => new GrowingGraph(start, { depth, nodes }));
    const tenant = tenantOfReads(call.principal);
    for (;;) {
      const growing = graphs.filter(({ done }) => !done);
      if (growing.length === 0) return graphs.map(({ graph }) => graph);
      const frontier = [...new Set(growing.flatMap(({ frontier: ids }) => ids))];
      const { links, more } = await this.links.read(call, frontier, { ...reach, most: bounds.links });
      const wanted = [...new Set(growing.flatMap((graph) => graph.wanted(links)))];
      const placed = await this.nodes.read(wanted, tenant, { ...reach, whenever: true });
      const found = new Map([...placed].map(([id, { node }]) => [id, node]));
      for (const graph of growing) graph.grow(links, found, more);
    }
  }
}
