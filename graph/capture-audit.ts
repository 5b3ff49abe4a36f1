import type { AuditBatch } from '../src/audit/batch.ts';
import { int, type Param } from './statement.ts';

/** The rows of the audit log that tell of a group, of one tenant; the statement adds what became of each capture. */
export interface CaptureAudit extends AuditBatch {
  /** Whether its one row tells of the whole group, a bulk; else each row tells of one capture. */
  readonly bulk: boolean;
  /** Place in the group of the capture that each row tells of. */
  readonly places: readonly number[];
  /** Status of each request that is not refused. */
  readonly status: number;
}

/** The same as it is sent. Where each row tells of the capture in its own place, as where all captures are of one tenant, that need not be said. */
export function auditParam({ id, tenant, rows, count, bulk, places, status }: CaptureAudit): Param {
  const moved = places.some((place, row) => place !== row);
  const rowOf = moved ? Object.fromEntries(places.map((place, row) => [String(place), int(row)])) : null;
  return { id, tenant, rows, count: int(count), bulk, row_of: rowOf, status: int(status) };
}
