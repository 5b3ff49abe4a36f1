import { createHash } from 'node:crypto';

import canonicalize from 'canonicalize';

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
import {
  canonicalRows,
  MARK_DIGITS,
  rowId,
  rowsOf,
  toBatch,
  whereIs,
  type ExpectedEntry,
  type StoredBatch,
} from '../../src/audit/batch.ts';
import { packed, unpacked } from '../../src/audit/columns.ts';
import fc from '../support/property.ts';

// A chain is made of batches as the store keeps them; then one thing of it is changed, and the check has to find it.

const HEX = '0123456789abcdef';

function entry(text: string, event_id: string | null): ExpectedEntry {
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
    remote: null,
    elapsed_ms: 1,
    event_id,
    response_status: 202,
  };
}

/** A sealed chain of batches of these sizes. */
function chainOf(sizes: readonly number[]): { batches: StoredBatch[]; head: ChainHead } {
  let head = EMPTY_CHAIN;
  const batches = sizes.map((size, n) => {
    const made = toBatch(
      `audit_${String(n).padStart(32, '0')}`,
      'default',
      Array.from({ length: size }, (_, i) => entry(`${n}.${i}`, i === 0 ? null : `evt_${n}_${i}`)),
    );
    const open: StoredBatch = {
      ...made,
      sequence: n + 1,
      told: size > 2 ? ['2 409 '] : [],
      prev_hash: null,
      end_hash: null,
      marks: null,
      first_index: null,
    };
    const next = sealed(head, open);
    head = next.head;
    return { ...open, ...next.seal };
  });
  return { batches, head };
}

function check(
  batches: readonly StoredBatch[],
  head: ChainHead,
  tenant = 'default',
  start = EMPTY_CHAIN,
): number | null {
  const checking = new ChainCheck(tenant, start);
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
  return { rows: packed(textRows(batch).map((row, i) => (i === place ? { ...row, ...edit } : row))) };
}

/** The rows as they stand in the text. */
function textRows({ rows }: StoredBatch): object[] {
  const { count, same, each } = unpacked(rows, 100);
  return Array.from({ length: count }, (_, i) => ({
    ...Object.fromEntries(same),
    ...Object.fromEntries([...each].map(([name, column]) => [name, column[i]])),
  }));
}

const marksOf = ({ marks }: StoredBatch): string[] =>
  Array.from({ length: (marks ?? '').length / MARK_DIGITS }, (_, i) =>
    (marks ?? '').slice(i * MARK_DIGITS, (i + 1) * MARK_DIGITS),
  );

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
  it('holds without its beginning, where the last hash of that stands for it, and nowhere else', () => {
    fc.assert(
      fc.property(somewhere, ({ sizes: all, at }) => {
        const { batches, head } = chainOf(all);
        const start = chainOf(all.slice(0, at)).head;
        expect(check(batches.slice(at), head, 'default', start)).toBeNull();
        expect(check(batches.slice(at + 1), head, 'default', start)).toBe(start.length);
        if (at > 0) expect(check(batches.slice(at), head)).toBe(0);
      }),
    );
  });

  it('holds as it was sealed, whatever the sizes of its batches', () => {
    fc.assert(
      fc.property(sizes, (all) => {
        const { batches, head } = chainOf(all);
        expect(check(batches, head)).toBeNull();
        const rows = batches.flatMap(chainedRows);
        expect(batches.every((batch) => chainedRows(batch).every((_, i) => hashHolds(batch, i)))).toBe(true);
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
      (batch, place) => editedRow(batch, place, { scope: null }),
      ({ told }, place) => ({ told: [...told, `${place} 202 evt_x`] }),
      ({ told }, place) => ({ told: [...told, `${place} 403 `] }),
      (batch, place) => ({
        marks: marksOf(batch)
          .map((mark, i) => (i === place ? '0'.repeat(MARK_DIGITS) : mark))
          .join(''),
      }),
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
          rows: packed(without(textRows(batch), place)),
          ...(place <= 2 ? { told: [] } : {}),
          ...(tidily ? { marks: without(marksOf(batch), place).join(''), count: batch.count - 1 } : {}),
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
      rows: packed(swapped(textRows(batch), 1, 3)),
      marks: swapped(marksOf(batch), 1, 3).join(''),
    }));
    expect(check(broken, head)).toBe(2);
  });

  it('tells a batch that was slipped in, a head that was edited, and a text that is none', () => {
    const { batches, head } = chainOf([2, 2]);
    const slipped = { ...batches[1]!, id: 'audit_x' };
    expect(check([...batches, slipped], head)).toBe(4);
    expect(check([batches[0]!, { ...slipped, marks: null, prev_hash: null }, batches[1]!], head)).toBe(2);
    expect(check(batches, { ...head, head_hash: GENESIS })).toBe(3);
    expect(check(batches, { ...head, length: 3 })).toBe(3);
    expect(check(batches, EMPTY_CHAIN)).toBe(0);
    for (const rows of ['', 'null', '[1e999, null]', '{}', '{"count":1e9,"same":{},"each":{}}']) {
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
    const [row] = canonicalRows(batches[0]!);
    expect(rowHash(HEX.repeat(4), row!)).not.toBe(rowHash(GENESIS, row!));
    // Made by another program: sha256 of 64 zeros, a line feed, and the row as JSON with sorted keys and no spaces.
    expect(rowHash(GENESIS, row!)).toBe('7fc28199811296e9c09eb22c98f128b64961d0313e23ccb564423e971e87ca4c');
  });
});

describe('the text of rows', () => {
  const word = fc.oneof(fc.string(), fc.constantFrom('"', '\u2028', 'ä', '𝄞', 'evt_00ff', 'evt_00fe', '0'));
  const rows = fc.array(fc.record({ a: word, b: fc.oneof(word, fc.constant(null)), c: fc.nat(3) }), {
    minLength: 1,
  });

  it('gives back what it was made of', () => {
    fc.assert(
      fc.property(rows, (given) => {
        const { count, same, each } = unpacked(packed(given), 100);
        const back = Array.from({ length: count }, (_, i) =>
          Object.fromEntries(
            ['a', 'b', 'c'].map((name) => [name, same.get(name) ?? each.get(name)?.[i] ?? null]),
          ),
        );
        expect(back).toEqual(given);
      }),
    );
  });

  it('is short where only the digits of ids and hashes differ', () => {
    const hash = (i: number): string => createHash('sha256').update(String(i)).digest('hex');
    const many = Array.from({ length: 100 }, (_, i) => ({
      ...{ scope: 'org:a', id: `evt_019a1fc9${hash(i).slice(0, 24)}`, sha256: hash(i) },
    }));
    expect(packed(many).length / many.length).toBeLessThan(64);
    expect(unpacked(packed(many), 100).each.get('id')).toEqual(many.map(({ id }) => id));
  });

  it('is hashed as the canonical form of each row', () => {
    fc.assert(
      fc.property(sizes, (all) => {
        for (const batch of chainOf(all).batches) {
          const plain = rowsOf(batch).map(({ elapsed_ms: _, ...row }) => canonicalize(row));
          expect(canonicalRows(batch)).toEqual(plain);
        }
      }),
    );
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
