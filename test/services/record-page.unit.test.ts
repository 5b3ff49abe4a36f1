import { MAX_SCANNED_ROWS } from '../../src/limits.ts';
import {
  recordPage,
  writeRecordCursor,
  type RecordWalk,
  type WalkedRecord,
} from '../../src/services/record-page.ts';
import fc from '../support/property.ts';

interface Thing {
  readonly id: string;
  readonly bytes: number;
}

type Row = WalkedRecord<Thing>;

const LISTING = 'facts';

/** A walk over rows in which those of one position come in no particular order. */
function walkOver(rows: readonly Row[], looked: { rows: number } = { rows: 0 }): RecordWalk<Thing> {
  return (position, count) => {
    const found = rows.filter((row) => row.position <= position).sort((a, b) => b.position - a.position);
    looked.rows += Math.min(count, found.length);
    return Promise.resolve(found.slice(0, count));
  };
}

const rowAt = (position: number, id: string, wanted = true, bytes = 1): Row => ({
  position,
  id,
  record: wanted ? { id, bytes } : null,
});

async function allPages(rows: readonly Row[], limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  for (;;) {
    const { records, next } = await recordPage(walkOver(rows), { listing: LISTING, limit, cursor });
    pages.push(records.map(({ id }) => id));
    if (next === null) return pages;
    cursor = next;
  }
}

const log = fc
  .array(fc.record({ position: fc.integer({ min: 0, max: 12 }), wanted: fc.boolean() }), { maxLength: 40 })
  .map((rows) =>
    rows.map(({ position, wanted }, i) => rowAt(position, `f${(i * 7919) % 1000}_${i}`, wanted)),
  );

describe('pages of derived records', () => {
  it('hold each wanted record once, newest first and then by id, whatever the size of a page', async () => {
    const property = fc.asyncProperty(log, fc.integer({ min: 1, max: 9 }), async (rows, limit) => {
      const pages = await allPages(rows, limit);
      const wanted = rows
        .filter(({ record }) => record !== null)
        .sort((a, b) => b.position - a.position || (a.id < b.id ? -1 : 1));
      expect(pages.flat()).toEqual(wanted.map(({ id }) => id));
      expect(pages.every((page) => page.length <= limit)).toBe(true);
    });
    await fc.assert(property, { numRuns: 500 });
  });

  it('a record that is written above the cursor changes nothing further down', async () => {
    const rows = Array.from({ length: 10 }, (_, i) => rowAt(i, `f${i}`));
    const { records, next } = await recordPage(walkOver(rows), { listing: LISTING, limit: 4 });
    const later = [...rows, rowAt(11, 'new'), rowAt(9, 'f0_beside')];
    const rest = await recordPage(walkOver(later), {
      listing: LISTING,
      limit: 100,
      cursor: next ?? undefined,
    });
    expect([...records, ...rest.records].map(({ id }) => id)).toEqual(
      [...rows].reverse().map(({ id }) => id),
    );
    expect(rest.next).toBeNull();
  });

  it('a decimal cursor skips so many records, and goes on with one that does not', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => rowAt(i, `f${i}`, i % 2 === 0));
    const { records, next } = await recordPage(walkOver(rows), { listing: LISTING, limit: 3, cursor: '2' });
    expect(records.map(({ id }) => id)).toEqual(['f24', 'f22', 'f20']);
    const more = await recordPage(walkOver(rows), { listing: LISTING, limit: 1, cursor: next ?? undefined });
    expect(more.records.map(({ id }) => id)).toEqual(['f18']);
  });

  it('a page that finds little ends after a bounded number of rows and goes on', async () => {
    const rows = Array.from({ length: 2 * MAX_SCANNED_ROWS }, (_, i) => rowAt(i, `f${i}`, i === 5));
    const looked = { rows: 0 };
    const page = await recordPage(walkOver(rows, looked), { listing: LISTING, limit: 10 });
    expect(page.records).toEqual([]);
    expect(looked.rows).toBeLessThan(MAX_SCANNED_ROWS + 2_000);
    expect((await allPages(rows, 10)).flat()).toEqual(['f5']);
  });

  it('more records at one place than a walk has rows are all found', async () => {
    const rows = Array.from({ length: 2_500 }, (_, i) => rowAt(-3, `f${i}`));
    const pages = await allPages([rowAt(1, 'x'), ...rows, rowAt(-9, 'z')], 900);
    expect(pages.flat()).toEqual(['x', ...rows.map(({ id }) => id).sort(), 'z']);
  });

  it('a page of large records ends early', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => rowAt(i, `f${i}`, true, 1024 * 1024));
    const pages = await allPages(rows, 1000);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat()).toHaveLength(40);
  });

  it('goes on behind a record by its place', async () => {
    const rows = [rowAt(3, 'a'), rowAt(3, 'b'), rowAt(3, 'c'), rowAt(1, 'd')];
    const cursor = writeRecordCursor(LISTING, { position: 3, id: 'b' });
    const { records } = await recordPage(walkOver(rows), { listing: LISTING, limit: 9, cursor });
    expect(records.map(({ id }) => id)).toEqual(['c', 'd']);
  });

  it('refuses a cursor of another listing', async () => {
    const cursor = writeRecordCursor('beliefs', { position: 3, id: 'b' });
    await expect(
      recordPage(walkOver([rowAt(1, 'd')]), { listing: LISTING, limit: 1, cursor }),
    ).rejects.toMatchObject({
      code: 'INVALID_QUERY',
      details: { field_path: 'cursor', reason: 'malformed' },
    });
  });

  it.each(['e', 'eAAAA', 'x', '20000', 'ewidth'])('refuses the cursor %s', async (cursor) => {
    await expect(recordPage(walkOver([]), { listing: LISTING, limit: 1, cursor })).rejects.toMatchObject({
      code: 'INVALID_QUERY',
    });
  });
});

it('looks at few further rows where a page lacks few records', async () => {
  const rows = Array.from({ length: 400 }, (_, i) => rowAt(400 - i, `r${i}`, i !== 7));
  const looked = { rows: 0 };
  const { records } = await recordPage(walkOver(rows, looked), { listing: LISTING, limit: 50 });
  expect(records).toHaveLength(50);
  expect(looked.rows).toBe(57);
});
