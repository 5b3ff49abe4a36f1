import { rootField, type ResolverMap } from './field.ts';

/** Fields of derivation. */
export const DERIVATION_RESOLVERS: ResolverMap = {
  Query: {
    derivationStatus: rootField((query, { services, call }) => services.derivation.status(call, query)),
    layerStats: rootField((_args, { services, call }) => services.derivation.layerStats(call)),
  },
};
