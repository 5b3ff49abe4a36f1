import type { Database } from '../driver.ts';
import { VectorIndexes } from '../embedding/vector-index.ts';
import { awaitFilledIndexes, declareSchema } from '../migrate.ts';
import { canonicalProperties } from './canonical.ts';
import { IdMap } from './id-map.ts';
import { StoreReader, type StoredEdge, type StoredNode } from './read.ts';
import { Tally } from './tally.ts';
import { StoreWriter } from './write.ts';

/** Records that one transaction of a copy writes at most. */
const BATCH_RECORDS = 2000;

/** Characters of records that one transaction of a copy writes at most, beyond one record: what it takes of the server's memory. */
const BATCH_CHARACTERS = 4_000_000;

/** Wait for the indexes of a copy to be filled, seconds: a day. */
const INDEXES_S = 86_400;

/** How far a copy is. */
export interface CopyProgress {
  readonly phase: 'nodes' | 'edges' | 'indexes' | 'check';
  readonly done: number;
  readonly total: number;
}

/** What watches a copy, and may end it. */
export interface CopyWatch {
  readonly tell: (progress: CopyProgress) => void;
  /** Ends it between two batches, with the signal's reason thrown. */
  readonly signal: AbortSignal;
}

/** What a copy is made with. */
export interface CopyOptions extends CopyWatch {
  readonly serverVersion: string;
  /** Numbers of the vectors that the store holds, or null where no model was ever agreed on. */
  readonly dimensions: number | null;
}

/** How many records a copy has. */
export interface CopiedRecords {
  readonly nodes: number;
  readonly edges: number;
}

/**
 * Copies every node and edge of a store into an empty one, with constraints, indexes and vector indexes, and compares the two: counts by
 * labels and types, and a digest of every record. Both databases have to be `exact`, and nobody may write to them. Memory holds one batch
 * and four bytes for each node. Throws when the copy is not the same.
 */
export async function copyStore(
  source: Database,
  target: Database,
  options: CopyOptions,
): Promise<CopiedRecords> {
  const { tell } = options;
  const reader = new StoreReader(source);
  const counts = await reader.counts();
  await assertEmpty(target);
  const tally = new Tally();
  await copyRecords(reader, new StoreWriter(target), { tally, counts, watch: options });
  tell({ phase: 'indexes', done: 0, total: 1 });
  await declareIndexes(target, options);
  tell({ phase: 'indexes', done: 1, total: 1 });
  const copied = await tallyOf(target, options);
  const differences = tally.differences(copied);
  if (differences.length > 0)
    throw new Error(`the copy is not the same as the store: ${differences.slice(0, 10).join('; ')}`);
  return counts;
}

async function assertEmpty(target: Database): Promise<void> {
  const { nodes, edges } = await new StoreReader(target).counts();
  if (nodes + edges > 0) throw new Error('a store is copied into an empty one only');
}

interface Work {
  readonly tally: Tally;
  readonly counts: CopiedRecords;
  readonly watch: CopyWatch;
}

async function copyRecords(
  reader: StoreReader,
  writer: StoreWriter,
  { tally, counts, watch }: Work,
): Promise<void> {
  const ids = new IdMap();
  const nodes = new Batches<StoredNode>('nodes', counts.nodes, watch, async (batch) => {
    for (const [original, id] of await writer.createNodes(batch)) ids.set(original, id);
    // Counted by the ids of the copy, so that the copy can be counted by itself.
    for (const node of batch) addNode(tally, { ...node, id: ids.get(node.id) });
  });
  for await (const node of reader.nodes()) await nodes.add(node, sizeOf(node.properties));
  await nodes.flush();
  const edges = new Batches<StoredEdge>('edges', counts.edges, watch, async (batch) => {
    await writer.createEdges(batch);
    for (const edge of batch) addEdge(tally, edge);
  });
  for await (const edge of reader.edges()) {
    const mapped = { ...edge, from: ids.get(edge.from), to: ids.get(edge.to) };
    await edges.add(mapped, sizeOf(edge.properties));
  }
  await edges.flush();
}

async function declareIndexes(target: Database, { serverVersion, dimensions }: CopyOptions): Promise<void> {
  await declareSchema(target, INDEXES_S);
  if (dimensions === null) return;
  await new VectorIndexes(target, serverVersion).ensure(dimensions);
  await awaitFilledIndexes(target, INDEXES_S);
}

async function tallyOf(database: Database, { tell, signal }: CopyWatch): Promise<Tally> {
  const reader = new StoreReader(database);
  const counts = await reader.counts();
  const total = counts.nodes + counts.edges;
  const tally = new Tally();
  let done = 0;
  const count = (): void => {
    done += 1;
    if (done % BATCH_RECORDS !== 0 && done < total) return;
    signal.throwIfAborted();
    tell({ phase: 'check', done, total });
  };
  for await (const node of reader.nodes()) {
    addNode(tally, node);
    count();
  }
  for await (const edge of reader.edges()) {
    addEdge(tally, edge);
    count();
  }
  return tally;
}

function addNode(tally: Tally, { id, labels, properties }: StoredNode): void {
  tally.add(`(:${labels.join(':')})`, `${id} ${canonicalProperties(properties)}`);
}

function addEdge(tally: Tally, { from, to, type, properties }: StoredEdge): void {
  tally.add(`[:${type}]`, `${from} ${to} ${canonicalProperties(properties)}`);
}

/** Some characters of what is written, without making a text of it. */
function sizeOf(properties: Readonly<Record<string, unknown>>): number {
  let size = 0;
  for (const value of Object.values(properties)) {
    if (typeof value === 'string' || value instanceof Int8Array) size += value.length;
    else if (Array.isArray(value)) for (const one of value) size += typeof one === 'string' ? one.length : 10;
    else size += 10;
  }
  return size;
}

/** Gathers records until a transaction is full of them. */
class Batches<T> {
  private rows: T[] = [];
  private size = 0;
  private done = 0;
  private readonly phase: CopyProgress['phase'];
  private readonly total: number;
  private readonly watch: CopyWatch;
  private readonly write: (batch: readonly T[]) => Promise<void>;

  constructor(
    phase: CopyProgress['phase'],
    total: number,
    watch: CopyWatch,
    write: (batch: readonly T[]) => Promise<void>,
  ) {
    this.phase = phase;
    this.total = total;
    this.watch = watch;
    this.write = write;
  }

  async add(row: T, size: number): Promise<void> {
    this.rows.push(row);
    this.size += size;
    if (this.rows.length >= BATCH_RECORDS || this.size >= BATCH_CHARACTERS) await this.flush();
  }

  async flush(): Promise<void> {
    this.watch.signal.throwIfAborted();
    const { rows } = this;
    this.rows = [];
    this.size = 0;
    if (rows.length > 0) await this.write(rows);
    this.done += rows.length;
    this.watch.tell({ phase: this.phase, done: this.done, total: this.total });
  }
}
