import type { VocabularyPage } from '../schemas/vocabulary-record.ts';
import { listing, rootField, type Resolver, type ResolverMap } from './field.ts';

const nodes: Resolver<VocabularyPage> = ({ items }) => items;
const edges: Resolver<VocabularyPage> = ({ items }, _args, { services }) =>
  items.map((node) => ({ node, cursor: services.vocabulary.cursorOf(node) }));
const pageInfo: Resolver<VocabularyPage> = ({ items, has_more, next_cursor }, _args, { services }) => {
  const last = items.at(-1);
  return {
    hasNextPage: has_more,
    endCursor: next_cursor ?? (last === undefined ? null : services.vocabulary.cursorOf(last)),
  };
};

/** Fields of vocabularies. */
export const VOCABULARY_RESOLVERS: ResolverMap = {
  Query: {
    vocabularies: rootField((args, { services, call, budget }) => {
      budget.takePage();
      return services.vocabulary.list(call, listing(args, 'cursor'));
    }),
    vocabulary: rootField(({ name }, { services, call }) => services.vocabulary.get(call, name as string)),
  },
  Mutation: {
    updateVocabulary: rootField(({ name, input }, { services, call, budget }) => {
      budget.takeMutation();
      return services.vocabulary.update(call, name as string, input);
    }),
    removeVocabulary: rootField(async ({ name }, { services, call, budget }) => {
      budget.takeMutation();
      await services.vocabulary.remove(call, name as string);
      return true;
    }),
  },
  VocabularyConnection: { nodes, edges, pageInfo },
};
