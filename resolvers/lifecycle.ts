import { lifecycleId, type LifecycleItem, type LifecyclePage } from '../schemas/lifecycle.ts';
import { eventNotFound } from '../src/errors.ts';
import { framesField, listing, rootField, type Resolver, type ResolverMap } from './field.ts';

const nodes: Resolver<LifecyclePage> = ({ items }) => items;
const edges: Resolver<LifecyclePage> = ({ items }) =>
  items.map((node) => ({ node, cursor: node.lifecycle_id }));
const pageInfo: Resolver<LifecyclePage> = ({ has_more, next_offset }) => ({
  hasNextPage: has_more,
  endCursor: lifecycleId(next_offset),
});
const memoryEvent: Resolver<LifecycleItem> = ({ data }, _args, { loaders }) =>
  typeof data.event_id === 'string' ? loaders.event.load({ id: data.event_id, query: {} }) : null;

/** Fields of the lifecycle. */
export const LIFECYCLE_RESOLVERS: ResolverMap = {
  Query: {
    lifecycle: rootField((args, { services, call, budget }) => {
      budget.takePage();
      return services.lifecycle.list(call, listing(args, 'since_lifecycle_id'));
    }),
    lifecycleFrame: rootField(({ id }, { services, call }) => services.lifecycle.get(call, id as string)),
    memoryEventTrace: rootField(async ({ id, ...query }, { loaders }) => {
      const trace = await loaders.trace.load({ id: id as string, query });
      if (trace === null) throw eventNotFound();
      return trace;
    }),
  },
  LifecycleConnection: { nodes, edges, pageInfo },
  LifecycleFrame: { memoryEvent },
};

/** Frames as they come. */
export const LIFECYCLE_SUBSCRIPTION = {
  Subscription: {
    lifecycle: framesField((query, { services, call }) => services.lifecycle.subscribe(call, query)),
  },
};
