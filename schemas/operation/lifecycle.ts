import { lifecycleListQuery, lifecyclePage, memoryEventTrace } from '../lifecycle.ts';
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
  memoryEventTrace: {
    method: 'GET',
    path: '/v1/lifecycle/memory-event/{id}',
    noun: 'lifecycle',
    summary: 'What happened to one event',
    description: 'The stages that an event has passed, its frames, and the records derived from it.',
    access: { capability: 'scope.read' },
    params: { id: 'Id of the event.' },
    named: 'event',
    answers: { 200: { description: 'Stages and frames of the event.', schema: memoryEventTrace } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'memoryEventTrace' },
  },
} as const satisfies Record<string, Operation>;
