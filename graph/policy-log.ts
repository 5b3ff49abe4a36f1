import type { Integer } from 'neo4j-driver';

import {
  inheritedSpansOf,
  rulesAt,
  spansOf,
  vocabulariesRef,
  type DerivationPolicies,
  type DerivationRules,
  type EntrySpan,
  type LogPosition,
  type PolicyEntries,
} from '../src/derive/policy-log.ts';
import { Vocabulary, type Predicates } from '../src/derive/vocabulary.ts';
import { TenantVocabulary, type VocabularyLayer } from '../src/derive/vocabulary/tenant.ts';
import { levelRefs } from '../src/capture/scope-key.ts';
import { LOCK_LIFECYCLE } from './counter.ts';
import type { Transaction, Transactions } from './driver.ts';
import { storedInstant } from './instant.ts';
import { int, statement, type Param, type Params } from './statement.ts';

/** Stands where entries of scopes have their reference. */
const DEPLOYMENT = 'deployment';

/** That a scope states something else than before, as it is written into the log. */
export interface PolicyChange {
  /** Id of the entry. */
  readonly id: string;
  readonly tenant: string;
  /** Path of the scope. */
  readonly scope: string;
  readonly scope_ref: string;
  readonly actor: string;
  /** What of it derivation depends on; empty once the scope is gone. */
  readonly policies: DerivationPolicies;
  /** References of the scopes that derivation inherits from by name, first ones first. */
  readonly inherit_refs: readonly string[];
  /** Names of the policies that are others than before: what the frame tells. */
  readonly changed: readonly string[];
}

interface RecordParams extends Params {
  entry: Param;
  frame: Param;
  /** Whether events of the scope may wait for their consolidation from here on. */
  defers: boolean;
  now: Integer;
}

/** Gives an entry its place in the log and its number; the lock of the log is taken by writing to its counter. */
export const NEXT_PLACE = `MATCH (wal:Counter {name: 'wal'})
   SET wal.touched = $now
   WITH wal
   SET wal.policy_entries = coalesce(wal.policy_entries, 0) + 1
   WITH wal, CASE WHEN wal.recorded_at > $now THEN wal.recorded_at ELSE $now END AS recorded_at
   SET wal.recorded_at = recorded_at`;

/** Behind {@link NEXT_PLACE}: writes the entry. */
export const ENTRY = `CREATE (entry:LogEntry:PolicyEntry {id: $entry.id, after_offset: wal.value, number: wal.policy_entries, recorded_at: ${storedInstant('recorded_at')}})
   SET entry += $entry`;

const record = statement<RecordParams, { newest_frame: number }>(
  'policy_log.record',
  'constraints counter_name, log_entry_id',
  `${NEXT_PLACE}
   ${ENTRY}
   SET wal.defers = coalesce(wal.defers, true) OR $defers
   WITH recorded_at
   ${LOCK_LIFECYCLE}
   WITH *, lifecycle.value + 1 AS newest_frame
   SET lifecycle.value = newest_frame
   CREATE (f:LifecycleEvent {sequence: newest_frame, type: 'policy_changed', ts: recorded_at})
   SET f += $frame
   RETURN newest_frame`,
);

const tell = statement<{ frame: Param; now: Integer }, { newest_frame: number }>(
  'policy_log.tell',
  'constraint counter_name',
  `${LOCK_LIFECYCLE}
   WITH lifecycle, lifecycle.value + 1 AS newest_frame
   SET lifecycle.value = newest_frame
   CREATE (f:LifecycleEvent {sequence: newest_frame, type: 'policy_changed', ts: $now})
   SET f += $frame
   RETURN newest_frame`,
);

const adopt = statement<{ entry: Param; now: Integer }, { id: string }>(
  'policy_log.adopt_vocabulary',
  'constraints counter_name, log_entry_id',
  `${NEXT_PLACE}
   ${ENTRY}
   RETURN entry.id AS id`,
);

const lockLog = statement<{ now: Integer }, { head: number }>(
  'policy_log.lock',
  'constraint counter_name',
  `MATCH (wal:Counter {name: 'wal'}) SET wal.touched = $now WITH wal RETURN wal.value AS head`,
);

const newestVocabulary = statement<{ ref: string }, { hash: string }>(
  'policy_log.newest_vocabulary',
  'index policy_entry, its last entry of the deployment',
  `MATCH (l:PolicyEntry) USING INDEX SEEK l:PolicyEntry(scope_ref, after_offset, number)
   WHERE l.scope_ref = $ref AND l.after_offset >= 0 AND l.number > 0
   WITH l ORDER BY l.scope_ref DESC, l.after_offset DESC, l.number DESC LIMIT 1
   RETURN l.hash AS hash`,
);

