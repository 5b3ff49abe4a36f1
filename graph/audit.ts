import type { Integer } from 'neo4j-driver';

import {
  readPlace,
  outcomesOf,
  type AuditBatch,
  type AuditBatchKeys,
  type AuditRowKey,
  type StoredBatch,
} from '../src/audit/batch.ts';
import { EMPTY_CHAIN, GENESIS, type ChainHead, type Seal } from '../src/audit/chain.ts';
import type { Clock } from '../src/clock.ts';
import { LOCK_AUDIT } from './counter.ts';
import type { Reader, Transaction, Writer } from './driver.ts';
import type { HeadSource } from './high-watermark.ts';
import { int, statement, type Param } from './statement.ts';

/** A batch whose rows tell of what is done already. */
export interface FinishedBatch extends AuditBatch {
  /** Empty text for a row of no event. */
  readonly event_ids: readonly string[];
  readonly statuses: readonly number[];
}

/** A chain as it is kept. */
export interface StoredChain extends ChainHead {
  /** Number of the last batch that is sealed. */
  readonly sealed_sequence: number;
}

/** Where the rows that are kept begin. */
export interface ChainStart extends ChainHead {
  /** Number of the last batch that was removed; 0 where none was. */
  readonly sequence: number;
}

/** The start of a chain of which nothing was removed. */
export const CHAIN_BEGINNING: ChainStart = { ...EMPTY_CHAIN, sequence: 0 };

/** Properties of a batch, as `b`. */
export const BATCH = `b {.id, .tenant, .sequence, .rows, .count, .told, .prev_hash, .end_hash, .marks, .first_index}`;

/** The start of what is kept of a chain, as `c`; null where nothing was removed. */
export const CHAIN_START =
  'CASE WHEN c.removed_sequence IS NULL THEN null ELSE {head_hash: c.removed_hash, length: c.removed_length, sequence: c.removed_sequence} END';

/** As many batches of a list as hold so many rows, one at least: what one statement answers is bounded by rows. */
export const FIRST_OF = `reduce(taken = {rows: 0, batches: 0}, b IN found |
    CASE WHEN taken.batches > 0 AND taken.rows + b.count > $rows THEN {rows: $rows + 1, batches: taken.batches}
    ELSE {rows: taken.rows + b.count, batches: taken.batches + 1} END).batches`;

// The number is taken under the lock of the counter, so that numbers become readable in their order. A batch that is there
// is the repeat of a statement whose answer was lost.
const append = statement<{ batches: Param[]; ts: Integer }, { newest: number }>(
  'audit.append',
  'constraints counter_name, audit_batch_id',
  `${LOCK_AUDIT}
   WITH *, audit.value + size($batches) AS newest
   SET audit.value = newest
   WITH newest
   CALL (newest) {
     UNWIND range(0, size($batches) - 1) AS i
     WITH $batches[i] AS batch, newest - size($batches) + 1 + i AS sequence
     OPTIONAL MATCH (known:AuditBatch {id: batch.id})
     WITH batch, sequence, known WHERE known IS NULL
     CREATE (b:AuditBatch)
     SET b = batch, b.sequence = sequence, b.unsealed = sequence, b.ts = $ts
   }
   RETURN newest`,
);

const head = statement<Record<string, never>, { head: number }>(
  'audit.head',
  'constraint counter_name',
  `MATCH (audit:Counter {name: 'audit'}) RETURN audit.value AS head`,
);

// Writing first waits for whoever holds the lock, so that what it commits is wholly readable afterwards.
const settle = statement<{ now: Integer }, { head: number }>(
  'audit.settle',
  'constraint counter_name',
  `MATCH (audit:Counter {name: 'audit'}) SET audit.touched = $now WITH audit RETURN audit.value AS head`,
);

