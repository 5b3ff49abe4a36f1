import { mutation } from '../api/document.ts';

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
