import { episodeGetQuery, episodeItem, episodeListQuery, episodePage } from '../episode.ts';
import type { Operation } from './definition.ts';

/** Operations on episodes. */
export const EPISODE_OPERATIONS = {
  listEpisodes: {
    method: 'GET',
    path: '/v1/episodes',
    noun: 'episode',
    summary: 'List episodes',
    description:
      'Episodes of a scope, and with `view` of the scopes above or below it, newest first: as they are known now, or at the instants asked for.',
    access: { capability: 'scope.read.local' },
    query: episodeListQuery,
    answers: { 200: { description: 'A page of episodes.', schema: episodePage } },
    errors: [],
    otherStatuses: [{ code: 'INVALID_QUERY', status: 422, when: '`view` is not one of its values.' }],
    graphql: { kind: 'query', field: 'episodes' },
  },
  getEpisode: {
    method: 'GET',
    path: '/v1/episodes/{id}',
    noun: 'episode',
    summary: 'One episode',
    description:
      'One episode by id, with its causal chain. What is unknown or not for the caller to see is the same 404.',
    access: { capability: 'scope.read.local' },
    params: { id: 'Id of the episode.' },
    query: episodeGetQuery,
    answers: { 200: { description: 'The episode.', schema: episodeItem } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'episode' },
  },
} as const satisfies Record<string, Operation>;
