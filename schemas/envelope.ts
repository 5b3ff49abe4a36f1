import { z } from 'zod';
import { observedActor, subjectRef } from './actor.ts';
import { contentInput, type Content } from './content.ts';
import { context } from './context.ts';
import { jsonObject, MAX_METADATA_BYTES, shortText } from './json.ts';
import { scopePath } from './scope.ts';
import { source } from './source.ts';
import { characters } from './text.ts';
import { instant, toEpochMs } from './time.ts';

/** Layers that `directives.extract` may name. */
export const EXTRACTABLE_LAYERS = ['facts', 'entities', 'beliefs', 'episodes', 'understanding'] as const;

/** What the pipeline is to do with an event. */
export const directives = z.strictObject({
  extract: z
    .array(z.enum(EXTRACTABLE_LAYERS))
    .max(16)
    .optional()
    .describe(
      'Layers to derive, each with those that it rests on (understanding on beliefs, beliefs on facts, facts on entities); all when left out, none when empty (the event stays searchable).',
    ),
  embed: z.enum(['eager', 'lazy', 'none']).optional().describe('When to make vectors; default eager.'),
  confidence_floor: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Extracted records below this confidence (0 to 1) are dropped; default 0.'),
});
export type Directives = z.output<typeof directives>;

/** Kind of experience: an open set of names. */
export const modality = shortText(128).describe(
  'Kind of experience, 1 to 128 bytes. Known: conversation, document, tool_result, observation, feedback, imported; others are stored and returned, but not extracted from.',
);

const PRIVATE_TAG = /^x(?:-[a-z0-9]{1,8})+$/i;

/** BCP-47 tag in its canonical spelling; `null` when the text is none. */
function canonicalLanguage(tag: string): string | null {
  // Good BCP-47 that Intl does not know: it is for Unicode locales, which name a language.
  if (PRIVATE_TAG.test(tag)) return tag.toLowerCase();
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch (error) {
    if ((error as { name?: string }).name === 'RangeError') return null;
    throw error;
  }
}

/** A language tag; spelt canonically when stored, so that `en-us` and `en-US` are one hint. */
export const languageTag = z
  .string()
  .max(128)
  .refine((tag) => canonicalLanguage(tag) !== null, 'is not a BCP-47 language tag such as en or pt-BR')
  .overwrite((tag) => canonicalLanguage(tag) ?? tag)
  .meta({ format: 'bcp47' })
  .describe('BCP-47 language tag of the content, at most 128 characters; a hint outside the body hash.');

const SCRIPT = /^[A-Za-z]{4}$/;
const script = z
  .string()
  .regex(SCRIPT, 'is not an ISO 15924 code such as Latn')
  .overwrite((code) => code.slice(0, 1).toUpperCase() + code.slice(1).toLowerCase());

/** Scripts of the content. */
export const scriptList = z
  .preprocess(
    (input) => (typeof input === 'string' ? [input] : input),
    z
      .array(script)
      .max(32)
      .meta({ type: ['array', 'string'], pattern: SCRIPT.source }),
  )
  .describe(
    'ISO 15924 codes of the scripts of the content, at most 32; one code may stand alone. A hint outside the body hash.',
  );

/** A key that makes resending safe. */
export const idempotencyKey = characters(1, 64).describe(
  'Makes resending safe: unique per scope for as long as the event is held. 1 to 64 characters.',
);

const subject = subjectRef.extend({
  id: subjectRef.shape.id.describe('Id of who or what the memory is about, 1 to 256 characters.'),
});

const shape = {
  scope: scopePath,
  observed_actor: observedActor.optional().describe('Who performed the experience; default the caller.'),
  subject: subject.optional().describe('Who the memory is about; default the caller.'),
  modality,
  content: contentInput,
  context: context.optional().describe('The circumstances.'),
  observed_at: instant.optional().describe('Accepted in place of context.observed_at.'),
  directives: directives.optional().describe('What to derive from it; everything when left out.'),
  idempotency_key: idempotencyKey.optional(),
  on_conflict: z
    .enum(['reject', 'replace'])
    .optional()
    .describe(
      'When the key is held by another body: reject (default) answers 409, replace stores this one in its place. replace needs an idempotency_key.',
    ),
  language: languageTag.optional(),
  scripts: scriptList.optional(),
  source: source.optional(),
  metadata: jsonObject(MAX_METADATA_BYTES)
    .optional()
    .describe('Any JSON object of at most 16 KiB when serialised; stored and returned verbatim.'),
};

/** The request body of capture. Parsing gives the normalised form: `kind` filled in, canonical terms and tags. */
export const envelope = z
  .strictObject(shape)
  .superRefine((value, issues) => {
    const refuse = (path: string[], message: string) => {
      issues.addIssue({ code: 'custom', path, message });
    };
    if (value.on_conflict === 'replace' && value.idempotency_key === undefined) {
      refuse(['on_conflict'], 'replace needs an idempotency_key');
    }
    const inner = value.context?.observed_at;
    if (value.observed_at !== undefined && inner !== undefined) {
      if (toEpochMs(value.observed_at) !== toEpochMs(inner)) {
        refuse(['observed_at'], 'differs from context.observed_at');
      }
    }
    const described = value.source;
    if (described?.schema_version === 2 && described.modality !== value.modality) {
      refuse(['source', 'modality'], "differs from the envelope's modality");
    }
  })
  .describe('An experience: who did what, when, about whom, and where it belongs.');
/** An item of a bulk, as its JSON schema: an envelope that may leave `scope` to the bulk. */
export const bulkItemShape = z.strictObject({ ...shape, scope: scopePath.optional() });
/** A normalised envelope; the service writes contents of its own with it, which capture does not take. */
export type Envelope = Omit<z.output<typeof envelope>, 'content'> & { readonly content: Content };

/** Fields whose faults are `INVALID_ENVELOPE`, by their dotted path. */
const ENVELOPE_FIELDS = ['language', 'scripts', 'idempotency_key', 'context.timezone', 'context.refers_to'];

/** The code of a fault in a field of an envelope, or of one of a bulk's items; null where the code of the body holds. */
export function envelopeCode(path: readonly PropertyKey[]): 'INVALID_ENVELOPE' | null {
  const names = (path[0] === 'items' ? path.slice(2) : path).map(String).join('.');
  return ENVELOPE_FIELDS.some((field) => names === field || names.startsWith(`${field}.`))
    ? 'INVALID_ENVELOPE'
    : null;
}
