import { rootField, type ResolverMap } from './field.ts';

/** Fields of the state of the server. */
export const HEALTH_RESOLVERS: ResolverMap = {
  Query: {
    health: rootField((_args, { services }) => services.health.health()),
    ready: rootField((_args, { services }) => services.health.ready()),
    adminHealth: rootField((_args, { services }) => services.health.adminHealth()),
    adminReady: rootField((_args, { services, call }) => services.health.adminReady(call)),
    version: rootField((_args, { services }) => services.health.version()),
  },
};
