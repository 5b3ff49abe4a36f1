import { z } from 'zod';
import { exceedsBytes, isJsonObject, jsonObject, MAX_METADATA_BYTES } from './json.ts';
import { characters, nameText } from './text.ts';
import { instant, instantOrDate, timezone, toEpochMs } from './time.ts';

/** Labels of one event at most. */
export const MAX_LABELS = 1024;
/** Bytes of all labels of one event at most. */
export const MAX_LABEL_BYTES = 256 * 1024;

const localDateTime = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?$/;

/** What a JSON schema says of a local date-time; the length of the month is looked at when it is read. */
const LOCAL_SHAPE =
  '^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::(?:[0-5][0-9]|60)(?:[.][0-9]{1,9})?)?$';

/** A local date-time as an instant in UTC, for checking and comparing; other texts unchanged. */
const inUtc = (text: string) => (localDateTime.test(text) ? `${withSeconds(text)}Z` : text);
const withSeconds = (text: string) => (text.length === 16 ? `${text}:00` : text);

const someTime = z
  .string()
  .refine(
    (text) => instantOrDate.safeParse(inUtc(text)).success,
    'is no date YYYY-MM-DD, local date-time or RFC 3339 instant of the years 1 to 9999',
  )
  .meta({ anyOf: [{ format: 'date-time' }, { format: 'date' }, { pattern: LOCAL_SHAPE }] });

const stretch = {
  from: someTime.describe('First date, local date-time or instant that the content speaks of.'),
  to: someTime.optional().describe('Last one, not before from.'),
  zone: timezone.optional().describe('Time zone of local times; context.timezone, else UTC when left out.'),
  precision: nameText(32).optional().describe('How exact the time is, such as day or month.'),
  expr_original: characters(0, 1024).optional().describe('The words that it was read from.'),
  ambiguous: z.boolean().optional().describe('Whether the words allow other readings.'),
  confidence: z.number().min(0).max(1).optional().describe('How sure the reading is, 0 to 1.'),
};

function inOrder(value: { from: string; to?: string | undefined }, context: z.RefinementCtx): void {
  if (value.to === undefined) return;
  const bothInstants = [value.from, value.to].map((text) => /(?:Z|[+-]\d{2}:\d{2})$/i.test(text.slice(10)));
  // An instant and a local time cannot be compared without the zone; the zone is applied by its reader.
  if (bothInstants[0] !== bothInstants[1]) return;
  if (toEpochMs(inUtc(value.to)) >= toEpochMs(inUtc(value.from))) return;
  // A date as the end means the whole day.
  if (value.to.length === 10 && value.from.startsWith(value.to)) return;
  context.addIssue({ code: 'custom', path: ['to'], message: 'lies before from' });
}

const candidate = z.strictObject(stretch).superRefine(inOrder);
const stated = z
  .strictObject({
    ...stretch,
    candidates: z.array(candidate).max(32).optional().describe('Other readings, at most 32.'),
  })
  .superRefine(inOrder);

/** The times that a content speaks of. */
export const refersTo = z
  .union([stated, z.array(stated).max(64)])
  .describe('The time that the content speaks of, {from, to}, or a list of at most 64.');

const labels = z
  .array(z.string().min(1))
  .max(MAX_LABELS)
  .refine(
    (list) => list.reduce((bytes, label) => bytes + Buffer.byteLength(label), 0) <= MAX_LABEL_BYTES,
    `are together longer than ${MAX_LABEL_BYTES} bytes`,
  );

const locationObject = jsonObject(MAX_METADATA_BYTES);
const location = z
  .unknown()
  .superRefine((value, context) => {
    if (typeof value === 'string') {
      if (value.trim() !== '' && !exceedsBytes(value, MAX_METADATA_BYTES)) return;
      context.addIssue({ code: 'custom', message: `is blank or longer than ${MAX_METADATA_BYTES} bytes` });
    } else if (!isJsonObject(value)) {
      context.addIssue({ code: 'custom', message: 'must be a string or an object' });
    } else {
      for (const issue of locationObject.safeParse(value).error?.issues ?? []) {
        context.addIssue({ code: 'custom', message: issue.message });
      }
    }
  })
  .meta({
    type: ['string', 'object'],
    pattern: '\\S',
    maxLength: MAX_METADATA_BYTES,
  }) as unknown as z.ZodType<string | Record<string, unknown>>;

/** The circumstances of an experience. */
export const context = z.strictObject({
  observed_at: instant
    .optional()
    .describe(
      "When it happened, RFC 3339; the moment of capture when left out. Returned as sent; one ahead of the server's clock is warned of.",
    ),
  source_recorded_at: instant.optional().describe('When the source wrote it down, RFC 3339.'),
  intent: nameText(1024).optional().describe('What the actor was about, 1 to 1024 characters.'),
  labels: labels.optional().describe('Labels to find it by: at most 1024, together at most 256 KiB.'),
  timezone: timezone.optional().describe('IANA time zone of the actor; a hint outside the body hash.'),
  refers_to: refersTo.optional(),
  location: location.optional().describe('Where it happened: a text or an object of at most 16 KiB.'),
  preceded_by: z
    .array(nameText(256))
    .max(1024)
    .optional()
    .describe('Ids of the events that led to it, at most 1024; unknown ids are kept.'),
});
export type Context = z.output<typeof context>;
