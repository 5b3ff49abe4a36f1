import { rootField, type ResolverMap } from './field.ts';

/** Fields of blobs. */
export const BLOB_RESOLVERS: ResolverMap = {
  Query: {
    blob: rootField(({ id }, { services, call }) => services.blob.get(call, id as string)),
    keyedBlob: rootField(({ key }, { services, call }) => services.keyedBlob.status(call, key as string)),
  },
  Mutation: {
    deleteBlob: rootField(({ id }, { services, call, budget }) => {
      budget.takeMutation();
      return services.blob.delete(call, id as string);
    }),
    retireKeyedBlob: rootField(({ key }, { services, call, budget }) => {
      budget.takeMutation();
      return services.keyedBlob.retire(call, key as string);
    }),
  },
};
