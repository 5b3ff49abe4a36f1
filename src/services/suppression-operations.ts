import type { SuppressionItem, SuppressionPage } from '../../schemas/suppression.ts';
import type { Call } from './access.ts';

/** What concerns suppressions. */
export interface SuppressionOperations {
  list(call: Call, query: unknown): Promise<SuppressionPage>;
  /** Throws `NOT_FOUND`, `DESTRUCTIVE_OPERATION_IN_PROGRESS`. */
  lift(call: Call, id: string): Promise<void>;
  /** The cursor that continues a listing behind a suppression of it. */
  cursorOf(suppression: SuppressionItem): string;
}
