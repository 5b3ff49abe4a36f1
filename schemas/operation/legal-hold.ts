import {
  legalHold,
  legalHoldItem,
  legalHoldListQuery,
  legalHoldPage,
  legalHoldQuery,
} from '../legal-hold.ts';
import type { Operation } from './definition.ts';

/** Operations on legal holds. */
export const LEGAL_HOLD_OPERATIONS = {
  putLegalHold: {
    method: 'PUT',
    path: '/v1/legal-holds',
    noun: 'legal_hold',
    summary: 'Place a legal hold',
    description:
      'From the answer on no event that it covers is forgotten, cancelled or deleted with its scope: that is 409 `LEGAL_HOLD`. It covers the events of its scope and of all that lie below it; with a selector those that match when it is asked. An id that there is already gets this selector, reason and end in place of its own; a hold of another scope keeps the id (409 `IDEMPOTENCY_CONFLICT`). While something is being forgotten in the scope or below it, that is waited for (`STRATA_DESTRUCTIVE_LEASE_WAIT_SECS`), and then refused. For owners, or whoever may write where no roster governs. A tenant has at most 1000 holds; one more is 422 `INVALID_BODY`.',
    access: { capability: 'forget.gdpr' },
    audited: true,
    body: { schema: legalHold, required: true, cap: 'single' },
    answers: {
      200: {
        description: 'It holds.',
        schema: legalHoldItem,
        next: { getLegalHold: { id: '/id' }, removeLegalHold: { id: '/id' } },
      },
    },
    errors: ['NOT_A_MEMBER', 'IDEMPOTENCY_CONFLICT', 'DESTRUCTIVE_OPERATION_IN_PROGRESS'],
    graphql: { kind: 'mutation', field: 'putLegalHold' },
  },
  listLegalHolds: {
    method: 'GET',
    path: '/v1/legal-holds',
    noun: 'legal_hold',
    summary: 'List legal holds',
    description:
      'The holds that cover a scope: its own, and those of the scopes above it, as far as the caller may place any there; those first that were placed last. Those that are over are among them. With `id` the page has that one alone.',
    access: { capability: 'forget.gdpr' },
    query: legalHoldListQuery,
    needsOneOf: ['scope', 'id'],
    answers: { 200: { description: 'A page of holds.', schema: legalHoldPage } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'legalHolds' },
  },
  getLegalHold: {
    method: 'GET',
    path: '/v1/legal-holds/{id}',
    noun: 'legal_hold',
    named: 'legal hold',
    summary: 'One legal hold',
    description: 'A hold by its id. What is unknown and what the caller may not see is the same 404.',
    access: { capability: 'forget.gdpr' },
    params: { id: 'Id of the hold, percent-encoded.' },
    answers: { 200: { description: 'The hold.', schema: legalHoldItem } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'legalHold' },
  },
  removeLegalHold: {
    method: 'DELETE',
    path: '/v1/legal-holds',
    noun: 'legal_hold',
    summary: 'Remove a legal hold',
    description:
      'Ends a hold and removes its record; the row of the audit log tells of it. What is unknown, was removed before, or is not for the caller is the same 404.',
    access: { capability: 'forget.gdpr' },
    audited: true,
    query: legalHoldQuery,
    answers: { 204: { description: 'Removed; no body.', empty: true } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'mutation', field: 'removeLegalHold' },
  },
} as const satisfies Record<string, Operation>;
