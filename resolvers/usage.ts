import { rootField, type ResolverMap } from './field.ts';

/** Fields of the usage of models. */
export const USAGE_RESOLVERS: ResolverMap = {
  Query: {
    usage: rootField((query, { services, call }) => services.usage.usage(call, query)),
  },
};
