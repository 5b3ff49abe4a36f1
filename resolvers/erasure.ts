import { rootField, type ResolverMap } from './field.ts';

/** Fields that erase. */
export const ERASURE_RESOLVERS: ResolverMap = {
  Query: {
    erasure: rootField(({ id }, { services, call }) => services.erasure.get(call, id as string)),
    erasureReceipt: rootField(({ id }, { services, call }) => services.erasure.receipt(call, id as string)),
  },
  Mutation: {
    previewErasure: rootField(({ input }, { services, call, budget }) => {
      budget.takeMutation();
      return services.erasure.preview(call, input);
    }),
    erase: rootField(({ input }, { services, call, budget }) => {
      budget.takeMutation();
      return services.erasure.start(call, input);
    }),
    cancelErasure: rootField(({ id }, { services, call, budget }) => {
      budget.takeMutation();
      return services.erasure.cancel(call, id as string, {});
    }),
    verifyErasure: rootField(({ id }, { services, call, budget }) => {
      budget.takeMutation();
      return services.erasure.verify(call, id as string);
    }),
  },
};
