import type { ConceptHistory, ConceptItem, ConceptPage, RelatedConcepts } from '../schemas/concept.ts';
import { MAX_LINKED_RECORDS } from '../src/limits/reading.ts';
import { listing, rootField, type Resolver, type ResolverMap } from './field.ts';
import { derivedFrom, RECORD_LINKS } from './provenance.ts';
import type { Readings } from './reading.ts';

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

/** Notes that each version was read at the instant from which on it was understood: what hangs on it is read there. */
function noteVersions(readings: Readings, versions: readonly ConceptItem[]): void {
  for (const version of versions) readings.note(version, { as_of_recorded: version.recorded_from });
}

/** Fields of concepts. */
export const CONCEPT_RESOLVERS: ResolverMap = {
  Query: {
    concepts: rootField(async (args, { services, call, budget, readings }) => {
      budget.takePage();
      const page = await services.concept.list(call, listing(args, 'cursor'));
      readings.note(page.items, args);
      return page;
    }),
    conceptHistory: rootField(async ({ id, ...args }, { services, call, budget, readings }) => {
      budget.takePage();
      const found = await services.concept.history(call, id as string, listing(args, 'cursor'));
      readings.note(found.current, args);
      noteVersions(readings, found.items);
      return found;
    }),
    relatedConcepts: rootField(async ({ id, ...args }, { services, call, budget, readings }) => {
      budget.takePage();
      const found = await services.concept.related(call, id as string, listing(args, 'cursor'));
      readings.note(found.concept, args);
      return found;
    }),
    conceptCoverage: rootField((args, { services, call }) => services.concept.coverage(call, args)),
    concept: rootField(async ({ id, ...query }, { services, call, readings }) =>
      readings.note(await services.concept.get(call, id as string, query), query),
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
  Concept: {
    ...RECORD_LINKS,
    splitFrom: ({ derived_from: concepts }: ConceptItem) => concepts ?? null,
    derivedFrom: derivedFrom<ConceptItem>(({ supported_by: { facts, beliefs } }) =>
      [...facts, ...beliefs].slice(0, MAX_LINKED_RECORDS),
    ),
  },
};
