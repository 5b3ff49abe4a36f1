import type { LegalHoldPage } from '../schemas/legal-hold.ts';
import { listing, rootField, type Resolver, type ResolverMap } from './field.ts';

const nodes: Resolver<LegalHoldPage> = ({ items }) => items;
const edges: Resolver<LegalHoldPage> = ({ items }, _args, { services }) =>
  items.map((node) => ({ node, cursor: services.legalHold.cursorOf(node) }));
const pageInfo: Resolver<LegalHoldPage> = ({ items, has_more, next_cursor }, _args, { services }) => {
  const last = items.at(-1);
  return {
    hasNextPage: has_more,
    endCursor: next_cursor ?? (last === undefined ? null : services.legalHold.cursorOf(last)),
  };
};

/** Fields of legal holds. */
export const LEGAL_HOLD_RESOLVERS: ResolverMap = {
  Query: {
    legalHolds: rootField((args, { services, call, budget }) => {
      budget.takePage();
      return services.legalHold.list(call, listing(args, 'cursor'));
    }),
    legalHold: rootField(({ id }, { services, call }) => services.legalHold.get(call, id as string)),
  },
  Mutation: {
    putLegalHold: rootField(({ input }, { services, call, budget }) => {
      budget.takeMutation();
      return services.legalHold.put(call, input);
    }),
    removeLegalHold: rootField(async ({ id }, { services, call, budget }) => {
      budget.takeMutation();
      await services.legalHold.remove(call, { id });
      return true;
    }),
  },
  LegalHoldConnection: { nodes, edges, pageInfo },
};
