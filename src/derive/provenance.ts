import type { FactItem } from '../../schemas/fact.ts';
import type { NodeType, WhyEdge, WhyNode } from '../../schemas/provenance.ts';
import { quoted } from '../../schemas/text.ts';
import { OPEN_END, toEpochMs } from '../../schemas/time.ts';
import type { StoredBeliefItem } from './belief/item.ts';
import type { StoredConcept } from './concept/item.ts';
import type { KnownEpisode } from './episode/item.ts';
import { objectOf, type StoredFact } from './fact-item.ts';
import type { LayerRecord, ShortEvent } from './layer-record.ts';
import { phrase, span } from './why.ts';

/** Ids of records by their layer. */
export interface RecordIds {
  readonly facts: readonly string[];
  readonly beliefs: readonly string[];
  readonly events: readonly string[];
  readonly episodes: readonly string[];
  readonly concepts: readonly string[];
}

/** The layers by what the ids of their records begin with. */
const LAYERS: Readonly<Record<string, NodeType>> = {
  fact: 'fact',
  belief: 'belief',
  evt: 'event',
  ep: 'episode',
  concept: 'concept',
};

/** The layer of a record, by its id; null for what is no record of memory. */
export function layerOf(id: string): NodeType | null {
  return LAYERS[id.slice(0, id.indexOf('_'))] ?? null;
}

/** What the reading of a record asks for, by its id. */
export function capabilityOf(id: string): 'understanding.read' | 'scope.read.local' {
  return layerOf(id) === 'concept' ? 'understanding.read' : 'scope.read.local';
}

/** The ids by their layer; what is no record of memory is left out. */
export function byLayer(ids: readonly string[]): RecordIds {
  const of = (layer: NodeType): string[] => ids.filter((id) => layerOf(id) === layer);
  return {
    facts: of('fact'),
    beliefs: of('belief'),
    events: of('event'),
    episodes: of('episode'),
    concepts: of('concept'),
  };
}

/** A record in short. */
export function nodeOf(read: LayerRecord): WhyNode {
  switch (read.type) {
    case 'fact':
      return factNode(read.record);
    case 'belief':
      return beliefNode(read.record);
    case 'event':
      return eventNode(read.record);
    case 'episode':
      return episodeNode(read.record);
    case 'concept':
      return conceptNode(read.record);
  }
}

/** A belief in short: what is believed, and what is thought of it. */
export function beliefNode({ id, predicate, row, ...belief }: StoredBeliefItem): WhyNode {
  const subject = belief.subject_name ?? belief.subject_id;
  const object =
    belief.object === null ? null : objectOf({ object: belief.object, object_name: belief.object_name });
  return { id, type: 'belief', summary: `${phrase({ subject, predicate, object })} (${row.stance})` };
}

/** A fact in short: what is stated, and when it is true. */
function factNode({ id, predicate, valid_from, valid_to, ...fact }: StoredFact): WhyNode {
  const subject = fact.subject_name ?? fact.subject_id;
  const object =
    fact.object === null ? null : objectOf({ object: fact.object, object_name: fact.object_name });
  const summary = `${phrase({ subject, predicate, object })}, ${span(valid_from, valid_to)}`;
  return { id, type: 'fact', summary };
}

/** The same of a fact as it is answered. */
export function nodeOfFact({ id, subject, predicate, object, valid_from, valid_to }: FactItem): WhyNode {
  const said = phrase({ subject: subject.name ?? subject.id, predicate, object });
  const when = span(toEpochMs(valid_from), valid_to === null ? OPEN_END : toEpochMs(valid_to));
  return { id, type: 'fact', summary: `${said}, ${when}` };
}

/** A concept in short: what it is of, and what is thought of what it tells. */
function conceptNode({ id, version, caption }: Pick<StoredConcept, 'id' | 'version' | 'caption'>): WhyNode {
  return {
    id,
    type: 'concept',
    summary: `what is understood of ${caption ?? version.name} (${version.stance})`,
  };
}

/** An episode in short: its name. */
function episodeNode({ id, name }: Pick<KnownEpisode, 'id' | 'name'>): WhyNode {
  return { id, type: 'episode', summary: quoted(name) };
}

/** An event in short: the beginning of its text, or, where it has none or too much to be read here, its place. */
function eventNode({ id, wal_offset, text }: ShortEvent): WhyNode {
  const summary = text === '' ? `event ${wal_offset} of the log` : quoted(text);
  return { id, type: 'event', summary };
}

/** A link of a record as it was read. */
export interface LinkedRow {
  /** The record that was asked about. */
  readonly asked: string;
  readonly other: string;
  /** Whether the other is what the record rests on (or took the place of), or what rests on it. */
  readonly way: 'down' | 'up';
  readonly relation: WhyEdge['relation'];
  readonly weight: number | null;
  readonly span: readonly [number, number] | null;
  /** Orders the links of one relation. */
  readonly place: number;
}

/** In which order links are told. */
const RELATIONS: readonly WhyEdge['relation'][] = [
  'supported_by',
  'supersedes_against',
  'denied_by',
  'extracted_from',
  'contains',
  'concluded_from',
  'supersedes',
];

/**
 * The links by the record that they belong to, each once and in one order however they were read: at most `most` of one relation and
 * way of a record, of which there are more where it stands in `more`.
 */
