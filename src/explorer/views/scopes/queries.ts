import { query, type Page } from '../../api/document.ts';

/** A scope in the tree. */
export interface ScopeItem {
  readonly path: string;
  readonly autoProvisioned: boolean;
  readonly eventCount: number;
  readonly eventCountCapped: boolean;
  readonly owner: string | null;
  readonly memberCount: number;
}

export const SCOPES = query<{ readonly scopes: Page<ScopeItem> | null }, { readonly after: string | null }>(`
  query Scopes($after: String) {
    scopes(first: 500, after: $after) {
      nodes { path autoProvisioned eventCount eventCountCapped owner memberCount }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** A scope with its roster and policies; `inheritedPolicy` says who states what the scope does not state itself. */
export interface ScopeData {
  readonly scope: {
    readonly path: string;
    readonly autoProvisioned: boolean;
    readonly createdAt: string;
    readonly createdBy: string;
    readonly members: readonly Member[];
    readonly inheritedPolicy: Readonly<Record<string, { readonly value: unknown; readonly from: string }>>;
    readonly resolvedPolicy: Policy;
  } | null;
}

/** One of a roster. */
export interface Member {
  readonly actor: string;
  readonly role: string;
}

/** The policies in force. */
export interface Policy {
  readonly consolidation: string;
  readonly conflictResolution: string;
  readonly audit: string;
  readonly retention: unknown;
  readonly defaultView: string | null;
  readonly cardinality: unknown;
}

export const SCOPE = query<ScopeData, { readonly path: string }>(`
  query Scope($path: String!) {
    scope(path: $path) {
      path autoProvisioned createdAt createdBy
      members { actor role }
      inheritedPolicy
      resolvedPolicy { consolidation conflictResolution audit retention defaultView cardinality }
    }
  }
`);

/** What was derived of a scope. */
export interface CountsData {
  readonly derivationStatus: {
    readonly caughtUp: boolean;
    readonly built: { readonly episodes: number; readonly beliefs: number; readonly concepts: number };
    readonly held: number;
    readonly failed: number;
  } | null;
}

export const COUNTS = query<CountsData, { readonly scope: string }>(`
  query Counts($scope: String!) {
    derivationStatus(scope: $scope) { caughtUp built { episodes beliefs concepts } held failed }
  }
`);
