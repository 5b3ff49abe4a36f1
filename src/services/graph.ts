import { graphQuery, type GraphDiff, type GraphPage } from '../../schemas/graph.ts';
import { graphTimes } from '../derive/graph-times.ts';
import { readingInstants } from '../time/as-of.ts';
import type { Call } from './access.ts';
import { ambiguityOf } from './ambiguous-names.ts';
import { GraphComparing } from './graph-comparing.ts';
import { GraphChanges, type GraphChangesParts } from './graph-changes.ts';
import { GraphNeighbours, type GraphNeighboursParts } from './graph-neighbours.ts';
import { graphPart, typesOf, walkedOf } from './graph-part.ts';
import { graphWalk, wantedOf } from './graph-walk.ts';
import { wantsOf } from './graph-wants.ts';
import type { LifecycleSubscription } from './operations.ts';
import { parseQuery } from './query-input.ts';
import { recordPage } from './record-page.ts';

/** What the service needs. */
export type GraphServiceParts = GraphNeighboursParts & GraphChangesParts;

/**
 * Tells the graph of a scope: what is known in it, and what one thing has to do with another. An edge comes with the node that it leads
 * from, or, where no page has that one, with the one that it leads to.
 */
export class GraphService {
  private readonly parts: GraphServiceParts;
  private readonly nextTo: GraphNeighbours;
  private readonly differences: GraphComparing;
  private readonly changes: GraphChanges;

  constructor(parts: GraphServiceParts) {
    this.parts = parts;
    this.nextTo = new GraphNeighbours(parts);
    this.differences = new GraphComparing(parts);
    this.changes = new GraphChanges(parts);
  }

  /** What the graph of a selection has become between two instants; see {@link GraphComparing.page}. */
  diff(call: Call, query: unknown): Promise<GraphDiff> {
    return this.differences.page(call, query);
  }

  /** A page of what a node has to do with others; see {@link GraphNeighbours.page}. */
  neighbours(call: Call, id: string, query: unknown): Promise<GraphPage> {
    return this.nextTo.page(call, id, query);
  }

  /** What changes in the graph of a scope, as it happens; see {@link GraphChanges.subscribe}. */
  subscribe(call: Call, query: unknown): Promise<LifecycleSubscription> {
    return this.changes.subscribe(call, query);
  }

  /**
   * A page of the graph of a selection, newest first. Sparse filters may end a page early: `has_more` and `next_cursor` then go on. Throws
   * `INVALID_QUERY`, `POLICY_DENIED`.
   */
  async page(call: Call, query: unknown): Promise<GraphPage> {
    const parsed = parseQuery(graphQuery, query);
    const { entity, q } = parsed;
    const at = {
      ...readingInstants(parsed, this.parts.clock.now()),
      anyTime: parsed.include_superseded === true,
    };
    const { view, selection } = await this.parts.selection.choose(call, parsed.scope, parsed.view);
    const asked = entity === undefined ? [] : [entity];
    const [about = null] = await this.parts.named.of(call, selection, asked, at.recorded);
    const types = typesOf({ ...parsed, view });
    const wants = wantsOf(about, q);
    const walked = { types: walkedOf(types, about !== null), about, at };
    const walk = graphWalk(this.parts.layers, call, selection, walked);
    const page = { ...parsed, listing: 'graph' as const, sparse: q !== undefined };
    const { records, next } = await recordPage(wantedOf(walk, wants), page);
    const found = records.map(({ read }) => read);
    const part = await graphPart(this.parts.edges, call, found, { selection, types, wants, at });
    const { withheld } = selection;
    return {
      nodes: part.nodes,
      edges: part.edges,
      times: graphTimes([part]),
      has_more: next !== null,
      ...(next === null ? {} : { next_cursor: next }),
      ...ambiguityOf(about?.ambiguous ?? []),
      ...(withheld === 0 ? {} : { withheld_scopes: withheld }),
    };
  }
}
