import { provenanceGraph, provenanceQuery } from '../provenance.ts';
import { PROVENANCE_EXPORT_FORMATS, provenanceExportQuery } from '../graph-export.ts';
import { memoryRecord, recordQuery } from '../record.ts';
import type { Operation } from './definition.ts';
import { ANY_LENGTH, exportAnswer } from './export.ts';

/** Operations on records of whatever layer. */
export const PROVENANCE_OPERATIONS = {
  provenance: {
    method: 'GET',
    path: '/v1/provenance/{id}',
    noun: 'record',
    summary: 'What a record rests on, and what rests on it',
    description:
      'The records that an event, episode, fact or belief was derived from, down to the events, or those that were derived from it, step by step, at any instant; with `relation=supersession` those that it took the place of, or that took its place. What is unknown or not for the caller to see is the same 404, and is left out of the graph without a trace.',
    access: { capability: 'scope.read.local' },
    params: { id: 'Id of an event, episode, fact or belief.' },
    query: provenanceQuery,
    answers: { 200: { description: 'The graph around the record.', schema: provenanceGraph } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'provenance' },
  },
  exportProvenance: {
    method: 'GET',
    path: '/v1/provenance/{id}/export',
    noun: 'record',
    summary: 'Export the graph around a record',
    description:
      'What `GET /v1/provenance/{id}` answers as one file, with up to 10,000 records, and up to 10,000 links of one relation and direction of a record; the file says whether there are more. What the caller may not read, or not export, is left out without a trace.',
    access: { capability: 'export' },
    audited: 'unless_off',
    params: { id: 'Id of an event, episode, fact, belief or concept.' },
    query: provenanceExportQuery,
    answers: { 200: exportAnswer(PROVENANCE_EXPORT_FORMATS, 'mermaid') },
    errors: ['NOT_FOUND'],
    otherStatuses: [
      {
        code: 'INVALID_QUERY',
        status: 422,
        when: 'the graph is too large for `format=mermaid`: more than 500 edges, or 50,000 characters.',
      },
    ],
    graphql: ANY_LENGTH,
  },
  getRecord: {
    method: 'GET',
    path: '/v1/records/{id}',
    noun: 'record',
    summary: 'One record of any layer',
    description:
      'An event, episode, fact or belief by its id, as its own route answers it. What is unknown or not for the caller to see is the same 404.',
    access: { capability: 'scope.read.local' },
    params: { id: 'Id of an event, episode, fact or belief.' },
    query: recordQuery,
    answers: { 200: { description: 'The record.', schema: memoryRecord } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'node' },
  },
} as const satisfies Record<string, Operation>;
