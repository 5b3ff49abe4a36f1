import type { EpisodeItem, EpisodePage } from '../schemas/episode.ts';
import { MAX_EPISODE_LINKS } from '../src/limits.ts';
import { listing, rootField, type Resolver, type ResolverMap } from './field.ts';
import { wireArguments } from './input.ts';

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

const derivedFrom: Resolver<EpisodeItem> = async (episode, _args, { loaders, readings }) => {
  const ids = episode.events.slice(0, MAX_EPISODE_LINKS);
  const query = readings.queryOf(episode, {});
  const events = await Promise.all(ids.map((id) => loaders.event.load({ id, query })));
  return events.filter((event) => event !== null);
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
  Episode: { follows, derivedFrom },
};
