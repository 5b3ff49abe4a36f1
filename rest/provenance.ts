import type { Routes } from './handler.ts';
import type { ProvenanceOperations } from '../src/services/operations.ts';

/** Routes of records of whatever layer. */
export function provenanceRoutes(provenance: ProvenanceOperations): Pick<Routes, 'provenance' | 'getRecord'> {
  return {
    provenance: async ({ call, params, query }) => ({
      status: 200,
      body: await provenance.graph(call, params.id, query),
    }),
    getRecord: async ({ call, params, query }) => ({
      status: 200,
      body: await provenance.record(call, params.id, query),
    }),
  };
}
