import { z } from 'zod';

import { ambiguousAsked } from './ambiguous-entity.ts';
import { asOfParameters } from './as-of.ts';
import { cardinalityAssumed } from './fact.ts';
import { oneOf, pageCursor, pageLimit, shareParameter } from './listing.ts';
import { depthParameter, provenanceGraph } from './provenance.ts';
import { scopePath, VIEWS } from './scope.ts';
import { characters, nameText } from './text.ts';
import { answeredInstant, instantOrDate } from './time.ts';
import { term } from './triple.ts';

/** What a belief may come to. */
export const STANCES = ['supported', 'contradicted', 'uncertain', 'deprecated'] as const;

const subject = z.strictObject({
  type: z.literal('entity').describe('Always an entity.'),
  id: z.string().describe('Id of the entity.'),
  name: z.string().optional().describe('Name that it was given.'),
});
const predicate = z.string().describe('What is stated, in canonical spelling.');
const object = term.describe('Entity or literal that completes the statement.');

const stance = z
  .enum(STANCES)
  .describe(
    'supported or contradicted where one side of the evidence is at least twice as likely as the other; deprecated without any evidence; else uncertain.',
  );
const confidence = z
  .number()
  .describe('Mean of the Beta posterior over the weighted evidence, 0 to 1; 0.5 without any evidence.');
const confidenceInterval = z
  .strictObject({
    lower: z.number().describe('Its lower end, 0 to 1.'),
    upper: z.number().describe('Its upper end, 0 to 1.'),
    method: z.literal('beta_posterior').describe('How it is found: quantiles of the posterior.'),
    level: z.number().describe('Probability that lies within it: 0.9.'),
  })
  .describe('Central interval of the posterior.');

const evidenceType = z
  .enum(['fact', 'event'])
  .describe(
    'fact, for all that states it; event for one that denies the belief, declares it, or is named as a reason for it.',
  );

/** Something that a belief rests on. */
export const beliefSupport = z.strictObject({
  type: evidenceType,
  kind: evidenceType.describe('The same as type, under the name that published clients read.'),
  id: z.string().describe('Id of the fact or event.'),
  weight: z
    .number()
    .describe(
      'In statements: 1 is one whose source is certain. Statements of one fact add up harmonically, so that repetitions weigh less.',
    ),
  polarity: z.enum(['supports', 'against']).describe('Which side it is on.'),
});

const opinion = {
  stance,
  confidence,
  confidence_interval: confidenceInterval,
  supports: z.array(beliefSupport).describe('What it rests on, on either side, as when it was last revised.'),
  valid_from: answeredInstant.describe('Since when it is held to be true, or was last, RFC 3339 UTC.'),
  valid_to: answeredInstant
    .nullable()
    .describe(
      'Until when: where its fact ends. Null for no end; equal to valid_from where it never was true.',
    ),
};

/** A belief as it is read: what was believed at the recorded instant of the reading about the valid one. */
export const beliefItem = z.strictObject({
  id: z.string().describe('Id of the belief, prefix belief_; the same however often it is derived.'),
  scope: z.string().describe('Scope in which it is believed.'),
  claim: z.strictObject({ subject, predicate, object }).describe('What is believed, or not.'),
  predicate,
  cardinality_assumed: cardinalityAssumed,
  object,
  ...opinion,
  support_count: z.int().describe('Number of supports.'),
  recorded_from: answeredInstant.describe('Since when this was believed, RFC 3339 UTC.'),
  recorded_to: answeredInstant.nullable().describe('Until when this was believed; null while it is.'),
  last_revised_at: answeredInstant.describe('When the belief was last revised.'),
  revision_count: z.int().describe('How often it was formed or revised by then.'),
  why_url: z.string().describe('Path that says why.'),
});
export type BeliefItem = z.output<typeof beliefItem>;

/** Characters of a declared statement at most. */
const MAX_DECLARED = 4096;
/** Reasons that a declared belief may name. */
const MAX_DECLARED_SUPPORTS = 256;

