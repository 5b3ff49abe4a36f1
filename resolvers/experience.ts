import { rootField, type ResolverMap } from './field.ts';

/** Fields of capture. */
export const EXPERIENCE_RESOLVERS: ResolverMap = {
  Query: {
    experienceStatus: rootField((query, { services, call }) => services.experience.status(call, query)),
  },
  Mutation: {
    capture: rootField(({ input, ...query }, { services, call, budget }) => {
      budget.takeMutation();
      return services.experience.capture(call, input, query);
    }),
    captureMany: rootField(({ input, ...query }, { services, call, budget }) => {
      budget.takeBulk();
      return services.experience.captureBulk(call, input, query);
    }),
  },
};
