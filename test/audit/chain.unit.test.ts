import fc from 'fast-check';

import {
  chainedRows,
  ChainCheck,
  EMPTY_CHAIN,
  GENESIS,
  hashHolds,
  rowHash,
  sealed,
  type ChainHead,
} from '../../src/audit/chain.ts';
import { rowId, rowsOf, toBatch, whereIs, type AuditEntry, type StoredBatch } from '../../src/audit/batch.ts';

// A chain is made of batches as the store keeps them; then one thing of it is changed, and the check has to find it.

const HEX = '0123456789abcdef';

function entry(text: string): AuditEntry {
  return {
    ts: '2026-01-31T12:00:00.000Z',
    actor: `user:${text}`,
    token_jti: null,
    tenant_id: 'default',
    scope: 'org:a/user:1',
    endpoint: 'POST /v1/experience',
    capability: 'scope.write',
    decision: 'allow',
    decided_by_tier: 'deployment',
    request_sha256: HEX.repeat(4),
    request_id: `req_${text}`,
    elapsed_ms: 1,
  };
}

/** A sealed chain of batches of these sizes. */
function chainOf(sizes: readonly number[]): { batches: StoredBatch[]; head: ChainHead } {
  let head = EMPTY_CHAIN;
  const batches = sizes.map((size, n) => {
    const made = toBatch(
      `audit_${String(n).padStart(32, '0')}`,
      'default',
      Array.from({ length: size }, (_, i) => entry(`${n}.${i}`)),
    );
    const open: StoredBatch = {
      ...made,
      sequence: n + 1,
      event_ids: Array.from({ length: size }, (_, i) => (i === 0 ? '' : `evt_${n}_${i}`)),
      statuses: Array.from({ length: size }, () => 202),
      prev_hash: null,
      hashes: null,
      first_index: null,
    };
    const next = sealed(head, open);
    head = next.head;
    return { ...open, ...next.seal };
  });
  return { batches, head };
}

function check(batches: readonly StoredBatch[], head: ChainHead, tenant = 'default'): number | null {
  const checking = new ChainCheck(tenant);
  for (const batch of batches) checking.take(batch);
  checking.end(head);
  return checking.brokenAt;
}

/** The batches with one of them changed. */
function changed(
  batches: readonly StoredBatch[],
  at: number,
  change: (batch: StoredBatch) => Partial<StoredBatch>,
): StoredBatch[] {
  return batches.map((batch, n) => (n === at ? { ...batch, ...change(batch) } : batch));
}

function editedRow(batch: StoredBatch, place: number, edit: object): Partial<StoredBatch> {
  const rows = JSON.parse(batch.rows) as object[];
  return { rows: JSON.stringify(rows.map((row, i) => (i === place ? { ...row, ...edit } : row))) };
}

function swapped<T>(list: readonly T[], a: number, b: number): T[] {
  return list.map((item, i) => (i === a ? list[b] : i === b ? list[a] : item) as T);
}

const without = <T>(list: readonly T[], at: number): T[] => list.filter((_, i) => i !== at);

const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 });
/** Sizes of batches, and a row of one of them. */
const somewhere = sizes.chain((all) =>
  fc
    .nat(all.length - 1)
    .chain((at) =>
      fc.record({ sizes: fc.constant(all), at: fc.constant(at), place: fc.nat((all[at] ?? 1) - 1) }),
    ),
);
const indexOf = ({ sizes: all, at, place }: { sizes: number[]; at: number; place: number }): number =>
  all.slice(0, at).reduce((sum, size) => sum + size, 0) + place;