/** Body of the declaration of a belief. */
export const declareBeliefBody = z
  .strictObject({
    scope: scopePath,
    statement: characters(1, MAX_DECLARED)
      .regex(/\S/, 'is blank')
      .describe(
        `What is believed, as people read it, 1 to ${MAX_DECLARED} characters; the object of its claim.`,
      ),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .describe('How sure whoever declares it is, 0 to 1; its weight as evidence.'),
    supports: z
      .array(z.string().regex(/^(evt|fact)_[A-Za-z0-9_-]{1,128}$/, 'is not the id of an event or a fact'))
      .max(MAX_DECLARED_SUPPORTS)
      .optional()
      .describe(
        `Ids of the events and facts of the scope that are its reasons, at most ${MAX_DECLARED_SUPPORTS}; what goes counts no longer, nor does a value of the same subject and predicate.`,
      ),
    subject: nameText(256)
      .refine((name) => name.trim() !== '', 'is blank')
      .meta({ allOf: [{ pattern: '\\S' }] })
      .optional()
      .describe(
        'Entity that it is about, 1 to 256 characters: an id that begins with ent_, else a name, which stands for the entity of the scope that goes by it, or has it as another name. The statement itself when left out.',
      ),
    predicate: nameText(256)
      .refine((name) => name.trim() !== '', 'is blank')
      .meta({ allOf: [{ pattern: '\\S' }] })
      .default('asserts')
      .describe(
        'What is declared of it, 1 to 256 characters, canonicalised; default asserts. A newer value of the same subject and predicate closes the older, unless the predicate has many at once.',
      ),
    valid_from: instantOrDate.optional().describe('Since when it holds; when left out, since now.'),
  })
  .describe('A belief that is declared.');
export type DeclareBeliefBody = z.output<typeof declareBeliefBody>;

/** Query of the listing of beliefs. */
export const beliefListQuery = z.strictObject({
  scope: scopePath,
  about: nameText(256)
    .optional()
    .describe(
      'Entity that it has to be about, as subject or object: an id, or any of its names, whatever its case.',
    ),
  stance: oneOf(STANCES, { status: 400 }).optional().describe('Only beliefs of this stance; default any.'),
  min_confidence: shareParameter.describe('Only beliefs of at least this confidence, 0 to 1.'),
  view: oneOf(VIEWS, { status: 422 })
    .optional()
    .describe(
      'How much of the scope tree to look at; default what the scope states as `default_view`, else local, the scope alone. raw has no beliefs.',
    ),
  ...asOfParameters,
  limit: pageLimit,
  cursor: pageCursor,
});
export type BeliefListQuery = z.output<typeof beliefListQuery>;

const paging = {
  has_more: z
    .boolean()
    .describe(
      'Whether a further page may hold more; a page may be short or empty and still have more after it.',
    ),
  next_cursor: z.string().optional().describe('Cursor of the next page; absent at the end.'),
};

/** A page of beliefs. */
export const beliefPage = z.strictObject({
  items: z.array(beliefItem).describe('Beliefs, newest first by the place in the log of what began them.'),
  ...paging,
  ambiguous_entity: ambiguousAsked,
  withheld_scopes: z
    .int()
    .optional()
    .describe(
      'Scopes of the view that the caller may not read, a scope with all that lies below it counted once; absent when none is withheld, or when the caller may not read the scope itself.',
    ),
});
export type BeliefPage = z.output<typeof beliefPage>;

/** Query of the reading of one belief. */
export const beliefGetQuery = z.strictObject(asOfParameters);

const beliefId = nameText(256).describe('Id of the belief.');

/** Query of the revisions of a belief. */
export const beliefHistoryQuery = z.strictObject({
  belief_id: beliefId,
  ...asOfParameters,
  limit: pageLimit,
  cursor: pageCursor,
});
export type BeliefHistoryQuery = z.output<typeof beliefHistoryQuery>;

/** One revision of a belief. */
export const beliefVersion = z.strictObject({
  revision: z.int().describe('Its number, from 1.'),
  ...opinion,
  revised_at: answeredInstant.describe('When it was made, RFC 3339 UTC.'),
  caused_by: z.string().describe('Id of the event that brought it about.'),
});
export type BeliefVersion = z.output<typeof beliefVersion>;

/** The revisions of a belief. */
export const beliefHistory = z.strictObject({
  current: beliefItem.describe('The belief at the instants of the reading.'),
  versions: z
    .array(beliefVersion)
    .describe(
      'Its revisions, oldest first: what each said of the valid instant of the reading, or, where it was about other times, of those.',
    ),
  items: z.array(beliefVersion).describe('The same again, under the name of listings.'),
  revision_count: z.int().describe('How many there are by the recorded instant of the reading.'),
  ...paging,
});
export type BeliefHistory = z.output<typeof beliefHistory>;

/** Query of why something is believed. */
export const beliefWhyQuery = z.strictObject({
  belief_id: beliefId,
  ...asOfParameters,
  depth: depthParameter(
    'How many steps to go from the belief: facts are one step away, their events two, and premises of conclusions go further',
  ),
});
export type BeliefWhyQuery = z.output<typeof beliefWhyQuery>;

/** Why something is believed, or is not. */
export const beliefWhy = z.strictObject({
  belief: beliefItem.describe('The belief at the instants of the reading.'),
  support_graph: provenanceGraph.describe('What it rests on, down to the events.'),
  narrative: z.string().describe('The same in words; made of the records alone, the same at every reading.'),
  narrative_model: z.string().nullable().describe('The language model that told it; null: none did.'),
});
export type BeliefWhy = z.output<typeof beliefWhy>;
