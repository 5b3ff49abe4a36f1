import {
  lifecycleItem,
  lifecycleListQuery,
  lifecyclePage,
  lifecycleStreamQuery,
  memoryEventQuery,
  memoryEventTrace,
} from '../lifecycle.ts';
import type { Operation } from './definition.ts';

/** Operations on what happens to events. */
export const LIFECYCLE_OPERATIONS = {
  listLifecycle: {
    method: 'GET',
    path: '/v1/lifecycle',
    noun: 'lifecycle',
    summary: 'List lifecycle frames',
    description:
      'Durable frames in commit order, oldest first, of the scopes that the caller may read. Send `next_offset` as `offset`, or the last `lifecycle_id` as `since_lifecycle_id`, to go on.',
    access: { capability: 'lifecycle.subscribe' },
    query: lifecycleListQuery,
    answers: { 200: { description: 'A page of frames.', schema: lifecyclePage } },
    errors: [],
    graphql: { kind: 'query', field: 'lifecycle' },
  },
  streamLifecycle: {
    method: 'GET',
    path: '/v1/lifecycle/stream',
    noun: 'lifecycle',
    summary: 'Follow lifecycle frames',
    description:
      'Server-sent events: `event` is the name of the frame, `id` its `lifecycle_id`, `data` a JSON object of its body together with its `ts` and `scope`. Frames come in commit order, each once: those after the cursor, then live. A client that comes back sends the last `id` as `Last-Event-ID` (which wins) or `since_lifecycle_id`, to any process of the deployment. `lagging` says that frames are not to be had here: `data.resume_from` is the id to go on with. `policy_revoked` is the last frame of a stream whose scope the caller may not follow any more: `data.revoked_by` and `data.revoked_at` say who changed the rules along its path last, and when, null where that is not known. Comments keep a quiet stream open.',
    access: { capability: 'lifecycle.subscribe' },
    query: lifecycleStreamQuery,
    resumes: true,
    answers: { 200: { description: 'A stream of frames.', mediaType: 'text/event-stream' } },
    errors: ['SERVER_BUSY'],
    graphql: { kind: 'subscription', field: 'lifecycle' },
  },
  getLifecycle: {
    method: 'GET',
    path: '/v1/lifecycle/event/{id}',
    noun: 'lifecycle',
    summary: 'One lifecycle frame',
    description: 'One frame by its id. What is unknown, no longer kept or not for the caller to see is 404.',
    access: { capability: 'scope.read.local' },
    params: { id: 'Id of the frame, `lce_…`.' },
    answers: { 200: { description: 'The frame.', schema: lifecycleItem } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'lifecycleFrame' },
  },
  memoryEventTrace: {
    method: 'GET',
    path: '/v1/lifecycle/memory-event/{id}',
    noun: 'lifecycle',
    summary: 'What happened to one event',
    description: 'The stages that an event has passed, its frames, and the records derived from it.',
    access: { capability: 'scope.read.local' },
    params: { id: 'Id of the event.' },
    named: 'event',
    query: memoryEventQuery,
    answers: {
      200: {
        description: 'Stages and frames of the event.',
        schema: memoryEventTrace,
        next: { getLifecycle: { id: '/lifecycle_event_ids/0' } },
      },
    },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'memoryEventTrace' },
  },
} as const satisfies Record<string, Operation>;
