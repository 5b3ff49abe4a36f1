import { z } from 'zod';

import { pageLimit } from './listing.ts';
import { scopePath } from './scope.ts';
import { answeredInstant } from './time.ts';

/** Which conflicts a list has. */
export const CONFLICT_FILTERS = ['open', 'all'] as const;
/** What a conflict may be. */
export const CONFLICT_STATUSES = ['open', 'manually_resolved', 'dismissed', 'withdrawn'] as const;
/** What became of a statement. */
export const RECORD_STATUSES = ['active', 'superseded', 'displaced'] as const;
/** Statements that are shown of each side of a conflict at most. */
export const MAX_CONFLICT_RECORDS = 25;

/** Query of the list of conflicts. */
export const conflictListQuery = z.strictObject({
  scope: scopePath.describe('The scope; not those above or below it.'),
  status: z.enum(CONFLICT_FILTERS).default('open').describe('Only open ones, or all; default open.'),
  limit: pageLimit,
  cursor: z
    .string()
    .regex(/^[0-9]{1,16}$/, 'is not a cursor of this listing')
    .optional()
    .describe('Where to go on: next_cursor of the page before.'),
});

/** A statement on one side of a conflict. */
const conflictRecord = z.strictObject({
  id: z.string().describe('Id of the statement.'),
  event_id: z.string().describe('The event that states it.'),
  subject: z.string().describe('Id of the entity that it is about.'),
  predicate: z.string().describe('Predicate in its canonical spelling.'),
  object: z.string().describe('Name of the entity, or the value, as a text.'),
  redacted: z.boolean().describe('Always false: what a redacted event stated is no evidence.'),
  valid_from: answeredInstant.describe('Since when it holds.'),
  valid_from_basis: z
    .enum(['stated', 'observed'])
    .describe('Whether the source says so, or that is when it was observed: it holds by then.'),
  valid_to: answeredInstant.nullable().describe('Until when it holds, as stated; null for no stated end.'),
  valid_to_basis: z.enum(['stated']).nullable().describe('stated where there is an end.'),
  recorded_from: answeredInstant.describe('When it was recorded.'),
  recorded_to: answeredInstant
    .nullable()
    .describe('When its fact stopped being the newest value; null while it is.'),
  status: z
    .enum(RECORD_STATUSES)
    .describe(
      'What became of its fact: it is the newest value, another one followed, or it holds at no time.',
    ),
  source_authority: z.string().describe('The actor who observed it.'),
  extractor: z.string().describe('What read it out of the event; triple: it was sent as a statement.'),
  confidence: z.number().describe('How sure the source is, 0 to 1.'),
});
export type ConflictRecord = z.output<typeof conflictRecord>;

/** A conflict. */
export const conflictView = z.strictObject({
  id: z.string().describe('UUID of the conflict; the same whenever it is derived.'),
  scope: z.string().describe('Path of its scope.'),
  subject: z
    .string()
    .describe('Id of the entity that it is about; of an exclusive predicate the first claimant.'),
  predicate: z.string().describe('Predicate in its canonical spelling.'),
  kind: z
    .enum(['value_disagreement'])
    .describe('value_disagreement: two events give the claim two values for the same stated time.'),
  status: z
    .enum(CONFLICT_STATUSES)
    .describe(
      'open, settled by somebody, dismissed by somebody, or withdrawn because a side was denied since.',
    ),
  records: z
    .array(conflictRecord)
    .describe('The statements on both sides in the order of the log, the first 25 found of each.'),
  detected_at: answeredInstant.describe('When the statement was recorded that opened it.'),
  resolved_at: answeredInstant.nullable().describe('When it ended; null while it is open.'),
  resolved_by: z.string().nullable().describe('Id of the event that ended it; null while it is open.'),
  confidence: z.number().describe('How sure it is that the values are two: 1, or 0.5 for near spellings.'),
});
export type ConflictView = z.output<typeof conflictView>;

/** A page of conflicts, those first that were opened last. */
export const conflictPage = z.strictObject({
  items: z.array(conflictView).describe('The conflicts.'),
  conflicts: z.array(conflictView).describe('The same, as published clients read it.'),
  total: z.number().int().describe('How many there are in all.'),
  has_more: z.boolean().describe('Whether more follow.'),
  next_cursor: z.number().int().nullable().describe('Send as cursor to go on; null at the end.'),
});
export type ConflictPage = z.output<typeof conflictPage>;
