import { z } from 'zod';

import { pageCursor, pageLimit } from './listing.ts';
import { CARDINALITIES } from './scope-policy.ts';
import { scopePath } from './scope.ts';
import { characters, nameText } from './text.ts';
import { answeredInstant, instantOrDate, toEpochMs } from './time.ts';
import { MAX_PREDICATE_LENGTH, MAX_SYNONYMS, MAX_VOCABULARY_PREDICATES } from './vocabulary.ts';

/** Vocabularies of one tenant at most: what all of them say of predicates is kept with the log whenever one changes. */
export const MAX_VOCABULARIES = 64;
/** Entries of one list of a vocabulary at most. */
export const MAX_VOCABULARY_ENTRIES = MAX_VOCABULARY_PREDICATES;
/** Characters of all entries of a vocabulary as JSON at most: it is read and answered in whole. */
export const MAX_VOCABULARY_CHARACTERS = 1_048_576;
/** Characters of a definition, and of the description of a vocabulary, at most. */
export const MAX_DEFINITION_LENGTH = 4_096;
/** Steps that `replaced_by` may lead on at most. */
export const MAX_REPLACEMENTS = 16;

/** The name of a vocabulary. */
export const vocabularyName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/,
    'is not 1 to 64 characters of A-Z, a-z, 0-9, _ . - that begin with a letter or a digit',
  )
  .describe('Name of the vocabulary, one of its tenant: 1 to 64 characters of A-Z, a-z, 0-9, _ . -.');

/** What names a vocabulary in a path. */
export const vocabularyPath = z.strictObject({ name: vocabularyName });

const name = nameText(MAX_PREDICATE_LENGTH)
  .refine((text) => text.trim() !== '', 'is blank')
  .meta({ allOf: [{ pattern: '\\S' }] });

/** A field that may be left out, and taken back by null. */
const kept = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().optional();

const entryFields = {
  id: name.describe('Id of the entry within its list, given by whoever writes it: 1 to 256 characters.'),
  term: kept(name).describe('What it is called, 1 to 256 characters; the id when null or left out.'),
  label: kept(characters(1, 256)).describe('What people are shown for it; it changes nothing else.'),
  category: kept(characters(1, 256)).describe('The group that people find it in; it changes nothing else.'),
  definition: kept(characters(1, MAX_DEFINITION_LENGTH)).describe(
    'What it means, for people: at most 4096 characters.',
  ),
  aliases: z
    .array(name)
    .max(MAX_SYNONYMS)
    .optional()
    .describe('Other names of it, at most 64; the list takes the place of the one before.'),
  active: z.boolean().optional().describe('False keeps the entry, and nothing goes by it; default true.'),
  valid_from: kept(instantOrDate).describe(
    'Since when it counts: RFC 3339 instant, or a date for its first instant in UTC; always when null or left out.',
  ),
  valid_to: kept(instantOrDate).describe('Until when it counts; without an end when null or left out.'),
  replaced_by: kept(name).describe(
    'Id of the entry of the same list that all of its names stand for: from `valid_to` on, at once where it has none.',
  ),
};

const predicateFields = {
  ...entryFields,
  cardinality: kept(z.enum(CARDINALITIES)).describe(
    'How many values it has at once: one, many, or exclusive (one subject for each value). When null or left out what is known of it, or of its aliases, elsewhere.',
  ),
};

/** Refuses an entry that ends before it begins; the two may come in different requests, so the service looks again. */
function inOrder(
  {
    valid_from: from,
    valid_to: to,
  }: { valid_from?: string | null | undefined; valid_to?: string | null | undefined },
  context: z.RefinementCtx,
): void {
  if (typeof from !== 'string' || typeof to !== 'string' || toEpochMs(from) < toEpochMs(to)) return;
  context.addIssue({ code: 'custom', path: ['valid_to'], message: 'does not lie after valid_from' });
}

const termChange = z.strictObject(entryFields).superRefine(inOrder);
const predicateChange = z.strictObject(predicateFields).superRefine(inOrder);

const entriesOf = <Schema extends z.ZodType>(schema: Schema, what: string) =>
  z.array(schema).max(MAX_VOCABULARY_ENTRIES).optional().describe(what);

