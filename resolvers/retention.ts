import { rootField, type ResolverMap } from './field.ts';

/** Fields of how long records are kept. */
export const RETENTION_RESOLVERS: ResolverMap = {
  Query: {
    retention: rootField((_args, { services, call }) => services.retention.status(call)),
    retentionPolicy: rootField((query, { services, call }) => services.retention.getPolicy(call, query)),
  },
  Mutation: {
    sweepRetention: rootField(async ({ input }, { services, call, budget }) => {
      budget.takeMutation();
      const swept = await services.retention.sweep(call, input);
      return 'running' in swept ? { ...swept, report: null } : { running: false, poll: null, report: swept };
    }),
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
