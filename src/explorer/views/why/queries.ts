import { query, type AsOf, type Page } from '../../api/document.ts';

/** Kinds of records. */
export type RecordKind = 'concept' | 'belief' | 'fact' | 'episode' | 'event';

/** A stretch of a text, in characters. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What a belief weighs. */
export interface Support {
  readonly id: string;
  readonly weight: number;
  readonly polarity: 'supports' | 'against';
}

/** A record of the graph around another one. */
export interface ProvenanceNode {
  readonly id: string;
  readonly type: RecordKind;
  readonly summary: string;
  readonly record: {
    readonly confidence?: number;
    readonly stance?: string;
    readonly supports?: readonly Support[];
  } | null;
}

/** What a record rests on, or took the place of. */
export interface ProvenanceEdge {
  readonly from: string;
  readonly to: string;
  readonly relation: string;
  readonly span: Span | null;
}

/** The graph that a record stands at one end of. */
export interface Provenance {
  readonly nodes: readonly ProvenanceNode[];
  readonly edges: readonly ProvenanceEdge[];
  readonly truncated: boolean;
}

/** What a record rests on, and what rests on it: two walks, since one both ways comes along all that shares a ground with it. */
export interface ProvenanceData {
  readonly down: Provenance | null;
  readonly up: Provenance | null;
}

/** What is asked of each walk. */
const WALKED = `nodes {
        id type summary
        record {
          ... on Fact { confidence }
          ... on Belief { confidence stance supports { id weight polarity } }
          ... on Concept { confidence stance }
        }
      }
      edges { from to relation span { start end } }
      truncated`;

export const PROVENANCE = query<
  ProvenanceData,
  { readonly id: string; readonly depth: number; readonly asOf: AsOf | null }
>(`
  query Provenance($id: ID!, $depth: SafeInt, $asOf: AsOf) {
    down: provenance(id: $id, direction: down, depth: $depth, asOf: $asOf) {
      ${WALKED}
    }
    up: provenance(id: $id, direction: up, depth: $depth, asOf: $asOf) {
      ${WALKED}
    }
  }
`);

/** What is at the other ends of the edges of a record. */
export interface NeighboursData {
  readonly neighbours: {
    readonly nodes: readonly {
      readonly id: string;
      readonly type: RecordKind | 'entity';
      readonly summary: string;
      readonly confidence: number | null;
      readonly stance: string | null;
    }[];
    readonly edges: readonly {
      readonly from: string;
      readonly to: string;
      readonly type: string;
      readonly weight: number | null;
      readonly polarity: 'supports' | 'against' | null;
      readonly span: Span | null;
    }[];
    readonly pageInfo: { readonly hasNextPage: boolean };
  } | null;
}

/** What was superseded is shown too: it says what took the place of what. */
export const NEIGHBOURS = query<NeighboursData, { readonly id: string; readonly asOf: AsOf | null }>(`
  query Neighbours($id: ID!, $asOf: AsOf) {
    neighbours(
      id: $id, types: [concept, belief, fact, episode, event], includeSuperseded: true, asOf: $asOf, first: 100
    ) {
      nodes { id type summary confidence stance }
      edges { from to type weight polarity span { start end } }
      pageInfo { hasNextPage }
    }
  }
`);

/** Why a fact is known, in words. */
export const FACT_WHY = query<
  { readonly factWhy: { readonly narrative: string; readonly narrativeModel: string | null } | null },
  { readonly id: string; readonly depth: number; readonly asOf: AsOf | null }
>(`
  query FactWhy($id: ID!, $depth: SafeInt, $asOf: AsOf) {
    factWhy(id: $id, depth: $depth, asOf: $asOf) { narrative narrativeModel }
  }
`);

/** Why something is believed, in words. */
export const BELIEF_WHY = query<
  { readonly beliefWhy: { readonly narrative: string; readonly narrativeModel: string | null } | null },
  { readonly id: string; readonly depth: number; readonly asOf: AsOf | null }
>(`
  query BeliefWhy($id: ID!, $depth: SafeInt, $asOf: AsOf) {
    beliefWhy(beliefId: $id, depth: $depth, asOf: $asOf) { narrative narrativeModel }
  }
`);

