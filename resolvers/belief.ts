import type { BeliefHistory, BeliefPage } from '../schemas/belief.ts';
import { listing, rootField, type Resolver, type ResolverMap } from './field.ts';

const nodes: Resolver<BeliefPage | BeliefHistory> = ({ items }) => items;
const edges: Resolver<BeliefPage> = ({ items }, _args, { services }) =>
  items.map((node) => ({ node, cursor: services.belief.cursorOf(node) }));
const pageInfo: Resolver<BeliefPage> = ({ items, has_more, next_cursor }, _args, { services }) => {
  const last = items.at(-1);
  return {
    hasNextPage: has_more,
    endCursor: next_cursor ?? (last === undefined ? null : services.belief.cursorOf(last)),
  };
};
const historyInfo: Resolver<BeliefHistory> = ({ has_more, next_cursor }) => ({
  hasNextPage: has_more,
  endCursor: next_cursor ?? null,
});
const withheldScopes: Resolver<BeliefPage> = ({ withheld_scopes: withheld = 0 }) => withheld;

/** Fields of beliefs. */
export const BELIEF_RESOLVERS: ResolverMap = {
  Query: {
    beliefs: rootField((args, { services, call, budget }) => {
      budget.takePage();
      return services.belief.list(call, listing(args, 'cursor'));
    }),
    beliefHistory: rootField((args, { services, call, budget }) => {
      budget.takePage();
      return services.belief.history(call, listing(args, 'cursor'));
    }),
    beliefWhy: rootField((args, { services, call, budget }) => {
      budget.takePage();
      return services.belief.why(call, args);
    }),
    belief: rootField(({ id, ...query }, { services, call }) =>
      services.belief.get(call, id as string, query),
    ),
  },
  Mutation: {
    declareBelief: rootField(({ input }, { services, call, budget }) => {
      budget.takeMutation();
      return services.belief.declare(call, input);
    }),
  },
  BeliefConnection: { nodes, edges, pageInfo, withheldScopes },
  BeliefHistory: { nodes, pageInfo: historyInfo },
};
