import type { FactItem, FactPage, FactTimeline, TimelineItem } from '../schemas/fact.ts';
import { MAX_LINKED_RECORDS } from '../src/limits/reading.ts';
import type { GraphqlContext } from './context.ts';
import { listing, rootField, type Resolver, type ResolverMap } from './field.ts';
import { wireArguments } from './input.ts';
import { derivedFrom, RECORD_LINKS } from './provenance.ts';

const nodes: Resolver<FactPage | FactTimeline> = ({ items }) => items;
const edges: Resolver<FactPage> = ({ items }, _args, { services }) =>
  items.map((node) => ({ node, cursor: services.fact.cursorOf(node) }));
const pageInfo: Resolver<FactPage> = ({ items, has_more, next_cursor }, _args, { services }) => {
  const last = items.at(-1);
  return {
    hasNextPage: has_more,
    endCursor: next_cursor ?? (last === undefined ? null : services.fact.cursorOf(last)),
  };
};
const timelineInfo: Resolver<FactTimeline> = ({ has_more, next_cursor }) => ({
  hasNextPage: has_more,
  endCursor: next_cursor ?? null,
});
const withheldScopes: Resolver<FactPage> = ({ withheld_scopes: withheld = 0 }) => withheld;

/** A fact by id, read at the recorded instant of the record that names it. */
const named: Resolver<Pick<TimelineItem, 'fact_id'>> = (record, args: object, context, info) =>
  linked(record, record.fact_id, { args, context, info });

const supersededBy: Resolver<FactItem> = (fact, args: object, context, info) =>
  fact.superseded_by === undefined ? null : linked(fact, fact.superseded_by, { args, context, info });

const why: Resolver<FactItem> = async (fact, args: object, { loaders, readings }, info) => {
  const { depth, ...own } = wireArguments(args, info);
  const query = readings.queryOf(fact, own);
  const key = { id: fact.id, query: depth === undefined ? query : { ...query, depth } };
  const explained = await loaders.factWhy.load(key);
  if (explained !== null) readings.note([explained.fact, ...explained.support_graph.nodes], query);
  return explained;
};

/** The events that state a fact, and what it was concluded from. */
const derivesFrom = derivedFrom<FactItem>(({ supports, premises = [] }) => [
  ...supports.slice(0, MAX_LINKED_RECORDS),
  ...premises,
]);

async function linked(
  from: object,
  id: string,
  { args, context, info }: { args: object; context: GraphqlContext; info: Parameters<Resolver>[3] },
): Promise<FactItem | null> {
  const { loaders, readings } = context;
  const query = readings.queryOf(from, wireArguments(args, info));
  return readings.note(await loaders.fact.load({ id, query }), query);
}

/** Fields of facts. */
export const FACT_RESOLVERS: ResolverMap = {
  Query: {
    facts: rootField(async (args, { services, call, budget, readings }) => {
      budget.takePage();
      const page = await services.fact.list(call, listing(args, 'cursor'));
      readings.note(page.items, args);
      return page;
    }),
    factTimeline: rootField(async (args, { services, call, budget, readings }) => {
      budget.takePage();
      const page = await services.fact.timeline(call, listing(args, 'cursor'));
      readings.note(page.items, args);
      return page;
    }),
    factWhy: rootField(async ({ id, ...query }, { services, call, budget, readings }) => {
      budget.takePage();
      const explained = await services.fact.why(call, id as string, query);
      readings.note([explained.fact, ...explained.support_graph.nodes], query);
      return explained;
    }),
    fact: rootField(async ({ id, ...query }, { services, call, readings }) =>
      readings.note(await services.fact.get(call, id as string, query), query),
    ),
  },
  FactConnection: { nodes, edges, pageInfo, withheldScopes },
  FactTimeline: { nodes, pageInfo: timelineInfo },
  TimelineItem: { fact: named },
  EntityRelation: { fact: named },
  Fact: { ...RECORD_LINKS, derivedFrom: derivesFrom, supersededBy, why },
};
