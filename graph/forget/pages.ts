import { FORGET_PAGE, FORGET_READS } from '../../src/limits/forget.ts';

/** Lists of at most so many of the ids, each id once; {@link FORGET_PAGE} when left out. */
export function pagesOf(ids: Iterable<string>, most = FORGET_PAGE): string[][] {
  const all = [...new Set(ids)];
  const count = Math.ceil(all.length / most);
  return Array.from({ length: count }, (_, i) => all.slice(i * most, (i + 1) * most));
}

/** The rows of pages of ids, each as {@link pagesOf} says, in their order; so many pages are read at a time as a forgetting may. */
export async function readPages<Row>(
  ids: Iterable<string>,
  read: (ids: readonly string[]) => Promise<readonly Row[]>,
  most = FORGET_PAGE,
): Promise<Row[]> {
  const pages = pagesOf(ids, most);
  const rows: Row[][] = [];
  const next = pages.entries();
  const one = async (): Promise<void> => {
    for (const [i, page] of next) rows[i] = [...(await read(page))];
  };
  await Promise.all(Array.from({ length: FORGET_READS }, one));
  return rows.flat();
}

/**
 * All rows of a walk, which `read` continues behind a place in pages of so many in the order of their places: {@link FORGET_PAGE}, or
 * more where as many share a place; each row comes once.
 */
export async function walkPages<Row extends { readonly id: string; readonly position: number }>(
  read: (after: number, rows: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const found = new Map<string, Row>();
  let rows = FORGET_PAGE;
  for (let after = -1; ;) {
    const page = await read(after, rows);
    for (const row of page) found.set(row.id, row);
    const last = page.at(-1);
    if (last === undefined || page.length < rows) return [...found.values()];
    // Others at the last place may be behind the end of the page.
    const before = last.position - 1;
    rows = before > after ? FORGET_PAGE : rows * 2;
    after = before;
  }
}
