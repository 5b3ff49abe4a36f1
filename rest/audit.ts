import type { Routes } from './handler.ts';
import type { AuditOperations } from '../src/services/operations.ts';

/** Routes of the audit log. */
export function auditRoutes(
  audit: AuditOperations,
): Pick<Routes, 'listAudit' | 'getAudit' | 'verifyAudit' | 'auditChain' | 'verifyAuditChain'> {
  return {
    listAudit: async ({ call, query }) => ({ status: 200, body: await audit.list(call, query) }),
    getAudit: async ({ call, params }) => ({ status: 200, body: await audit.get(call, params.id) }),
    verifyAudit: async ({ call, body }) => ({ status: 200, body: await audit.verify(call, body) }),
    auditChain: async ({ call, query }) => ({ status: 200, body: await audit.chain(call, query) }),
    verifyAuditChain: async ({ call, body }) => ({ status: 200, body: await audit.verifyChain(call, body) }),
  };
}
