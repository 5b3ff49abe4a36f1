import type { EpisodeItem, EpisodePage } from '../schemas/episode.ts';
import { MAX_EPISODE_LINKS } from '../src/limits.ts';
import { listing, rootField, type Resolver, type ResolverMap } from './field.ts';
import { wireArguments } from './input.ts';
import { derivedFrom, RECORD_LINKS } from './provenance.ts';

const nodes: Resolver<EpisodePage> = ({ items }) => items;
const edges: Resolver<EpisodePage> = ({ items }, _args, { services }) =>
  items.map((node) => ({ node, cursor: services.episode.cursorOf(node) }));
const pageInfo: Resolver<EpisodePage> = ({ items, has_more, next_cursor }, _args, { services }) => {
  const last = items.at(-1);
  return {
    hasNextPage: has_more,
    endCursor: next_cursor ?? (last === undefined ? null : services.episode.cursorOf(last)),
  };
};
const withheldScopes: Resolver<EpisodePage> = ({ withheld_scopes: withheld = 0 }) => withheld;

const follows: Resolver<EpisodeItem> = async (episode, args: object, { loaders, readings }, info) => {
  if (episode.follows === undefined) return null;
  const query = readings.queryOf(episode, wireArguments(args, info));
  return readings.note(await loaders.episode.load({ id: episode.follows, query }), query);
};

/** Fields of episodes. */
export const EPISODE_RESOLVERS: ResolverMap = {
  Query: {
    episodes: rootField(async (args, { services, call, budget, readings }) => {
      budget.takePage();
      const page = await services.episode.list(call, listing(args, 'cursor'));
      readings.note(page.items, args);
      return page;
    }),
    episode: rootField(async ({ id, ...query }, { services, call, readings }) =>
      readings.note(await services.episode.get(call, id as string, query), query),
    ),
  },
  EpisodeConnection: { nodes, edges, pageInfo, withheldScopes },
  Episode: {
    ...RECORD_LINKS,
    derivedFrom: derivedFrom<EpisodeItem>(({ events }) => events.slice(0, MAX_EPISODE_LINKS)),
    follows,
  },
};
