import { query, subscription, type AsOf, type PageInfo } from '../../api/document.ts';

/** The kinds of nodes. */
export type NodeType = 'concept' | 'belief' | 'fact' | 'episode' | 'event' | 'entity';

/** The two times. */
export type Axis = 'valid' | 'recorded';

/** A record or an entity in the graph of a scope. */
export interface GraphNode {
  readonly id: string;
  readonly type: NodeType;
  readonly scope: string;
  readonly summary: string;
  readonly validFrom: string | null;
  readonly validTo: string | null;
  readonly recordedFrom: string | null;
  readonly confidence: number | null;
  readonly stance: string | null;
  /** How many edges it has at least that the answer does not show. */
  readonly more: number;
}

/** What one node has to do with another. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly type: string;
  readonly weight: number | null;
  readonly polarity: string | null;
  readonly relation: string | null;
  readonly role: string | null;
  readonly validAt: string | null;
  readonly span: { readonly start: number; readonly end: number } | null;
}

/** Nodes with the edges between them. */
export interface GraphSide {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** A page of the graph of a scope. */
export interface GraphPage extends GraphSide {
  readonly pageInfo: PageInfo;
  readonly withheldScopes: number;
  readonly ambiguousEntity: readonly { readonly name: string; readonly ids: readonly string[] }[] | null;
}

/** What all readings of a graph take. */
interface Narrowed {
  readonly scope: string;
  readonly types: readonly NodeType[] | null;
  readonly entity: string | null;
  readonly q: string | null;
  readonly first: number;
}

const NODE = 'id type scope summary validFrom validTo recordedFrom confidence stance more';
const EDGE = 'from to type weight polarity relation role validAt span { start end }';
const SIDE = `nodes { ${NODE} } edges { ${EDGE} }`;
const INSTANTS = 'tMin tMax bucketMs changes { at count }';

export const GRAPH = query<
  { readonly graph: GraphPage | null },
  Narrowed & { readonly over: boolean; readonly asOf: AsOf | null; readonly after: string | null }
>(`
  query Graph(
    $scope: String!, $types: [GraphNodeType!], $entity: String, $q: String, $over: Boolean, $asOf: AsOf, $first: Int, $after: String
  ) {
    graph(
      scope: $scope, types: $types, entity: $entity, q: $q, includeSuperseded: $over, asOf: $asOf, first: $first, after: $after
    ) {
      ${SIDE}
      pageInfo { hasNextPage endCursor }
      ambiguousEntity { name ids }
      withheldScopes
    }
  }
`);

/** When something changes on one axis. */
export interface AxisTimes {
  readonly tMin: string | null;
  readonly tMax: string | null;
  /** Where the instants are too many, `at` is where a stretch begins that is `bucketMs` long. */
  readonly bucketMs: number | null;
  readonly changes: readonly { readonly at: string; readonly count: number }[];
}

/** When something changes in a page of a graph. */
export interface TimesPage {
  readonly times: { readonly valid: AxisTimes; readonly recorded: AxisTimes };
  readonly pageInfo: PageInfo;
}

export const TIMES = query<
  { readonly graph: TimesPage | null },
  Narrowed & { readonly after: string | null }
>(`
  query Times($scope: String!, $types: [GraphNodeType!], $entity: String, $q: String, $first: Int, $after: String) {
    graph(scope: $scope, types: $types, entity: $entity, q: $q, includeSuperseded: true, first: $first, after: $after) {
      times { valid { ${INSTANTS} } recorded { ${INSTANTS} } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** A page of what a graph has become. */
export interface DiffPage {
  readonly appeared: GraphSide;
  readonly gone: GraphSide;
  readonly changed: {
    readonly nodes: readonly { readonly before: GraphNode; readonly after: GraphNode }[];
    readonly edges: readonly { readonly before: GraphEdge; readonly after: GraphEdge }[];
  };
  readonly unchanged: { readonly nodes: number; readonly edges: number };
  readonly pageInfo: PageInfo;
}

export const DIFF = query<
  { readonly graphDiff: DiffPage | null },
  {
    readonly scope: string;
    readonly types: readonly NodeType[] | null;
    readonly axis: Axis;
    readonly from: string;
    readonly to: string | null;
    readonly over: boolean;
    readonly asOf: AsOf | null;
    readonly first: number;
    readonly after: string | null;
  }
>(`
  query Diff(
    $scope: String!, $types: [GraphNodeType!], $axis: GraphAxis, $from: DateTime!, $to: DateTime, $over: Boolean, $asOf: AsOf,
    $first: Int, $after: String
  ) {
    graphDiff(
      scope: $scope, types: $types, axis: $axis, from: $from, to: $to, includeSuperseded: $over, asOf: $asOf,
      first: $first, after: $after
    ) {
      appeared { ${SIDE} }
      gone { ${SIDE} }
      changed {
        nodes { before { ${NODE} } after { ${NODE} } }
        edges { before { ${EDGE} } after { ${EDGE} } }
      }
      unchanged { nodes edges }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const NEIGHBOURS = query<
  { readonly neighbours: GraphPage | null },
  {
    readonly id: string;
    readonly scope: string;
    readonly types: readonly NodeType[] | null;
    readonly over: boolean;
    readonly asOf: AsOf | null;
    readonly first: number;
    readonly after: string | null;
  }
>(`
  query Neighbours(
    $id: ID!, $scope: String, $types: [GraphNodeType!], $over: Boolean, $asOf: AsOf, $first: Int, $after: String
  ) {
    neighbours(
      id: $id, scope: $scope, types: $types, includeSuperseded: $over, asOf: $asOf, first: $first, after: $after
    ) {
      ${SIDE}
      pageInfo { hasNextPage endCursor }
      ambiguousEntity { name ids }
      withheldScopes
    }
  }
`);

/** What changed in the graph of a scope. */
export interface GraphChange extends GraphSide {
  readonly lifecycleId: string;
  readonly event: string;
  readonly gone: readonly string[];
  readonly readAgain: boolean;
}

export const CHANGES = subscription<
  { readonly graphChanged: GraphChange },
  { readonly scope: string; readonly over: boolean; readonly since: string | null }
>(`
  subscription Changes($scope: String!, $over: Boolean, $since: ID) {
    graphChanged(scope: $scope, includeSuperseded: $over, sinceLifecycleId: $since) {
      lifecycleId event readAgain gone
      ${SIDE}
    }
  }
`);
