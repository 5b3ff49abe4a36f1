import { z } from 'zod';

import { pageCursor, pageLimit } from './listing.ts';
import { scopePath } from './scope.ts';
import { answeredInstant } from './time.ts';

/** Query of the list of suppressions. */
export const suppressionListQuery = z.strictObject({
  scope: scopePath.describe('Suppressions of exactly this scope.'),
  limit: pageLimit,
  cursor: pageCursor,
});

/** What keeps forgotten contents from being captured again. */
export const suppressionItem = z.strictObject({
  id: z.string().describe('Id, prefix supp_.'),
  scope: z.string().describe('The scope from which they were forgotten.'),
  created_at: answeredInstant.describe('When they were forgotten, RFC 3339 UTC.'),
  created_by: z.string().describe('Actor who forgot them.'),
  contents: z.int().describe('How many different contents are suppressed; what they are is not kept.'),
  refused: z.int().describe('How many captures were refused for it.'),
});
export type SuppressionItem = z.output<typeof suppressionItem>;

/** A page of suppressions. */
export const suppressionPage = z.strictObject({
  items: z.array(suppressionItem).describe('Suppressions of the scope, those first that came last.'),
  has_more: z.boolean().describe('Whether there are more.'),
  next_cursor: z.string().optional().describe('Cursor of the next page; absent at the end.'),
});
export type SuppressionPage = z.output<typeof suppressionPage>;
