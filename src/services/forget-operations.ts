import type { ForgetPreviewResponse, ForgetResponse } from '../../schemas/forget.ts';
import type { Call } from './access.ts';

/** What forgets. */
export interface ForgetOperations {
  /**
   * Throws `NOT_A_MEMBER`, `INVALID_CASCADE`, `EMPTY_SELECTOR_WITHOUT_CONFIRMATION`, `AMBIGUOUS_SELECTOR_CONFIRM_ALL`,
   * `UNKNOWN_PREVIEW_ID`, `SCOPE_STATE_CHANGED`, `LEGAL_HOLD`, `DESTRUCTIVE_OPERATION_IN_PROGRESS`, `REDERIVE_IN_PROGRESS`,
   * `WAIT_TIMEOUT`, `FORGET_BACKEND_FAILED`, `SERVER_SHUTTING_DOWN`.
   */
  forget(call: Call, body: unknown): Promise<ForgetResponse>;
  /**
   * Throws `NOT_A_MEMBER`, `INVALID_CASCADE`, `EMPTY_SELECTOR_WITHOUT_CONFIRMATION`, `AMBIGUOUS_SELECTOR_CONFIRM_ALL`,
   * `REDERIVE_IN_PROGRESS`, `WAIT_TIMEOUT`.
   */
  preview(call: Call, body: unknown): Promise<ForgetPreviewResponse>;
}
