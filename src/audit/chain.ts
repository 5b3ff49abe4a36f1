import { createHash } from 'node:crypto';

import canonicalize from 'canonicalize';

import type { AuditRow } from '../../schemas/audit.ts';
import { rowsOf, type OpenRow, type StoredBatch } from './batch.ts';

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
  readonly hashes: readonly string[];
  readonly first_index: number;
}

/** The hash of a row: SHA-256 (hex) over the hash before, a line feed, and the row as canonical JSON without `elapsed_ms`. */
export function rowHash(previous: string, row: OpenRow): string {
  const { elapsed_ms: _elapsed, ...hashed } = row;
  return createHash('sha256')
    .update(`${previous}\n${canonical(hashed)}`)
    .digest('hex');
}

/** Empty for what has no canonical form, such as a number beyond all bounds, which only somebody else can have put there. */
function canonical(row: object): string {
  try {
    return canonicalize(row) ?? '';
  } catch (error) {
    if (error instanceof Error || (error as { name?: string }).name === 'Error') return '';
    throw error;
  }
}

/** Chains the rows of a batch behind a head. */
export function sealed(
  head: ChainHead,
  batch: StoredBatch,
): { readonly seal: Seal; readonly head: ChainHead } {
  let hash = head.head_hash;
  const hashes = rowsOf(batch).map((row) => (hash = rowHash(hash, row)));
  const seal = { id: batch.id, prev_hash: head.head_hash, hashes, first_index: head.length };
  return { seal, head: { head_hash: hash, length: head.length + hashes.length } };
}

/** The rows of a sealed batch with their places in the chain; none of a batch that is not sealed. */
export function chainedRows(batch: StoredBatch): AuditRow[] {
  const { hashes, prev_hash } = batch;
  if (hashes === null || prev_hash === null) return [];
  return rowsOf(batch).map((row, place) => ({
    ...row,
    prev_hash: (place === 0 ? prev_hash : hashes[place - 1]) ?? '',
    hash: hashes[place] ?? '',
  }));
}

/** Whether the hash of a row is that of its content behind the row before. */
export function hashHolds({ prev_hash, hash, ...row }: AuditRow): boolean {
  return rowHash(prev_hash, row) === hash;
}

/** Goes through a chain from its first batch on, and finds where it stops holding together. */
export class ChainCheck {
  readonly #tenant: string;
  #head: ChainHead = EMPTY_CHAIN;
  #brokenAt: number | null = null;

  /** `tenant`: whose chain it is; a row that tells of another tenant does not belong into it, whatever its hash. */
  constructor(tenant: string) {
    this.#tenant = tenant;
  }

  /** Place of the first row that is changed, missing or misplaced; null as long as there is none. */
  get brokenAt(): number | null {
    return this.#brokenAt;
  }

  /** Takes the next batch, in the order of their numbers. */
  take(batch: StoredBatch): void {
    if (this.#brokenAt !== null) return;
    const { seal, head } = sealed(this.#head, batch);
    const hashes = batch.hashes ?? [];
    const joins = batch.prev_hash === seal.prev_hash && batch.first_index === seal.first_index;
    const rows = rowsOf(batch);
    const differing = rows.findIndex(
      (row, place) => row.tenant_id !== this.#tenant || seal.hashes[place] !== hashes[place],
    );
    const missing = hashes.length > seal.hashes.length || batch.count !== seal.hashes.length;
    if (!joins) this.#brokenAt = this.#head.length;
    else if (differing >= 0) this.#brokenAt = this.#head.length + differing;
    else if (missing) this.#brokenAt = head.length;
    this.#head = head;
  }

  /** Says that no batch follows; `kept` is what the chain knows of its own end. */
  end(kept: ChainHead): void {
    const { head_hash, length } = this.#head;
    if (this.#brokenAt !== null || (kept.length === length && kept.head_hash === head_hash)) return;
    this.#brokenAt = kept.length === length ? Math.max(0, length - 1) : Math.min(kept.length, length);
  }
}
