import { z } from 'zod';

import { asOfParameters } from './as-of.ts';
import { RESOLUTION_ACTIONS } from './content.ts';
import { pageLimit } from './listing.ts';
import { scopePath } from './scope.ts';
import { characters, nameText } from './text.ts';
import { answeredInstant, instantOrDate } from './time.ts';
import { subjectInput, termInput } from './triple.ts';

/** Which conflicts a list has. */
export const CONFLICT_FILTERS = ['open', 'all'] as const;
/** What a conflict may be. */
export const CONFLICT_STATUSES = ['open', 'manually_resolved', 'dismissed', 'withdrawn'] as const;
/** What became of a statement. */
export const RECORD_STATUSES = ['active', 'superseded', 'displaced'] as const;
/** Statements that are shown of each side of a conflict at most. */
export const MAX_CONFLICT_RECORDS = 25;

const asOf = {
  as_of: asOfParameters.as_of.describe(
    'What was known at this RFC 3339 instant; the same as as_of_recorded, since a conflict has no valid time. Not together with it.',
  ),
  as_of_recorded: asOfParameters.as_of_recorded.describe(
    'What was open, settled and by which evidence, as known at this RFC 3339 instant; default what is known now.',
  ),
};

/** Query of the reading of one conflict. */
export const conflictGetQuery = z.strictObject(asOf);

/** Query of the list of conflicts. */
export const conflictListQuery = z.strictObject({
  scope: scopePath.describe('The scope; not those above or below it.'),
  status: z.enum(CONFLICT_FILTERS).default('open').describe('Only open ones, or all; default open.'),
  ...asOf,
  limit: pageLimit,
  cursor: z
    .string()
    .regex(/^[0-9]{1,16}$/, 'is not a cursor of this listing')
    .optional()
    .describe('Where to go on: next_cursor of the page before.'),
});

/** A statement on one side of a conflict. */
export const conflictRecord = z.strictObject({
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
  extractor: z
    .string()
    .describe('What read it out of the event; triple: it was sent as a statement; declared: as a belief.'),
  confidence: z.number().describe('How sure the source is, 0 to 1.'),
});
export type ConflictRecord = z.output<typeof conflictRecord>;

/** Characters of the id of a record at most. */
const MAX_RECORD_ID = 256;
/** Characters of a reason at most. */
const MAX_REASON = 4096;

/** What each way to settle a conflict needs, and what it may have besides. */
const SHAPES: Readonly<Record<(typeof RESOLUTION_ACTIONS)[number], { needs: string[]; takes: string[] }>> = {
  pick: { needs: ['winner'], takes: ['reason'] },
  split: { needs: ['boundary', 'earlier', 'later'], takes: [] },
  new_information: { needs: ['record'], takes: [] },
  dismiss: { needs: [], takes: ['reason'] },
};

const recordId = z.string().min(1).max(MAX_RECORD_ID);

/** Body of the resolution of a conflict. */
export const resolveConflictBody = z
  .strictObject({
    action: z
      .enum(RESOLUTION_ACTIONS)
      .describe(
        'pick: one value holds. split: one holds before a boundary, the other from there on. new_information: something else holds. dismiss: there is no conflict.',
      ),
    winner: recordId.optional().describe('Id of the record whose value holds; of pick, needed there.'),
    boundary: instantOrDate
      .optional()
      .describe('Where the later value follows the earlier; of split, needed there.'),
    earlier: recordId
      .optional()
      .describe('Id of the record whose value holds before the boundary; of split, needed there.'),
    later: recordId
      .optional()
      .describe('Id of the record whose value holds from the boundary on; of split, needed there.'),
    record: z
      .strictObject({
        subject: subjectInput
          .optional()
          .describe(
            'Entity that it is about, a literal being its name; needed only where an object has one subject.',
          ),
        predicate: nameText(256).optional().describe('Its predicate; that of the conflict when left out.'),
        object: termInput
          .optional()
          .describe(
            'Entity or literal that completes the statement; needed but where an object has one subject.',
          ),
        valid_from: instantOrDate
          .optional()
          .describe(
            'Since when it holds; with all records of the conflict in its place when left out, since the first of them.',
          ),
        valid_to: instantOrDate
          .optional()
          .describe('Until when it holds, not before it begins; open when left out.'),
        confidence: z.number().min(0).max(1).optional().describe('How sure it is, 0 to 1; default 1.'),
      })
      .optional()
      .describe('What holds instead; of new_information, needed there.'),
    reason: characters(0, MAX_REASON)
      .optional()
      .describe(
        `Why it is settled so, at most ${MAX_REASON} characters; of pick and dismiss. Empty is as if it were left out.`,
      ),
  })
  .superRefine((body, context) => {
    const { needs, takes } = SHAPES[body.action];
    for (const [field, value] of Object.entries(body)) {
      if (field === 'action' || value === undefined || [...needs, ...takes].includes(field)) continue;
      context.addIssue({ code: 'custom', path: [field], message: `is not for ${body.action}` });
    }
    const given = body as Readonly<Record<string, unknown>>;
    for (const field of needs)
      if (given[field] === undefined)
        context.addIssue({ code: 'custom', path: [field], message: `is needed for ${body.action}` });
  })
  .describe('How a conflict is settled.');
export type ResolveConflictBody = z.output<typeof resolveConflictBody>;

/** How a conflict was settled. */
const resolution = z.strictObject({
  action: z.enum(RESOLUTION_ACTIONS).describe('pick, split, new_information or dismiss.'),
  winner: z.string().optional().describe('Id of the record whose value holds.'),
  boundary: z.string().optional().describe('Where the later value follows the earlier.'),
  earlier: z.string().optional().describe('Id of the record that holds before the boundary.'),
  later: z.string().optional().describe('Id of the record that holds from the boundary on.'),
  reason: z.string().optional().describe('Why it is settled so.'),
});

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
  resolution: resolution.nullable().describe('How somebody settled it; null where nobody did.'),
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