/** What an event says; the kinds of content that have words of their own. */
export interface Content {
  readonly kind: string;
  readonly text?: string;
  readonly transcript?: string | null;
  readonly data?: unknown;
}

/** The text that the words of a fact stand in. */
export const EVENT_TEXT = query<
  { readonly event: { readonly id: string; readonly content: Content } | null },
  { readonly id: string }
>(`
  query EventText($id: ID!) {
    event(id: $id) {
      id
      content {
        kind
        ... on MessageContent { text }
        ... on TextContent { text }
        ... on BlobRefContent { transcript }
        ... on JsonContent { data }
      }
    }
  }
`);

/** Entity or value. */
export interface Term {
  readonly type: 'entity' | 'literal';
  readonly id?: string;
  readonly name?: string | null;
  readonly value?: unknown;
}

interface Stated {
  readonly predicate: string;
  readonly object: Term;
  readonly validFrom: string;
  readonly validTo: string | null;
  readonly recordedFrom: string;
  readonly recordedTo: string | null;
  readonly confidence: number;
}

/** A record with what is worth showing of it. */
export type RecordDetail = { readonly id: string; readonly scope: string } & (
  | ({ readonly __typename: 'Fact'; readonly subject: Term; readonly extractor: string | null } & Stated)
  | ({
      readonly __typename: 'Belief';
      readonly claim: { readonly subject: Term };
      readonly stance: string;
      readonly confidenceInterval: { readonly lower: number; readonly upper: number };
      readonly supportCount: number;
      readonly revisionCount: number;
    } & Stated)
  | {
      readonly __typename: 'Concept';
      readonly entityId: string;
      readonly name: string;
      readonly version: number;
      readonly summary: string;
      readonly stance: string;
      readonly confidence: number;
      readonly recordedFrom: string;
    }
  | {
      readonly __typename: 'Episode';
      readonly summary: string;
      readonly startedAt: string;
      readonly endedAt: string | null;
      readonly recordedFrom: string;
    }
  | {
      readonly __typename: 'Event';
      readonly observedActor: { readonly id: string };
      readonly modality: string;
      readonly content: Content;
      readonly context: {
        readonly observedAt: string;
        readonly recordedAt: string;
        readonly labels: readonly string[];
      };
    }
);

export const RECORD = query<
  { readonly node: RecordDetail | null },
  { readonly id: string; readonly asOf: AsOf | null }
>(`
  query Record($id: ID!, $asOf: AsOf) {
    node(id: $id, asOf: $asOf) {
      __typename id scope
      ... on Fact {
        subject { id name } predicate
        object { type ... on EntityTerm { id name } ... on LiteralTerm { value } }
        validFrom validTo recordedFrom recordedTo confidence extractor
      }
      ... on Belief {
        claim { subject { id name } } predicate
        object { type ... on EntityTerm { id name } ... on LiteralTerm { value } }
        stance confidenceInterval { lower upper } supportCount revisionCount
        validFrom validTo recordedFrom recordedTo confidence
      }
      ... on Concept {
        entityId name version summary stance confidence recordedFrom
      }
      ... on Episode { summary startedAt endedAt recordedFrom }
      ... on Event {
        observedActor { id } modality
        content {
          kind
          ... on MessageContent { text }
          ... on TextContent { text }
          ... on BlobRefContent { transcript }
          ... on JsonContent { data }
        }
        context { observedAt recordedAt labels }
      }
    }
  }
`);

/** What may be asked about. */
export interface StartNode {
  readonly id: string;
  readonly type: RecordKind;
  readonly summary: string;
  readonly confidence: number | null;
  readonly recordedFrom: string | null;
}

export const STARTS = query<
  { readonly graph: Page<StartNode> | null },
  {
    readonly scope: string;
    readonly q: string | null;
    readonly types: readonly RecordKind[];
    readonly asOf: AsOf | null;
    readonly after: string | null;
  }
>(`
  query Starts($scope: String!, $q: String, $types: [GraphNodeType!], $asOf: AsOf, $after: String) {
    graph(
      scope: $scope, q: $q, types: $types, includeSuperseded: true, asOf: $asOf, first: 30, after: $after
    ) {
      nodes { id type summary confidence recordedFrom }
      pageInfo { hasNextPage endCursor }
    }
  }
`);
