import type { Integer } from 'neo4j-driver';

import type { Reader, Transaction, Writer } from '../driver.ts';
import { int, statement } from '../statement.ts';
import { STORED_HOLD, type StoredHold } from './record.ts';

const byId = statement<{ tenant: string; id: string }, { hold: StoredHold }>(
  'legal_hold.by_id',
  'constraint legal_hold_id',
  `MATCH (h:LegalHold {tenant: $tenant, id: $id})
   RETURN ${STORED_HOLD} AS hold`,
);

const page = statement<{ refs: readonly string[]; to: Integer; limit: Integer }, { hold: StoredHold }>(
  'legal_hold.page',
  'constraint legal_hold_number, walked in order once per scope',
  `UNWIND $refs AS ref
   CALL (ref) {
     MATCH (h:LegalHold) USING INDEX SEEK h:LegalHold(scope_ref, number) WHERE h.scope_ref = ref AND h.number <= $to
     WITH h ORDER BY h.scope_ref DESC, h.number DESC LIMIT $limit
     RETURN h
   }
   WITH h ORDER BY h.number DESC LIMIT $limit
   RETURN ${STORED_HOLD} AS hold`,
);

// Behind the lock everything that was committed is seen whole: an index may tell of a commit later than the node of the register does.
const inForce = statement<
  { tenant: string; refs: readonly string[]; now: Integer },
  { version: number; holds: StoredHold[] }
>(
  'legal_hold.in_force',
  'constraints legal_hold_register_tenant, legal_hold_number',
  `MATCH (r:LegalHoldRegister {tenant: $tenant})
   SET r.touched = $now
   WITH r, r.version AS version
   RETURN version, COLLECT {
     UNWIND $refs AS ref
     MATCH (h:LegalHold) USING INDEX SEEK h:LegalHold(scope_ref, number)
     WHERE h.scope_ref = ref AND h.number > 0 AND (h.until IS NULL OR h.until > $now)
     RETURN ${STORED_HOLD}
   } AS holds`,
);

const lock = statement<{ tenant: string; now: Integer }, { version: number }>(
  'legal_hold.lock',
  'constraint legal_hold_register_tenant',
  `MERGE (r:LegalHoldRegister {tenant: $tenant}) ON CREATE SET r.version = 0
   SET r.touched = $now
   RETURN r.version AS version`,
);

/**
 * Takes the lock of a tenant's legal holds and answers their version: until the transaction ends none is placed or removed. It comes
 * before the locks of shards.
 */
export async function lockHoldsWithin(
  transaction: Transaction,
  tenant: string,
  now: number,
): Promise<number> {
  const [found] = await transaction.run(lock, { tenant, now: int(now) });
  if (found === undefined) throw new Error('the legal holds of the tenant cannot be locked');
  return found.version;
}

/** The holds that are in force for a scope, and the version of all of the tenant's. */
export interface HoldsInForce {
  /** Raised by every change of a hold of the tenant; 0 while there never was one. */
  readonly version: number;
  readonly holds: readonly StoredHold[];
}

/** Reads legal holds. */
export class LegalHoldReader {
  private readonly database: Reader & Pick<Writer, 'writeRepeatable'>;

  constructor(database: Reader & Pick<Writer, 'writeRepeatable'>) {
    this.database = database;
  }

  /** The hold of an id; null where there is none. */
  async byId(tenant: string, id: string): Promise<StoredHold | null> {
    const [found] = await this.database.read(byId, { tenant, id });
    return found?.hold ?? null;
  }

  /** At most so many holds of some scopes whose number is `to` or less, those first that were placed last. */
  async page(refs: readonly string[], to: number, limit: number): Promise<StoredHold[]> {
    const rows = await this.database.read(page, { refs, to: int(to), limit: int(limit) });
    return rows.map(({ hold }) => hold);
  }

  /**
   * The holds of a scope and of those above it, by the references of all levels of its path, that hold something at an instant; none that
   * was answered is missing.
   */
  async inForce(tenant: string, refs: readonly string[], now: number): Promise<HoldsInForce> {
    const [found] = await this.database.writeRepeatable(inForce, { tenant, refs, now: int(now) });
    return found ?? { version: 0, holds: [] };
  }
}
