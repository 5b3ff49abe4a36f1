import type { EventItem, EventPage } from '../schemas/event.ts';
import { eventNotFound } from '../src/errors.ts';
import { listing, rootField, type Resolver, type ResolverMap } from './field.ts';
import { wireArguments } from './input.ts';
import { RECORD_LINKS } from './provenance.ts';
import { recordsAt } from './record.ts';

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
const trace: Resolver<EventItem> = (event, _args, { loaders, readings }) =>
  loaders.trace.load({ id: event.id, query: readings.queryOf(event, {}) });

/** What derives from an event, as the event tells, which is read again where other instants are asked for. */
const derives: Resolver<EventItem> = async (event, args: object, context, info) => {
  const own = wireArguments(args, info);
  const query = context.readings.queryOf(event, own);
  const read =
    Object.keys(own).length === 0 ? event : await context.loaders.event.load({ id: event.id, query });
  return recordsAt(context, read?.derives ?? [], query);
};

/** Fields of events. */
export const EVENT_RESOLVERS: ResolverMap = {
  Query: {
    events: rootField(async (args, { services, call, budget, readings }) => {
      budget.takePage();
      const page = await services.event.list(call, listing(args, 'cursor'));
      readings.note(page.items, args);
      return page;
    }),
    event: rootField(async ({ id, ...query }, { services, call, loaders, readings }) => {
      const scoped = query.scope !== undefined;
      const event = scoped
        ? await services.event.get(call, id as string, query)
        : await loaders.event.load({ id: id as string, query });
      if (event === null) throw eventNotFound();
      return readings.note(event, query);
    }),
  },
  Mutation: {
    cancelEvent: rootField(({ id }, { services, call, budget }) => {
      budget.takeMutation();
      return services.event.cancel(call, id as string, {});
    }),
  },
  EventConnection: { nodes, edges, pageInfo, withheldScopes },
  Event: { ...RECORD_LINKS, derives, trace },
};
