import type { Integer } from 'neo4j-driver';

import type { Reader, Transaction } from './driver.ts';
import { int, statement } from './statement.ts';

/** Where the events of a scope stand, with captures held off until the transaction ends. */
export interface ScopeRecords {
  /** Newest offset of the log. */
  readonly head: number;
  /** Whether the scope has a stored event; redacted ones are in no scope. */
  readonly some: boolean;
}

const SOME = 'EXISTS { MATCH (e:Event) WHERE e.scope_ref = $ref AND e.wal_offset > 0 }';

const some = statement<{ ref: string }, { some: boolean }>(
  'scope.has_events',
  'index event_scope (one row)',
  `RETURN ${SOME} AS some`,
);

const records = statement<{ ref: string; now: Integer }, ScopeRecords>(
  'scope.records',
  'constraint counter_name, index event_scope (one row)',
  `MATCH (wal:Counter {name: 'wal'})
   SET wal.touched = $now
   WITH wal
   RETURN wal.value AS head, ${SOME} AS some`,
);

/** Whether a scope has a stored event. */
export async function hasEvents(reader: Reader, ref: string): Promise<boolean> {
  const [found] = await reader.read(some, { ref });
  return found?.some !== false;
}

/** The same, with the head of the log; nothing is captured until the transaction ends. */
export async function recordsWithin(
  transaction: Transaction,
  ref: string,
  now: number,
): Promise<ScopeRecords> {
  const [found] = await transaction.run(records, { ref, now: int(now) });
  if (found === undefined) throw new Error('there is no counter of the log: the store is not migrated');
  return found;
}
