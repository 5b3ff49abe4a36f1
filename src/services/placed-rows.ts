import type { ReadableSelection } from './scope-selection.ts';

/**
 * What stands in the rows of a walk over places, by id: `read` is handed the ids of those alone whose scope the caller may read. Empty where
 * all may be read, since rows come with their contents then.
 */
export async function admittedRecords<T>(
  { check }: Pick<ReadableSelection, 'check'>,
  rows: readonly { readonly id: string; readonly scope: string | null }[],
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): Promise<ReadonlyMap<string, T>> {
  if (check === null) return new Map();
  const mayRead = await check(rows.flatMap(({ scope }) => (scope === null ? [] : [scope])));
  return read(rows.filter(({ scope }) => scope !== null && mayRead(scope)).map(({ id }) => id));
}
