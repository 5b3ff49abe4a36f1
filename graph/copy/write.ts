import type { Integer } from 'neo4j-driver';

import type { Writer } from '../driver.ts';
import { VECTOR_FIELDS } from '../embedding/vector-index.ts';
import { int, statement, type Param } from '../statement.ts';
import type { StoredEdge, StoredNode, StoredProperties } from './read.ts';

/** A transaction of a copy may take so much longer than others, milliseconds: it writes as much as fits into one. */
const COPY_EXTRA_MS = 300_000;

interface NodeRow {
  readonly [name: string]: Param;
  readonly id: Integer;
  readonly labels: readonly string[];
  readonly properties: StoredProperties;
  /** Set by the database's own procedure, which keeps their numbers in half of the space. */
  readonly vector: Param;
  readonly window_vector: Param;
}

const createNodes = statement<{ rows: readonly NodeRow[] }, { original: Integer; id: Integer }>(
  'copy.create_nodes',
  'nothing: it creates',
  `UNWIND $rows AS row
   CREATE (n:$(row.labels))
   SET n = row.properties
   WITH n, row
   CALL (n, row) {
     WITH n, row WHERE row.vector IS NOT NULL
     CALL db.create.setNodeVectorProperty(n, 'vector', row.vector)
   }
   CALL (n, row) {
     WITH n, row WHERE row.window_vector IS NOT NULL
     CALL db.create.setNodeVectorProperty(n, 'window_vector', row.window_vector)
   }
   RETURN row.id AS original, id(n) AS id`,
);

interface EdgeRow {
  readonly [name: string]: Param;
  readonly from: Integer;
  readonly to: Integer;
  readonly type: string;
  readonly properties: StoredProperties;
}

const createEdges = statement<{ rows: readonly EdgeRow[] }, { made: Integer }>(
  'copy.create_edges',
  'ids of the database, looked up one by one',
  `UNWIND $rows AS row
   MATCH (a) WHERE id(a) = row.from
   MATCH (b) WHERE id(b) = row.to
   CREATE (a)-[r:$(row.type)]->(b)
   SET r = row.properties
   RETURN count(r) AS made`,
);

/** Writes records of one store into another, which has none of them. The database has to answer whole numbers without loss (`exact`). */
export class StoreWriter {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /** Creates nodes; answers which id each has here, by its original one. */
  async createNodes(nodes: readonly StoredNode[]): Promise<[original: number, id: number][]> {
    const made = await this.writer.write(createNodes, { rows: nodes.map(rowOf) }, COPY_EXTRA_MS);
    return made.map(({ original, id }) => [original.toNumber(), id.toNumber()]);
  }

  /** Creates edges between nodes of this store. */
  async createEdges(edges: readonly StoredEdge[]): Promise<void> {
    const rows = edges.map(({ from, to, type, properties }) => ({
      from: int(from),
      to: int(to),
      type,
      properties,
    }));
    const [row] = await this.writer.write(createEdges, { rows }, COPY_EXTRA_MS);
    const made = row?.made.toNumber() ?? 0;
    if (made !== edges.length) throw new Error(`of ${edges.length} edges ${made} were written`);
  }
}

function rowOf({ id, labels, properties }: StoredNode): NodeRow {
  const plain = Object.entries(properties).filter(([name]) => !isVector(name));
  const { vector = null, window_vector = null } = properties;
  return { id: int(id), labels, properties: Object.fromEntries(plain), vector, window_vector };
}

function isVector(name: string): boolean {
  return (VECTOR_FIELDS as readonly string[]).includes(name);
}
