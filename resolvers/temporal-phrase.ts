import type { TemporalPhrasePage } from '../schemas/temporal-phrase.ts';
import { listing, rootField, type Resolver, type ResolverMap } from './field.ts';

const nodes: Resolver<TemporalPhrasePage> = ({ items }) => items;
const edges: Resolver<TemporalPhrasePage> = ({ items }, _args, { services }) =>
  items.map((node) => ({ node, cursor: services.temporalPhrase.cursorOf(node) }));
const pageInfo: Resolver<TemporalPhrasePage> = ({ items, has_more, next_cursor }, _args, { services }) => {
  const last = items.at(-1);
  return {
    hasNextPage: has_more,
    endCursor: next_cursor ?? (last === undefined ? null : services.temporalPhrase.cursorOf(last)),
  };
};

/** Fields of own time phrases. */
export const TEMPORAL_PHRASE_RESOLVERS: ResolverMap = {
  Query: {
    temporalPhrases: rootField((args, { services, call, budget }) => {
      budget.takePage();
      return services.temporalPhrase.list(call, listing(args, 'cursor'));
    }),
  },
  Mutation: {
    defineTemporalPhrase: rootField(async ({ input }, { services, call, budget }) => {
      budget.takeMutation();
      return (await services.temporalPhrase.define(call, input)).phrase;
    }),
    removeTemporalPhrase: rootField(async ({ name }, { services, call, budget }) => {
      budget.takeMutation();
      await services.temporalPhrase.remove(call, name as string);
      return true;
    }),
  },
  TemporalPhraseConnection: { nodes, edges, pageInfo },
};
