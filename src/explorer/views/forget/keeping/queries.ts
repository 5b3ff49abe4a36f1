import { mutation, query, type Page } from '../../../api/document.ts';
import type { Selector } from '../queries.ts';

type Sent = { readonly [Name in keyof Selector]: Selector[Name] | null };

/** What keeps events from being forgotten. */
export interface Hold {
  readonly id: string;
  readonly scope: string;
  readonly selector: Sent | null;
  readonly reason: string;
  readonly until: string | null;
  readonly active: boolean;
  readonly createdAt: string;
  readonly createdBy: string;
}

export const HOLDS = query<
  { readonly legalHolds: Page<Hold> | null },
  { readonly scope: string; readonly after: string | null }
>(`
  query Holds($scope: String!, $after: String) {
    legalHolds(scope: $scope, first: 20, after: $after) {
      nodes {
        id scope reason until active createdAt createdBy
        selector { memoryIds aboutSubject aboutEntity predicate labels validDuring recordedDuring }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const REMOVE_HOLD = mutation<{ readonly removeLegalHold: boolean | null }, { readonly id: string }>(`
  mutation RemoveHold($id: ID!) {
    removeLegalHold(id: $id)
  }
`);

/** What keeps forgotten contents from being captured again. */
export interface Suppression {
  readonly id: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly contents: number;
  readonly refused: number;
}

export const SUPPRESSIONS = query<
  { readonly suppressions: Page<Suppression> | null },
  { readonly scope: string; readonly after: string | null }
>(`
  query Suppressions($scope: String!, $after: String) {
    suppressions(scope: $scope, first: 20, after: $after) {
      nodes { id createdAt createdBy contents refused }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const LIFT = mutation<{ readonly liftSuppression: boolean | null }, { readonly id: string }>(`
  mutation Lift($id: ID!) {
    liftSuppression(id: $id)
  }
`);