interface EntryRow {
  readonly id: string;
  readonly scope_ref: string;
  readonly after_offset: number;
  readonly number: number;
  /** JSON text; null of a vocabulary. */
  readonly policies: string | null;
  readonly inherit_refs: readonly string[] | null;
  /** JSON text; null of a scope, and of a vocabulary that is known. */
  readonly predicates: string | null;
}

const entriesOf = statement<{ spans: readonly Param[]; known: readonly string[] }, EntryRow>(
  'policy_log.entries',
  'index policy_entry, walked in order: one entry before each stretch, and those within',
  `UNWIND $spans AS span
   CALL (span) {
     MATCH (l:PolicyEntry) USING INDEX SEEK l:PolicyEntry(scope_ref, after_offset, number)
     WHERE l.scope_ref = span.scope_ref AND l.after_offset < span.from AND l.number > 0
     WITH l ORDER BY l.scope_ref DESC, l.after_offset DESC, l.number DESC LIMIT 1
     RETURN l
     UNION ALL
     MATCH (l:PolicyEntry) USING INDEX SEEK l:PolicyEntry(scope_ref, after_offset, number)
     WHERE l.scope_ref = span.scope_ref AND l.after_offset >= span.from AND l.after_offset < span.to AND l.number > 0
     RETURN l
   }
   RETURN l.id AS id, l.scope_ref AS scope_ref, l.after_offset AS after_offset, l.number AS number, l.policies AS policies,
     l.inherit_refs AS inherit_refs, CASE WHEN l.id IN $known THEN null ELSE l.predicates END AS predicates`,
);

/**
 * Writes that a scope states something else, and the frame that tells so, in an open transaction that holds no later lock than that
 * of the log; answers the number of the frame.
 */
export async function recordPolicyWithin(
  transaction: Transaction,
  change: PolicyChange,
  now: number,
): Promise<number> {
  const { id, tenant, scope, scope_ref, actor, policies, inherit_refs, changed } = change;
  const place = { tenant, scope, scope_ref, actor };
  const [written] = await transaction.run(record, {
    entry: { ...place, id, kind: 'policy', policies: JSON.stringify(policies), inherit_refs },
    frame: { ...place, data: JSON.stringify({ policies: changed }) },
    defers: (policies.consolidation ?? 'eager') !== 'eager',
    now: int(now),
  });
  if (written === undefined) throw new Error('there is no counter of the log: the store is not migrated');
  return written.newest_frame;
}

/**
 * Writes the frame alone that tells that a scope states something else, where derivation does not go by it; in an open transaction that
 * holds no later lock than that of the log. Answers the number of the frame.
 */
export async function tellPolicyWithin(
  transaction: Transaction,
  { tenant, scope, scope_ref, actor, changed }: Omit<PolicyChange, 'id' | 'policies' | 'inherit_refs'>,
  now: number,
): Promise<number> {
  const frame = { tenant, scope, scope_ref, actor, data: JSON.stringify({ policies: changed }) };
  const [written] = await transaction.run(tell, { frame, now: int(now) });
  if (written === undefined) throw new Error('there is no counter of frames: the store is not migrated');
  return written.newest_frame;
}

/** A vocabulary as it is written into the log. */
export interface VocabularyChange {
  /** Id of the entry. */
  readonly id: string;
  /** By which it is told from others. */
  readonly hash: string;
  readonly predicates: Predicates;
}

/** Keeps what the deployment says of predicates. */
export class VocabularyStore {
  private readonly database: Transactions;

  constructor(database: Transactions) {
    this.database = database;
  }

  /** Writes a vocabulary into the log unless it is the one that counts there; answers whether it was written. Throws `DATABASE_UNAVAILABLE`. */
  adopt({ id, hash, predicates }: VocabularyChange, now: number): Promise<boolean> {
    return this.database.transactionRepeatable(async (transaction) => {
      await transaction.run(lockLog, { now: int(now) });
      const [newest] = await transaction.run(newestVocabulary, { ref: DEPLOYMENT });
      if (newest?.hash === hash) return false;
      const text = JSON.stringify(predicates);
      const entry = { id, kind: 'vocabulary', scope_ref: DEPLOYMENT, hash, predicates: text };
      await transaction.run(adopt, { entry, now: int(now) });
      return true;
    });
  }
}