const unsealedTenants = statement<{ head: Integer; limit: Integer }, { tenant: string }>(
  'audit.unsealed_tenants',
  'index audit_unsealed',
  `MATCH (b:AuditBatch) USING INDEX SEEK b:AuditBatch(unsealed) WHERE b.unsealed <= $head
   RETURN DISTINCT b.tenant AS tenant LIMIT $limit`,
);

const chain = statement<
  { tenant: string; head: Integer },
  { chain: StoredChain | null; start: ChainStart | null; open: boolean }
>(
  'audit.chain',
  'constraint audit_chain_tenant, index audit_batch_tenant',
  `OPTIONAL MATCH (c:AuditChain {tenant: $tenant})
   WITH c, coalesce(c.sealed_sequence, 0) AS sealed
   RETURN c {.head_hash, .length, .sealed_sequence} AS chain, ${CHAIN_START} AS start, EXISTS {
     MATCH (b:AuditBatch) USING INDEX SEEK b:AuditBatch(tenant, sequence)
     WHERE b.tenant = $tenant AND b.sequence > sealed AND b.sequence <= $head AND b.unsealed IS NOT NULL
   } AS open`,
);

// Whoever seals holds the chain until it commits: of two, each finds what the other has left. What was sealed once never is again,
// whatever becomes of the chain.
const openChain = statement<
  { tenant: string; head: Integer; scan: Integer; rows: Integer; genesis: string },
  { chain: StoredChain; batches: StoredBatch[]; more: boolean }
>(
  'audit.open_chain',
  'constraint audit_chain_tenant, index audit_batch_tenant',
  `MERGE (c:AuditChain {tenant: $tenant})
     ON CREATE SET c.head_hash = $genesis, c.length = 0, c.sealed_sequence = 0
   SET c.touched = $head
   WITH c
   CALL (c) {
     MATCH (b:AuditBatch) USING INDEX SEEK b:AuditBatch(tenant, sequence)
     WHERE b.tenant = $tenant AND b.sequence > c.sealed_sequence AND b.sequence <= $head AND b.unsealed IS NOT NULL
     WITH b ORDER BY b.tenant, b.sequence LIMIT $scan
     WITH collect(b) AS found
     WITH found, ${FIRST_OF} AS taken
     RETURN [b IN found[0..taken] | ${BATCH}] AS batches, taken < size(found) OR size(found) = $scan AS more
   }
   RETURN c {.head_hash, .length, .sealed_sequence} AS chain, batches, more`,
);

const seal = statement<
  { tenant: string; head_hash: string; length: Integer; sealed_sequence: Integer; seals: Param[] },
  { sealed: number }
>(
  'audit.seal',
  'constraints audit_chain_tenant, audit_batch_id',
  `MATCH (c:AuditChain {tenant: $tenant})
   SET c.head_hash = $head_hash, c.length = $length, c.sealed_sequence = $sealed_sequence
   WITH c
   UNWIND $seals AS seal
   MATCH (b:AuditBatch {id: seal.id})
   SET b.prev_hash = seal.prev_hash, b.end_hash = seal.end_hash, b.marks = seal.marks, b.first_index = seal.first_index,
     b.places = seal.places, b.place_of = seal.place_of
   REMOVE b.unsealed
   RETURN count(b) AS sealed`,
);

interface WalkParams {
  [name: string]: string | Integer;
  tenant: string;
  after: Integer;
  to: Integer;
  scan: Integer;
  rows: Integer;
}

const walkUp = statement<WalkParams, { batch: StoredBatch }>(
  'audit.walk_up',
  'index audit_batch_tenant, walked in order',
  `MATCH (b:AuditBatch) USING INDEX SEEK b:AuditBatch(tenant, sequence)
   WHERE b.tenant = $tenant AND b.sequence > $after AND b.sequence <= $to
   WITH b ORDER BY b.tenant, b.sequence LIMIT $scan
   WITH collect(b) AS found
   UNWIND found[0..${FIRST_OF}] AS b
   RETURN ${BATCH} AS batch`,
);

