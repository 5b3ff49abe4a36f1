import { z } from 'zod';

/** Rows of a page when the caller names no limit. */
export const DEFAULT_PAGE = 50;
/** Rows of a page at most. */
export const MAX_PAGE = 1000;

/** A comma-separated list, or a list; blanks around values and empty values are dropped. */
export const commaList = z
  .union([z.string(), z.array(z.string())])
  .transform((value) =>
    (Array.isArray(value) ? value : value.split(','))
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );

/** Rows of a page: default 50, clamped to 1..1000; anything but a whole number is refused. */
export const pageLimit = z
  .union([z.string().regex(/^-?\d{1,15}$/, 'is not a whole number'), z.number().int('is not a whole number')])
  .optional()
  .transform((value) => (value === undefined ? DEFAULT_PAGE : Math.min(MAX_PAGE, Math.max(1, Number(value)))))
  .describe('Rows of a page, a whole number; default 50, clamped to 1..1000.');

export { listParameter } from './listing.ts';
