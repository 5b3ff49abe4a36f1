import { z } from 'zod';

import { CARDINALITIES } from './scope-policy.ts';

/** Bytes of a vocabulary file at most: what is made of it is kept with the log, and is one property there. */
export const MAX_VOCABULARY_BYTES = 262_144;
/** Characters of a predicate at most. */
export const MAX_PREDICATE_LENGTH = 256;
/** Predicates of a vocabulary at most: all of them are kept with the log whenever one changes. */
export const MAX_VOCABULARY_PREDICATES = 2_000;
/** Synonyms of one predicate at most. */
export const MAX_SYNONYMS = 64;

const name = z
  .string()
  .max(MAX_PREDICATE_LENGTH)
  .refine((text) => text.trim() !== '', 'is blank');

/** What a vocabulary says of one predicate. */
const predicateEntry = z.strictObject({
  cardinality: z
    .enum(CARDINALITIES)
    .describe(
      'How many values the predicate has at once: one, many, or exclusive (one subject for each value).',
    ),
  synonyms: z
    .array(name)
    .max(MAX_SYNONYMS)
    .default([])
    .describe('Other names of the predicate; statements that use one are about the predicate. Default none.'),
});

/** The vocabulary file of a deployment: what it knows of predicates, by their names. Names are compared without case, blanks and hyphens being underscores. */
export const vocabularyFile = z.strictObject({
  predicates: z
    .record(name, predicateEntry)
    .refine(
      (all) => Object.keys(all).length <= MAX_VOCABULARY_PREDICATES,
      `may have at most ${MAX_VOCABULARY_PREDICATES} predicates`,
    ),
});
export type VocabularyFile = z.output<typeof vocabularyFile>;