// Batches that were sealed before places were noted have none.
const walkDown = statement<WalkParams, { batch: AuditBatchKeys }>(
  'audit.walk_down',
  'index audit_batch_tenant, walked in order',
  `MATCH (b:AuditBatch) USING INDEX SEEK b:AuditBatch(tenant, sequence)
   WHERE b.tenant = $tenant AND b.sequence > $after AND b.sequence <= $to
   WITH b ORDER BY b.tenant DESC, b.sequence DESC LIMIT $scan
   WITH collect(b) AS found
   UNWIND found[0..${FIRST_OF}] AS b
   RETURN b {.id, .sequence, .count, .places} AS batch`,
);

const byIds = statement<{ ids: readonly string[] }, { batch: StoredBatch }>(
  'audit.by_ids',
  'constraint audit_batch_id',
  `UNWIND $ids AS id MATCH (b:AuditBatch {id: id}) RETURN ${BATCH} AS batch`,
);

const byId = statement<{ id: string; tenant: string | null }, { batch: StoredBatch }>(
  'audit.by_id',
  'constraint audit_batch_id',
  `MATCH (b:AuditBatch {id: $id}) WHERE $tenant IS NULL OR b.tenant = $tenant RETURN ${BATCH} AS batch`,
);

const rowPlace = statement<{ id: string; tenant: string; row: Integer }, { place: string | null }>(
  'audit.row_place',
  'constraint audit_batch_id',
  `MATCH (b:AuditBatch {id: $id}) WHERE b.tenant = $tenant AND $row < b.count
   RETURN b.places[CASE WHEN size(b.place_of) = 0 THEN 0 ELSE b.place_of[$row] END] AS place`,
);

/**
 * Adds batches within an open transaction, last of all, since every other lock comes before; answers the newest number, 0 when
 * there is nothing to add. A batch that is there already is not added again.
 */
export async function appendAuditWithin(
  transaction: Transaction,
  batches: readonly FinishedBatch[],
  now: number,
): Promise<number> {
  if (batches.length === 0) return 0;
  return newestOf(await transaction.run(append, { batches: batches.map(properties), ts: int(now) }));
}

function properties({ id, tenant, rows, count, event_ids, statuses }: FinishedBatch): Param {
  return { id, tenant, rows, count: int(count), told: outcomesOf(statuses, event_ids) };
}

function newestOf(rows: readonly { newest: number }[]): number {
  const [row] = rows;
  if (row === undefined) throw new Error('there is no counter of the audit log: the store is not migrated');
  return row.newest;
}

/** Has the server plan the statement that adds rows, by adding none. */
export async function planAudit(writer: Writer): Promise<void> {
  await writer.write(append, { batches: [], ts: int(0) });
}

/** Part of the log between two numbers, and how much of it is read at once. */
export interface AuditRange {
  readonly tenant: string;
  /** Exclusive. */
  readonly after: number;
  /** Inclusive. */
  readonly to: number;
  /** Batches looked at, at most. */
  readonly scan: number;
  /** Rows answered, at most, unless the first batch has more. */
  readonly rows: number;
}

