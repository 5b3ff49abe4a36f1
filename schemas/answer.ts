import { z } from 'zod';

import { exceedsBytes } from './json.ts';
import {
  LAYERS,
  MAX_QUERY_BYTES,
  recallDiagnostics,
  recallPack,
  recallProvenance,
  retrievalFields,
} from './recall.ts';
import { answeredInstant, instantOrDate } from './time.ts';

/** Characters of what a caller tells a model beside the question. */
export const MAX_INSTRUCTIONS_LENGTH = 4000;
/** Tokens of an answer that may be asked for. */
export const MAX_ANSWER_TOKENS = 32_768;
/** Characters of a kind of question, of the name of a model, and of the id of a pack. */
export const MAX_ANSWER_WORD_LENGTH = 256;

/** A short text that is handed on as it is. */
export const answerWord = z.string().min(1).max(MAX_ANSWER_WORD_LENGTH);

/** A text in words that is looked for and shown to a model. */
export function asked(what: string) {
  return z
    .string()
    .refine((text) => text.trim() !== '', 'is blank')
    .refine((text) => !exceedsBytes(text, MAX_QUERY_BYTES), `is longer than ${MAX_QUERY_BYTES} bytes`)
    .meta({ maxLength: MAX_QUERY_BYTES, pattern: '\\S' })
    .describe(`${what} At most 128 KiB.`);
}

/** How the text is to be written, in the words of the caller. */
export const instructions = z
  .string()
  .max(MAX_INSTRUCTIONS_LENGTH)
  .describe(
    'How to write, in words, at most 4000 characters; they do not change what counts as evidence, nor that it is cited.',
  );

/** The pack of an earlier recall, in place of a new one. */
export const usePack = answerWord.describe(
  'Pack of a recall, answer or composition of the last 60 s from the same scope by the same caller; nothing is recalled then, and what narrows a recall is not looked at. 404 where a record of it can no longer be read.',
);

/** Body of a question. */
export const answerRequest = z.strictObject({
  ...retrievalFields,
  question: asked('What is to be answered, in words.'),
  use_pack_id: usePack.optional(),
  stream: z
    .boolean()
    .optional()
    .describe(
      'Answers as server-sent events: recall (pack id, counts), delta (text), citations, done (the whole body), or error (as JSON errors are); default false.',
    ),
  answer_model: answerWord
    .optional()
    .describe('Only echoed in diagnostics.answer_model; the configured model answers.'),
  facet_plan_override: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('For evaluations only: 422 EVAL_OVERRIDE_DISABLED.'),
  question_type: answerWord.optional().describe('Kind of question, such as docs-assistant; a hint.'),
  question_date: instantOrDate
    .optional()
    .describe('When the question is asked: what "now" and "last week" mean in it; default now.'),
  answer_max_tokens: z
    .int()
    .min(1)
    .max(MAX_ANSWER_TOKENS)
    .optional()
    .describe('Tokens of the answer at most, 1 to 32,768; never more than the deployment allows.'),
  answer_instructions: instructions.optional(),
  cite_sources: z
    .boolean()
    .optional()
    .describe(
      'Whether the text carries markers [1], [2] …; default true. citations is told either way. citation_mode none is the same as false.',
    ),
  include_context: z.boolean().optional().describe('Adds context_block; default false.'),
  skip_answer_llm: z
    .boolean()
    .optional()
    .describe('Calls no model: the answer is empty, and pack holds what it would rest on; default false.'),
});
export type AnswerRequest = z.output<typeof answerRequest>;

/** A record that a text rests on. */
export const answerCitation = z.strictObject({
  marker: z.string().describe('How the text refers to it: [1], of a composition [S1].'),
  layer: z.enum(LAYERS).describe('Its layer.'),
  id: z.string().describe('Id of the record.'),
  support_strength: z
    .number()
    .describe(
      'How well it supports what it is cited for, 0 to 1: the least that the verifier found, else how well it matched.',
    ),
});
export type AnswerCitation = z.output<typeof answerCitation>;

/** How a text came about. */
export const answerDiagnostics = z.strictObject({
  answer_model: z
    .string()
    .nullable()
    .describe('The model that the request names, else the one that was called; null where neither is.'),
  llm_model: z.string().nullable().describe('The model that was called; null where none was.'),
  verifier_model: z
    .string()
    .nullable()
    .describe('The model that checked the citations; null where none did.'),
  verification: z
    .enum(['verified', 'partial', 'off', 'failed', 'not_needed'])
    .describe(
      'Whether citations were checked; partial where the verifier left some out, not_needed without any. Only of what was checked support_strength is a finding.',
    ),
  verification_failure: z.string().nullable().describe('Why the check failed; null where it did not.'),
  recall_ms: z.number().describe('Recalling, or finding the pack again, milliseconds.'),
  llm_ms: z.number().describe('The model that answers, milliseconds; 0 where none was called.'),
  verifier_ms: z.number().describe('The check, milliseconds; 0 where there was none.'),
  dropped_citations: z
    .array(z.string())
    .describe('Markers that the model wrote though nothing has them; they are not in the text.'),
  truncated: z.boolean().describe('Whether the text ended at its limit of tokens.'),
  recall: recallDiagnostics.describe('How the recall went that the text rests on.'),
});
export type AnswerDiagnostics = z.output<typeof answerDiagnostics>;

/** What every text from memory tells of itself. */
export const writtenFields = {
  citations: z.array(answerCitation).describe('What the text cites, in the order in which it does.'),
  provenance: recallProvenance,
  diagnostics: answerDiagnostics,
  warnings: z.array(z.string()).describe('What was not as asked, such as a time phrase that was left out.'),
  as_of: z
    .strictObject({
      valid: answeredInstant.describe('What is true at this instant.'),
      recorded: answeredInstant.nullable().describe('As known at this instant; null for now.'),
    })
    .describe('The instants that were read at.'),
  context_block: z
    .string()
    .optional()
    .describe('What the model was shown, as text; with include_context only.'),
};

/** An answer. */
export const answerResponse = z.strictObject({
  pack_id: z.string().describe('The pack that it rests on; for use_pack_id, 60 s.'),
  answer: z
    .string()
    .describe('The answer, with the markers of what it rests on; empty with skip_answer_llm.'),
  ...writtenFields,
  pack: recallPack.optional().describe('The whole pack; with skip_answer_llm only.'),
});
export type AnswerResponse = z.output<typeof answerResponse>;
