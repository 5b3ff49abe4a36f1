import type { EntityEdgesPage, EntityPage } from '../schemas/entity.ts';
import { listing, rootField, type Resolver, type ResolverMap } from './field.ts';

type Page = EntityPage | EntityEdgesPage;

const nodes: Resolver<Page> = ({ items }) => items;
const edges: Resolver<Page> = ({ items }, _args, { services }) =>
  items.map((node) => ({ node, cursor: services.entity.cursorOf(node) }));
const pageInfo: Resolver<Page> = ({ items, has_more, next_cursor }, _args, { services }) => {
  const last = items.at(-1);
  return {
    hasNextPage: has_more,
    endCursor: next_cursor ?? (last === undefined ? null : services.entity.cursorOf(last)),
  };
};

/** Fields of entities. */
export const ENTITY_RESOLVERS: ResolverMap = {
  Query: {
    entities: rootField((args, { services, call, budget }) => {
      budget.takePage();
      return services.entity.list(call, listing(args, 'cursor'));
    }),
    entity: rootField(({ id, ...query }, { services, call }) =>
      services.entity.get(call, id as string, query),
    ),
    entityEdges: rootField(async ({ id, ...args }, { services, call, budget, readings }) => {
      budget.takePage();
      const page = await services.entity.edges(call, id as string, listing(args, 'cursor'));
      readings.note(page.items, args);
      return page;
    }),
  },
  Mutation: {
    linkEntities: rootField(({ input }, { services, call, budget }) => {
      budget.takeMutation();
      return services.entity.link(call, input);
    }),
    unlinkEntities: rootField(({ id }, { services, call, budget }) => {
      budget.takeMutation();
      return services.entity.unlink(call, id as string);
    }),
  },
  EntityConnection: { nodes, edges, pageInfo },
  EntityRelationConnection: { nodes, edges, pageInfo },
};
