import { z } from 'zod';

import { asOfParameters } from './as-of.ts';
import { namesParameter, pageLimit } from './listing.ts';
import { scopeFilter } from './scope.ts';
import { answeredInstant } from './time.ts';

/** Names of lifecycle frames that are written so far, in the order in which an event meets them. */
export const FRAME_TYPES = [
  'captured',
  'extracted',
  'indexed',
  'consolidated',
  'cancelled',
  'forgotten',
  'policy_changed',
  'synthesis_progress',
  'synthesis_complete',
  'synthesis_failed',
  'erasure_progress',
  'erasure_complete',
] as const;

/** Names of lifecycle frames that the contract has beside these; asking for them waits for nothing yet. */
const COMING_FRAME_TYPES = [
  'compressed',
  'import_progress',
  'import_complete',
  'import_error',
  'export_progress',
  'export_complete',
] as const;

/** The names that frames can be asked for by; `lagging` and `policy_revoked` are of streams. */
export const FRAME_NAMES = [...FRAME_TYPES, ...COMING_FRAME_TYPES, 'lagging', 'policy_revoked'] as const;

/** One lifecycle frame. */
export const lifecycleItem = z.strictObject({
  lifecycle_id: z.string().describe('`lce_` and the frame number in 16 digits; ids sort in commit order.'),
  ts: answeredInstant.describe('RFC 3339 instant of what the frame reports.'),
  scope: z
    .string()
    .nullable()
    .describe(
      'Scope of the event, of `policy_revoked` the one that may not be followed any more; null in a `lagging` frame.',
    ),
  event: z
    .string()
    .describe(
      'Name of the frame: captured, extracted, indexed, consolidated, cancelled, forgotten, policy_changed (of a scope, not of an event), synthesis_progress, synthesis_complete, synthesis_failed, erasure_progress, erasure_complete (of a job); in streams also lagging and policy_revoked.',
    ),
  data: z.record(z.string(), z.unknown()).describe('Body of the frame; `event_id` lives here.'),
});
export type LifecycleItem = z.infer<typeof lifecycleItem>;

/** The id of the frame behind which a reader goes on. */
export const lifecycleCursor = z.string().meta({ pattern: '^lce_[0-8][0-9]{15}$' });

const frameFilter = {
  scope: scopeFilter
    .optional()
    .describe('Only frames of this scope; `<path>/*` also of everything below it.'),
  event_id: z.string().optional().describe('Only frames of this event.'),
  events: namesParameter(FRAME_NAMES).describe(
    'Only frames of these names, comma-separated; `lagging` and `policy_revoked` are sent whatever is asked for.',
  ),
  batch_id: z.string().optional().describe('Only frames of this bulk.'),
  job_id: z.string().optional().describe('Only frames of this job.'),
  actor: z.string().optional().describe('Only frames that this actor caused.'),
};

/** Query of the list of frames. */
export const lifecycleListQuery = z.strictObject({
  ...frameFilter,
  since_lifecycle_id: lifecycleCursor.optional().describe('Only frames after this one.'),
  offset: z
    .string()
    .regex(/^[0-9]{1,15}$/, 'is not a whole number')
    .optional()
    .describe('Frame number to start after; 0 is the oldest kept. Default 0.'),
  limit: pageLimit,
});

/** Query of the stream of frames. */
export const lifecycleStreamQuery = z.strictObject({
  ...frameFilter,
  since_lifecycle_id: lifecycleCursor
    .optional()
    .describe(
      'Only frames after this one. Without it a stream of one event, bulk or job starts with its oldest kept frame, any other with now.',
    ),
});
export type LifecycleStreamQuery = z.infer<typeof lifecycleStreamQuery>;

/** A page of frames, oldest first. */
export const lifecyclePage = z.strictObject({
  items: z.array(lifecycleItem),
  next_offset: z.number().int().describe('Send as `offset` to go on.'),
  has_more: z
    .boolean()
    .describe('Whether more frames follow now; a page may be short or empty and still have more after it.'),
});
export type LifecyclePage = z.infer<typeof lifecyclePage>;

/** Query of what happened to one event. */
export const memoryEventQuery = z.strictObject({
  as_of: asOfParameters.as_of.describe(
    'Only if it had been observed and recorded by this RFC 3339 instant, with what was derived from it by then. Not together with the other two.',
  ),
  as_of_valid: asOfParameters.as_of_valid.describe(
    'Only if it had been observed by this RFC 3339 instant; without it, whenever it was observed.',
  ),
  as_of_recorded: asOfParameters.as_of_recorded.describe(
    'What was derived from it by this RFC 3339 instant; default as it is known now. Stages and frames are those of now.',
  ),
});

/** What happened to one event so far. */
export const memoryEventTrace = z.strictObject({
  event_id: z.string(),
  stages_completed: z
    .array(z.string())
    .describe('Stages that the event has passed: captured, extracted, indexed, consolidated.'),
  lifecycle_event_ids: z.array(z.string()).describe('Ids of its frames, oldest first.'),
  derived: z
    .record(z.string(), z.array(z.string()))
    .describe(
      'Ids of what was derived from it by the recorded instant of the reading, by kind: facts, beliefs, episodes, entities; a kind of which there are none is left out.',
    ),
});
export type MemoryEventTrace = z.infer<typeof memoryEventTrace>;

/** The id of a frame number. */
export function lifecycleId(sequence: number): string {
  return `lce_${String(sequence).padStart(16, '0')}`;
}

/** The frame number of an id, or null when it is none. */
export function lifecycleSequence(id: string): number | null {
  const digits = /^lce_(\d{16})$/.exec(id)?.[1];
  const sequence = digits === undefined ? Number.NaN : Number(digits);
  return Number.isSafeInteger(sequence) ? sequence : null;
}
