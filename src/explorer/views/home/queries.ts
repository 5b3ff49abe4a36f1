import { query, subscription, type Page, type PageInfo } from '../../api/document.ts';
import type { RightsData } from '../../api/queries.ts';

/** How one part of the service is; `detail` and `fix` are there for callers who may read diagnostics. */
export interface Check {
  readonly ok: boolean;
  readonly status: 'up' | 'down' | 'off' | 'unknown';
  readonly detail?: string;
  readonly fix?: string;
}

/** What is running, and how its parts are. */
export interface HealthData {
  readonly version: { readonly version: string; readonly gitSha: string; readonly builtAt: string };
  readonly adminReady: {
    readonly ready: boolean;
    readonly degraded: boolean;
    readonly embeddingProvider: string;
    readonly checks: Readonly<Record<string, Check>>;
  } | null;
}

export const HEALTH = query<HealthData>(`
  query Health {
    version { version gitSha builtAt }
    adminReady { ready degraded embeddingProvider checks }
  }
`);

/** The first scopes in the order of their paths, and what the caller may do in general. */
export interface FirstScopes extends RightsData {
  readonly scopes: Page<{ readonly path: string }> | null;
}

/** The scopes at the top of the tree are found among the first ones in the order of their paths. */
export const FIRST_SCOPES = query<FirstScopes>(`
  query FirstScopes {
    scopes(first: 200) { nodes { path } pageInfo { hasNextPage endCursor } }
    effectivePolicy { actor naturalLevel decisions }
  }
`);

/** How far one stage is. */
export interface StageLag {
  readonly offset: number;
  readonly lagEvents: number;
  readonly lagMs: number;
}

/** How far derivation is for a scope. */
export interface StageData {
  readonly derivationStatus: {
    readonly caughtUp: boolean;
    readonly rebuilding: boolean;
    readonly headOffset: number;
    readonly held: number;
    readonly deferred: number;
    readonly failed: number;
    readonly built: { readonly episodes: number; readonly beliefs: number; readonly concepts: number };
    readonly stages: {
      readonly extracted: StageLag;
      readonly indexed: StageLag;
      readonly consolidated: StageLag;
    };
    readonly embeddings: { readonly due: number; readonly lagMs: number; readonly refused: number };
  } | null;
}

export const STAGES = query<StageData, { readonly scope: string }>(`
  query Stages($scope: String!) {
    derivationStatus(scope: $scope) {
      caughtUp rebuilding headOffset held deferred failed
      built { episodes beliefs concepts }
      stages {
        extracted { offset lagEvents lagMs }
        indexed { offset lagEvents lagMs }
        consolidated { offset lagEvents lagMs }
      }
      embeddings { due lagMs refused }
    }
  }
`);

/** An event as a line of a list shows it. */
export interface RecentEvent {
  readonly id: string;
  readonly scope: string;
  readonly modality: string;
  readonly observedActor: { readonly id: string };
  readonly context: { readonly recordedAt: string };
  readonly content: Content;
}

/** What an event holds; of some kinds a line shows no more than the kind. */
export type Content =
  | { readonly kind: 'message'; readonly role: string; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'triple'; readonly triple: Triple }
  | { readonly kind: 'json' | 'blob_ref' | 'declared_belief' | 'conflict_resolution' };

/** A statement. */
export interface Triple {
  readonly predicate: string;
  readonly polarity: 'positive' | 'negative' | null;
  readonly subject: Term;
  readonly object: Term;
}

/** An entity or a value. */
export type Term =
  | { readonly type: 'entity'; readonly id: string; readonly name: string | null }
  | { readonly type: 'literal'; readonly value: unknown };

/** What came in lately, newest first. */
export interface RecentData {
  readonly events: Page<RecentEvent> | null;
}

export const RECENT = query<
  RecentData,
  { readonly scope: string; readonly since: string; readonly first: number }
>(`
  query Recent($scope: String!, $since: DateTime!, $first: Int!) {
    events(scope: $scope, view: descend, since: $since, first: $first) {
      nodes {
        id scope modality
        observedActor { id }
        context { recordedAt }
        content {
          kind
          ... on MessageContent { role text }
          ... on TextContent { text }
          ... on TripleContent {
            triple {
              predicate polarity
              subject { type ... on EntityTerm { id name } ... on LiteralTerm { value } }
              object { type ... on EntityTerm { id name } ... on LiteralTerm { value } }
            }
          }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** A frame of the lifecycle. */
export interface Frame {
  readonly lifecycleId: string;
  readonly ts: string;
  readonly scope: string | null;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An offset beyond the newest frame is answered with the cursor of that one. */
export const NEWEST_FRAME = query<
  { readonly lifecycle: { readonly pageInfo: PageInfo } | null },
  { readonly scope: string | null }
>(`
  query NewestFrame($scope: String) {
    lifecycle(scope: $scope, offset: "999999999999999", first: 1) { pageInfo { hasNextPage endCursor } }
  }
`);

export const FRAMES = subscription<
  { readonly lifecycle: Frame },
  { readonly scope: string | null; readonly since: string | null }
>(`
  subscription Frames($scope: String, $since: ID) {
    lifecycle(scope: $scope, sinceLifecycleId: $since) { lifecycleId ts scope event data }
  }
`);
