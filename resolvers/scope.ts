import type { ScopePage } from '../schemas/scope-record.ts';
import { listing, rootField, type Resolver, type ResolverMap } from './field.ts';

const nodes: Resolver<ScopePage> = ({ items }) => items;
const edges: Resolver<ScopePage> = ({ items }, _args, { services, call }) =>
  items.map((node) => ({ node, cursor: services.scope.cursorOf(call, node) }));

const pageInfo: Resolver<ScopePage> = ({ items, has_more, next_cursor }, _args, { services, call }) => {
  const last = items.at(-1);
  return {
    hasNextPage: has_more,
    endCursor: next_cursor ?? (last === undefined ? null : services.scope.cursorOf(call, last)),
  };
};

const withheldScopes: Resolver<ScopePage> = ({ withheld_scopes: withheld = 0 }) => withheld;

/** Fields of scopes. */
export const SCOPE_RESOLVERS: ResolverMap = {
  Query: {
    scope: rootField((query, { services, call }) => services.scope.get(call, query)),
    scopes: rootField((args, { services, call, budget }) => {
      budget.takePage();
      return services.scope.list(call, listing(args, 'cursor'));
    }),
  },
  Mutation: {
    registerScope: rootField(({ input }, { services, call, budget }) => {
      budget.takeMutation();
      return services.scope.register(call, input);
    }),
    setScopePolicies: rootField(({ input, ...query }, { services, call, budget }) => {
      budget.takeMutation();
      return services.scope.setPolicies(call, query, input);
    }),
    setScopeMembers: rootField(({ input, ...query }, { services, call, budget }) => {
      budget.takeMutation();
      return services.scope.setMembers(call, query, input);
    }),
    deleteScope: rootField(async (query, { services, call, budget }) => {
      budget.takeMutation();
      await services.scope.delete(call, query);
      return true;
    }),
    pruneScopes: rootField((_args, { services, call, budget }) => {
      budget.takeMutation();
      return services.scope.prune(call);
    }),
  },
  ScopeConnection: { nodes, edges, pageInfo, withheldScopes },
};
