import type {
  RetentionPolicyRecord,
  RetentionPolicySet,
  RetentionStatus,
  RetentionSweepReport,
  RetentionSweepRunning,
} from '../../schemas/retention.ts';
import type { Call } from './access.ts';

/** What concerns how long records are kept. */
export interface RetentionOperations {
  status(call: Call): Promise<RetentionStatus>;
  /** Sweeps now; answers before its end where that takes long. Throws `NOT_A_MEMBER`, `RETENTION_SWEEP_RUNNING`. */
  sweep(call: Call, body: unknown): Promise<RetentionSweepReport | RetentionSweepRunning>;
  /** Throws `NOT_FOUND`. */
  getPolicy(call: Call, query: unknown): Promise<RetentionPolicyRecord>;
  /** Throws `NOT_A_MEMBER`, `INVALID_RETENTION_POLICY`, `UNREGISTERED_SCOPE_TYPE`, `DESTRUCTIVE_OPERATION_IN_PROGRESS`. */
  setPolicy(call: Call, body: unknown): Promise<RetentionPolicySet>;
  /** Throws `NOT_A_MEMBER`, `NOT_FOUND`, `DESTRUCTIVE_OPERATION_IN_PROGRESS`. */
  deletePolicy(call: Call, query: unknown): Promise<void>;
}
