import type { ClaimHistory, ClaimPage } from '../schemas/claim.ts';
import { listing, rootField, type Resolver, type ResolverMap } from './field.ts';

const nodes: Resolver<ClaimPage | ClaimHistory> = ({ items }) => items;
const pageInfo: Resolver<ClaimPage | ClaimHistory> = ({ has_more, next_cursor }) => ({
  hasNextPage: has_more,
  endCursor: next_cursor ?? null,
});

/** Fields of claims. */
export const CLAIM_RESOLVERS: ResolverMap = {
  Query: {
    claims: rootField((args, { services, call, budget }) => {
      budget.takePage();
      return services.claim.list(call, listing(args, 'cursor'));
    }),
    claimHistory: rootField((args, { services, call, budget }) => {
      budget.takePage();
      return services.claim.history(call, listing(args, 'cursor'));
    }),
  },
  ClaimConnection: { nodes, pageInfo },
  ClaimHistory: { nodes, pageInfo },
};
