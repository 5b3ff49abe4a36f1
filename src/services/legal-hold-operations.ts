import type { LegalHoldItem, LegalHoldPage } from '../../schemas/legal-hold.ts';
import type { Call } from './access.ts';

/** What concerns legal holds. */
export interface LegalHoldOperations {
  /** Throws `NOT_A_MEMBER`, `IDEMPOTENCY_CONFLICT`, `DESTRUCTIVE_OPERATION_IN_PROGRESS`. */
  put(call: Call, body: unknown): Promise<LegalHoldItem>;
  /** Throws `NOT_FOUND` for an id. */
  list(call: Call, query: unknown): Promise<LegalHoldPage>;
  /** Throws `NOT_FOUND`. */
  get(call: Call, id: string): Promise<LegalHoldItem>;
  /** Throws `NOT_FOUND`. */
  remove(call: Call, query: unknown): Promise<void>;
  /** The cursor that continues a listing behind a hold of it. */
  cursorOf(hold: LegalHoldItem): string;
}
