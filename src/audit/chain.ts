import { createHash } from 'node:crypto';

import type { AuditRow } from '../../schemas/audit.ts';
import { canonicalRows, MARK_DIGITS, placesOf, rowsOf, type StoredBatch } from './batch.ts';

/** What stands before the first row of a chain. */
export const GENESIS = '0'.repeat(64);

/** Where a chain is. */
export interface ChainHead {
  readonly head_hash: string;
  /** Rows so far. */
  readonly length: number;
}

/** The beginning of every chain. */
export const EMPTY_CHAIN: ChainHead = { head_hash: GENESIS, length: 0 };

/** What sealing adds to a batch. */
export interface Seal {
  readonly id: string;
  readonly prev_hash: string;
  readonly end_hash: string;
  readonly marks: string;
  readonly first_index: number;
  /** Where the rows lie, each place once, as {@link placesOf} writes it. */
  readonly places: readonly string[];
  /** For each row the number of its place; empty where all have the same. */
  readonly place_of: readonly number[];
}

/** The hash of a row: SHA-256 (hex) over the hash before, a line feed, and the row as canonical JSON without `elapsed_ms`. */
export function rowHash(previous: string, canonicalRow: string): string {
  return createHash('sha256').update(`${previous}\n${canonicalRow}`).digest('hex');
}

/** The hash of each row of a batch behind a hash. */
function hashesBehind(previous: string, batch: StoredBatch): string[] {
  let hash = previous;
  return canonicalRows(batch).map((row) => (hash = rowHash(hash, row)));
}

const markOf = (hash: string): string => hash.slice(0, MARK_DIGITS);

/** Chains the rows of a batch behind a head. */
export function sealed(
  head: ChainHead,
  batch: StoredBatch,
): { readonly seal: Seal; readonly head: ChainHead } {
  const hashes = hashesBehind(head.head_hash, batch);
  const end = hashes.at(-1) ?? head.head_hash;
  const marks = hashes.map(markOf).join('');
  return {
    seal: {
      id: batch.id,
      prev_hash: head.head_hash,
      end_hash: end,
      marks,
      first_index: head.length,
      ...placesOf(batch),
    },
    head: { head_hash: end, length: head.length + hashes.length },
  };
}

/**
 * The rows of a sealed batch with their places in the chain; none of a batch that is not sealed. Hashes are computed from the
 * rows as they are.
 */
export function chainedRows(batch: StoredBatch): AuditRow[] {
  const { prev_hash: before } = batch;
  if (before === null) return [];
  const hashes = hashesBehind(before, batch);
  return rowsOf(batch).map((row, place) => ({
    ...row,
    prev_hash: (place === 0 ? before : hashes[place - 1]) ?? '',
    hash: hashes[place] ?? '',
  }));
}

/** Whether a row of a batch has the hash that it was sealed with; a change of a row before it in the batch changes that too. */
export function hashHolds(batch: StoredBatch, place: number): boolean {
  const { prev_hash: before, end_hash: end, marks } = batch;
  if (before === null || marks === null) return false;
  const hashes = hashesBehind(before, batch);
  const hash = hashes[place];
  if (hash === undefined || markAt(marks, place) !== markOf(hash)) return false;
  return place < hashes.length - 1 || hash === end;
}

function markAt(marks: string, place: number): string {
  return marks.slice(place * MARK_DIGITS, (place + 1) * MARK_DIGITS);
}

/** Goes through a chain from its first batch on, or from the first that is kept, and finds where it stops holding together. */
export class ChainCheck {
  readonly #tenant: string;
  #head: ChainHead;
  #brokenAt: number | null = null;

  /**
   * `tenant`: whose chain it is; a row that tells of another tenant does not belong into it, whatever its hash. `start`: the end of what
   * was removed of its beginning; by default nothing was.
   */
  constructor(tenant: string, { head_hash, length }: ChainHead = EMPTY_CHAIN) {
    this.#tenant = tenant;
    this.#head = { head_hash, length };
  }

  /** Behind the batches that were taken. */
  get head(): ChainHead {
    return this.#head;
  }

  /** Place of the first row that is changed, missing or misplaced; null as long as there is none. */
  get brokenAt(): number | null {
    return this.#brokenAt;
  }

  /** Takes the next batch, in the order of their numbers. */
  take(batch: StoredBatch): void {
    if (this.#brokenAt !== null) return;
    const from = this.#head.length;
    const { seal, head } = sealed(this.#head, batch);
    const marks = batch.marks ?? '';
    const joins = batch.prev_hash === seal.prev_hash && batch.first_index === seal.first_index;
    const differing = rowsOf(batch).findIndex(
      (row, place) => row.tenant_id !== this.#tenant || markAt(seal.marks, place) !== markAt(marks, place),
    );
    const missing = marks.length > seal.marks.length || batch.count !== head.length - from;
    if (!joins) this.#brokenAt = from;
    else if (differing >= 0) this.#brokenAt = from + differing;
    else if (missing) this.#brokenAt = head.length;
    // The rows that are there are as they were; what came behind them is not.
    else if (batch.end_hash !== seal.end_hash) this.#brokenAt = head.length;
    this.#head = head;
  }

  /** Says that no batch follows; `kept` is what the chain knows of its own end. */
  end(kept: ChainHead): void {
    const { head_hash, length } = this.#head;
    const last = Math.max(0, Math.max(kept.length, length) - 1);
    if (this.#brokenAt !== null) this.#brokenAt = Math.min(this.#brokenAt, last);
    else if (kept.length !== length) this.#brokenAt = Math.min(kept.length, length);
    else if (kept.head_hash !== head_hash) this.#brokenAt = last;
  }
}
