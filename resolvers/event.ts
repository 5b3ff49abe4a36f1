import type { EventItem, EventPage } from '../schemas/event.ts';
import { eventNotFound } from '../src/errors.ts';
import { derives } from './fact.ts';
import { listing, rootField, type Resolver, type ResolverMap } from './field.ts';

const edges: Resolver<EventPage> = ({ items }, _args, { services }) =>
  items.map((node) => ({ node, cursor: services.event.cursorOf(node) }));

const pageInfo: Resolver<EventPage> = ({ items, has_more, next_cursor }, _args, { services }) => {
  const last = items.at(-1);
  return {
    hasNextPage: has_more,
    endCursor: next_cursor ?? (last === undefined ? null : services.event.cursorOf(last)),
  };
};

const nodes: Resolver<EventPage> = ({ items }) => items;
const withheldScopes: Resolver<EventPage> = ({ withheld_scopes: withheld = 0 }) => withheld;
const trace: Resolver<EventItem> = ({ id }, _args, { loaders }) => loaders.trace.load(id);

/** Fields of events. */
export const EVENT_RESOLVERS: ResolverMap = {
  Query: {
    events: rootField((args, { services, call, budget }) => {
      budget.takePage();
      return services.event.list(call, listing(args, 'cursor'));
    }),
    event: rootField(async ({ id, ...query }, { services, call, loaders }) => {
      if (query.scope !== undefined) return services.event.get(call, id as string, query);
      const event = await loaders.event.load(id as string);
      if (event === null) throw eventNotFound();
      return event;
    }),
  },
  Mutation: {
    cancelEvent: rootField(({ id }, { services, call, budget }) => {
      budget.takeMutation();
      return services.event.cancel(call, id as string, {});
    }),
  },
  EventConnection: { nodes, edges, pageInfo, withheldScopes },
  Event: { trace, derives },
};
