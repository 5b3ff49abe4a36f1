import { z } from 'zod';

import { forgetSelector } from './forget.ts';
import { pageCursor, pageLimit } from './listing.ts';
import { scopePath } from './scope.ts';
import { characters } from './text.ts';
import { answeredInstant, instant } from './time.ts';

/** Characters of the reason of a legal hold at most. */
export const MAX_HOLD_REASON = 4096;
/** Legal holds that an error names at most. */
export const MAX_HOLDS_NAMED = 100;

/** The id of a legal hold, which its maker gives. */
export const legalHoldId = z
  .string()
  .regex(/^[\x21-\x7e]{1,128}$/, 'is not 1 to 128 visible ASCII characters without blanks')
  .describe('Id of the hold, given by its maker: 1 to 128 visible ASCII characters, one of its tenant.');

/** Body that places a legal hold, or says anew what it holds. */
export const legalHold = z.strictObject({
  id: legalHoldId,
  scope: scopePath.describe('The scope that it covers, with all that lie below it; it stays the same.'),
  selector: forgetSelector
    .optional()
    .describe(
      'Which events, as the selector of a forget has it, asked whenever something is to go; without one, and with an empty one, all events, those to come too.',
    ),
  reason: characters(1, MAX_HOLD_REASON).describe('Why, for people: 1 to 4096 characters.'),
  until: instant
    .nullable()
    .optional()
    .describe('From this instant on it holds nothing; without one, or null, until it is removed. RFC 3339.'),
});
/** A legal hold as it is asked for. */
export type LegalHoldInput = z.output<typeof legalHold>;

/** Query of the list of legal holds. */
export const legalHoldListQuery = z.strictObject({
  scope: scopePath
    .optional()
    .describe('Holds of this scope and of those above it, which cover it; needed unless `id` is given.'),
  id: legalHoldId
    .optional()
    .describe('The one hold of this id alone, beside `scope` where it covers that; else 404.'),
  limit: pageLimit,
  cursor: pageCursor,
});

/** Query that names a legal hold. */
export const legalHoldQuery = z.strictObject({ id: legalHoldId });

/** A legal hold as it is kept. */
export const legalHoldItem = z.strictObject({
  id: z.string().describe('Id of the hold.'),
  scope: z.string().describe('The scope that it covers, with all that lie below it.'),
  selector: forgetSelector
    .nullable()
    .describe('Which events it holds, as it was sent; null where it holds all.'),
  reason: z.string().describe('Why, for people.'),
  until: answeredInstant
    .nullable()
    .describe('Since when it holds nothing, RFC 3339 UTC; null where it has no end.'),
  active: z.boolean().describe('Whether it holds anything now: false once `until` is over.'),
  created_at: answeredInstant.describe('When it was placed first, RFC 3339 UTC.'),
  created_by: z.string().describe('Actor who placed it first.'),
});
export type LegalHoldItem = z.output<typeof legalHoldItem>;

/** A page of legal holds. */
export const legalHoldPage = z.strictObject({
  items: z.array(legalHoldItem).describe('Holds, those first that were placed last.'),
  has_more: z.boolean().describe('Whether there are more.'),
  next_cursor: z.string().optional().describe('Cursor of the next page; absent at the end.'),
});
export type LegalHoldPage = z.output<typeof legalHoldPage>;
