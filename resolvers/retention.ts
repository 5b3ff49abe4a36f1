import { rootField, type ResolverMap } from './field.ts';

/** Fields of how long records are kept. */
export const RETENTION_RESOLVERS: ResolverMap = {
  Query: {
    retentionPolicy: rootField((query, { services, call }) => services.retention.getPolicy(call, query)),
  },
  Mutation: {
    setRetentionPolicy: rootField(({ input }, { services, call, budget }) => {
      budget.takeMutation();
      return services.retention.setPolicy(call, input);
    }),
    deleteRetentionPolicy: rootField(async (query, { services, call, budget }) => {
      budget.takeMutation();
      await services.retention.deletePolicy(call, query);
      return true;
    }),
  },
};
