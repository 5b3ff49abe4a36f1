import type { Integer } from 'neo4j-driver';

import type { CapabilityPattern } from '../schemas/policy.ts';
import type { ScopeMember } from '../schemas/scope-record.ts';
import type { StoredRules } from './access.ts';
import { appendAuditWithin, type FinishedBatch } from './audit.ts';
import { LOCK_ACCESS } from './counter.ts';
import { levelProps } from './columns.ts';
import type { Reader, Transaction, Transactions } from './driver.ts';
import { recordPolicyWithin, tellPolicyWithin, type PolicyChange } from './policy-log.ts';
import { changeRulesWithin } from './retention/sweep.ts';
import { ScopeRemovals } from './scope-removal.ts';
import { int, statement, type Param, type Params } from './statement.ts';

/** A scope as it is stored, with its rules. */
export interface StoredScope extends StoredRules {
  readonly tenant: string;
  readonly path: string;
  readonly auto_provisioned: boolean;
  /** Epoch milliseconds. */
  readonly created_at: number;
  readonly created_by: string;
  /** JSON text of what it states; null when that is nothing. */
  readonly policies: string | null;
  /** Id of the change that was made last, its registration included; null without one. */
  readonly change_id: string | null;
  /** Newest offset of the log that a deletion under way covers; null when there is none. */
  readonly deleting_through: number | null;
  /** Id of the row of the audit log that tells of the beginning of the deletion, and what its end is told by; null without one. */
  readonly deleting_row: string | null;
  /** Actor id of who wants the deletion; null without one. */
  readonly deleting_by: string | null;
  readonly deleting_entry: string | null;
}

/** A scope and what bears on it. */
export interface ScopeWithSources {
  /** Every level of the path that there is, in no particular order, the scope itself among them. */
  readonly levels: readonly StoredScope[];
  /** Scopes that it inherits from by name, as far as there are any. */
  readonly named: readonly Pick<StoredScope, 'path' | 'policies'>[];
}

const RECORD = `s {.ref, .tenant, .path, .auto_provisioned, .created_at, .created_by, .members, .roles, .allow, .deny, .policies,
     .change_id, .deleting_through, .deleting_by, .deleting_row, .deleting_entry}`;

const scopeRecord = statement<{ refs: readonly string[]; ref: string }, ScopeWithSources>(
  'scope.record',
  'constraint scope_ref',
  `RETURN COLLECT { UNWIND $refs AS ref MATCH (s:Scope {ref: ref}) RETURN ${RECORD} } AS levels,
     COLLECT { MATCH (own:Scope {ref: $ref}) UNWIND own.inherit_refs AS named MATCH (s:Scope {ref: named}) RETURN s {.path, .policies} } AS named`,
);

/** Takes the lock that all changes of access take first, and the number of this change. */
const lockAccess = statement<Record<string, never>, { version: number }>(
  'scope.lock_access',
  'constraint counter_name',
  `${LOCK_ACCESS}
   WITH *, access.value + 1 AS version
   SET access.value = version
   RETURN version`,
);

interface RegisterParams extends Params {
  scope: Param;
  rules: Param;
  auto: boolean;
  now: Integer;
}

const registerScope = statement<RegisterParams, { ref: string }>(
  'scope.register',
  'constraint scope_ref',
  `MERGE (s:Scope {ref: $scope.ref})
     ON CREATE SET s += $scope, s.created_at = $now
   SET s += $rules, s.auto_provisioned = $auto
   RETURN s.ref AS ref`,
);

const changeScope = statement<{ ref: string; rules: Param }, { ref: string }>(
  'scope.change',
  'constraint scope_ref',
  `MATCH (s:Scope {ref: $ref})
   SET s += $rules
   RETURN s.ref AS ref`,
);

/** What of a scope can be changed; what is left out stays. */
export interface ScopeChange {
  readonly members?: readonly ScopeMember[];
  readonly policies?: {
    /** JSON text. */
    readonly text: string;
    readonly allow: readonly CapabilityPattern[] | null;
    readonly deny: readonly CapabilityPattern[] | null;
    /** References of the scopes that are inherited from by name. */
    readonly inheritRefs: readonly string[];
  };
  /** By which a repeat knows that the change is made. */
  readonly id: string;
}

/** Who changes a scope, and when. */
export interface ChangedBy {
  readonly actor: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A scope that may have to be made. */
export interface NewScope {
  readonly ref: string;
  readonly tenant: string;
  readonly path: string;
  /** References of every level, root first. */
  readonly levels: readonly string[];
  readonly created_by: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Where a frame tells of a change of policies, and of which. */
type ChangedPlace = Omit<PolicyChange, 'id' | 'policies' | 'inherit_refs'>;

/** Reads and changes one scope within an open transaction that holds the lock of access. */
export class ScopeChanges {
  private readonly transaction: Transaction;
  private readonly version: number;
  /** What concerns the end of a scope. */
  readonly removals: ScopeRemovals;
  private newest = 0;
  private frame = 0;

