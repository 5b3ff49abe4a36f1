import type { BeliefHistory, BeliefItem, BeliefPage } from '../schemas/belief.ts';
import { MAX_LINKED_RECORDS } from '../src/limits/reading.ts';
import { listing, rootField, type Resolver, type ResolverMap } from './field.ts';
import { wireArguments } from './input.ts';
import { derivedFrom, RECORD_LINKS } from './provenance.ts';

const nodes: Resolver<BeliefPage | BeliefHistory> = ({ items }) => items;
const edges: Resolver<BeliefPage> = ({ items }, _args, { services }) =>
  items.map((node) => ({ node, cursor: services.belief.cursorOf(node) }));
const pageInfo: Resolver<BeliefPage> = ({ items, has_more, next_cursor }, _args, { services }) => {
  const last = items.at(-1);
  return {
    hasNextPage: has_more,
    endCursor: next_cursor ?? (last === undefined ? null : services.belief.cursorOf(last)),
  };
};
const historyInfo: Resolver<BeliefHistory> = ({ has_more, next_cursor }) => ({
  hasNextPage: has_more,
  endCursor: next_cursor ?? null,
});
const withheldScopes: Resolver<BeliefPage> = ({ withheld_scopes: withheld = 0 }) => withheld;

const why: Resolver<BeliefItem> = async (belief, args: object, { loaders, readings }, info) => {
  const { depth, ...own } = wireArguments(args, info);
  const query = readings.queryOf(belief, own);
  const key = { id: belief.id, query: depth === undefined ? query : { ...query, depth } };
  const explained = await loaders.beliefWhy.load(key);
  if (explained !== null) readings.note([explained.belief, ...explained.support_graph.nodes], query);
  return explained;
};

const history: Resolver<BeliefItem> = async (belief, args: object, context, info) => {
  const { services, call, budget, readings } = context;
  const { as_of, as_of_valid, as_of_recorded, ...page } = wireArguments(args, info);
  const query = readings.queryOf(belief, { as_of, as_of_valid, as_of_recorded });
  budget.takePage();
  const found = await services.belief.history(call, {
    ...query,
    ...listing(page, 'cursor'),
    belief_id: belief.id,
  });
  readings.note(found.current, query);
  return found;
};

/** Fields of beliefs. */
export const BELIEF_RESOLVERS: ResolverMap = {
  Query: {
    beliefs: rootField(async (args, { services, call, budget, readings }) => {
      budget.takePage();
      const page = await services.belief.list(call, listing(args, 'cursor'));
      readings.note(page.items, args);
      return page;
    }),
    beliefHistory: rootField(async (args, { services, call, budget, readings }) => {
      budget.takePage();
      const found = await services.belief.history(call, listing(args, 'cursor'));
      readings.note(found.current, args);
      return found;
    }),
    beliefWhy: rootField(async (args, { services, call, budget, readings }) => {
      budget.takePage();
      const explained = await services.belief.why(call, args);
      readings.note([explained.belief, ...explained.support_graph.nodes], args);
      return explained;
    }),
    belief: rootField(async ({ id, ...query }, { services, call, readings }) =>
      readings.note(await services.belief.get(call, id as string, query), query),
    ),
  },
  Mutation: {
    declareBelief: rootField(({ input }, { services, call, budget }) => {
      budget.takeMutation();
      return services.belief.declare(call, input);
    }),
  },
  BeliefConnection: { nodes, edges, pageInfo, withheldScopes },
  BeliefHistory: { nodes, pageInfo: historyInfo },
  Belief: {
    ...RECORD_LINKS,
    derivedFrom: derivedFrom<BeliefItem>(({ supports }) =>
      supports.slice(0, MAX_LINKED_RECORDS).map(({ id }) => id),
    ),
    why,
    history,
  },
};