/** Reads the audit log. */
export class AuditReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** Where the chain of a tenant is, where what is kept of it begins, and whether batches up to `head` still have to be sealed. */
  async chain(
    tenant: string,
    head: number,
  ): Promise<{ chain: StoredChain; start: ChainStart; open: boolean }> {
    const [found] = await this.reader.read(chain, { tenant, head: int(head) });
    return {
      chain: found?.chain ?? { ...EMPTY_CHAIN, sealed_sequence: 0 },
      start: found?.start ?? CHAIN_BEGINNING,
      open: found?.open ?? false,
    };
  }

  /** Tenants, at most `limit`, with batches up to `head` that have to be sealed. */
  async unsealedTenants(head: number, limit: number): Promise<string[]> {
    const rows = await this.reader.read(unsealedTenants, { head: int(head), limit: int(limit) });
    return rows.map(({ tenant }) => tenant);
  }

  /** The first batches of a stretch, oldest first; none means that its end is reached. */
  async oldest(stretch: AuditRange): Promise<StoredBatch[]> {
    return (await this.reader.read(walkUp, walkParams(stretch))).map(({ batch }) => batch);
  }

  /** Where the rows of the last batches of a stretch lie, newest first; none means that its beginning is reached. */
  async newest(stretch: AuditRange): Promise<AuditBatchKeys[]> {
    return (await this.reader.read(walkDown, walkParams(stretch))).map(({ batch }) => batch);
  }

  /**
   * Where a row lies, by its batch and its number there, and nothing of what it says; null where there is none, `unknown` of a batch that is
   * not sealed, or was before places were noted.
   */
  async placeOf(batchId: string, row: number, tenant: string): Promise<AuditRowKey | 'unknown' | null> {
    const [found] = await this.reader.read(rowPlace, { id: batchId, tenant, row: int(row) });
    if (found === undefined) return null;
    return found.place === null ? 'unknown' : readPlace(tenant, found.place);
  }

  /** Batches by their ids, in no particular order; every one was found in a walk over the tenant. */
  async batches(ids: readonly string[]): Promise<StoredBatch[]> {
    if (ids.length === 0) return [];
    return (await this.reader.read(byIds, { ids })).map(({ batch }) => batch);
  }

  /** A batch by its id, of one tenant or (null) of any. */
  async batch(id: string, tenant: string | null): Promise<StoredBatch | null> {
    return (await this.reader.read(byId, { id, tenant }))[0]?.batch ?? null;
  }
}

function walkParams({ tenant, after, to, scan, rows }: AuditRange): WalkParams {
  return { tenant, after: int(after), to: int(to), scan: int(scan), rows: int(rows) };
}

/** Writes the audit log, which only grows, and seals what was written. */
export class AuditWriter {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /** Adds batches in a transaction of their own and answers the newest number. Throws `DATABASE_UNAVAILABLE`. */
  async append(batches: readonly FinishedBatch[], now: number): Promise<number> {
    return newestOf(
      await this.writer.writeRepeatable(append, { batches: batches.map(properties), ts: int(now) }),
    );
  }

  /**
   * Hands the next batches of a chain up to `head` to `chaining` and keeps what it makes of them; answers whether there are
   * more. Errors are the driver's own.
   */
  async seal(
    tenant: string,
    bounds: { head: number; scan: number; rows: number },
    chaining: (
      head: ChainHead,
      batches: readonly StoredBatch[],
    ) => Promise<{ head: ChainHead; seals: Seal[] }>,
  ): Promise<boolean> {
    return this.writer.transaction(async (transaction) => {
      const [opened] = await transaction.run(openChain, {
        tenant,
        head: int(bounds.head),
        scan: int(bounds.scan),
        rows: int(bounds.rows),
        genesis: GENESIS,
      });
      const batches = opened?.batches ?? [];
      const last = batches.at(-1);
      if (opened === undefined || last === undefined) return false;
      const { head, seals } = await chaining(opened.chain, batches);
      await transaction.run(seal, {
        tenant,
        head_hash: head.head_hash,
        length: int(head.length),
        sealed_sequence: int(last.sequence),
        seals: seals.map((one) => ({
          ...one,
          first_index: int(one.first_index),
          place_of: one.place_of.map(int),
        })),
      });
      return opened.more;
    });
  }
}

/** The head of the audit log. */
export function auditHeadSource(database: Writer, clock: Clock): HeadSource {
  return {
    read: async () => (await database.read(head, {}))[0]?.head ?? 0,
    settle: async () => (await database.writeRepeatable(settle, { now: int(clock.now()) }))[0]?.head ?? 0,
  };
}
