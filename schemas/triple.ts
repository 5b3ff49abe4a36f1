import { z } from 'zod';
import { isJsonObject, jsonValue } from './json.ts';
import { nameText } from './text.ts';
import { instant, instantOrDate, toEpochMs } from './time.ts';

/** Premises that one statement may name. */
const MAX_PREMISES = 256;

/** An entity that a triple names. */
export const entityTerm = z.strictObject({
  type: z.enum(['entity']).describe('An entity.'),
  id: nameText(256).describe('Id of the entity, 1 to 256 characters.'),
  name: nameText(256).optional().describe('Name to show for it, 1 to 256 characters.'),
});

const dateText = z.iso.date();
const isInstant = (value: unknown) => instant.safeParse(value).success;
const isDate = (value: unknown) => dateText.safeParse(value).success;

/** What a value must be to carry one of the known datatypes; other names carry any JSON value. */
const DATATYPES: ReadonlyMap<string, { holds: (value: unknown) => boolean; what: string }> = new Map([
  ['string', { holds: (value) => typeof value === 'string', what: 'a string' }],
  ['boolean', { holds: (value) => typeof value === 'boolean', what: 'true or false' }],
  ['number', { holds: (value) => typeof value === 'number', what: 'a number' }],
  ['integer', { holds: Number.isInteger, what: 'an integer' }],
  ['date', { holds: isDate, what: 'a date YYYY-MM-DD' }],
  ['datetime', { holds: isInstant, what: 'an RFC 3339 instant' }],
]);

/** A literal value with the name of its datatype. */
export const literalTerm = z
  .strictObject({
    type: z.literal('literal').describe('A literal value.'),
    datatype: z
      .string()
      .regex(/^[a-z][a-z0-9_:.-]{0,63}$/, 'is not a datatype name of a-z, 0-9, _ : . -')
      .describe(
        'Datatype: string, boolean, number, integer, date, datetime are checked; other names carry any JSON value.',
      ),
    value: jsonValue.describe('The value.'),
  })
  .superRefine(({ datatype, value }, context) => {
    const rule = DATATYPES.get(datatype);
    if (rule === undefined || rule.holds(value)) return;
    context.addIssue({ code: 'custom', path: ['value'], message: `is not ${rule.what}` });
  });

/** `kind` is read as `type` and `concept` as `entity`, as published clients write them. */
function canonicalTerm(input: unknown): unknown {
  if (!isJsonObject(input)) return input;
  const { kind, ...rest } = input;
  if (kind !== undefined && rest.type !== undefined) return input;
  const type = rest.type ?? kind;
  return { ...rest, type: type === 'concept' ? 'entity' : type };
}

// The spellings that canonicalTerm takes away again stand in the JSON schema only.
const alias = (names: string[]) => ({
  anyOf: [
    { required: ['type'], not: { required: ['kind'] }, properties: { type: { enum: names } } },
    { required: ['kind'], not: { required: ['type'] }, properties: { kind: { enum: names } } },
  ],
});
const kindAlias = (names: string[]) =>
  z.never().optional().meta({ not: undefined, enum: names, description: 'Accepted for type.' });
const entityInput = entityTerm
  .extend({
    type: entityTerm.shape.type.meta({ enum: ['entity', 'concept'], description: 'An entity.' }),
    kind: kindAlias(['entity', 'concept']),
  })
  .meta({ required: ['id'], ...alias(['entity', 'concept']) });
/** Characters of the name of an entity. */
const MAX_NAME = 256;

function namesEntity({ datatype, value }: z.output<typeof literalTerm>): boolean {
  return datatype === 'string' && typeof value === 'string' && value !== '' && value.length <= MAX_NAME;
}

/** A literal that names an entity, as its JSON schema. */
const NAMES_ENTITY = {
  datatype: { const: 'string', description: 'A subject is named by a text.' },
  value: { type: 'string', minLength: 1, maxLength: MAX_NAME, description: 'Name of the entity.' },
};
const literalInput = literalTerm
  .safeExtend({ kind: kindAlias(['literal']) })
  .meta({ required: ['datatype', 'value'], ...alias(['literal']) });

/** An entity, or a literal value. */
export const term = z.discriminatedUnion('type', [entityTerm, literalTerm]);
export type Term = z.output<typeof term>;

/** A term as it is sent. */
export const termInput = z.preprocess(
  canonicalTerm,
  z.discriminatedUnion('type', [entityInput, literalInput]),
);
/** A subject as it is sent: an entity, or a literal that names one. */
export const subjectInput = z
  .preprocess(
    canonicalTerm,
    z.discriminatedUnion('type', [entityInput, literalInput.meta({ allOf: [{ properties: NAMES_ENTITY }] })]),
  )
  .superRefine((value, context) => {
    if (value.type !== 'literal' || namesEntity(value)) return;
    const message = `must be an entity, or a literal of datatype string that names one in 1 to ${MAX_NAME} characters`;
    context.addIssue({ code: 'custom', message });
  });

const parts = {
  predicate: nameText(256)
    .refine((name) => name.trim() !== '', 'is blank')
    .meta({ allOf: [{ pattern: '\\S' }] })
    .describe('What is stated, 1 to 256 characters; canonicalised when it becomes a fact.'),
  valid_from: instantOrDate
    .nullable()
    .optional()
    .describe(
      "Since when it holds; the event's observed_at, and no later than it is recorded, when null or left out.",
    ),
  valid_to: instantOrDate
    .nullable()
    .optional()
    .describe(
      'Until when it holds, not before it begins; open when null or left out. Not for a negative statement.',
    ),
  confidence: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      'How sure the source is, 0 to 1; what is stated at 0 ends, denies and contradicts nothing, and counts only where nothing surer holds.',
    ),
  polarity: z
    .enum(['positive', 'negative'])
    .optional()
    .describe(
      'negative states that it does not hold any more from valid_from on, or, without valid_from, that it never did; default positive.',
    ),
  derived_from: z
    .array(nameText(256))
    .max(MAX_PREMISES)
    .optional()
    .describe(
      'Ids of the facts, beliefs or events that this was concluded from, at most 256. None of them may rest on what is concluded.',
    ),
};

/** A triple in the form in which it is stored and returned. */
export const triple = z.strictObject({ subject: term, ...parts, object: term });
export type Triple = z.output<typeof triple>;

/** A triple as it is sent. */
export const tripleInput = z
  .strictObject({
    subject: subjectInput.describe(
      'Entity that the statement is about; a literal string is read as its name, which stands for the entity of the scope that goes by it, or has it as another name.',
    ),
    ...parts,
    object: termInput.describe('Entity or literal that completes the statement.'),
  })
  .superRefine(({ valid_from, valid_to, polarity }, context) => {
    if (typeof valid_to !== 'string') return;
    const refuse = (message: string) => {
      context.addIssue({ code: 'custom', path: ['valid_to'], message });
    };
    if (polarity === 'negative')
      refuse('is not for a negative statement, which ends a value or takes it back');
    else if (typeof valid_from === 'string' && toEpochMs(valid_to) < toEpochMs(valid_from))
      refuse('lies before valid_from');
  });
