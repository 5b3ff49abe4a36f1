/** How long a document may be repeated by itself: what reads may always be sent again, what writes may not. */
export type Kind = 'query' | 'mutation' | 'subscription';

/** A document of GraphQL with the types of its variables and of its answer. */
export interface Document<Data, Variables> {
  readonly kind: Kind;
  readonly text: string;
  /** Never there: it only carries the types. */
  readonly types?: (variables: Variables) => Data;
}

/** No variables. */
export type None = Readonly<Record<string, never>>;

/**
 * A document that reads. Every document of the explorer stands in a file named `queries.ts`: a test holds each of them against the
 * contract. The types of answers are written by hand beside it.
 */
export function query<Data, Variables = None>(text: string): Document<Data, Variables> {
  return { kind: 'query', text };
}

/** A document that writes. */
export function mutation<Data, Variables = None>(text: string): Document<Data, Variables> {
  return { kind: 'mutation', text };
}

/** A document that goes on answering. */
export function subscription<Data, Variables = None>(text: string): Document<Data, Variables> {
  return { kind: 'subscription', text };
}

/** Where a page stands in its list. */
export interface PageInfo {
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
}

/** A page of a list. */
export interface Page<Item> {
  readonly nodes: readonly Item[];
  readonly pageInfo: PageInfo;
}

/** Instants to read at, as the contract takes them. */
export interface AsOf {
  readonly valid?: string;
  readonly recorded?: string;
}
