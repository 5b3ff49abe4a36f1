import { z } from 'zod';
import { ambiguousNames } from './ambiguous-entity.ts';
import { bulkItemShape, directives } from './envelope.ts';
import { oneOf } from './listing.ts';
import { scopePath } from './scope.ts';
import { characters } from './text.ts';
import { answeredInstant } from './time.ts';

/** Items of one bulk at most. */
const MAX_ITEMS = 1000;

/** Values of `wait`; `accepted` and `captured` are the default. */
export const WAITS = ['accepted', 'captured', 'indexed', 'consolidated', 'settled'] as const;

/** The JSON schema of what a field should hold, for a field whose value is checked later. */
function describedAs(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return shape;
}

const eventId = z.string().describe('Id of the event, prefix evt_.');
const walOffset = z.int().describe('Place of the event in the log; gap-free in commit order.');
const lifecycleStream = z.string().describe('Path of the lifecycle stream filtered to what was written.');
const replayed = z
  .boolean()
  .describe('True when the key was held by the same body: that first event is the answer.');
const warnings = z
  .array(z.string())
  .optional()
  .describe(
    'What is worth knowing, such as observed_in_the_future, conflicting_hint_on_replay, embedding_held, embedding_refused or ambiguous_entity.',
  );
const ambiguousEntity = ambiguousNames
  .optional()
  .describe(
    'With wait=consolidated: names by which the event means an entity and which several entities of its scope have, 32 at most. Absent where there is none, and where the caller may not read in the scope: then the warning ambiguous_entity is all that is told.',
  );
const replaces = z.string().optional().describe('Id of the event whose place this one took.');

/** Query of both capture routes. */
export const captureQuery = z.strictObject({
  wait: oneOf(WAITS, { error_code: 'INVALID_BODY' })
    .optional()
    .describe(
      'Answer only when the stage is done: accepted or captured (default) after the commit, indexed when searchable (by vectors too, as long as they can be made: else the warning embedding_held, or embedding_refused where the model does not take the text), consolidated when what derives from it is readable; settled is not available.',
    ),
});
export type CaptureQuery = z.output<typeof captureQuery>;

/** Answer of a single capture. */
export const captureResponse = z.strictObject({
  event_id: eventId,
  status: z.literal('captured').describe('The event is durable.'),
  wal_offset: walOffset,
  recorded_at: answeredInstant.describe('When the service recorded it, RFC 3339 UTC.'),
  replayed_from_idempotency: replayed,
  replaces,
  warnings,
  ambiguous_entity: ambiguousEntity,
  lifecycle_stream: lifecycleStream,
});
export type CaptureResponse = z.output<typeof captureResponse>;

/** Body of a bulk capture; its items are envelopes and are checked one by one. */
export const bulkRequest = z
  .strictObject({
    scope: scopePath.optional().describe('Scope of the items that name none.'),
    items: z
      .array(
        z
          .unknown()
          .meta(describedAs(bulkItemShape))
          .describe('An experience envelope; scope may be left out when the bulk names one.'),
      )
      .min(1)
      .max(MAX_ITEMS)
      .describe('1 to 1000 experience envelopes, written in this order in one transaction.'),
    ordering: z
      .enum(['independent', 'batch_throughput', 'strict_temporal'])
      .optional()
      .describe(
        'independent (default) and batch_throughput: refused items leave the others written; strict_temporal: all or nothing.',
      ),
    directives: directives.optional().describe('Directives of the items that state none.'),
  })
  .meta({
    // A scope of the bulk, or one of each item.
    anyOf: [{ required: ['scope'] }, { properties: { items: { items: { required: ['scope'] } } } }],
  });
export type BulkRequest = z.output<typeof bulkRequest>;

const bulkResult = z.strictObject({
  index: z.int().describe('Place of the item in the request, from 0.'),
  event_id: eventId.nullable().describe('Id of the event; null for a refused item.'),
  status: z.enum(['captured', 'failed']).describe('failed: the item was refused.'),
  wal_offset: walOffset.optional(),
  replayed_from_idempotency: replayed.optional(),
  replaces,
  warnings,
  ambiguous_entity: ambiguousEntity,
});

const bulkFailure = z.strictObject({
  index: z.int().describe('Place of the refused item in the request, from 0.'),
  error_code: z.string().describe('Code of the refusal, of the closed list.'),
  error: z.string().describe('What is wrong with it, for a person.'),
  details: z.record(z.string(), z.unknown()).optional().describe('What a program may act on.'),
});

/** Answer of a bulk capture: 202, or 207 with `partial` when items were refused. */
export const bulkResponse = z.strictObject({
  accepted: z.int().describe('Items that are written or were already held.'),
  batch_id: z.string().describe('Id of the bulk, prefix batch_; a filter of the lifecycle stream.'),
  results: z.array(bulkResult).describe('One entry for each item, in request order.'),
  lifecycle_stream: lifecycleStream,
  partial: z.literal(true).optional().describe('Present when items were refused.'),
  failures: z.array(bulkFailure).optional().describe('The refused items; the others are written.'),
});
export type BulkResponse = z.output<typeof bulkResponse>;

/** Query of the capture status; one of key and id is needed. */
export const statusQuery = z.strictObject({
  idempotency_key: characters(1, 1024).optional().describe('Key that the event was sent with.'),
  event_id: characters(1, 256).optional().describe('Id of the event; goes before the key.'),
  scope: scopePath.optional().describe('Scope of the event; needed when the key is held in several.'),
});
export type StatusQuery = z.output<typeof statusQuery>;

const known = z.strictObject({
  found: z.literal(true).describe('The event exists.'),
  event_id: eventId,
  scope: z.string().describe('Scope of the event.'),
  idempotency_key: z.string().optional().describe('Key that it was sent with.'),
  status: z
    .enum(['captured', 'indexed', 'failed'])
    .describe('captured: durable; indexed: searchable; failed: cancelled, or a stage gave up.'),
  stage: z
    .enum(['captured', 'extracted', 'indexed', 'consolidated', 'held'])
    .describe('Last stage that is done; held: one waits for something.'),
  stages_completed: z.array(z.string()).describe('Stages that are done, in order.'),
  wal_offset: walOffset,
  recorded_at: answeredInstant.describe('When the service recorded it, RFC 3339 UTC.'),
  note: z.string().describe('What this means, for a person.'),
  failure_reason: z.string().optional().describe('Why status is failed.'),
  lifecycle_stream: lifecycleStream,
});
const unknown = z.strictObject({
  found: z.literal(false).describe('No such event that the caller may read.'),
  note: z.string().describe('What this means, for a person.'),
});

/** Where an event stands. */
export const experienceStatus = z.discriminatedUnion('found', [known, unknown]);
export type ExperienceStatus = z.output<typeof experienceStatus>;
