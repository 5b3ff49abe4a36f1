import { z } from 'zod';

import { ambiguousAsked } from './ambiguous-entity.ts';
import { asOfParameters } from './as-of.ts';
import { STANCES } from './belief.ts';
import { oneOf, pageCursor, pageLimit, stepsParameter } from './listing.ts';
import { scopePath, VIEWS } from './scope.ts';
import { nameText } from './text.ts';
import { answeredInstant } from './time.ts';

/** What one concept may have to do with another. */
export const CONCEPT_RELATIONS = ['specializes', 'generalizes', 'contrasts', 'co_occurs', 'causes'] as const;

/** Steps between related concepts when none are asked for. */
export const DEFAULT_RELATED_DEPTH = 1;
/** The longest way between related concepts. */
export const MAX_RELATED_DEPTH = 5;
/** Topics that one synthesis may name. */
export const MAX_SYNTHESIS_TOPICS = 100;

const asOf = {
  as_of: asOfParameters.as_of.describe(
    'What was known at this RFC 3339 instant; the same as as_of_recorded, since a concept has no valid time. Not together with it.',
  ),
  as_of_recorded: asOfParameters.as_of_recorded,
};

const relation = z
  .enum(CONCEPT_RELATIONS)
  .describe(
    'specializes, generalizes, contrasts and causes where a fact says so (is_a, opposite_of, causes and their like); co_occurs where a fact names both.',
  );
const weight = z.number().describe('Share of the cited facts that say so, 0 to 1.');

/** That a concept has something to do with another one. */
export const conceptEdge = z.strictObject({
  to: z.string().describe('Id of the other concept.'),
  relation,
  weight,
});

/** What a version of a concept rests on. */
export const conceptSupports = z.strictObject({
  facts: z.array(z.string()).describe('Ids of the facts that it cites, newest first; at most 50.'),
  episodes: z.array(z.string()).describe('Ids of the episodes in which these were stated.'),
  beliefs: z.array(z.string()).describe('Ids of the beliefs that they make.'),
});

/** A version of a concept. */
export const conceptItem = z.strictObject({
  id: z.string().describe('Id of the concept, prefix concept_; the same however often it is derived.'),
  scope: z.string().describe('Scope in which it is understood.'),
  entity_id: z.string().describe('Id of the entity, or topic, that it gathers.'),
  name: z.string().describe('What it is called.'),
  version: z.int().describe('Number of the version, from 1.'),
  summary: z.string().describe('What the cited facts say, in words that are made of them alone.'),
  supported_by: conceptSupports.describe('What it rests on.'),
  edges: z
    .array(conceptEdge)
    .describe('What it has to do with other concepts, weightiest first; at most 16.'),
  stance: z
    .enum(STANCES)
    .describe(
      'What its confidence comes to: supported from two thirds on, contradicted up to one third, else uncertain; deprecated without any fact.',
    ),
  confidence: z.number().describe('Mean confidence of what it cites, 0 to 1; 0.5 without any fact.'),
  coverage_score: z
    .number()
    .describe('Share of the facts about the entity, as the version knows them, that it cites, 0 to 1.'),
  staleness_score: z
    .number()
    .describe(
      '0 for what was stated just before the instant of the reading; half way to 1 with each 30 days that the newest cited statement is older.',
    ),
  fact_count: z.int().describe('Facts about the entity that the version knows, cited or not.'),
  _partial: z
    .literal(true)
    .optional()
    .describe('True while fewer than 3 events speak of it independently; else absent.'),
  _partial_reason: z.string().optional().describe('Why it is partial; absent where it is not.'),
  _progress: z.number().describe('How much of the support that it needs is there, 0 to 1.'),
  previous_version: z.int().optional().describe('Number of the version before; absent for the first.'),
  canonical_id: z
    .string()
    .optional()
    .describe(
      'Id of the concept that it is another name of, as their entities are linked; absent where they are not.',
    ),
  derived_from: z
    .array(z.string())
    .optional()
    .describe('Id of the concept that it was split from, when a link was taken back; absent where none was.'),
  caused_by: z
    .string()
    .describe('Id of the event, of the synthesis or of the link that brought the version about.'),
  recorded_from: answeredInstant.describe('Since when this was understood, RFC 3339 UTC.'),
  recorded_to: answeredInstant
    .nullable()
    .describe('Until when: the next version; null while it is the last.'),
});
export type ConceptItem = z.output<typeof conceptItem>;

/** Query of the listing of concepts. */
export const conceptListQuery = z.strictObject({
  scope: scopePath,
  topic: nameText(256)
    .optional()
    .describe('Entity or topic that it has to gather: an id, or a name, whatever its case.'),
  view: oneOf(VIEWS, { status: 422 })
    .optional()
    .describe(
      'How much of the scope tree to look at; default what the scope states as `default_view`, else local, the scope alone. raw has no concepts.',
    ),
  ...asOf,
  limit: pageLimit,
  cursor: pageCursor,
});
export type ConceptListQuery = z.output<typeof conceptListQuery>;

