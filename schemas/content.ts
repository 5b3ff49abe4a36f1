import { z } from 'zod';
import { exceedsBytes, exceedsJsonBytes, isJsonObject, jsonValue, MAX_TEXT_BYTES } from './json.ts';
import { entityTerm, term, triple, tripleInput } from './triple.ts';

/** Marks an issue whose code is INVALID_ENVELOPE wherever it stands. */
const ENVELOPE = { error_code: 'INVALID_ENVELOPE' } as const;

/** Id of an uploaded blob. */
export const blobId = z
  .string()
  .max(192)
  .regex(/^blob_[A-Za-z0-9_-]+$/, 'is not the id of a blob')
  .describe('Id of an uploaded blob, at most 192 bytes.');

/** Anything but blanks, controls and invisible formatting; what Unicode has not assigned yet may be the sign of tomorrow. */
const VISIBLE =
  // oxlint-disable-next-line no-control-regex -- controls are what it is about
  /[^\p{Z}\s\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/u;

const boundedText = (blankAllowed: boolean) =>
  z
    .string()
    .superRefine((text, context) => {
      if (!blankAllowed && !VISIBLE.test(text)) {
        context.addIssue({ code: 'custom', message: 'is blank', params: ENVELOPE });
      } else if (exceedsBytes(text, MAX_TEXT_BYTES)) {
        const message = `is longer than ${MAX_TEXT_BYTES} bytes`;
        context.addIssue({ code: 'custom', message, params: ENVELOPE });
      }
    })
    .meta({ maxLength: MAX_TEXT_BYTES, ...(blankAllowed ? {} : { minLength: 1, pattern: VISIBLE.source }) });

const text = boundedText(false).describe('The text, at most 1 MiB of UTF-8 and not blank.');

const media = z
  .array(z.strictObject({ blob_id: blobId }))
  .max(256)
  .optional()
  .describe('Uploaded blobs that belong to the message, at most 256.');

const message = z.strictObject({
  kind: z.literal('message').describe('A turn of a conversation.'),
  role: z.enum(['user', 'assistant', 'tool', 'system']).describe('Who speaks.'),
  text,
  media,
});
const plainText = z.strictObject({ kind: z.literal('text').describe('A text without a speaker.'), text });
const json = z.strictObject({
  kind: z.literal('json').describe('A JSON value.'),
  data: jsonValue
    .superRefine((value, context) => {
      if (!exceedsJsonBytes(value, MAX_TEXT_BYTES)) return;
      const reason = `is longer than ${MAX_TEXT_BYTES} bytes when serialised`;
      context.addIssue({ code: 'custom', message: reason, params: ENVELOPE });
    })
    .describe('Any JSON value, at most 1 MiB serialised.'),
});
const blobRef = z.strictObject({
  kind: z.literal('blob_ref').describe('An uploaded blob.'),
  blob_id: blobId,
  transcript: boundedText(true)
    .optional()
    .describe('The text of the blob, at most 1 MiB of UTF-8; taken instead of extracting one.'),
});
const statement = { kind: z.literal('triple').describe('A statement that becomes a fact without a model.') };

/** What a declared belief is about; a statement stands for itself, and may hold what no name of an entity does. */
const declaredSubject = z.strictObject({
  type: z.enum(['entity']).describe('An entity.'),
  id: z.string().describe('Id of the entity.'),
  name: z.string().optional().describe('Name to show for it, or the statement.'),
});

/** A belief that somebody declared, as it is stored. */
export const declaredBelief = z.strictObject({
  subject: declaredSubject.describe('Entity that it is about; where none was named, the statement itself.'),
  predicate: z.string().describe('What is declared of it.'),
  statement: z.string().describe('The statement, as people read it.'),
  confidence: z.number().describe('How sure whoever declares it is, 0 to 1.'),
  supports: z.array(z.string()).describe('Ids of the facts and events that are named as its reasons.'),
  valid_from: z
    .string()
    .optional()
    .describe("Since when it holds; the event's observed_at, and no later than it is recorded, when absent."),
});
export type DeclaredBelief = z.output<typeof declaredBelief>;

/** How a conflict may be settled. */
export const RESOLUTION_ACTIONS = ['pick', 'split', 'new_information', 'dismiss'] as const;

/** What somebody decided about a conflict, as it is stored; ids are those of its records. */
export const conflictResolution = z.strictObject({
  conflict_id: z.string().describe('Id of the conflict.'),
  action: z.enum(RESOLUTION_ACTIONS).describe('How it is settled.'),
  between: z.array(z.string()).describe('Ids of a record on either side.'),
  displaces: z.array(z.string()).describe('Ids of the records that do not count any more.'),
  winner: z.string().optional().describe('Id of the record whose value holds; of pick.'),
  boundary: z.string().optional().describe('Where the later value follows the earlier; of split.'),
  earlier: z.string().optional().describe('Id of the record that holds before the boundary; of split.'),
  later: z.string().optional().describe('Id of the record that holds from the boundary on; of split.'),
  record: z
    .strictObject({
      subject: entityTerm.describe('Entity that it is about.'),
      object: term.describe('Entity or literal that completes the statement.'),
      valid_from: z.string().describe('Since when it holds.'),
      valid_to: z.string().optional().describe('Until when it holds; open when absent.'),
      confidence: z.number().optional().describe('How sure whoever settles it is, 0 to 1.'),
    })
    .optional()
    .describe('What holds instead; of new_information.'),
  reason: z.string().optional().describe('Why it is settled so.'),
});
export type ConflictResolution = z.output<typeof conflictResolution>;

/** Content as it is stored and returned: `kind` always there, terms in their canonical spelling. */
export const content = z.discriminatedUnion('kind', [
  message,
  plainText,
  json,
  blobRef,
  z.strictObject({ ...statement, triple: triple.describe('The statement.') }),
  z.strictObject({
    kind: z.literal('declared_belief').describe('A declared belief. Reserved: capture does not take it.'),
    declared_belief: declaredBelief.describe('The belief.'),
  }),
  z.strictObject({
    kind: z
      .literal('conflict_resolution')
      .describe('The end of a conflict. Reserved: capture does not take it.'),
    conflict_resolution: conflictResolution.describe('What was decided.'),
  }),
]);
export type Content = z.output<typeof content>;

/** Without `kind`, `{role, text}` is a message and `{text}` a text. */
function withKind(input: unknown): unknown {
  if (!isJsonObject(input) || input.kind !== undefined || input.text === undefined) return input;
  return { ...input, kind: input.role === undefined ? 'text' : 'message' };
}

/** Content as it is sent. The JSON schema says that `kind` may be left out of the two kinds that hold a text. */
export const contentInput = z
  .preprocess(
    withKind,
    z.discriminatedUnion('kind', [
      message.meta({ required: ['role', 'text'] }),
      plainText.meta({ required: ['text'] }),
      json,
      blobRef,
      z.strictObject({ ...statement, triple: tripleInput.describe('The statement.') }),
    ]),
  )
  .describe(
    'What was experienced. Without kind, {role, text} is a message and {text} a text. Kinds: message, text, json, blob_ref, triple.',
  );
