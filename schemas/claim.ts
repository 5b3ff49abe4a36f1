import { z } from 'zod';

import { ambiguousAsked } from './ambiguous-entity.ts';
import { conflictRecord, conflictView } from './conflict.ts';
import { pageCursor, pageLimit } from './listing.ts';
import { scopePath } from './scope.ts';
import { nameText } from './text.ts';
import { partialInstant } from './time.ts';

/** Conflicts that are shown with the history of a claim at most. */
export const MAX_CLAIM_CONFLICTS = 100;

/** Two instants, half open; either side may be left out for no bound. */
const stretch = z
  .string()
  .refine((text) => {
    const sides = text.split('..');
    return sides.length === 2 && sides.every((side) => side === '' || partialInstant.safeParse(side).success);
  }, 'is not a stretch a..b of instants or dates YYYY-MM-DD, YYYY-MM, YYYY, of which either may be left out')
  .meta({ pattern: '^[^.]*(\\.[0-9]+[^.]*)?\\.\\.[^.]*(\\.[0-9]+[^.]*)?$' });

const subject = nameText(256).describe(
  'Entity that it has to be about: an id, or a name or alias, whatever its case.',
);
const predicate = nameText(256).describe(
  'Predicate that it has to have; case, blanks, hyphens and known synonyms make no difference.',
);

/** Query of the claims of a scope. */
export const claimListQuery = z.strictObject({
  scope: scopePath.describe('The scope; not those above or below it.'),
  subject: subject.optional(),
  predicate: predicate.optional(),
  valid_as_of: partialInstant
    .optional()
    .describe(
      'What is true then: an instant, or YYYY-MM-DD, YYYY-MM, YYYY for its first instant; default now.',
    ),
  known_as_of: partialInstant
    .optional()
    .describe('What was known then, in the same form; default what is known now.'),
  valid_during: stretch
    .optional()
    .describe('What is true at some time in a..b, half open; not together with valid_as_of.'),
  recorded_during: stretch
    .optional()
    .describe('What was the newest value at some time in a..b, half open; not together with known_as_of.'),
  limit: pageLimit,
  cursor: pageCursor,
});
export type ClaimListQuery = z.output<typeof claimListQuery>;

/** Query of the history of a claim. */
export const claimHistoryQuery = z.strictObject({
  scope: scopePath.describe('The scope; not those above or below it.'),
  subject,
  predicate,
  limit: pageLimit,
  cursor: pageCursor,
});

const {
  valid_to_basis: _basis,
  status: _status,
  event_id: _event,
  valid_from: _from,
  ...shown
} = conflictRecord.shape;

/** A fact as a record of its claim. */
export const claimRecord = z.strictObject({
  ...shown,
  id: z.string().describe('Id of the fact.'),
  event_id: conflictRecord.shape.event_id.describe('The event that began it.'),
  valid_from: conflictRecord.shape.valid_from.describe('Since when it is true.'),
  valid_to_basis: z
    .enum(['stated', 'observed'])
    .nullable()
    .describe(
      'stated where its source says so, observed where another value or a denial ends it; null for no end.',
    ),
  status: conflictRecord.shape.status.describe(
    'It is the newest value, another one followed, or it holds at no time.',
  ),
  supersedes: z.string().nullable().describe('Id of a fact that it took the place of; null for none.'),
});
export type ClaimRecord = z.output<typeof claimRecord>;

const paging = {
  has_more: z
    .boolean()
    .describe(
      'Whether a further page may hold more; a page may be short or empty and still have more after it.',
    ),
  next_cursor: z.string().optional().describe('Cursor of the next page; absent at the end.'),
};

/** A page of claims. */
export const claimPage = z.strictObject({
  items: z
    .array(claimRecord)
    .describe('The records, newest first by the place in the log of what began them.'),
  records: z.array(claimRecord).describe('The same, as published clients read it.'),
  ...paging,
  ambiguous_entity: ambiguousAsked,
});
export type ClaimPage = z.output<typeof claimPage>;

/** What was known of a claim, and what contradicts what in it. */
export const claimHistory = z.strictObject({
  claim: z
    .strictObject({
      scope: z.string().describe('Path of the scope.'),
      subject: z.string().describe('Id of the entity; what was asked for where nothing is known of it.'),
      predicate: z.string().describe('Predicate in its canonical spelling.'),
    })
    .describe('The claim.'),
  items: z.array(claimRecord).describe('Whatever was known of it, newest first by the place in the log.'),
  history: z.array(claimRecord).describe('The same, as published clients read it.'),
  conflicts: z
    .array(conflictView)
    .describe(
      `Conflicts of the claims of these records, those first that were opened last; at most ${MAX_CLAIM_CONFLICTS}.`,
    ),
  ...paging,
  ambiguous_entity: ambiguousAsked,
});
export type ClaimHistory = z.output<typeof claimHistory>;
