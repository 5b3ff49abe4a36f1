import { z } from 'zod';

import { ambiguousAsked } from './ambiguous-entity.ts';
import { asOfParameters } from './as-of.ts';
import { flagParameter, oneOf, pageCursor, pageLimit, shareParameter } from './listing.ts';
import { depthParameter, provenanceGraph } from './provenance.ts';
import { scopePath, VIEWS } from './scope.ts';
import { nameText } from './text.ts';
import { answeredInstant } from './time.ts';
import { term } from './triple.ts';

/** That nobody said how many values a predicate has at once. */
export const cardinalityAssumed = z
  .literal(true)
  .optional()
  .describe(
    'There when it is only assumed that the predicate has one value at once, so that a newer one took the place of others: neither the vocabulary, a policy of the scope nor the extractor knows it. `policies.cardinality` of the scope declares it for what comes.',
  );

const subject = z.strictObject({
  type: z.literal('entity').describe('Always an entity.'),
  id: z.string().describe('Id of the entity.'),
  name: z.string().optional().describe('Name that it was given.'),
});

/** A fact as it is read: as it was known at the recorded instant of the reading. */
export const factItem = z.strictObject({
  id: z.string().describe('Id of the fact, prefix fact_.'),
  scope: z.string().describe('Scope in which it was stated.'),
  subject: subject.describe('Entity that it is about.'),
  predicate: z.string().describe('What is stated, in canonical spelling.'),
  cardinality_assumed: cardinalityAssumed,
  object: term.describe('Entity or literal that completes the statement.'),
  supports: z
    .array(z.string())
    .describe('Ids of the events that state it, in the order of the log; at most 1000 of them.'),
  supports_capped: z.literal(true).optional().describe('There when more events state it than are shown.'),
  valid_from: answeredInstant.describe('Since when it is true, RFC 3339 UTC.'),
  valid_to: answeredInstant
    .nullable()
    .describe(
      'Until when it is true: its stated end or where the next value begins, whichever is earlier. Null for no end; equal to valid_from when it was displaced or said never to be true.',
    ),
  recorded_from: answeredInstant.describe('When the event was recorded that brought it.'),
  recorded_to: answeredInstant
    .nullable()
    .describe(
      'When it stopped being the newest value, or what it was concluded from fell, by the event that did it; null while neither is so.',
    ),
  confidence: z
    .number()
    .describe(
      'How sure it is, 0 to 1: stated by one event, as sure as its source is; by several, the mean of the posterior that beliefs use, as known at the recorded instant.',
    ),
  extractor: z
    .string()
    .optional()
    .describe('What made it of the event; triple for structured statements, declared for declared beliefs.'),
  superseded_by: z.string().optional().describe('Id of the fact that took its place; absent while none did.'),
  premises: z
    .array(z.string())
    .optional()
    .describe('Ids of the records that it was concluded from; absent when it was not concluded.'),
});
export type FactItem = z.output<typeof factItem>;

const subjectText = nameText(256).describe(
  'Entity that it has to be about: an id, or a name or alias, whatever its case.',
);
const predicateText = nameText(256).describe(
  'Predicate that it has to have; case, blanks, hyphens and known synonyms make no difference.',
);

/** Query of the listing of facts. */
export const factListQuery = z.strictObject({
  scope: scopePath,
  subject: subjectText.optional(),
  predicate: predicateText.optional(),
  object: nameText(1024)
    .optional()
    .describe(
      'Object that it has to have: an entity as for `subject`, or the value of a literal as text, whatever its case.',
    ),
  min_confidence: shareParameter.describe('Only facts of at least this confidence, 0 to 1.'),
  include_superseded: flagParameter.describe(
    'True shows also facts that are not true at the valid instant: superseded, ended, not begun, displaced. Default false.',
  ),
  view: oneOf(VIEWS, { status: 422 })
    .optional()
    .describe(
      'How much of the scope tree to look at; default what the scope states as `default_view`, else local, the scope alone. raw has no facts.',
    ),
  ...asOfParameters,
  limit: pageLimit,
  cursor: pageCursor,
});
export type FactListQuery = z.output<typeof factListQuery>;

