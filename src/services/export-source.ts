import type { StoredEdge } from '../../graph/record-edge.ts';
import type { GraphEdge } from '../../schemas/graph.ts';
import { toGraphEdge, toGraphNode, type BareNode } from '../derive/graph.ts';
import type { LayerRecord } from '../derive/layer-record.ts';
import type { ExportGraph, ExportNode, GraphAbout, Origin } from '../graph-export/graph.ts';
import { IdSet } from '../graph-export/id-set.ts';
import { SealedSpool } from '../machine/sealed-spool.ts';
import type { Call } from './access.ts';
import { withIntervals, type IntervalReader } from './export-intervals.ts';
import type { GraphEdges, GraphEnd } from './graph-edges.ts';
import { covers, type GraphPart } from './graph-part.ts';
import type { WalkedNode } from './graph-walk.ts';
import { recordPage, type RecordWalk } from './record-page.ts';

/** Records that are looked at together, with their edges. */
const BATCH_RECORDS = 200;

/** Links of an entity with others that are told, at most. */
const MAX_ENTITY_LINKS = 10_000;

/** What the graph of a selection is read from. */
export interface SourceParts {
  readonly call: Call;
  readonly walk: RecordWalk<WalkedNode>;
  readonly edges: GraphEdges;
  /** Null where one interval of a fact is enough. */
  readonly facts: IntervalReader | null;
  /** Which graph it is. */
  readonly part: GraphPart;
  readonly about: GraphAbout;
  /** Whether the nodes are gone over more than once. */
  readonly again: boolean;
  /** Folder for what does not fit into memory. */
  readonly folder: string;
  /** Resolves while the caller may have the graph as when it was begun. Throws `POLICY_DENIED`, `AUTHORIZATION_STATE_CHANGED`, or what ended his token. */
  readonly mayGoOn: () => Promise<void>;
  /** Called with scopes that are not of the selection, before what lies there is handed on. */
  readonly onElsewhere: (scopes: readonly string[]) => Promise<void>;
  /** Called when it is over. */
  readonly end: () => void;
}

/** Nobody is known to have made it. */
const UNKNOWN: Origin = { actor: null, caller: null, extractor: null };

/**
 * The whole graph of a selection, however large it is. It is read from the database once, with the first pass over the nodes, which come as
 * they are read; later passes, and edges, come from a spool. So all of them agree, whatever is derived or forgotten meanwhile. What memory
 * holds of a node that has passed is a few bytes.
 */
export class ExportSource implements ExportGraph {
  private readonly parts: SourceParts;
  private readonly nodeSpool: SealedSpool;
  private readonly edgeSpool: SealedSpool;
  /** Ids of the nodes that have passed. */
  private readonly passed = new IdSet();
  /** Entities, by scope and id, whose links were asked for; and links that were told. */
  private readonly asked = new IdSet();
  private readonly told = new IdSet();
  private state: 'unread' | 'reading' | 'read' = 'unread';

  constructor(parts: SourceParts) {
    this.parts = parts;
    this.nodeSpool = new SealedSpool(parts.folder);
    this.edgeSpool = new SealedSpool(parts.folder);
  }

  /** What is said of the graph. */
  get about(): GraphAbout {
    return this.parts.about;
  }

  /** See {@link ExportGraph.nodes}. */
  async *nodes(): AsyncGenerator<readonly ExportNode[]> {
    if (this.state === 'unread') {
      this.state = 'reading';
      yield* this.read();
      this.state = 'read';
      return;
    }
    if (this.state === 'reading' || !this.parts.again) throw new Error('the nodes cannot be gone over now');
    for await (const lines of this.nodeSpool.lines()) {
      await this.goOn();
      yield lines.map((line) => JSON.parse(line) as ExportNode);
    }
  }

  /** See {@link ExportGraph.edges}. An edge to what was to come and did not, because it is no more, is left out. */
  async *edges(): AsyncGenerator<readonly GraphEdge[]> {
    if (this.state !== 'read') throw new Error('the nodes come first');
    for await (const lines of this.edgeSpool.lines()) {
      await this.goOn();
      yield lines
        .map((line) => JSON.parse(line) as GraphEdge)
        .filter(({ from, to }) => this.passed.has(from) && this.passed.has(to));
    }
  }

  private async goOn(): Promise<void> {
    this.parts.call.signal.throwIfAborted();
    await this.parts.mayGoOn();
  }

  /** Lets go of what was spooled. */
  async close(): Promise<void> {
    this.parts.end();
    await Promise.all([this.nodeSpool.close(), this.edgeSpool.close()]);
  }

