import { rootField, type ResolverMap } from './field.ts';

/** Fields of tokens. */
export const TOKEN_RESOLVERS: ResolverMap = {
  Query: {
    whoami: rootField((_args, { services, call }) => services.token.whoami(call)),
  },
  Mutation: {
    mintToken: rootField(({ input }, { services, call, budget }) => {
      budget.takeMutation();
      return services.token.mint(call, input);
    }),
    revokeToken: rootField(async ({ input }, { services, call, budget }) => {
      budget.takeMutation();
      await services.token.revoke(call, input);
      return true;
    }),
  },
};