const withheld = z
  .int()
  .optional()
  .describe(
    'Scopes of the view that the caller may not read, a scope with all that lies below it counted once; absent when none is withheld, or when the caller may not read the scope itself.',
  );

const paging = {
  has_more: z
    .boolean()
    .describe(
      'Whether a further page may hold more; a page may be short or empty and still have more after it.',
    ),
  next_cursor: z.string().optional().describe('Cursor of the next page; absent at the end.'),
};

/** A page of facts. */
export const factPage = z.strictObject({
  items: z.array(factItem).describe('Facts, newest first by the place in the log of what began them.'),
  ...paging,
  ambiguous_entity: ambiguousAsked,
  withheld_scopes: withheld,
});
export type FactPage = z.output<typeof factPage>;

/** Query of the reading of one fact. */
export const factGetQuery = z.strictObject({
  as_of: asOfParameters.as_of.describe(
    'The fact as it was known at this RFC 3339 instant, if it was true then. Not together with the other two.',
  ),
  as_of_valid: asOfParameters.as_of_valid.describe(
    'Only if it is true at this RFC 3339 instant; without it, whenever it is true.',
  ),
  as_of_recorded: asOfParameters.as_of_recorded.describe(
    'As it was known at this RFC 3339 instant; default as it is known now.',
  ),
});

/** Query of why a fact is known. */
export const factWhyQuery = factGetQuery.extend({
  depth: depthParameter(
    'How many steps to go from the fact: its events and premises are one step away, what those rest on further',
  ),
});
export type FactWhyQuery = z.output<typeof factWhyQuery>;

/** Why a fact is known. */
export const factWhy = z.strictObject({
  fact: factItem.describe('The fact at the instants of the reading.'),
  support_graph: provenanceGraph.describe('What it rests on, down to the events.'),
  narrative: z.string().describe('The same in words; made of the records alone, the same at every reading.'),
  narrative_model: z.string().nullable().describe('The language model that told it; null: none did.'),
});
export type FactWhy = z.output<typeof factWhy>;

/** Query of a timeline. */
export const factTimelineQuery = z.strictObject({
  subject: subjectText,
  predicate: predicateText.optional(),
  scope: scopePath
    .optional()
    .describe('Only what was stated in this scope; default every scope that the caller may read.'),
  as_of: asOfParameters.as_of.describe(
    'The timeline as it was known at this RFC 3339 instant, up to that instant. Not together with the other two.',
  ),
  as_of_valid: asOfParameters.as_of_valid.describe(
    'Leave out what begins after this RFC 3339 instant; default nothing.',
  ),
  as_of_recorded: asOfParameters.as_of_recorded,
  limit: pageLimit,
  cursor: pageCursor,
});
export type FactTimelineQuery = z.output<typeof factTimelineQuery>;

/** One stretch of a timeline. */
export const timelineItem = z.strictObject({
  fact_id: z.string().describe('Id of the fact.'),
  scope: z.string().describe('Scope in which it was stated.'),
  predicate: z.string().describe('What is stated, in canonical spelling.'),
  value: z.unknown().describe('The value of a literal; of an entity its name, where it has none its id.'),
  object: term.describe('The same as an entity or literal.'),
  valid_from: answeredInstant.describe('Since when it is true, RFC 3339 UTC.'),
  valid_to: answeredInstant
    .nullable()
    .describe('Until when it is true: its stated end or where the next value begins; null for no end.'),
  recorded_at: answeredInstant.describe('When the event was recorded that brought it.'),
});
export type TimelineItem = z.output<typeof timelineItem>;

/** What is true of a subject, and when. */
export const factTimeline = z.strictObject({
  subject: z
    .strictObject({
      id: z.string().describe('Id of the entity; what was asked for, when nothing is known of it.'),
      name: z.string().nullable().describe('Its name; null when it was given none.'),
    })
    .describe('The entity.'),
  predicate: z.string().nullable().describe('The predicate asked for, in canonical spelling; null for any.'),
  timeline: z.array(timelineItem).describe('Stretches of time in which something is true, in valid order.'),
  items: z.array(timelineItem).describe('The same again, under the name of listings.'),
  ...paging,
  ambiguous_entity: ambiguousAsked,
});
export type FactTimeline = z.output<typeof factTimeline>;
