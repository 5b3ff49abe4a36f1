import type { ConceptHistory, ConceptPage, RelatedConcepts } from '../schemas/concept.ts';
import { listing, rootField, type Resolver, type ResolverMap } from './field.ts';

const nodes: Resolver<ConceptPage | ConceptHistory | RelatedConcepts> = ({ items }) => items;
const edges: Resolver<ConceptPage> = ({ items }, _args, { services }) =>
  items.map((node) => ({ node, cursor: services.concept.cursorOf(node) }));
const pageInfo: Resolver<ConceptPage> = ({ items, has_more, next_cursor }, _args, { services }) => {
  const last = items.at(-1);
  return {
    hasNextPage: has_more,
    endCursor: next_cursor ?? (last === undefined ? null : services.concept.cursorOf(last)),
  };
};
const walkInfo: Resolver<ConceptHistory | RelatedConcepts> = ({ has_more, next_cursor }) => ({
  hasNextPage: has_more,
  endCursor: next_cursor ?? null,
});
const withheldScopes: Resolver<ConceptPage> = ({ withheld_scopes: withheld = 0 }) => withheld;

/** Fields of concepts. */
export const CONCEPT_RESOLVERS: ResolverMap = {
  Query: {
    concepts: rootField((args, { services, call, budget }) => {
      budget.takePage();
      return services.concept.list(call, listing(args, 'cursor'));
    }),
    conceptHistory: rootField(({ id, ...args }, { services, call, budget }) => {
      budget.takePage();
      return services.concept.history(call, id as string, listing(args, 'cursor'));
    }),
    relatedConcepts: rootField(({ id, ...args }, { services, call, budget }) => {
      budget.takePage();
      return services.concept.related(call, id as string, listing(args, 'cursor'));
    }),
    conceptCoverage: rootField((args, { services, call }) => services.concept.coverage(call, args)),
    concept: rootField(({ id, ...query }, { services, call }) =>
      services.concept.get(call, id as string, query),
    ),
  },
  Mutation: {
    synthesizeConcepts: rootField(({ input }, { services, call, budget }) => {
      budget.takeMutation();
      return services.concept.synthesize(call, input);
    }),
  },
  ConceptConnection: { nodes, edges, pageInfo, withheldScopes },
  ConceptHistory: { nodes, pageInfo: walkInfo },
  RelatedConcepts: { nodes, pageInfo: walkInfo },
};
