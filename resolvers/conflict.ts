import type { ConflictPage } from '../schemas/conflict.ts';
import { listing, rootField, type Resolver, type ResolverMap } from './field.ts';

const nodes: Resolver<ConflictPage> = ({ items }) => items;
const pageInfo: Resolver<ConflictPage> = ({ has_more, next_cursor }) => ({
  hasNextPage: has_more,
  endCursor: next_cursor === null ? null : String(next_cursor),
});

/** Fields of conflicts. */
export const CONFLICT_RESOLVERS: ResolverMap = {
  Query: {
    conflicts: rootField((args, { services, call, budget }) => {
      budget.takePage();
      return services.conflict.list(call, listing(args, 'cursor'));
    }),
    conflict: rootField(({ id, ...query }, { services, call }) =>
      services.conflict.get(call, id as string, query),
    ),
  },
  Mutation: {
    resolveConflict: rootField(({ id, input }, { services, call, budget }) => {
      budget.takeMutation();
      return services.conflict.resolve(call, id as string, input);
    }),
  },
  ConflictConnection: { nodes, pageInfo },
};
