import { z } from 'zod';

/** Rows of a page when `limit` is left out. */
export const DEFAULT_LIMIT = 50;
/** Rows of a page at most; a greater `limit` is clamped. */
export const LIMIT_CEILING = 1000;

const clamped = (rows: number): number => Math.min(Math.max(rows, 1), LIMIT_CEILING);

/** The `limit` of a listing: a whole number, clamped to 1..1000, default 50. */
export const pageLimit = z
  .preprocess(
    (input) => (typeof input === 'string' && /^[+-]?\d+$/.test(input) ? clamped(Number(input)) : input),
    z
      .int('is not a whole number')
      .overwrite(clamped)
      .meta({ minimum: undefined, maximum: undefined })
      .default(DEFAULT_LIMIT),
  )
  .describe('Rows of a page, clamped to 1..1000; default 50.');

/** How many steps a reading goes: a whole number, clamped to 1 and the most. */
export function stepsParameter(most: number, usual: number) {
  const within = (steps: number): number => Math.min(Math.max(steps, 1), most);
  return z
    .preprocess(
      (input) => (typeof input === 'string' && /^[+-]?\d+$/.test(input) ? within(Number(input)) : input),
      z.int('is not a number').transform(within),
    )
    .default(usual);
}

/** The `cursor` of a listing. */
export const pageCursor = z
  .string()
  .min(1)
  .max(1024)
  .meta({ pattern: '^(?:[0-9]+|e[A-Za-z0-9_-]+)$' })
  .optional()
  .describe('Where to go on: next_cursor of the page before. A decimal number is taken as an offset.');

/** Elements that say nothing are dropped, unless there are too many of them to be looked at. */
function withoutEmpty(parts: string[]): string[] {
  return parts.length > LIMIT_CEILING ? parts : parts.filter((part) => part !== '');
}

/**
 * A list parameter: comma-separated text, or a list whose elements are taken as they are. An event has to match any
 * element. An empty list does not filter. With `whole`, a text that holds a comma also stands for itself, so that
 * values with commas can be asked for.
 */
export function listParameter(whole = false) {
  const split = (text: string) => {
    const parts = text.split(',').map((part) => part.trim());
    return whole && parts.length > 1 ? [...parts, text] : parts;
  };
  return z
    .preprocess(
      (input) => (typeof input === 'string' ? withoutEmpty(split(input)) : input),
      z
        .array(z.string())
        .max(LIMIT_CEILING)
        .optional()
        .overwrite((list) => (list?.length === 0 ? undefined : list)),
    )
    .optional();
}

/** A list parameter of names of a closed list: comma-separated text, or a list. An empty one does not filter. */
export function namesParameter<const Names extends readonly [string, ...string[]]>(names: Names) {
  return z
    .preprocess(
      (input) =>
        typeof input === 'string' ? withoutEmpty(input.split(',').map((part) => part.trim())) : input,
      z
        .array(oneOf(names, {}))
        .max(LIMIT_CEILING)
        .optional()
        .overwrite((list) => (list?.length === 0 ? undefined : list)),
    )
    .optional();
}

/** A parameter that is true or false; `1` and `0` say the same. */
export const flagParameter = z
  .preprocess(
    (input) =>
      input === 'true' || input === '1' ? true : input === 'false' || input === '0' ? false : input,
    z.boolean('is not true or false'),
  )
  .optional();

/** A parameter that is a number from 0 to 1. */
export const shareParameter = z
  .preprocess(
    (input) =>
      typeof input === 'string' && /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(input)
        ? Number(input)
        : input,
    z.number('is not a number').min(0).max(1),
  )
  .optional();

/** One name of a closed list, in a query. A wrong one is answered with the code and status given. */
export function oneOf<const Names extends readonly [string, ...string[]]>(
  names: Names,
  refusal: { readonly error_code?: string; readonly status?: number },
) {
  const known: readonly string[] = names;
  const checked = z
    .string()
    .superRefine((name, context) => {
      if (known.includes(name)) return;
      const message = `must be one of ${names.join(', ')}`;
      context.addIssue({ code: 'custom', message, params: { ...refusal, allowed: names } });
    })
    .meta({ enum: [...names] });
  return checked as unknown as z.ZodType<Names[number], Names[number]>;
}
