import { z } from 'zod';

import { answerWord, asked, instructions, MAX_ANSWER_TOKENS, usePack, writtenFields } from './answer.ts';
import { retrievalFields } from './recall.ts';
import { MAX_PHRASE_LENGTH } from './temporal-phrase.ts';

/** Sections of an outline at most. */
export const MAX_SECTIONS = 32;
/** Characters of a heading. */
export const MAX_HEADING_LENGTH = 256;

/** How much of memory a document rests on. */
export const DEPTHS = ['standard', 'exhaustive'] as const;
/** How long a document is to be. */
export const LENGTHS = ['brief', 'standard', 'deep'] as const;

const heading = z
  .string()
  .trim()
  .min(1)
  .max(MAX_HEADING_LENGTH)
  .regex(/^[^\r\n]*$/, 'has more than one line');

/** Body of a composition. */
export const composeRequest = z.strictObject({
  scope: retrievalFields.scope,
  brief: asked('What the document is to be about, in words.'),
  view: z
    .enum(['holistic', 'lineage', 'descend'])
    .optional()
    .describe('How much of the scope tree to look at; default as in a recall.'),
  citations: z
    .boolean()
    .optional()
    .describe('Whether the document carries markers [S1], [S2] …; default true.'),
  time: z
    .string()
    .min(1)
    .max(MAX_PHRASE_LENGTH)
    .optional()
    .describe('Time phrase that events have to have been observed in, as temporal.natural of a recall.'),
  depth: z
    .enum(DEPTHS)
    .optional()
    .describe('How much of memory it rests on: 8,000 tokens (standard, the default) or 32,000 (exhaustive).'),
  length: z
    .enum(LENGTHS)
    .optional()
    .describe('About 600 tokens (brief), 1500 (standard, the default) or 4000 (deep).'),
  max_tokens: z
    .int()
    .min(1)
    .max(MAX_ANSWER_TOKENS)
    .optional()
    .describe(
      'Tokens of the document at most, 1 to 32,768; default one and a half times its length, and never more than that or, where it is more, than the deployment allows for an answer.',
    ),
  structure: z
    .array(heading)
    .max(MAX_SECTIONS)
    .refine(
      (all) => new Set(all.map((one) => one.toLowerCase())).size === all.length,
      'names a section twice',
    )
    .optional()
    .describe(
      'Headings of the sections, exactly and in this order, at most 32; one without evidence says so. Default: the model chooses.',
    ),
  instructions: instructions.optional(),
  model: answerWord.optional().describe('Only echoed in diagnostics.answer_model.'),
  use_pack_id: usePack.optional(),
  include_context: z.boolean().optional().describe('Adds context_block; default false.'),
  filters: retrievalFields.filters,
});
export type ComposeRequest = z.output<typeof composeRequest>;

/** A document. */
export const composeResponse = z.strictObject({
  pack_id: z.string().describe('The pack that it rests on; for use_pack_id, 60 s.'),
  document: z.string().describe('The document as markdown, with the markers of what it rests on.'),
  ...writtenFields,
});
export type ComposeResponse = z.output<typeof composeResponse>;
