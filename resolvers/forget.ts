import { rootField, type ResolverMap } from './field.ts';

/** Fields that forget. */
export const FORGET_RESOLVERS: ResolverMap = {
  Mutation: {
    forget: rootField(({ input }, { services, call, budget }) => {
      budget.takeMutation();
      return services.forget.forget(call, input);
    }),
    previewForget: rootField(({ input }, { services, call, budget }) => {
      budget.takeMutation();
      return services.forget.preview(call, input);
    }),
  },
};
