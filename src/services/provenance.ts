import type { AsOfQuery } from '../../schemas/as-of.ts';
import {
  NODE_TYPES,
  provenanceQuery,
  type NodeType,
  type ProvenanceGraph,
} from '../../schemas/provenance.ts';
import { recordQuery, type MemoryRecord } from '../../schemas/record.ts';
import type { Clock } from '../clock.ts';
import { capabilityOf, layerOf } from '../derive/provenance.ts';
import { StrataError } from '../errors.ts';
import { MAX_LINKED_RECORDS } from '../limits/reading.ts';
import { knownInstants } from '../time/as-of.ts';
import type { Call } from './access.ts';
import type { ProvenanceWalk } from './provenance-walk.ts';
import { parseQuery } from './query-input.ts';
import type { RecordGate } from './record-gate.ts';
import type { RecordLinkReading } from './record-links.ts';
import type { ScopedNode, RecordNodes } from './record-nodes.ts';

/** Reads records of one layer by id, at some instants. */
interface LayerReading {
  getMany(call: Call, ids: readonly string[], query: unknown): Promise<(MemoryRecord | null)[]>;
}

/** What the service needs. */
export interface ProvenanceParts {
  readonly gate: RecordGate;
  readonly nodes: RecordNodes;
  readonly links: RecordLinkReading;
  readonly walk: ProvenanceWalk;
  readonly records: Readonly<Record<NodeType, LayerReading>>;
  readonly clock: Clock;
}

const linksQuery = provenanceQuery.omit({ depth: true });

/** Tells what records rest on, what rests on them, and what took the place of what. */
export class ProvenanceService {
  private readonly parts: ProvenanceParts;

  constructor(parts: ProvenanceParts) {
    this.parts = parts;
  }

  /** One record of whatever layer. Throws `NOT_FOUND`, `INVALID_QUERY`. */
  async record(call: Call, id: string, query: unknown): Promise<MemoryRecord> {
    const instants = parseQuery(recordQuery, query);
    // What no layer has is looked for like an event that is not there.
    const [record] = await this.parts.records[layerOf(id) ?? 'event'].getMany(call, [id], instants);
    if (record) return record;
    throw recordNotFound();
  }

  /** The graph around one record. Throws `NOT_FOUND`, `INVALID_QUERY`. */
  async graph(call: Call, id: string, query: unknown): Promise<ProvenanceGraph> {
    const [graph] = await this.graphs(call, [id], query);
    if (graph) return graph;
    throw recordNotFound();
  }

  /**
   * The graphs around records, in the order of the ids, null where there is none that the caller may read, or none at the instants of
   * the query. They share their round trips, and a bound of records. Throws `INVALID_QUERY`.
   */
  async graphs(call: Call, ids: readonly string[], query: unknown): Promise<(ProvenanceGraph | null)[]> {
    const { direction, relation, depth, ...instants } = parseQuery(provenanceQuery, query);
    const at = this.instantsOf(instants);
    const found = await this.readable(call, ids, at);
    const starts = [...new Map([...found.values()].map(({ node }) => [node.id, node])).values()];
    const graphs = await this.parts.walk.graphs(call, starts, { ...at, direction, relation, depth });
    const byId = new Map(starts.map(({ id }, i) => [id, graphs[i] ?? null]));
    return ids.map((id) => byId.get(found.get(id)?.node.id ?? '') ?? null);
  }

  /**
   * For each of some records the ids of those that it rests on (`down`) or that rest on it (`up`), or of what it took the place of or
   * that took its place: two round trips for all of them. The caller may read the records. Throws `INVALID_QUERY`.
   */
  async links(call: Call, ids: readonly string[], query: unknown): Promise<string[][]> {
    const { direction, relation, ...instants } = parseQuery(linksQuery, query);
    const question = { direction, relation, ...this.instantsOf(instants), most: MAX_LINKED_RECORDS };
    const { links } = await this.parts.links.read(call, ids, question);
    return ids.map((id) => [...new Set((links.get(id) ?? []).map(({ other }) => other))]);
  }

  private instantsOf(query: AsOfQuery): { valid: number | null; recorded: number; now: number } {
    return { ...knownInstants(query), now: this.parts.clock.now() };
  }

  private async readable(
    call: Call,
    ids: readonly string[],
    at: { valid: number | null; recorded: number; now: number },
  ): Promise<Map<string, ScopedNode>> {
    const { nodes, gate } = this.parts;
    const found = await Promise.all(
      NODE_TYPES.map((kind) => {
        const of = ids.filter((id) => layerOf(id) === kind);
        const [first = ''] = of;
        const question = { kind, ids: of, capability: capabilityOf(first) };
        return gate.read(call, question, async (admitted, tenant) => {
          const read = await nodes.read(admitted, tenant, { ...at, whenever: false });
          return [...read].map(([asked, node]) => ({ asked, ...node }));
        });
      }),
    );
    return new Map(found.flat().map(({ asked, ...node }) => [asked, node]));
  }
}

function recordNotFound(): StrataError {
  return new StrataError('NOT_FOUND', 'record not found');
}
