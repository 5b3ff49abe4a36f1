import { query, type Page } from '../api/document.ts';

/** The scopes to choose from; the first ones in the order of their paths. */
export const SCOPE_PATHS = query<{ readonly scopes: Page<{ readonly path: string }> }>(`
  query ScopePaths {
    scopes(first: 500) { nodes { path } pageInfo { hasNextPage endCursor } }
  }
`);