describe('a chain', () => {
  it('holds as it was sealed, whatever the sizes of its batches', () => {
    fc.assert(
      fc.property(sizes, (all) => {
        const { batches, head } = chainOf(all);
        expect(check(batches, head)).toBeNull();
        const rows = batches.flatMap(chainedRows);
        expect(rows.every(hashHolds)).toBe(true);
        expect(rows.map(({ prev_hash }) => prev_hash)).toEqual(
          [GENESIS, ...rows.map(({ hash }) => hash)].slice(0, -1),
        );
        expect(rows.at(-1)?.hash).toBe(head.head_hash);
      }),
    );
    expect(check([], EMPTY_CHAIN)).toBeNull();
  });

  it('tells the place of any row whose content, event, status or hash was edited', () => {
    const edits: ((batch: StoredBatch, place: number) => Partial<StoredBatch>)[] = [
      (batch, place) => editedRow(batch, place, { actor: 'user:somebody-else' }),
      (batch, place) => editedRow(batch, place, { decision: 'deny' }),
      (batch, place) => editedRow(batch, place, { added: true }),
      ({ event_ids }, place) => ({ event_ids: event_ids.map((id, i) => (i === place ? `${id}x` : id)) }),
      ({ statuses }, place) => ({ statuses: statuses.map((status, i) => (i === place ? 403 : status)) }),
      ({ hashes }, place) => ({ hashes: (hashes ?? []).map((hash, i) => (i === place ? GENESIS : hash)) }),
    ];
    fc.assert(
      fc.property(somewhere, fc.nat(edits.length - 1), (where, n) => {
        const { batches, head } = chainOf(where.sizes);
        const edit = edits[n]!;
        const broken = changed(batches, where.at, (batch) => edit(batch, where.place));
        expect(check(broken, head)).toBe(indexOf(where));
      }),
    );
  });

  it('does not mind how long a request took', () => {
    const { batches, head } = chainOf([2]);
    expect(
      check(
        changed(batches, 0, (batch) => editedRow(batch, 1, { elapsed_ms: 99 })),
        head,
      ),
    ).toBeNull();
  });

  it('tells a removed batch, first, last or between', () => {
    fc.assert(
      fc.property(somewhere, ({ sizes: all, at }) => {
        const { batches, head } = chainOf(all);
        expect(check(without(batches, at), head)).toBe(indexOf({ sizes: all, at, place: 0 }));
      }),
    );
  });

  it('tells a removed row, however tidily it was taken out', () => {
    fc.assert(
      fc.property(somewhere, fc.boolean(), (where, tidily) => {
        const { batches, head } = chainOf(where.sizes);
        const { at, place } = where;
        const broken = changed(batches, at, (batch) => ({
          rows: JSON.stringify(without(JSON.parse(batch.rows) as object[], place)),
          event_ids: without(batch.event_ids, place),
          statuses: without(batch.statuses, place),
          ...(tidily ? { hashes: without(batch.hashes ?? [], place), count: batch.count - 1 } : {}),
        }));
        expect(check(broken, head)).toBe(indexOf(where));
      }),
    );
  });

  it('of another tenant is none of this one, though it holds together', () => {
    const { batches, head } = chainOf([2, 2]);
    expect(check(batches, head, 'acme')).toBe(0);
    const { batches: more, head: end } = chainOf([2, 3]);
    const foreign = changed(more, 1, (batch) => editedRow(batch, 1, { tenant_id: 'acme' }));
    expect(check(foreign, end)).toBe(3);
  });

  it('tells rows and batches that changed places', () => {
    fc.assert(
      fc.property(sizes, fc.nat(5), fc.nat(5), (all, a, b) => {
        fc.pre(a !== b && a < all.length && b < all.length);
        const { batches, head } = chainOf(all);
        const first = Math.min(a, b);
        expect(check(swapped(batches, a, b), head)).toBe(indexOf({ sizes: all, at: first, place: 0 }));
      }),
    );
    const { batches, head } = chainOf([1, 4]);
    const broken = changed(batches, 1, (batch) => ({
      rows: JSON.stringify(swapped(JSON.parse(batch.rows) as object[], 1, 3)),
      event_ids: swapped(batch.event_ids, 1, 3),
      hashes: swapped(batch.hashes ?? [], 1, 3),
    }));
    expect(check(broken, head)).toBe(2);
  });

  it('tells a batch that was slipped in, a head that was edited, and a text that is none', () => {
    const { batches, head } = chainOf([2, 2]);
    const slipped = { ...batches[1]!, id: 'audit_x' };
    expect(check([...batches, slipped], head)).toBe(4);
    expect(check([batches[0]!, { ...slipped, hashes: null, prev_hash: null }, batches[1]!], head)).toBe(2);
    expect(check(batches, { ...head, head_hash: GENESIS })).toBe(3);
    expect(check(batches, { ...head, length: 3 })).toBe(3);
    expect(check(batches, EMPTY_CHAIN)).toBe(0);
    for (const rows of ['', 'null', '[1e999, null]', '{}']) {
      expect(
        check(
          changed(batches, 0, () => ({ rows })),
          head,
        ),
      ).toBe(0);
    }
  });

  it('hashes the canonical form of a row behind the hash before it', () => {
    const { batches } = chainOf([1]);
    const [row] = rowsOf(batches[0]!);
    const backwards = Object.fromEntries(Object.entries(row!).reverse()) as typeof row;
    expect(rowHash(GENESIS, backwards!)).toBe(rowHash(GENESIS, row!));
    expect(rowHash(HEX.repeat(4), row!)).not.toBe(rowHash(GENESIS, row!));
    // Made by another program: sha256 of 64 zeros, a line feed, and the row as JSON with sorted keys and no spaces.
    expect(rowHash(GENESIS, row!)).toBe('95226ddcce5e7f4432e7775c513c43c7ab09ea38c5a40d67c078119c61d73b88');
  });
});

describe('the id of a row', () => {
  it('names its batch and its place there', () => {
    const fresh = `audit_${HEX.repeat(2)}`;
    expect(rowId(fresh, 0)).toBe('audit_0123456789abcdef0123456789ab0000');
    expect(whereIs(rowId(fresh, 499))).toEqual({ batchId: rowId(fresh, 0), place: 499 });
    expect(whereIs('audit_1')).toBeNull();
    expect(whereIs(`evt_${HEX.repeat(2)}`)).toBeNull();
  });
});
