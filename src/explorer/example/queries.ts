import { mutation, query } from '../api/document.ts';

/** What became of the moments of a chapter. */
export interface BulkData {
  readonly captureMany: {
    readonly results: readonly { readonly index: number; readonly eventId: string | null }[];
    readonly failures:
      | readonly { readonly index: number; readonly errorCode: string; readonly error: string }[]
      | null;
  } | null;
}

export const CAPTURE_CHAPTER = mutation<BulkData, { readonly input: unknown }>(`
  mutation CaptureChapter($input: BulkInput!) {
    captureMany(input: $input, wait: consolidated) {
      results { index eventId }
      failures { index errorCode error }
    }
  }
`);

/** What was derived from an event. */
export interface DerivedData {
  readonly event: {
    readonly derives: readonly { readonly __typename: string; readonly id: string }[];
  } | null;
}

export const FACTS_OF = query<DerivedData, { readonly event: string }>(`
  query FactsOf($event: ID!) {
    event(id: $event) { derives { __typename id } }
  }
`);
