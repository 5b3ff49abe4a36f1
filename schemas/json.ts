import { z } from 'zod';

import { visibleName } from './text.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Bytes of a text, and of serialised `json` content, at most. */
export const MAX_TEXT_BYTES = MIB;
/** Bytes of a serialised source descriptor at most. */
export const MAX_SOURCE_BYTES = 256 * KIB;
/** Bytes of serialised metadata, and of a serialised location, at most. */
export const MAX_METADATA_BYTES = 16 * KIB;

/** A JSON object; its keys and values are the caller's own. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is a JSON object (neither `null` nor an array). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the UTF-8 form of a text is longer than a bound; short texts are decided by their length alone. */
export function exceedsBytes(text: string, maximum: number): boolean {
  if (text.length > maximum) return true;
  return text.length * 3 > maximum && Buffer.byteLength(text) > maximum;
}

/** Whether the UTF-8 form of a value's JSON text is longer than a bound. */
export function exceedsJsonBytes(value: unknown, maximum: number): boolean {
  return value !== undefined && exceedsBytes(JSON.stringify(value), maximum);
}

/**
 * Any JSON object of at most `maximum` bytes when serialised, handed on as it is: zod's own record and loose
 * object schemas copy, and drop a key named `__proto__`.
 */
export function jsonObject(maximum: number): z.ZodType<JsonObject, JsonObject> {
  const schema = z
    .unknown()
    .superRefine((value, context) => {
      if (!isJsonObject(value)) {
        context.addIssue({ code: 'custom', message: 'must be an object' });
      } else if (exceedsJsonBytes(value, maximum)) {
        context.addIssue({ code: 'custom', message: `is longer than ${maximum} bytes when serialised` });
      }
    })
    .meta({ type: 'object' });
  return schema as unknown as z.ZodType<JsonObject, JsonObject>;
}

/** Any JSON value, `null` included; it must be there. */
export const jsonValue = z.unknown().refine((value) => value !== undefined, 'is required');

/** A text of at most `maximum` bytes of UTF-8 without control characters and not blank. */
export function shortText(maximum: number) {
  return visibleName()
    .refine((text) => !exceedsBytes(text, maximum), `is longer than ${maximum} bytes`)
    .meta({ minLength: 1, maxLength: maximum });
}
