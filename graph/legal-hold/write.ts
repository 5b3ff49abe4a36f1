import { appendAuditWithin, type FinishedBatch } from '../audit.ts';
import type { Transaction, Transactions } from '../driver.ts';
import { int, statement, type Param } from '../statement.ts';
import { STORED_HOLD, type StoredHold } from './record.ts';
import { lockHoldsWithin } from './read.ts';

const open = statement<{ tenant: string; id: string }, OpenedHold>(
  'legal_hold.open',
  'constraints legal_hold_register_tenant, legal_hold_id',
  `MATCH (r:LegalHoldRegister {tenant: $tenant})
   OPTIONAL MATCH (h:LegalHold {tenant: $tenant, id: $id})
   RETURN CASE WHEN h IS NULL THEN null ELSE ${STORED_HOLD} END AS known, r.removed_with AS removed_with,
     COUNT { MATCH (q:LegalHold) WHERE q.tenant = $tenant AND q.id > '' } AS count`,
);

const forgetting = statement<{ tenant: string; scope: string; below: string }, { forgetting: boolean }>(
  'legal_hold.forgetting',
  'indexes forget_plan_tenant, scope_deletion',
  `RETURN EXISTS { MATCH (p:ForgetPlan) USING INDEX SEEK p:ForgetPlan(tenant, scope) WHERE p.tenant = $tenant AND p.scope = $scope }
     OR EXISTS { MATCH (p:ForgetPlan) USING INDEX SEEK p:ForgetPlan(tenant, scope) WHERE p.tenant = $tenant AND p.scope STARTS WITH $below }
     OR EXISTS { MATCH (s:Scope) USING INDEX SEEK s:Scope(deleting_through) WHERE s.deleting_through >= 0 AND s.tenant = $tenant
       AND (s.path = $scope OR s.path STARTS WITH $below) } AS forgetting`,
);

const keep = statement<{ tenant: string; id: string; created: Param; said: Param }, { hold: StoredHold }>(
  'legal_hold.keep',
  'constraints legal_hold_register_tenant, legal_hold_id',
  `MATCH (r:LegalHoldRegister {tenant: $tenant})
   SET r.version = r.version + 1
   WITH r.version AS version
   MERGE (h:LegalHold {tenant: $tenant, id: $id}) ON CREATE SET h += $created, h.number = version
   SET h += $said
   RETURN ${STORED_HOLD} AS hold`,
);

const remove = statement<{ tenant: string; id: string; change: string }, { removed: number }>(
  'legal_hold.remove',
  'constraints legal_hold_register_tenant, legal_hold_id',
  `MATCH (r:LegalHoldRegister {tenant: $tenant})
   SET r.version = r.version + 1, r.removed_with = $change
   WITH r
   MATCH (h:LegalHold {tenant: $tenant, id: $id})
   DELETE h
   RETURN count(*) AS removed`,
);

interface OpenedHold {
  readonly known: StoredHold | null;
  readonly removed_with: string | null;
  readonly count: number;
}

/** Which hold is changed, by whom and when. */
export interface HoldChange {
  readonly tenant: string;
  readonly id: string;
  readonly actor: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Id by which a repeat of the change knows what it did. */
  readonly change: string;
}

/** What a hold says. */
export type HoldSaid = Pick<StoredHold, 'scope' | 'scope_ref' | 'selector' | 'reason' | 'until'>;

/** Changes one hold within an open transaction; no other change of the tenant's holds, and no beginning of a forget, comes between. */
export class HoldChanges {
  readonly #transaction: Transaction;
  readonly #change: HoldChange;
  #newest = 0;
  /** The hold of the id as it was found; null when there was none. */
  readonly known: StoredHold | null;
  /** Holds that the tenant had. */
  readonly count: number;
  /** Whether the last removal among the tenant's holds was this change, whose answer was lost. */
  readonly wasRemoved: boolean;

  constructor(transaction: Transaction, change: HoldChange, found: OpenedHold) {
    this.#transaction = transaction;
    this.#change = change;
    this.known = found.known;
    this.count = found.count;
    this.wasRemoved = found.removed_with === change.change;
  }

  /** Number of the newest batch of the audit log that was added; 0 when none was. */
  get newestAudit(): number {
    return this.#newest;
  }

  /** Whether something is being forgotten in a scope or below it, or one of these is being deleted. */
  async forgetting(scope: string): Promise<boolean> {
    const { tenant } = this.#change;
    const [found] = await this.#transaction.run(forgetting, { tenant, scope, below: `${scope}/` });
    return found?.forgetting ?? false;
  }

  /** Places the hold, or has it say something else; its scope stays. */
  async keep({ scope, scope_ref, selector, reason, until }: HoldSaid): Promise<StoredHold> {
    const { tenant, id, actor, now } = this.#change;
    const [row] = await this.#transaction.run(keep, {
      tenant,
      id,
      created: { scope, scope_ref, created_at: int(now), created_by: actor },
      said: { selector, reason, until: until === null ? null : int(until) },
    });
    if (row === undefined) throw new Error('a legal hold that was just written is not there');
    return row.hold;
  }

  /** Removes the hold that was found. */
  async remove(): Promise<void> {
    const { tenant, id, change } = this.#change;
    await this.#transaction.run(remove, { tenant, id, change });
  }

  /** Adds rows of the audit log; last of all, since their lock is the last that a transaction takes. */
  async tell(batches: readonly FinishedBatch[]): Promise<void> {
    this.#newest = await appendAuditWithin(this.#transaction, batches, this.#change.now);
  }
}

/** Changes legal holds. */
export class LegalHoldStore {
  private readonly database: Transactions;

  constructor(database: Transactions) {
    this.database = database;
  }

  /** Does the work of a change in one transaction, begun anew on passing failures; answers the newest number of the audit log too. */
  changing<T>(
    change: HoldChange,
    work: (changes: HoldChanges) => Promise<T>,
  ): Promise<{ outcome: T; newestAudit: number }> {
    const { tenant, id, now } = change;
    return this.database.transactionRepeatable(async (transaction) => {
      await lockHoldsWithin(transaction, tenant, now);
      const [found] = await transaction.run(open, { tenant, id });
      if (found === undefined) throw new Error('the legal holds of the tenant cannot be opened');
      const changes = new HoldChanges(transaction, change, found);
      const outcome = await work(changes);
      return { outcome, newestAudit: changes.newestAudit };
    });
  }
}
