import { z } from 'zod';
import { asOfParameters } from './as-of.ts';
import { content } from './content.ts';
import { refersTo } from './context.ts';
import { directives } from './envelope.ts';
import { listParameter, oneOf, pageCursor, pageLimit } from './listing.ts';
import { SCOPE_SHAPE, scopePath, VIEWS } from './scope.ts';
import { answeredInstant, instant } from './time.ts';

export { envelope, type Envelope } from './envelope.ts';
export {
  bulkRequest,
  bulkResponse,
  captureQuery,
  captureResponse,
  experienceStatus,
  statusQuery,
  type BulkRequest,
  type BulkResponse,
  type CaptureResponse,
  type ExperienceStatus,
} from './experience.ts';

const eventContext = z.strictObject({
  observed_at: answeredInstant.describe('When it happened, RFC 3339: as sent, else the moment of capture.'),
  recorded_at: answeredInstant.describe('When the service recorded it, RFC 3339 UTC.'),
  intent: z.string().nullable().describe('What the actor was about; null when not stated.'),
  labels: z.array(z.string()).describe('Labels; empty when there are none.'),
  timezone: z.string().optional().describe('IANA time zone of the actor.'),
  refers_to: refersTo.optional(),
  source_recorded_at: answeredInstant.optional().describe('When the source wrote it down, RFC 3339.'),
  location: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .optional()
    .describe('Where it happened.'),
  preceded_by: z.array(z.string()).optional().describe('Ids of the events that led to it.'),
});

const identity = {
  id: z.string().describe('Id of the actor or thing.'),
  type: z.string().describe('Its kind: as sent, else what stands before the first colon of the id.'),
};

/** An event as it is read. */
export const eventItem = z.strictObject({
  id: z.string().describe('Id of the event, prefix evt_.'),
  scope: z.string().describe('Scope that it was written into.'),
  caller: z.string().describe('Actor that sent it.'),
  observed_actor: z
    .strictObject({ ...identity, session: z.string().optional().describe('Session that it belongs to.') })
    .describe('Who performed the experience.'),
  subject: z.strictObject(identity).describe('Who or what the memory is about.'),
  scope_key: z.string().describe('Billing partition: the tenant. Not the scope.'),
  modality: z.string().describe('Kind of experience.'),
  content: content.describe('The full content; kind is always there.'),
  context: eventContext.describe('The circumstances.'),
  wal_offset: z.int().describe('Place in the log; gap-free in commit order.'),
  derives: z
    .array(z.string())
    .describe(
      'Ids of what was derived from it by the recorded instant of the reading: the facts that it states or that were concluded from it, the beliefs that rest on those or that it denies, the episodes that it is in.',
    ),
  source: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Source descriptor, verbatim; present when written with one.'),
  language: z.string().optional().describe('Language tag that it was written with.'),
  scripts: z.array(z.string()).optional().describe('Scripts that it was written with.'),
  language_source: z.string().optional().describe('Where the language is known from: explicit (as sent).'),
  source_blob_ids: z.array(z.string()).optional().describe('Blobs that the event was made from.'),
  directives: directives.optional().describe('Directives that it was written with.'),
  metadata: z.record(z.string(), z.unknown()).optional().describe('Metadata, verbatim.'),
});
export type EventItem = z.output<typeof eventItem>;

/** The instants that events are read at. */
const eventInstants = {
  as_of: asOfParameters.as_of.describe(
    'Only what had been observed by this RFC 3339 instant and recorded by then. Not together with the other two.',
  ),
  as_of_valid: asOfParameters.as_of_valid.describe(
    'Only what had been observed by this RFC 3339 instant; without it, whenever it was observed.',
  ),
  as_of_recorded: asOfParameters.as_of_recorded.describe(
    'Only what had been recorded by this RFC 3339 instant, and what was derived from it by then; default what is known now.',
  ),
};

/** Query of the event listing. */
export const eventListQuery = z.strictObject({
  scope: scopePath,
  limit: pageLimit,
  cursor: pageCursor,
  labels: listParameter(true).describe(
    'Labels, comma-separated; an event has to carry any of them. A text with a comma also means the label of that text.',
  ),
  observed_actor: listParameter().describe('Ids of observed actors, comma-separated; any of them.'),
  modality: listParameter().describe('Modalities, comma-separated; any of them.'),
  since: instant.optional().describe('Only events recorded at or after this RFC 3339 instant.'),
  view: oneOf(VIEWS, { status: 422 })
    .optional()
    .describe(
      'How much of the scope tree to look at; default what the scope states as `default_view`, else local, the scope alone.',
    ),
  ...eventInstants,
});
export type EventListQuery = z.output<typeof eventListQuery>;

/** One page of events. */
export const eventPage = z.strictObject({
  items: z.array(eventItem).describe('Events, newest first.'),
  has_more: z.boolean().describe('Whether a further page may hold more.'),
  next_cursor: z.string().optional().describe('Cursor of the next page; absent at the end.'),
  withheld_scopes: z
    .int()
    .optional()
    .describe(
      'Scopes of the view that the caller may not read, a scope with all that lies below it counted once; absent when none is withheld, or when the caller may not read the scope itself.',
    ),
});
export type EventPage = z.output<typeof eventPage>;

/** Query of the reading of one event; the service answers a malformed scope with INVALID_SCOPE_GRAMMAR. */
export const eventGetQuery = z.strictObject({
  scope: z
    .string()
    .meta(SCOPE_SHAPE)
    .optional()
    .describe('Answer the event only if its own scope equals this path.'),
  ...eventInstants,
});
export type EventGetQuery = z.output<typeof eventGetQuery>;

/** Answer of a cancel. */
export const cancelResponse = z.strictObject({
  event_id: z.string().describe('Id of the cancelled event.'),
  stages_cancelled: z.array(z.string()).describe('Stages that will not happen any more.'),
  stages_already_completed: z.array(z.string()).describe('Stages that were done before.'),
  excluded_from_recall: z.literal(true).describe('No read returns the event from now on.'),
});
export type CancelResponse = z.output<typeof cancelResponse>;