export function linksOf(
  rows: readonly LinkedRow[],
  most: number,
): { readonly links: ReadonlyMap<string, readonly FoundLink[]>; readonly more: ReadonlySet<string> } {
  const groups = new Map<string, Map<string, LinkedRow>>();
  for (const row of [...rows].sort(inOrder)) {
    const key = JSON.stringify([row.asked, row.way, row.relation]);
    const group = groups.get(key) ?? new Map<string, LinkedRow>();
    if (!group.has(row.other)) group.set(row.other, row);
    groups.set(key, group);
  }
  const links = new Map<string, FoundLink[]>();
  const more = new Set<string>();
  for (const [first, ...others] of [...groups.values()].map((group) => [...group.values()])) {
    if (first === undefined) continue;
    const { asked } = first;
    if (others.length >= most) more.add(asked);
    links.set(asked, [...(links.get(asked) ?? []), ...[first, ...others].slice(0, most).map(linkOf)]);
  }
  return { links, more };
}

/** The heavier of two links of one relation between the same records comes first: a belief may hold several opinions. */
function inOrder(a: LinkedRow, b: LinkedRow): number {
  return (
    RELATIONS.indexOf(a.relation) - RELATIONS.indexOf(b.relation) ||
    a.place - b.place ||
    (a.other === b.other ? (b.weight ?? 0) - (a.weight ?? 0) : a.other < b.other ? -1 : 1)
  );
}

function linkOf({ asked, other, way, relation, weight, span: words }: LinkedRow): FoundLink {
  const [from, to] = way === 'down' ? [asked, other] : [other, asked];
  const span = words === null ? {} : { span: { start: words[0], end: words[1] } };
  return { other, weight, edge: { from, to, relation, ...span } };
}

/** How far a graph may go. */
export interface GraphBounds {
  /** Steps from the record that it begins with. */
  readonly depth: number;
  /** Records at most. */
  readonly nodes: number;
}

/** What a step from a record found: an edge, and the record at its other end. */
export interface FoundLink {
  readonly other: string;
  readonly edge: WhyEdge;
  /** Of the other record as evidence; null elsewhere. */
  readonly weight: number | null;
}

/** A graph that grows step by step from one record: the nearest records first, each once. */
export class GrowingGraph {
  private readonly bounds: GraphBounds;
  private readonly nodes: Map<string, WhyNode>;
  private readonly edges = new Map<string, WhyEdge>();
  private steps = 0;
  private cut = false;
  /** The records from which the next step goes on. */
  frontier: readonly string[];

  constructor(start: WhyNode, bounds: GraphBounds) {
    this.bounds = bounds;
    this.nodes = new Map([[start.id, start]]);
    this.frontier = [start.id];
  }

  /** Whether nothing is left to ask: a graph that has gone its way asks once more, to know whether there is more. */
  get done(): boolean {
    return this.frontier.length === 0 || this.steps > this.bounds.depth;
  }

  /** Ids of the records that a step needs, of those that its links lead to. */
  wanted(links: ReadonlyMap<string, readonly FoundLink[]>): string[] {
    const ids = this.frontier.flatMap((id) => (links.get(id) ?? []).map(({ other }) => other));
    return [...new Set(ids)].filter((id) => !this.nodes.has(id)).slice(0, this.room + 1);
  }

  /** Goes a step, to those of the records that were found; `more`: records of which not all links were read. */
  grow(
    links: ReadonlyMap<string, readonly FoundLink[]>,
    found: ReadonlyMap<string, WhyNode>,
    more: ReadonlySet<string>,
  ): void {
    const fresh = this.wanted(links).filter((id) => found.has(id));
    this.steps += 1;
    const beyond = this.steps > this.bounds.depth;
    const taken = beyond ? [] : fresh.slice(0, this.room);
    this.cut ||= fresh.length > taken.length || this.frontier.some((id) => more.has(id));
    const weights = this.weightsOfStart(links);
    for (const id of taken) {
      const node = found.get(id);
      const weight = weights.get(id);
      if (node) this.nodes.set(id, weight === undefined ? node : { ...node, weight });
    }
    for (const { edge } of this.frontier.flatMap((id) => links.get(id) ?? []))
      if (this.nodes.has(edge.from) && this.nodes.has(edge.to)) this.addEdge(edge);
    this.frontier = taken;
  }

  /** The graph as it is answered. */
  get graph(): { nodes: WhyNode[]; edges: WhyEdge[]; truncated: boolean } {
    return { nodes: [...this.nodes.values()], edges: [...this.edges.values()], truncated: this.cut };
  }

  private get room(): number {
    return this.bounds.nodes - this.nodes.size;
  }

  private addEdge(edge: WhyEdge): void {
    const key = JSON.stringify([edge.from, edge.to, edge.relation]);
    if (!this.edges.has(key)) this.edges.set(key, edge);
  }

  /** What records weigh as evidence of the belief that the graph begins with. */
  private weightsOfStart(links: ReadonlyMap<string, readonly FoundLink[]>): ReadonlyMap<string, number> {
    const [start] = this.nodes.keys();
    const found = this.steps > 1 || start === undefined ? [] : (links.get(start) ?? []);
    return new Map(
      found.flatMap(({ other, edge, weight }) =>
        weight === null || edge.from !== start ? [] : [[other, weight] as const],
      ),
    );
  }
}
