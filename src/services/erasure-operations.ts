import type {
  ErasureAccepted,
  ErasurePreviewResponse,
  ErasureReceiptResponse,
  ErasureRecord,
  ErasureVerification,
  ManifestLine,
} from '../../schemas/erasure.ts';
import type { Call } from './access.ts';

/** What erases. */
export interface ErasureOperations {
  /** Throws `POLICY_DENIED`, `NOT_A_MEMBER`, `EMPTY_SELECTOR_WITHOUT_CONFIRMATION`, `AMBIGUOUS_SELECTOR`, `REDERIVE_IN_PROGRESS`, `WAIT_TIMEOUT`. */
  preview(call: Call, body: unknown): Promise<ErasurePreviewResponse>;
  /** Throws as the preview does, `UNKNOWN_PREVIEW_ID`, `INVALID_CASCADE`, `SCOPE_STATE_CHANGED`, `IDEMPOTENCY_CONFLICT`, `DESTRUCTIVE_OPERATION_IN_PROGRESS`, `ERASURE_BACKEND_FAILED`, `SERVER_SHUTTING_DOWN`. */
  start(call: Call, body: unknown): Promise<ErasureAccepted>;
  /** Throws `NOT_FOUND`. */
  get(call: Call, id: string): Promise<ErasureRecord>;
  /** Stops one that is under way; may be repeated until it is over. Throws `INVALID_BODY`, `NOT_FOUND`, also for one that is over. */
  cancel(call: Call, id: string, body: unknown): Promise<ErasureRecord>;
  /** Throws `NOT_FOUND`, also before there is one. */
  receipt(call: Call, id: string): Promise<ErasureReceiptResponse>;
  /** Looks again whether anything is left. Throws `NOT_FOUND`, also for one that is not over. */
  verify(call: Call, id: string): Promise<ErasureVerification>;
  /** The lines of the manifest of a preview or an erasure, some at a time. Throws `NOT_FOUND`. */
  manifest(call: Call, id: string): Promise<AsyncIterable<readonly ManifestLine[]>>;
}
