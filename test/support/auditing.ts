import type { AuditingOperations } from '../../src/services/operations.ts';

/** Does the work, and leaves no row. */
export const NO_AUDIT: AuditingOperations = { around: async (call, _origin, work) => work(call) };
