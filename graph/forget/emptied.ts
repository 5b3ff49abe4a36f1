import type { Reader, Transaction } from '../driver.ts';
import { int, statement } from '../statement.ts';

/** Whether the scope holds events: of those that are redacted none is counted. */
const HOLDS =
  'EXISTS { MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = $ref AND e.wal_offset > 0 }';

const holds = statement<{ ref: string }, { some: boolean }>(
  'forget.scope_holds',
  'index event_scope (one row)',
  `RETURN ${HOLDS} AS some`,
);

const holdsLocked = statement<{ ref: string; now: ReturnType<typeof int> }, { some: boolean }>(
  'forget.scope_holds_locked',
  'constraint counter_name, index event_scope (one row)',
  `MATCH (wal:Counter {name: 'wal'})
   SET wal.touched = $now
   WITH wal
   RETURN ${HOLDS} AS some`,
);

/** Whether a scope holds no event. */
export async function isEmptied(reader: Reader, ref: string): Promise<boolean> {
  return (await reader.read(holds, { ref }))[0]?.some === false;
}

/** The same until the transaction ends: nothing is captured meanwhile. */
export async function isEmptiedWithin(transaction: Transaction, ref: string, now: number): Promise<boolean> {
  return (await transaction.run(holdsLocked, { ref, now: int(now) }))[0]?.some === false;
}
