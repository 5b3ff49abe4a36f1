import type { WireArguments } from './input.ts';

/** The instants that something is read at, in wire form. */
export type ReadingQuery = Readonly<Record<string, unknown>>;

/** What a link asks its loader for: a record by id, at some instants. */
export interface LinkKey {
  readonly id: string;
  readonly query: ReadingQuery;
}

/**
 * Remembers for the records of one operation which recorded instant they were read at, so that what hangs on them is read at the
 * same one.
 */
export class Readings {
  private readonly recorded = new WeakMap<object, unknown>();

  /** Notes of records that they were read with some arguments; answers the records. */
  note<T>(records: T, { as_of: both, as_of_recorded: recorded = both }: WireArguments): T {
    if (recorded === undefined) return records;
    for (const record of Array.isArray(records) ? (records as unknown[]) : [records])
      if (typeof record === 'object' && record !== null) this.recorded.set(record, recorded);
    return records;
  }

  /**
   * The instants of a link: those that its own arguments name, and where they name no recorded one, that of the record that it
   * hangs on.
   */
  queryOf(record: object, { as_of, as_of_valid, as_of_recorded }: WireArguments): ReadingQuery {
    const inherited = as_of === undefined ? this.recorded.get(record) : undefined;
    const query = { as_of, as_of_valid, as_of_recorded: as_of_recorded ?? inherited };
    return Object.fromEntries(Object.entries(query).filter(([, at]) => at !== undefined));
  }
}
