import { rootField, type ResolverMap } from './field.ts';

/** Fields that derive again. */
export const REBUILD_RESOLVERS: ResolverMap = {
  Query: {
    rederiveJob: rootField(({ id }, { services, call }) => services.rebuild.job(call, id as string)),
  },
  Mutation: {
    rederive: rootField(({ input }, { services, call, budget }) => {
      budget.takeMutation();
      return services.rebuild.rederive(call, input);
    }),
    buildBeliefs: rootField(({ input }, { services, call, budget }) => {
      budget.takeMutation();
      return services.rebuild.buildBeliefs(call, input);
    }),
    buildEpisodes: rootField(({ input }, { services, call, budget }) => {
      budget.takeMutation();
      return services.rebuild.buildEpisodes(call, input);
    }),
  },
};
