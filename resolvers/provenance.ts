import type { GraphQLResolveInfo } from 'graphql';

import type { GraphqlContext } from './context.ts';
import { rootField, type Resolver, type ResolverMap } from './field.ts';
import { wireArguments } from './input.ts';
import { recordAt, recordsAt, type MemoryRecord } from './record.ts';
import type { ReadingQuery } from './reading.ts';
import type { WhyNode } from '../schemas/provenance.ts';

interface Link {
  readonly direction: 'down' | 'up';
  readonly relation: 'derivation' | 'supersession';
}

/** The instants of a link: those that its own arguments name, else the recorded one of the record. */
function instantsOf(
  record: object,
  args: object,
  { readings }: GraphqlContext,
  info: GraphQLResolveInfo,
): ReadingQuery {
  return readings.queryOf(record, wireArguments(args, info));
}

/** The records that a record is linked to, in the order of the links. */
function linked(link: Link): Resolver<MemoryRecord> {
  return async (record, args: object, context, info) => {
    const query = instantsOf(record, args, context, info);
    const ids = await context.loaders.links.load({ id: record.id, query: { ...query, ...link } });
    return recordsAt(context, ids, query);
  };
}

/** The first of them; null without one. */
function linkedOne(link: Link): Resolver<MemoryRecord> {
  return async (record, args: object, context, info) => {
    const query = instantsOf(record, args, context, info);
    const [id] = await context.loaders.links.load({ id: record.id, query: { ...query, ...link } });
    return id === undefined ? null : recordAt(context, id, query);
  };
}

/**
 * What a record says itself that it was made of, in its order. Where other instants are asked for, the record is read again at those.
 */
export function derivedFrom<Item extends MemoryRecord>(
  sourcesOf: (record: Item) => readonly string[],
): Resolver<Item> {
  return async (record, args: object, context, info) => {
    const query = instantsOf(record, args, context, info);
    const asked = Object.keys(wireArguments(args, info)).length > 0;
    const read = asked ? ((await recordAt(context, record.id, query)) as Item | null) : record;
    return recordsAt(context, read === null ? [] : sourcesOf(read), query);
  };
}

const graph: Resolver<MemoryRecord> = async (record, args: object, { loaders, readings }, info) => {
  const { direction, relation, depth, ...own } = wireArguments(args, info);
  const query = { ...readings.queryOf(record, own), ...stated({ direction, relation, depth }) };
  return readings.note(await loaders.graph.load({ id: record.id, query }), query);
};

function stated(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Fields that every record has. */
export const RECORD_LINKS = {
  derivedFrom: linked({ direction: 'down', relation: 'derivation' }),
  derives: linked({ direction: 'up', relation: 'derivation' }),
  supersedes: linked({ direction: 'down', relation: 'supersession' }),
  supersededBy: linkedOne({ direction: 'up', relation: 'supersession' }),
  provenance: graph,
} as const satisfies Readonly<Record<string, Resolver>>;

/** The record of a node, as it is now. */
const record: Resolver<WhyNode> = (node, _args, context) =>
  recordAt(context, node.id, context.readings.queryOf(node, {}));

/** Fields of records of whatever layer. */
export const PROVENANCE_RESOLVERS: ResolverMap = {
  Query: {
    node: rootField(async ({ id, ...query }, { services, call, readings }) =>
      readings.note(await services.provenance.record(call, id as string, query), query),
    ),
    provenance: rootField(async ({ id, ...query }, { services, call, budget, readings }) => {
      budget.takePage();
      const found = await services.provenance.graph(call, id as string, query);
      readings.note(found.nodes, query);
      return found;
    }),
  },
  WhyNode: { record },
};
