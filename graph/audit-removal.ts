import type { Integer } from 'neo4j-driver';

import type { StoredBatch } from '../src/audit/batch.ts';
import {
  appendAuditWithin,
  BATCH,
  CHAIN_BEGINNING,
  CHAIN_START,
  FIRST_OF,
  type ChainStart,
  type FinishedBatch,
} from './audit.ts';
import type { Writer } from './driver.ts';
import { int, statement } from './statement.ts';

const tenants = statement<{ after: string; limit: Integer }, { tenant: string }>(
  'audit.tenants',
  'constraint audit_chain_tenant, walked in order',
  `MATCH (c:AuditChain) USING INDEX SEEK c:AuditChain(tenant)
   WHERE c.tenant > $after
   RETURN c.tenant AS tenant ORDER BY c.tenant LIMIT $limit`,
);

// Of the clocks of process and database the one that lets more stay counts: a process whose clock is wrong must not remove what is young.
// Whoever removes holds the chain until it commits: of two, each finds what the other has left.
const openOldest = statement<
  { tenant: string; before: Integer; age: Integer; scan: Integer; rows: Integer },
  { start: ChainStart | null; batches: StoredBatch[]; more: boolean }
>(
  'audit.open_oldest',
  'constraint audit_chain_tenant, index audit_batch_tenant',
  `MATCH (c:AuditChain {tenant: $tenant})
   WITH c, CASE WHEN $before < timestamp() - $age THEN $before ELSE timestamp() - $age END AS before
   SET c.touched = before
   WITH c, before
   CALL (c, before) {
     MATCH (b:AuditBatch) USING INDEX SEEK b:AuditBatch(tenant, sequence)
     WHERE b.tenant = $tenant AND b.sequence > coalesce(c.removed_sequence, 0) AND b.sequence <= c.sealed_sequence
     WITH b, before ORDER BY b.tenant, b.sequence LIMIT $scan
     WITH collect(b) AS looked, before
     WITH looked[0..coalesce([i IN range(0, size(looked) - 1) WHERE looked[i].ts >= before][0], size(looked))] AS found
     WITH found, ${FIRST_OF} AS taken
     RETURN [b IN found[0..taken] | ${BATCH}] AS batches, taken < size(found) OR size(found) = $scan AS more
   }
   RETURN ${CHAIN_START} AS start, batches, more`,
);

const remove = statement<
  { tenant: string; ids: readonly string[]; hash: string; length: Integer; sequence: Integer },
  { removed: number }
>(
  'audit.remove',
  'constraints audit_chain_tenant, audit_batch_id',
  `MATCH (c:AuditChain {tenant: $tenant})
   SET c.removed_hash = $hash, c.removed_length = $length, c.removed_sequence = $sequence
   WITH c
   UNWIND $ids AS id
   MATCH (b:AuditBatch {id: id})
   DELETE b
   RETURN count(*) AS removed`,
);

/** What is to be looked at in one transaction. */
export interface OldRows {
  readonly tenant: string;
  /** Epoch milliseconds by the clock of the caller. */
  readonly now: number;
  /** Age from which on batches go, milliseconds. */
  readonly ageMs: number;
  /** Batches looked at, at most. */
  readonly scan: number;
  /** Rows removed, at most, unless the first batch has more. */
  readonly rows: number;
}

/** What a transaction came to. */
export interface RemovedRows {
  /** Rows removed. */
  readonly rows: number;
  /** Whether more of the tenant may be old enough. */
  readonly more: boolean;
  /** Newest number of the audit log, with the row that tells of the removal; 0 when nothing was removed. */
  readonly newest: number;
}

/** Removes the beginning of chains, of which their last hash stays. */
export class AuditRemover {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /** Tenants that have a chain, behind one in their order, at most `limit`; `after` is the empty text at the beginning. */
  async tenants(after: string, limit: number): Promise<string[]> {
    const rows = await this.writer.read(tenants, { after, limit: int(limit) });
    return rows.map(({ tenant }) => tenant);
  }

  /**
   * Removes the first batches of a chain that are sealed and older than `ageMs` by both clocks, in one transaction with `told`. `ended`
   * looks at them first and answers where the chain goes on behind them; what it throws removes nothing. Errors are else the driver's own.
   */
  async removeOldest(
    { tenant, now, ageMs, scan, rows }: OldRows,
    ended: (start: ChainStart, batches: readonly StoredBatch[]) => Promise<ChainStart>,
    told: readonly FinishedBatch[],
  ): Promise<RemovedRows> {
    return this.writer.transaction(async (transaction) => {
      const [found] = await transaction.run(openOldest, {
        tenant,
        before: int(now - ageMs),
        age: int(ageMs),
        scan: int(scan),
        rows: int(rows),
      });
      if (found === undefined || found.batches.length === 0) return { rows: 0, more: false, newest: 0 };
      const start = found.start ?? CHAIN_BEGINNING;
      const { head_hash, length, sequence } = await ended(start, found.batches);
      await transaction.run(remove, {
        tenant,
        ids: found.batches.map(({ id }) => id),
        hash: head_hash,
        length: int(length),
        sequence: int(sequence),
      });
      const newest = await appendAuditWithin(transaction, told, now);
      return { rows: length - start.length, more: found.more, newest };
    });
  }
}
