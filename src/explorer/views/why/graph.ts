import type { NeighboursData, Provenance, RecordKind, Span, Support } from './queries.ts';

/** How one record bears on another; of `supersedes` the first took the place of the other. */
export type Relation =
  | 'supported_by'
  | 'supersedes_against'
  | 'denied_by'
  | 'extracted_from'
  | 'concluded_from'
  | 'contains'
  | 'supersedes'
  | 'contradicts'
  | 'relates'
  | 'follows';

/** A record in the graph. */
export interface WhyNode {
  readonly id: string;
  readonly kind: RecordKind;
  readonly summary: string;
  readonly confidence: number | null;
  readonly stance: string | null;
}

/** What one record has to do with another, from what rests to what it rests on. */
export interface WhyLink {
  readonly from: string;
  readonly to: string;
  readonly relation: Relation;
  /** What evidence weighs for or against a belief; null elsewhere. */
  readonly weight: number | null;
  /** The words of the event that a fact rests on. */
  readonly span: Span | null;
}

/** Records, and what they have to do with one another; each record once, each link once. */
export interface WhyGraph {
  readonly nodes: readonly WhyNode[];
  readonly links: readonly WhyLink[];
}

/** Links along which one record rests on another; the others say how they stand side by side. */
const DERIVING: ReadonlySet<Relation> = new Set([
  'supported_by',
  'supersedes_against',
  'denied_by',
  'extracted_from',
  'concluded_from',
  'contains',
]);
const AGAINST: ReadonlySet<Relation> = new Set(['supersedes_against', 'denied_by', 'contradicts']);

/** Whether a link says that one record rests on the other. */
export function isDeriving({ relation }: WhyLink): boolean {
  return DERIVING.has(relation);
}

/** Whether a link speaks for what rests on it, against it, or neither. */
export function signOf({ relation }: WhyLink): '+' | '−' | '' {
  if (AGAINST.has(relation)) return '−';
  return relation === 'supported_by' ? '+' : '';
}

/** The graph that provenances are together. */
export function graphOf(provenances: readonly Provenance[]): WhyGraph {
  const nodes = new Map(provenances.flatMap((one) => one.nodes.map((node) => [node.id, node])));
  const supports = new Map<string, readonly Support[]>(
    [...nodes].map(([id, { record }]) => [id, record?.supports ?? []]),
  );
  const links = provenances.flatMap(({ edges }) =>
    edges.map(({ from, to, relation, span }) => ({
      from,
      to,
      relation: relation as Relation,
      weight: supports.get(from)?.find(({ id }) => id === to)?.weight ?? null,
      span,
    })),
  );
  return {
    nodes: [...nodes.values()].map(({ id, type, summary, record }) => ({
      id,
      kind: type,
      summary: dated(summary),
      confidence: record?.confidence ?? null,
      stance: record?.stance ?? null,
    })),
    links: [...new Map(links.map((link) => [nameOf(link), link])).values()],
  };
}

/** A summary with the days of its instants alone: it is read at a glance, and the record has the whole of them. */
export function dated(summary: string): string {
  return summary.replaceAll(/(?<=\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, '');
}

type Neighbours = NonNullable<NeighboursData['neighbours']>;

/** A graph with what is at the other ends of the edges of one of its records. */
export function withNeighbours(graph: WhyGraph, { nodes, edges }: Neighbours): WhyGraph {
  const known = new Set(graph.nodes.map(({ id }) => id));
  const found = nodes.flatMap(({ id, type, summary, confidence, stance }) =>
    type === 'entity' || known.has(id)
      ? []
      : [{ id, kind: type, summary: dated(summary), confidence, stance }],
  );
  const all = new Set([...known, ...found.map(({ id }) => id)]);
  const told = new Set(graph.links.map(nameOf));
  const links = edges.flatMap((edge) => linkOf(edge, nodes) ?? []);
  return {
    nodes: [...graph.nodes, ...found],
    links: [
      ...graph.links,
      ...links.filter((link) => all.has(link.from) && all.has(link.to) && !told.has(nameOf(link))),
    ],
  };
}

/** What tells a link from others. */
export function nameOf({ from, to, relation }: WhyLink): string {
  return `${from} ${relation} ${to}`;
}

const RELATIONS: Readonly<Record<string, Relation>> = {
  DERIVED_FROM: 'extracted_from',
  CONCLUDED_FROM: 'concluded_from',
  SUPPORTED_BY: 'supported_by',
  CONTAINS: 'contains',
  CONTRADICTS: 'contradicts',
  RELATES: 'relates',
  FOLLOWS: 'follows',
  PRECEDED_BY: 'follows',
};

function linkOf(edge: Neighbours['edges'][number], nodes: Neighbours['nodes']): WhyLink | null {
  const { from, to, type, weight, polarity, span } = edge;
  if (type === 'SUPERSEDED_BY')
    return { from: to, to: from, relation: 'supersedes', weight: null, span: null };
  const relation = RELATIONS[type];
  if (relation === undefined) return null;
  if (polarity !== 'against') return { from, to, relation, weight, span };
  const isEvent = nodes.find(({ id }) => id === to)?.type === 'event' || to.startsWith('evt_');
  return { from, to, relation: isEvent ? 'denied_by' : 'supersedes_against', weight, span };
}

/** The first nodes of a graph, with the links between them. */
export function firstOf({ nodes, links }: WhyGraph, most: number): WhyGraph {
  const shown = nodes.slice(0, most);
  const ids = new Set(shown.map(({ id }) => id));
  return { nodes: shown, links: links.filter(({ from, to }) => ids.has(from) && ids.has(to)) };
}
