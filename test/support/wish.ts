import type { Transactions } from '../../graph/driver.ts';
import { writeWishes, type WrittenWishes } from '../../graph/forget/wish.ts';
import type { Wish } from '../../src/forget/wish.ts';
import { systemIds } from '../../src/ids.ts';

/** Writes wishes to forget down, as one entry of the default tenant. */
export function wish(database: Transactions, wishes: readonly Wish[]): Promise<WrittenWishes> {
  const by = { tenant: 'default', actor: 'user:local', audit_id: systemIds.audit() };
  const entry = { id: systemIds.entry(), ...by, now: Date.now(), cascade: 'derived_only' } as const;
  return database.transactionRepeatable((transaction) => writeWishes(transaction, entry, wishes));
}
