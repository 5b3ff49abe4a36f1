import type { GraphDiff, GraphNode, GraphPage } from '../schemas/graph.ts';
import type { LifecycleItem } from '../schemas/lifecycle.ts';
import { framesField, listing, rootField, type Resolver, type ResolverMap } from './field.ts';
import { recordAt } from './record.ts';

const pageInfo: Resolver<GraphPage | GraphDiff> = ({ has_more, next_cursor }) => ({
  hasNextPage: has_more,
  endCursor: next_cursor ?? null,
});
const withheldScopes: Resolver<GraphPage | GraphDiff> = ({ withheld_scopes: withheld = 0 }) => withheld;

/** The record of a node at the recorded instant of the graph; null of an entity. */
const record: Resolver<GraphNode> = (node, _args, context) =>
  node.type === 'entity' ? null : recordAt(context, node.id, context.readings.queryOf(node, {}));

/** A field of the body of a change. */
const inBody =
  (name: 'nodes' | 'edges' | 'gone' | 'read_again'): Resolver<LifecycleItem> =>
  ({ data }) =>
    data[name];

/** Fields of the graph of a scope. */
export const GRAPH_RESOLVERS: ResolverMap = {
  Query: {
    graph: rootField(async (args, { services, call, budget, readings }) => {
      budget.takePage();
      const page = await services.graph.page(call, listing(args, 'cursor'));
      readings.note(page.nodes, args);
      return page;
    }),
    graphDiff: rootField(async (args, { services, call, budget, readings }) => {
      budget.takePage();
      const diff = await services.graph.diff(call, listing(args, 'cursor'));
      const { gone, appeared, changed } = diff;
      const [from, to] =
        args.axis === 'valid' ? [args, args] : [{ as_of_recorded: args.from }, { as_of_recorded: args.to }];
      readings.note([...gone.nodes, ...changed.nodes.map(({ before }) => before)], from);
      readings.note([...appeared.nodes, ...changed.nodes.map(({ after }) => after)], to);
      return diff;
    }),
    neighbours: rootField(async ({ id, ...args }, { services, call, budget, readings }) => {
      budget.takePage();
      const page = await services.graph.neighbours(call, id as string, listing(args, 'cursor'));
      readings.note(page.nodes, args);
      return page;
    }),
  },
  ScopeGraph: { pageInfo, withheldScopes },
  GraphDiff: { pageInfo, withheldScopes },
  GraphChange: {
    nodes: inBody('nodes'),
    edges: inBody('edges'),
    gone: inBody('gone'),
    readAgain: inBody('read_again'),
  },
  GraphNode: { record },
};

/** Changes of graphs as they come. */
export const GRAPH_SUBSCRIPTION = {
  Subscription: {
    graphChanged: framesField((query, { services, call }) => services.graph.subscribe(call, query)),
  },
};
