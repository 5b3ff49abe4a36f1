import type { Routes } from './handler.ts';
import type { GraphExportOperations, ProvenanceOperations } from '../src/services/operations.ts';

/** Routes of records of whatever layer. */
export function provenanceRoutes(
  provenance: ProvenanceOperations,
  exports: GraphExportOperations,
): Pick<Routes, 'provenance' | 'exportProvenance' | 'getRecord'> {
  return {
    provenance: async ({ call, params, query }) => ({
      status: 200,
      body: await provenance.graph(call, params.id, query),
    }),
    exportProvenance: async ({ call, params, query }) => ({
      status: 200,
      file: await exports.provenance(call, params.id, query),
    }),
    getRecord: async ({ call, params, query }) => ({
      status: 200,
      body: await provenance.record(call, params.id, query),
    }),
  };
}
