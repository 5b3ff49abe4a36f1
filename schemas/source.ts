import { z } from 'zod';
import { exceedsBytes, isJsonObject, jsonObject, MAX_SOURCE_BYTES } from './json.ts';
import { instant } from './time.ts';

/** Bytes of the locator of a source at most. */
const MAX_LOCATOR_BYTES = 8192;
const MAX_U32 = 4_294_967_295;

/** Text of a canonical descriptor: no surrounding blanks, no ASCII control characters, a bound in UTF-8 bytes. */
const text = (maximum: number) =>
  z
    .string()
    .refine((value) => value !== '' && value.trim() === value, 'is empty or has surrounding blanks')
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    .refine((value) => !/[\u0000-\u001f\u007f]/.test(value), 'holds a control character')
    .refine((value) => !exceedsBytes(value, maximum), `is longer than ${maximum} bytes`);

const whole = (maximum: number, minimum = 0) => z.int().min(minimum).max(maximum);
const locatorText = text(MAX_LOCATOR_BYTES);
const counter = whole(Number.MAX_SAFE_INTEGER);
const pathOf = z.array(text(1024)).max(128);

const fingerprint = z
  .string()
  .regex(/^(?:sha256|blake3):[0-9a-f]{64}$/, 'is not sha256: or blake3: and 64 lower-case hex digits')
  .describe('Hash of the exact bytes: sha256: or blake3: and 64 lower-case hex digits.');

/** Half-open `{start, end}` of non-negative integers; `sameAllowed` for inclusive ranges. */
function range<S extends string, E extends string>(
  start: S,
  end: E,
  bounds: { minimum: number; maximum: number; sameAllowed: boolean },
) {
  const part = whole(bounds.maximum, bounds.minimum);
  return z.strictObject({ [start]: part, [end]: part } as Record<S | E, typeof part>).refine((value) => {
    const { [start]: from, [end]: to } = value as Record<string, number>;
    return from === undefined || to === undefined || to > from || (bounds.sameAllowed && to === from);
  }, `has an ${end} before its ${start}`);
}

const anchored = (names: readonly string[]) => (locator: object) =>
  names.some((name) => {
    const value = (locator as Record<string, unknown>)[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  });
const NO_ANCHOR = 'names no place in the source';

const conversation = z.strictObject({
  kind: z.literal('conversation'),
  session_id: locatorText,
  turn_index: counter,
  speaker: locatorText.optional(),
  message_id: locatorText.optional(),
});
const document = z
  .strictObject({
    kind: z.literal('document'),
    page: whole(MAX_U32).optional(),
    section_path: pathOf.optional(),
    block_index: counter.optional(),
  })
  .refine(anchored(['page', 'section_path', 'block_index']), NO_ANCHOR);
const json = z.strictObject({
  kind: z.literal('json'),
  pointer: z
    .string()
    // oxlint-disable-next-line no-control-regex -- control characters are what is refused
    .regex(/^(?:\/(?:[^~/\u0000-\u001f\u007f]|~[01])*)*$/, 'is not an RFC 6901 pointer')
    .refine((value) => !exceedsBytes(value, MAX_LOCATOR_BYTES), `is longer than ${MAX_LOCATOR_BYTES} bytes`),
});
const table = z
  .strictObject({
    kind: z.literal('table'),
    table: locatorText.optional(),
    sheet: locatorText.optional(),
    row: counter.optional(),
    column: locatorText.optional(),
    field: locatorText.optional(),
  })
  .refine(anchored(['table', 'sheet', 'row', 'column', 'field']), NO_ANCHOR);
const code = z.strictObject({
  kind: z.literal('code'),
  file: locatorText,
  symbol: locatorText.optional(),
  lines: range('start', 'end', { minimum: 1, maximum: MAX_U32, sameAllowed: true }).optional(),
});
const log = z
  .strictObject({
    kind: z.literal('log'),
    record_id: locatorText.optional(),
    record_index: counter.optional(),
    timestamp: instant.optional(),
    level: locatorText.optional(),
    component: locatorText.optional(),
    field: locatorText.optional(),
  })
  .refine(anchored(['record_id', 'record_index', 'timestamp']), NO_ANCHOR);
const media = z
  .strictObject({
    kind: z.literal('media'),
    page: whole(MAX_U32).optional(),
    frame_index: counter.optional(),
    time_range: range('start_ms', 'end_ms', {
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      sameAllowed: false,
    }).optional(),
    region: z
      .strictObject({
        x: whole(MAX_U32),
        y: whole(MAX_U32),
        width: whole(MAX_U32, 1),
        height: whole(MAX_U32, 1),
      })
      .optional(),
    track: locatorText.optional(),
  })
  .refine(anchored(['page', 'frame_index', 'time_range', 'region', 'track']), NO_ANCHOR);
const generic = z
  .strictObject({ kind: z.literal('generic'), path: pathOf.optional(), ordinal: counter.optional() })
  .refine(anchored(['path', 'ordinal']), NO_ANCHOR);

const fragment = z.strictObject({
  fragment_id: text(1024).describe('Name of the fragment, unique within the descriptor under NFC.'),
  locator: z
    .discriminatedUnion('kind', [conversation, document, json, table, code, log, media, generic])
    .describe('Where the fragment stands in its source.'),
  byte_range: range('start', 'end', {
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    sameAllowed: false,
  }).optional(),
  content_fingerprint: fingerprint,
});

/** The closed descriptor of `schema_version` 2. */
export const sourceV2 = z.strictObject({
  schema_version: z.literal(2),
  source_id: text(4096).describe('Name of the source.'),
  modality: text(128).describe("Equal to the envelope's modality."),
  content_kind: text(256).describe('Kind of content.'),
  language: text(64)
    .regex(/^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*$/, 'is not a language tag')
    .optional(),
  source_fingerprint: fingerprint,
  fragments: z
    .array(fragment)
    .min(1)
    .max(1024)
    .superRefine((fragments, context) => {
      const seen = new Set<string>();
      for (const [index, { fragment_id }] of fragments.entries()) {
        const name = fragment_id.normalize('NFC');
        if (seen.has(name)) {
          const path = [index, 'fragment_id'];
          context.addIssue({ code: 'custom', path, message: 'is the id of an earlier fragment' });
        }
        seen.add(name);
      }
    })
    .describe('The fragments that the event was made from, 1 to 1024.'),
});

/** Where an experience comes from: any JSON object of at most 256 KiB, returned verbatim; version 2 is closed. */
export const source = jsonObject(MAX_SOURCE_BYTES)
  .superRefine((value, context) => {
    if (!isJsonObject(value) || value.schema_version !== 2) return;
    const parsed = sourceV2.safeParse(value);
    for (const issue of parsed.error?.issues ?? []) {
      context.issues.push({ ...issue, input: value } as z.core.$ZodRawIssue);
    }
  })
  .describe(
    'Source descriptor: any JSON object of at most 256 KiB when serialised, returned verbatim. With schema_version 2 the canonical, closed shape is checked.',
  );