  constructor(transaction: Transaction, version: number) {
    this.transaction = transaction;
    this.version = version;
    this.removals = new ScopeRemovals(transaction, version);
  }

  /** Number of the newest batch of the audit log that was added; 0 when none was. */
  get newestAudit(): number {
    return this.newest;
  }

  /** Number of the newest frame that was written; 0 when none was. */
  get newestFrame(): number {
    return this.frame;
  }

  /** Writes into the log what a scope states from here on, and the frame that tells so; behind whatever locks the log. */
  async log(change: PolicyChange, now: number): Promise<void> {
    this.frame = await recordPolicyWithin(this.transaction, change, now);
  }

  /** Writes the frame that tells that the scope keeps its records for other times, which derivation does not go by. */
  async logRetention(scope: Omit<ChangedPlace, 'changed'>, now: number): Promise<void> {
    this.frame = await tellPolicyWithin(this.transaction, { ...scope, changed: ['retention'] }, now);
  }

  /** Says that it changes how long scopes of a tenant keep their records; `again` has the next sweep look at all of them. */
  async changeRetention(tenant: string, asked: { readonly again: boolean }): Promise<void> {
    await changeRulesWithin(this.transaction, tenant, asked);
  }

  /** Adds rows of the audit log; last of all, since their lock is the last that a transaction takes. */
  async tell(batches: readonly FinishedBatch[], now: number): Promise<void> {
    this.newest = Math.max(this.newest, await appendAuditWithin(this.transaction, batches, now));
  }

  /** The levels of a path as they are now; no other change of access can come between. */
  async read(refs: readonly string[]): Promise<ScopeWithSources> {
    const [found] = await this.transaction.run(scopeRecord, { refs, ref: refs.at(-1) ?? '' });
    return found ?? { levels: [], named: [] };
  }

  /** Registers a scope, whether or not it was written to before; or makes one that states policies and can be registered still (`auto`). */
  async register(scope: NewScope, change: ScopeChange, { auto = false } = {}): Promise<void> {
    const { ref, tenant, path, levels, created_by, now } = scope;
    const ancestors = levelProps(levels);
    await this.transaction.run(registerScope, {
      scope: { ref, tenant, path, created_by, ...ancestors },
      rules: this.rulesOf(change, { actor: created_by, now }),
      auto,
      now: int(now),
    });
  }

  /** Changes a scope that there is. */
  async change(ref: string, change: ScopeChange, by: ChangedBy): Promise<void> {
    await this.transaction.run(changeScope, { ref, rules: this.rulesOf(change, by) });
  }

  private rulesOf({ members, policies, id }: ScopeChange, { actor, now }: ChangedBy): Param {
    return {
      ...(members === undefined
        ? {}
        : { members: members.map(({ actor }) => actor), roles: members.map(({ role }) => role) }),
      ...(policies === undefined
        ? {}
        : {
            policies: policies.text,
            allow: policies.allow,
            deny: policies.deny,
            inherit_refs: policies.inheritRefs,
          }),
      change_id: id,
      access_version: int(this.version),
      changed_by: actor,
      changed_at: int(now),
    };
  }
}

/** What a committed change came to. */
export interface Changed<T> {
  readonly outcome: T;
  /** Number of the newest batch of the audit log that it added; 0 when it added none. */
  readonly newestAudit: number;
  /** Number of the newest frame that it wrote; 0 when it wrote none. */
  readonly newestFrame: number;
}

/** Keeps what scopes are registered with. */
export class ScopeStore {
  private readonly database: Reader & Transactions;

  constructor(database: Reader & Transactions) {
    this.database = database;
  }

  /** A scope with every level above it, and what it inherits from by name, in one round trip. */
  async read(refs: readonly string[]): Promise<ScopeWithSources> {
    const [found] = await this.database.read(scopeRecord, { refs, ref: refs.at(-1) ?? '' });
    return found ?? { levels: [], named: [] };
  }

  /**
   * Runs work that changes who may do what, alone among all processes; nothing stays of it when it throws. It may be run
   * again from its beginning. Throws `DATABASE_UNAVAILABLE`.
   */
  changing<T>(work: (changes: ScopeChanges) => Promise<T>): Promise<Changed<T>> {
    return this.database.transactionRepeatable(async (transaction) => {
      const [locked] = await transaction.run(lockAccess, {});
      if (locked === undefined) throw new Error('there is no counter of access: the store is not migrated');
      const changes = new ScopeChanges(transaction, locked.version);
      const outcome = await work(changes);
      return { outcome, newestAudit: changes.newestAudit, newestFrame: changes.newestFrame };
    });
  }
}