const paging = {
  has_more: z
    .boolean()
    .describe(
      'Whether a further page may hold more; a page may be short or empty and still have more after it.',
    ),
  next_cursor: z.string().optional().describe('Cursor of the next page; absent at the end.'),
};

/** A page of concepts. */
export const conceptPage = z.strictObject({
  items: z.array(conceptItem).describe('Concepts, newest first by the place in the log of what began them.'),
  ...paging,
  ambiguous_entity: ambiguousAsked,
  withheld_scopes: z
    .int()
    .optional()
    .describe(
      'Scopes of the view that the caller may not read, a scope with all that lies below it counted once; absent when none is withheld, or when the caller may not read the scope itself.',
    ),
});
export type ConceptPage = z.output<typeof conceptPage>;

/** Query of the reading of one concept. */
export const conceptGetQuery = z.strictObject(asOf);

/** Query of the versions of a concept. */
export const conceptHistoryQuery = z.strictObject({ ...asOf, limit: pageLimit, cursor: pageCursor });

/** The versions of a concept. */
export const conceptHistory = z.strictObject({
  current: conceptItem.describe('Its last version by the recorded instant of the reading.'),
  versions: z.array(conceptItem).describe('Its versions, oldest first.'),
  items: z.array(conceptItem).describe('The same again, under the name of listings.'),
  ...paging,
});
export type ConceptHistory = z.output<typeof conceptHistory>;

/** Query of what a concept has to do with others. */
export const conceptRelatedQuery = z.strictObject({
  relation: oneOf(CONCEPT_RELATIONS, { status: 400 })
    .optional()
    .describe('Only along edges of this relation; default any.'),
  depth: stepsParameter(MAX_RELATED_DEPTH, DEFAULT_RELATED_DEPTH).describe(
    `How many steps to go, clamped to 1..${MAX_RELATED_DEPTH}; default ${DEFAULT_RELATED_DEPTH}, the neighbours.`,
  ),
  ...asOf,
  limit: pageLimit,
  cursor: pageCursor,
});
export type ConceptRelatedQuery = z.output<typeof conceptRelatedQuery>;

/** A concept that is related to another one. */
export const relatedConcept = z.strictObject({
  id: z.string().describe('Id of the related concept.'),
  name: z.string().describe('What it is called.'),
  summary: z.string().describe('What is understood of it.'),
  relation,
  weight,
  depth: z.int().describe('How many steps away it is, on the shortest way.'),
  from: z.string().describe('Id of the concept in front of it on that way, of which the relation is told.'),
});
export type RelatedConcept = z.output<typeof relatedConcept>;

/** What a concept has to do with others. */
export const relatedConcepts = z.strictObject({
  concept: conceptItem.describe('The concept itself.'),
  items: z.array(relatedConcept).describe('Related concepts, nearest first, then weightiest first.'),
  ...paging,
});
export type RelatedConcepts = z.output<typeof relatedConcepts>;

/** Query of how well a scope is understood. */
export const conceptCoverageQuery = z.strictObject({ scope: scopePath });

/** How well a scope is understood. */
export const conceptCoverage = z.strictObject({
  scope: z.string(),
  concepts: z.int().describe('Concepts that are looked at: all, at most the newest 10,000.'),
  partial: z.int().describe('Those of them that are partial.'),
  supports: z
    .int()
    .describe('Facts about their entities, together; a fact about two entities counts with each.'),
  supports_cited: z.int().describe('Those of them that are cited.'),
  coverage_score: z.number().describe('Share of the facts that are cited, 0 to 1; 0 where there are none.'),
  _partial: z
    .literal(true)
    .optional()
    .describe('True where as many were looked at as are at most: there may be more.'),
});
export type ConceptCoverage = z.output<typeof conceptCoverage>;

/** Body of a synthesis. */
export const synthesizeRequest = z.strictObject({
  scope: scopePath,
  topics: z
    .array(nameText(256))
    .min(1)
    .max(MAX_SYNTHESIS_TOPICS)
    .optional()
    .describe(
      'Ids or names of the entities whose concepts are brought up to date; default all of the scope.',
    ),
  force: z
    .boolean()
    .default(false)
    .describe(
      'Whether concepts that are up to date, as all that are consolidated are, get a version too. Default false.',
    ),
});

/** Answer of a synthesis. */
export const synthesizeResponse = z.strictObject({
  job_id: z.string().describe('Id of the synthesis, prefix syn_.'),
  status: z.literal('queued').describe('The synthesis is durable and will be carried out.'),
  lifecycle_stream: z.string().describe('Path of the lifecycle stream filtered to the synthesis.'),
  ambiguous_entity: ambiguousAsked,
});
export type SynthesizeResponse = z.output<typeof synthesizeResponse>;