/** A scope, and the offset of an event in it. */
export interface PolicyPosition {
  readonly tenant: string;
  /** Path of the scope. */
  readonly scope: string;
  readonly position: number;
  /** When the event was recorded, epoch milliseconds; now where it is none. */
  readonly recorded_at: number;
}

/** Entries of vocabularies that are kept in memory once they were read: of the deployment, and of tenants. */
const VOCABULARIES_KEPT = 16;
const TENANTS_KEPT = 64;

/** Reads what derivation goes by. */
export class PolicyLogReader {
  /** What entries of the deployment say, by id; an entry is never changed. */
  private readonly vocabularies = new Map<string, Vocabulary>();
  /** The same of entries of tenants. */
  private readonly tenants = new Map<string, TenantVocabulary>();

  /**
   * The rules at each place, in the order of the places, as the log up to there says, whatever is stated by now. One round trip for
   * any number of places; a second one when a scope among them inherits by name.
   */
  async policiesAt(
    transaction: Pick<Transaction, 'run'>,
    places: readonly PolicyPosition[],
  ): Promise<readonly DerivationRules[]> {
    if (places.length === 0) return [];
    const found = logPlacesOf(places);
    const positions = places.map(({ position }) => position);
    const [from, to] = [Math.min(...positions), Math.max(...positions)];
    const first = await this.read(transaction, [...spansOf(found), { scope_ref: DEPLOYMENT, from, to }]);
    const more = inheritedSpansOf(found, first);
    if (more.length === 0) return rulesAt(found, first);
    // What is inherited by name are policies alone.
    const { policies } = await this.read(transaction, more);
    return rulesAt(found, { ...first, policies: [...first.policies, ...policies] });
  }

  private async read(
    transaction: Pick<Transaction, 'run'>,
    spans: readonly EntrySpan[],
  ): Promise<PolicyEntries> {
    // What is known now: another reading may forget some of it meanwhile.
    const known = { vocabularies: new Map(this.vocabularies), tenants: new Map(this.tenants) };
    const rows = await transaction.run(entriesOf, {
      spans: spans.map(({ scope_ref, from, to }) => ({ scope_ref, from: int(from), to: int(to) })),
      known: [...known.vocabularies.keys(), ...known.tenants.keys()],
    });
    const stated = rows.filter(({ policies }) => policies !== null);
    const spoken = rows.filter(({ policies }) => policies === null);
    const policies = stated.map(({ policies: text, inherit_refs, ...row }) => ({
      ...row,
      policies: JSON.parse(text ?? '{}') as DerivationPolicies,
      inherit_refs: inherit_refs ?? [],
    }));
    const vocabularies = spoken
      .filter(({ scope_ref }) => scope_ref === DEPLOYMENT)
      .map((row) => ({
        ...row,
        vocabulary:
          known.vocabularies.get(row.id) ??
          learned(this.vocabularies, row, (text) => new Vocabulary(JSON.parse(text) as Predicates)),
      }));
    const tenants = spoken
      .filter(({ scope_ref }) => scope_ref !== DEPLOYMENT)
      .map((row) => ({
        ...row,
        vocabulary:
          known.tenants.get(row.id) ??
          learned(this.tenants, row, (text) => new TenantVocabulary(JSON.parse(text) as VocabularyLayer[])),
      }));
    forgetOldest(this.vocabularies, VOCABULARIES_KEPT);
    forgetOldest(this.tenants, TENANTS_KEPT);
    return { policies, vocabularies, tenants };
  }
}

/** What the entry of a vocabulary says, from now on known. */
function learned<Read>(
  known: Map<string, Read>,
  { id, predicates }: EntryRow,
  reading: (text: string) => Read,
): Read {
  if (predicates === null) throw new Error('an entry of a vocabulary without predicates');
  const read = known.get(id) ?? reading(predicates);
  known.set(id, read);
  return read;
}

function forgetOldest(known: Map<string, unknown>, most: number): void {
  for (const id of [...known.keys()].slice(0, -most)) known.delete(id);
}

/** Has the server plan the statement by which policies are read by running it on nothing. */
export async function planPolicyReads(transaction: Transaction): Promise<void> {
  await transaction.run(entriesOf, { spans: [], known: [] });
}

/** Places by references; each path is worked out once. */
function logPlacesOf(places: readonly PolicyPosition[]): LogPosition[] {
  const known = new Map<string, string[]>();
  return places.map(({ tenant, scope, position, recorded_at }) => {
    const key = `${tenant}\n${scope}`;
    const levels = known.get(key) ?? levelRefs(tenant, scope);
    known.set(key, levels);
    return { levels, vocabularies: vocabulariesRef(tenant), position, recorded_at };
  });
}
