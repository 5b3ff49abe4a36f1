import type { SuppressionPage } from '../schemas/suppression.ts';
import { listing, rootField, type Resolver, type ResolverMap } from './field.ts';

const nodes: Resolver<SuppressionPage> = ({ items }) => items;
const edges: Resolver<SuppressionPage> = ({ items }, _args, { services }) =>
  items.map((node) => ({ node, cursor: services.suppression.cursorOf(node) }));
const pageInfo: Resolver<SuppressionPage> = ({ items, has_more, next_cursor }, _args, { services }) => {
  const last = items.at(-1);
  return {
    hasNextPage: has_more,
    endCursor: next_cursor ?? (last === undefined ? null : services.suppression.cursorOf(last)),
  };
};

/** Fields of suppressions. */
export const SUPPRESSION_RESOLVERS: ResolverMap = {
  Query: {
    suppressions: rootField((args, { services, call, budget }) => {
      budget.takePage();
      return services.suppression.list(call, listing(args, 'cursor'));
    }),
  },
  Mutation: {
    liftSuppression: rootField(async ({ id }, { services, call, budget }) => {
      budget.takeMutation();
      await services.suppression.lift(call, id as string);
      return true;
    }),
  },
  SuppressionConnection: { nodes, edges, pageInfo },
};