/** Body that changes a vocabulary, or makes one. */
export const vocabularyChange = z.strictObject({
  description: kept(characters(1, MAX_DEFINITION_LENGTH)).describe(
    'What it is for, in place of what it said; null for nothing.',
  ),
  scope: kept(scopePath).describe(
    'Where it holds, in place of where it held: the scope and everything below it; null, and a new one without it, the whole tenant.',
  ),
  terms: entriesOf(
    termChange,
    'What things are called: a recall for one name also looks for the others. An entry of an id that there is gets the fields that are given, any other is added.',
  ),
  predicates: entriesOf(
    predicateChange,
    'What facts are told by: the term is the predicate in canonical spelling, and statements that use an alias are about it. Changed as terms are.',
  ),
  relations: entriesOf(
    predicateChange,
    'Predicates that lead from one entity to another; they count as predicates do, and share their names.',
  ),
});
export type VocabularyChange = z.output<typeof vocabularyChange>;

/** Query of the list of vocabularies. */
export const vocabularyListQuery = z.strictObject({ limit: pageLimit, cursor: pageCursor });

const entryRecord = {
  id: z.string().describe('Id of the entry within its list.'),
  term: z.string().nullable().describe('What it is called; null: the id.'),
  label: z.string().nullable().describe('What people are shown for it.'),
  category: z.string().nullable().describe('The group that people find it in.'),
  definition: z.string().nullable().describe('What it means, for people.'),
  aliases: z.array(z.string()).describe('Other names of it, as they were written.'),
  active: z.boolean().describe('Whether anything goes by it.'),
  valid_from: answeredInstant.nullable().describe('Since when it counts, RFC 3339 UTC; null: always.'),
  valid_to: answeredInstant.nullable().describe('Until when it counts, RFC 3339 UTC; null: without an end.'),
  replaced_by: z.string().nullable().describe('Id of the entry that its names stand for in its place.'),
};

/** A term as it is kept. */
export const vocabularyTerm = z.strictObject(entryRecord);
export type VocabularyTerm = z.output<typeof vocabularyTerm>;

/** A predicate or a relation as it is kept. */
export const vocabularyPredicate = z.strictObject({
  ...entryRecord,
  cardinality: z
    .enum(CARDINALITIES)
    .nullable()
    .describe('How many values it has at once; null: what is known of it elsewhere.'),
});
export type VocabularyPredicate = z.output<typeof vocabularyPredicate>;

/** A vocabulary as it is kept. */
export const vocabularyItem = z.strictObject({
  name: z.string().describe('Name of the vocabulary.'),
  description: z.string().nullable().describe('What it is for.'),
  scope: z
    .string()
    .nullable()
    .describe('The scope that it holds in, with all below it; null: the whole tenant.'),
  terms: z.array(vocabularyTerm).describe('What things are called, in the order of their ids.'),
  predicates: z.array(vocabularyPredicate).describe('What facts are told by, in the order of their ids.'),
  relations: z.array(vocabularyPredicate).describe('Predicates between entities, in the order of their ids.'),
  revision: z.int().describe('How often it was changed, its making included.'),
  counts_after: z
    .int()
    .nullable()
    .describe(
      'Offset of the log: what is captured behind it is derived by these predicates and relations. What was captured up to there keeps the names and cardinalities that it got, also when it is derived again. Null while it never had any.',
    ),
  created_at: answeredInstant.describe('When it was made, RFC 3339 UTC.'),
  created_by: z.string().describe('Actor who made it.'),
  updated_at: answeredInstant.describe('When it was changed last, RFC 3339 UTC.'),
  updated_by: z.string().describe('Actor who changed it last.'),
});
export type VocabularyItem = z.output<typeof vocabularyItem>;

/** A page of vocabularies. */
export const vocabularyPage = z.strictObject({
  items: z.array(vocabularyItem).describe('Vocabularies, those first that were made last.'),
  has_more: z.boolean().describe('Whether there are more.'),
  next_cursor: z.string().optional().describe('Cursor of the next page; absent at the end.'),
});
export type VocabularyPage = z.output<typeof vocabularyPage>;
