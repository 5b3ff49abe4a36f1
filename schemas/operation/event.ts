import { cancelResponse, eventGetQuery, eventItem, eventListQuery, eventPage } from '../event.ts';
import { cancelRequest, EMPTY_JSON } from './cancel.ts';
import type { Operation } from './definition.ts';

/** Operations on events. */
export const EVENT_OPERATIONS = {
  listEvents: {
    method: 'GET',
    path: '/v1/events',
    noun: 'event',
    summary: 'List events',
    description:
      'Events of a scope, and with `view` of the scopes above or below it, newest first, with their full content. Cancelled and replaced events are left out.',
    access: { capability: 'scope.read.local' },
    query: eventListQuery,
    answers: { 200: { description: 'A page of events.', schema: eventPage } },
    errors: [],
    otherStatuses: [{ code: 'INVALID_QUERY', status: 422, when: '`view` is not one of its values.' }],
    graphql: { kind: 'query', field: 'events' },
  },
  getEvent: {
    method: 'GET',
    path: '/v1/events/{id}',
    noun: 'event',
    summary: 'One event',
    description:
      'One event by id. With `scope`, only when its own scope is exactly that path. What is unknown, cancelled, replaced or not for the caller to see is the same 404.',
    access: { capability: 'scope.read.local' },
    params: { id: 'Id of the event.' },
    query: eventGetQuery,
    repeatedAsText: ['scope'],
    answers: { 200: { description: 'The event.', schema: eventItem } },
    errors: ['NOT_FOUND', 'INVALID_SCOPE_GRAMMAR'],
    graphql: { kind: 'query', field: 'event' },
  },
  cancelEvent: {
    method: 'POST',
    path: '/v1/lifecycle/memory-event/{id}/cancel',
    noun: 'event',
    summary: 'Cancel one event',
    description:
      'Excludes an event from every read; it stays stored, and its idempotency key is free again. Cancelling it again answers the same. An event under legal hold is not cancelled.',
    access: { capability: 'scope.write' },
    audited: true,
    params: { id: 'Id of the event.' },
    body: { schema: cancelRequest, required: false, cap: 'single', refusesEmptyJson: true },
    answers: { 200: { description: 'The event is cancelled.', schema: cancelResponse } },
    errors: ['NOT_FOUND', 'NOT_A_MEMBER', 'LEGAL_HOLD', 'REDERIVE_IN_PROGRESS', 'WAIT_TIMEOUT'],
    otherStatuses: [EMPTY_JSON],
    graphql: { kind: 'mutation', field: 'cancelEvent' },
  },
} as const satisfies Record<string, Operation>;
