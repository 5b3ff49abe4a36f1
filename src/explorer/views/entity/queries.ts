import { query, type AsOf, type Page } from '../../api/document.ts';

/** An entity in its list. */
export interface EntityItem {
  readonly id: string;
  readonly name: string | null;
  readonly aliases: readonly string[];
  readonly type: string;
}

/** Instants of an axis alone: entities and concepts have no valid time. */
export interface Recorded {
  readonly recorded: string;
}

export const ENTITIES = query<
  { readonly entities: Page<EntityItem> | null },
  {
    readonly scope: string;
    readonly q: string | null;
    readonly asOf: Recorded | null;
    readonly after: string | null;
  }
>(`
  query Entities($scope: String!, $q: String, $asOf: AsOf, $after: String) {
    entities(scope: $scope, q: $q, asOf: $asOf, first: 50, after: $after) {
      nodes { id name aliases type }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** An entity with its names and where it is named. */
export interface EntityWhole extends EntityItem {
  readonly scopes: readonly string[];
  readonly links: readonly {
    readonly linkId: string;
    readonly entity: string;
    readonly scope: string;
    readonly recordedAt: string;
    readonly linkedBy: string;
  }[];
}

export const ENTITY = query<
  { readonly entity: EntityWhole | null },
  { readonly id: string; readonly scope: string | null; readonly asOf: Recorded | null }
>(`
  query Entity($id: ID!, $scope: String, $asOf: AsOf) {
    entity(id: $id, scope: $scope, asOf: $asOf) {
      id name aliases type scopes
      links { linkId entity scope recordedAt linkedBy }
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

/** A fact about the entity, whenever it is true. */
export interface FactItem {
  readonly id: string;
  readonly predicate: string;
  readonly object: Term;
  readonly validFrom: string;
  readonly validTo: string | null;
  readonly recordedFrom: string;
  readonly recordedTo: string | null;
  readonly confidence: number;
}

export const FACTS = query<
  { readonly facts: Page<FactItem> | null },
  {
    readonly scope: string;
    readonly subject: string;
    /** Null for any. */
    readonly predicate: string | null;
    readonly asOf: Recorded | null;
    readonly after: string | null;
  }
>(`
  query FactsAbout($scope: String!, $subject: String!, $predicate: String, $asOf: AsOf, $after: String) {
    facts(
      scope: $scope, subject: $subject, predicate: $predicate, includeSuperseded: true, asOf: $asOf, first: 200, after: $after
    ) {
      nodes {
        id predicate
        object { type ... on EntityTerm { id name } ... on LiteralTerm { value } }
        validFrom validTo recordedFrom recordedTo confidence
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** A stretch of valid time in which something is true, as known at some instant. */
export interface Stretch {
  readonly factId: string;
  readonly object: Term;
  readonly validFrom: string;
  readonly validTo: string | null;
}

/** Stretches of a predicate as they were known at one instant. */
export interface TimelineData {
  readonly factTimeline: {
    readonly nodes: readonly Stretch[];
    readonly pageInfo: { readonly hasNextPage: boolean };
  } | null;
}

/** Of which predicate, and as known when. */
export interface TimelineVariables {
  readonly scope: string;
  readonly subject: string;
  readonly predicate: string;
  readonly asOf: Recorded;
}

export const TIMELINE = query<TimelineData, TimelineVariables>(`
  query Timeline($scope: String!, $subject: String!, $predicate: String!, $asOf: AsOf) {
    factTimeline(scope: $scope, subject: $subject, predicate: $predicate, asOf: $asOf, first: 200) {
      nodes {
        factId
        object { type ... on EntityTerm { id name } ... on LiteralTerm { value } }
        validFrom validTo
      }
      pageInfo { hasNextPage }
    }
  }
`);

/** What other entities are said to have to do with this one. */
export interface Relation {
  readonly factId: string;
  readonly direction: 'in' | 'out';
  readonly predicate: string;
  readonly entity: { readonly id: string; readonly name: string | null };
  readonly validFrom: string;
  readonly validTo: string | null;
}

export const RELATIONS = query<
  { readonly entityEdges: Page<Relation> | null },
  {
    readonly id: string;
    readonly scope: string;
    readonly asOf: AsOf | null;
    readonly after: string | null;
  }
>(`
  query Relations($id: ID!, $scope: String!, $asOf: AsOf, $after: String) {
    entityEdges(id: $id, scope: $scope, asOf: $asOf, first: 100, after: $after) {
      nodes { factId direction predicate entity { id name } validFrom validTo }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** What is believed of the entity. */
export interface BeliefItem {
  readonly id: string;
  readonly predicate: string;
  readonly claim: { readonly subject: { readonly id: string; readonly name: string | null } };
  readonly object: Term;
  readonly stance: string;
  readonly confidence: number;
  readonly confidenceInterval: { readonly lower: number; readonly upper: number };
  readonly revisionCount: number;
}

export const BELIEFS = query<
  { readonly beliefs: Page<BeliefItem> | null },
  {
    readonly scope: string;
    readonly about: string;
    readonly asOf: AsOf | null;
    readonly after: string | null;
  }
>(`
  query BeliefsAbout($scope: String!, $about: String!, $asOf: AsOf, $after: String) {
    beliefs(scope: $scope, about: $about, asOf: $asOf, first: 8, after: $after) {
      nodes {
        id predicate
        claim { subject { id name } }
        object { type ... on EntityTerm { id name } ... on LiteralTerm { value } }
        stance confidence confidenceInterval { lower upper } revisionCount
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** One revision of a belief. */
export interface BeliefVersion {
  readonly revision: number;
  readonly stance: string;
  readonly confidence: number;
  readonly confidenceInterval: { readonly lower: number; readonly upper: number };
  readonly revisedAt: string;
  readonly causedBy: string;
}

export const BELIEF_HISTORY = query<
  { readonly beliefHistory: (Page<BeliefVersion> & { readonly revisionCount: number }) | null },
  { readonly id: string; readonly asOf: AsOf | null; readonly after: string | null }
>(`
  query BeliefHistory($id: ID!, $asOf: AsOf, $after: String) {
    beliefHistory(beliefId: $id, asOf: $asOf, first: 100, after: $after) {
      revisionCount
      nodes { revision stance confidence confidenceInterval { lower upper } revisedAt causedBy }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** What is understood of the entity. */
export interface ConceptItem {
  readonly id: string;
  readonly name: string;
  readonly version: number;
}

export const CONCEPTS = query<
  { readonly concepts: Page<ConceptItem> | null },
  {
    readonly scope: string;
    readonly topic: string;
    readonly asOf: Recorded | null;
    readonly after: string | null;
  }
>(`
  query ConceptsOf($scope: String!, $topic: String!, $asOf: AsOf, $after: String) {
    concepts(scope: $scope, topic: $topic, asOf: $asOf, first: 8, after: $after) {
      nodes { id name version }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** A version of a concept. */
export interface ConceptVersion {
  readonly version: number;
  readonly summary: string;
  readonly stance: string;
  readonly confidence: number;
  readonly coverageScore: number;
  readonly factCount: number;
  readonly recordedFrom: string;
  readonly causedBy: string;
}

export const CONCEPT_HISTORY = query<
  { readonly conceptHistory: Page<ConceptVersion> | null },
  { readonly id: string; readonly asOf: Recorded | null; readonly after: string | null }
>(`
  query ConceptHistory($id: ID!, $asOf: AsOf, $after: String) {
    conceptHistory(id: $id, asOf: $asOf, first: 50, after: $after) {
      nodes { version summary stance confidence coverageScore factCount recordedFrom causedBy }
      pageInfo { hasNextPage endCursor }
    }
  }
`);