  private async *read(): AsyncGenerator<readonly ExportNode[]> {
    const { walk, part } = this.parts;
    for (let cursor: string | undefined; ;) {
      const page = { listing: 'graph' as const, limit: BATCH_RECORDS, cursor, sparse: part.wants !== null };
      const { records, next } = await recordPage(walk, page);
      await this.goOn();
      yield await this.fresh(records.map(({ read }) => exportNode(toGraphNode(read, part.at.valid), read)));
      yield* this.around(records.map(({ read }) => read.record.id));
      if (next === null) return;
      cursor = next;
    }
  }

  /** Notes the edges of records; brings the nodes at their other ends that no walk comes to. */
  private async *around(ids: readonly string[]): AsyncGenerator<readonly ExportNode[]> {
    const { call, edges, part } = this.parts;
    if (ids.length === 0) return;
    for await (const batch of edges.every(call, ids, part.types, part.at)) {
      await this.goOn();
      const elsewhere = batch.filter((edge) => part.wants !== null || !this.isWalkedTo(edge));
      const links = await this.linksOf(elsewhere);
      const ends = await edges.endsOf(call, [...elsewhere, ...links], part.at);
      const brought = [...ends.values()].filter((end) => !this.isOnWalk(end));
      await this.parts.onElsewhere(
        brought.map(({ node }) => node.scope).filter((scope) => !covers(part.selection, scope)),
      );
      yield await this.fresh(brought.map(({ node, read }) => exportNode(node, read)));
      const foreign = new Set(brought.map(({ node }) => node.id));
      await this.note([...batch, ...links].filter(({ out, other }) => out || foreign.has(other)));
    }
  }

  /** Whether the walk comes to what an edge leads to, as far as its kind and place say. */
  private isWalkedTo({ kind, scope }: StoredEdge): boolean {
    return kind !== 'entity' && covers(this.parts.part.selection, scope);
  }

  private isOnWalk({ node, read }: GraphEnd): boolean {
    const { selection, wants } = this.parts.part;
    return read !== null && covers(selection, node.scope) && (wants?.(read) ?? true);
  }

  /** The links of entities that edges lead to, each once. */
  private async linksOf(edges: readonly StoredEdge[]): Promise<StoredEdge[]> {
    const { call, part } = this.parts;
    const unasked = edges.filter(
      ({ kind, scope_ref, other }) => kind === 'entity' && this.asked.add(`${scope_ref}\n${other}`),
    );
    const links = await this.parts.edges.linksOf(call, unasked, part.at, MAX_ENTITY_LINKS);
    return links.filter(({ asked, other }) => this.told.add(`${asked}\n${other}`));
  }

  /** Those of the nodes that were not there and are asked for; later passes bring them too. */
  private async fresh(nodes: readonly ExportNode[]): Promise<readonly ExportNode[]> {
    const { facts, part } = this.parts;
    const passing = nodes.filter(({ id, type }) => part.types.has(type) && this.passed.add(id));
    const fresh = facts === null ? passing : await withIntervals(facts, passing, part.at.recorded);
    if (this.parts.again) await this.nodeSpool.add(fresh.map((node) => JSON.stringify(node)));
    return fresh;
  }

  private async note(edges: readonly StoredEdge[]): Promise<void> {
    await this.edgeSpool.add(edges.map((edge) => JSON.stringify(toGraphEdge(edge))));
  }
}

/** A graph that memory holds. */
export class HeldGraph implements ExportGraph {
  readonly about: GraphAbout;
  private readonly held: { readonly nodes: readonly ExportNode[]; readonly edges: readonly GraphEdge[] };

  constructor(about: GraphAbout, held: HeldGraph['held']) {
    this.about = about;
    this.held = held;
  }

  /** The scopes that its nodes lie in. */
  get scopes(): readonly string[] {
    return this.held.nodes.map(({ scope }) => scope);
  }

  /** See {@link ExportGraph.nodes}. */
  async *nodes(): AsyncGenerator<readonly ExportNode[]> {
    yield await Promise.resolve(this.held.nodes);
  }

  /** See {@link ExportGraph.edges}. */
  async *edges(): AsyncGenerator<readonly GraphEdge[]> {
    yield await Promise.resolve(this.held.edges);
  }

  /** Nothing is to be let go of. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** A node with who and what made it; `read` is null of an entity. */
export function exportNode(node: BareNode, read: LayerRecord | null): ExportNode {
  return { ...node, origin: read === null ? UNKNOWN : originOf(read) };
}

function originOf(read: LayerRecord): Origin {
  switch (read.type) {
    case 'event': {
      const { observed_actor: actor, caller } = read.record;
      return { ...UNKNOWN, actor, caller };
    }
    case 'fact':
      return { ...UNKNOWN, extractor: read.record.extractor };
    case 'belief':
    case 'episode':
    case 'concept':
      return UNKNOWN;
  }
}
