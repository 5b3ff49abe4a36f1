import type { Integer } from 'neo4j-driver';

import type { Database } from '../driver.ts';
import { int, statement, type Param, type Statement } from '../statement.ts';

/** Ids of the database that are looked at by one statement. */
const PAGE_IDS = 10_000;

/** Rows fetched at once: of the largest envelopes they are some 50 MB. */
const FETCH_ROWS = 50;

/** No store has an id beyond this one (35 bits). */
const LAST_ID = 2 ** 35;

/** What a record says, exactly as it is stored. */
export type StoredProperties = Readonly<Record<string, Param>>;

/** A node as it is stored; the id is the database's own, and means nothing outside of it. */
export interface StoredNode {
  readonly id: number;
  readonly labels: readonly string[];
  readonly properties: StoredProperties;
}

/** An edge as it is stored. */
export interface StoredEdge {
  readonly from: number;
  readonly to: number;
  readonly type: string;
  readonly properties: StoredProperties;
}

interface Page {
  readonly [name: string]: Integer;
  readonly from: Integer;
  readonly through: Integer;
}

const countNodes = statement<Record<string, never>, { records: Integer }>(
  'copy.count_nodes',
  'the count that the database keeps',
  'MATCH (n) RETURN count(n) AS records',
);

const countEdges = statement<Record<string, never>, { records: Integer }>(
  'copy.count_edges',
  'the count that the database keeps',
  'MATCH ()-[r]->() RETURN count(r) AS records',
);

const nodes = statement<Page, { id: Integer; labels: string[]; properties: StoredProperties }>(
  'copy.nodes',
  'ids of the database, looked up one by one',
  `UNWIND range($from, $through) AS at
   MATCH (n) WHERE id(n) = at
   RETURN id(n) AS id, labels(n) AS labels, properties(n) AS properties`,
);

const edges = statement<Page, { start: Integer; end: Integer; type: string; properties: StoredProperties }>(
  'copy.edges',
  'ids of the database, looked up one by one',
  `UNWIND range($from, $through) AS at
   MATCH (a)-[r]->(b) WHERE id(r) = at
   RETURN id(a) AS start, id(b) AS end, type(r) AS type, properties(r) AS properties`,
);

/** Reads a whole store; the database has to answer whole numbers without loss (`exact`), and nobody may write meanwhile. */
export class StoreReader {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** How many nodes and edges there are. */
  async counts(): Promise<{ nodes: number; edges: number }> {
    return { nodes: await this.count(countNodes), edges: await this.count(countEdges) };
  }

  /** Every node once, in the order of ids. */
  async *nodes(): AsyncGenerator<StoredNode> {
    for await (const row of this.walk(nodes, await this.count(countNodes))) {
      const { id, labels, properties } = row;
      yield { id: id.toNumber(), labels: labels.sort(), properties };
    }
  }

  /** Every edge once, in the order of ids. */
  async *edges(): AsyncGenerator<StoredEdge> {
    for await (const row of this.walk(edges, await this.count(countEdges))) {
      const { start, end, type, properties } = row;
      yield { from: start.toNumber(), to: end.toNumber(), type, properties };
    }
  }

  private async count(of: typeof countNodes): Promise<number> {
    return (await this.database.read(of, {}))[0]?.records.toNumber() ?? 0;
  }

  /** Goes through the ids until as many records were found as there are: where ids are free, pages are empty. */
  private async *walk<R>(page: Statement<Page, R>, records: number): AsyncGenerator<R> {
    let left = records;
    for (let from = 0; left > 0; from += PAGE_IDS) {
      if (from > LAST_ID) throw new Error(`${left} records were counted, but are not found`);
      const ids = { from: int(from), through: int(from + PAGE_IDS - 1) };
      for await (const row of this.database.stream(page, ids, FETCH_ROWS)) {
        left -= 1;
        yield row;
      }
    }
  }
}
