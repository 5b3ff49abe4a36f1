import { levelRefs } from '../src/capture/scope-key.ts';
import { readInstant, storedInstant, storedInstantOrNull } from './instant.ts';
import type { Param } from './statement.ts';

/**
 * Rows that travel as lists of values in an order that both sides know. Maps carry their names with every row, and names cost both sides
 * as much as values: a row of 17 properties took 1.8 times as much of the processors.
 */
export class Columns<const Name extends string> {
  private readonly names: readonly Name[];
  private readonly instants: ReadonlySet<string>;
  private readonly optional: ReadonlySet<string>;

  /**
   * @param instants those of them that are instants: they travel as epoch milliseconds and are stored as datetimes
   * @param optional those that are instants or null
   */
  constructor(
    names: readonly Name[],
    instants: readonly NoInfer<Name>[] = [],
    optional: readonly NoInfer<Name>[] = [],
  ) {
    this.names = names;
    this.instants = new Set([...instants, ...optional]);
    this.optional = new Set(optional);
  }

  /** A row as it is sent; what has no column may not be given. */
  row<Row extends Readonly<Record<Name, Param>>>(
    values: Row & Readonly<Record<Exclude<keyof Row, Name>, never>>,
  ): readonly Param[] {
    return this.names.map((name) => values[name]);
  }

  /** Cypher for one value of a row that arrived in this variable. */
  cell(row: string, name: Name): string {
    const sent = `${row}[${this.names.indexOf(name)}]`;
    if (this.optional.has(name)) return storedInstantOrNull(sent);
    return this.instants.has(name) ? storedInstant(sent) : sent;
  }

  /** Cypher for what to `SET` so that a node or an edge has each value of a row, and none that is null: a quarter faster than `SET node = {…}`. */
  set(node: string, row: string): string {
    return this.names.map((name) => `${node}.${name} = ${this.cell(row, name)}`).join(', ');
  }

  /** Cypher for the list of the values that a node has, which {@link record} takes. */
  values(node: string): string {
    const value = (of: string, name: Name): string =>
      this.instants.has(name) ? readInstant(`${of}.${name}`) : `${of}.${name}`;
    return fromProperties(node, (of) => `[${this.names.map((name) => value(of, name)).join(', ')}]`);
  }

  /** The record of a list of {@link values}; what the node has no value for is null. */
  record<Row extends Readonly<Record<Name, unknown>>>(values: RowOf<Row>): Pick<Row, Name> {
    const row: Partial<Record<Name, unknown>> = {};
    for (const [i, name] of this.names.entries()) row[name] = values[i];
    return row as Pick<Row, Name>;
  }

  /** Cypher for the map of a row that arrived in this variable. */
  map(row: string): string {
    return `{${this.names.map((name) => `${name}: ${this.cell(row, name)}`).join(', ')}}`;
  }
}

/**
 * Cypher for what is made of the properties of a node or an edge, which are read in one go: the server goes through all of them for each
 * that it is asked for by name, and for each that is not there to the end.
 */
export function fromProperties(node: string, made: (of: string) => string): string {
  return `head([props IN [properties(${node})] | ${made('props')}])`;
}

/** What is read of records of this shape. */
export type RowOf<Row> = readonly Row[keyof Row][];

/** Where records of some scopes lie, as properties by reference of the scope: what all records of one share travels once. */
export type Levels = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The {@link levelProps} of the scopes of records. */
export function levelsOf(
  records: Iterable<{ readonly tenant: string; readonly scope: string; readonly scope_ref: string }>,
): Levels {
  const found: Record<string, Levels[string]> = {};
  for (const { tenant, scope, scope_ref } of records)
    found[scope_ref] ??= levelProps(levelRefs(tenant, scope));
  return found;
}

/** `a0 … aN`: the reference of every level of a scope, the outermost first; absent below its own depth. */
export function levelProps(levels: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(levels.map((ref, level) => [`a${level}`, ref]));
}
