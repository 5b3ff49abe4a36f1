import type { RetentionPolicyRecord, RetentionPolicySet } from '../../schemas/retention.ts';
import type { Call } from './access.ts';

/** What concerns how long records are kept. */
export interface RetentionOperations {
  /** Throws `NOT_FOUND`. */
  getPolicy(call: Call, query: unknown): Promise<RetentionPolicyRecord>;
  /** Throws `NOT_A_MEMBER`, `INVALID_RETENTION_POLICY`, `UNREGISTERED_SCOPE_TYPE`, `DESTRUCTIVE_OPERATION_IN_PROGRESS`. */
  setPolicy(call: Call, body: unknown): Promise<RetentionPolicySet>;
  /** Throws `NOT_A_MEMBER`, `NOT_FOUND`, `DESTRUCTIVE_OPERATION_IN_PROGRESS`. */
  deletePolicy(call: Call, query: unknown): Promise<void>;
}
