import type { Routes } from './handler.ts';
import type { EpisodeOperations } from '../src/services/operations.ts';

/** Routes of episodes. */
export function episodeRoutes(episodes: EpisodeOperations): Pick<Routes, 'listEpisodes' | 'getEpisode'> {
  return {
    listEpisodes: async ({ call, query }) => ({ status: 200, body: await episodes.list(call, query) }),
    getEpisode: async ({ call, params, query }) => ({
      status: 200,
      body: await episodes.get(call, params.id, query),
    }),
  };
}
