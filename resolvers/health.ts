import { StrataError } from '../src/errors.ts';
import { rootField, type ResolverMap } from './field.ts';

/** Fields of the state of the server. */
export const HEALTH_RESOLVERS: ResolverMap = {
  Query: {
    health: rootField((_args, { services }) => services.health.health()),
    ready: rootField(async (_args, { services }) => {
      const answer = await services.health.ready();
      if (!answer.ready) throw new StrataError('DATABASE_UNAVAILABLE', 'the database takes no work now');
      return answer;
    }),
    adminHealth: rootField((_args, { services }) => services.health.adminHealth()),
    adminReady: rootField((_args, { services, call }) => services.health.adminReady(call)),
    version: rootField((_args, { services }) => services.health.version()),
  },
};
