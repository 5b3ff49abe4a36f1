import type { Content } from '../../schemas/content.ts';

/** A place of an envelope that names a blob. */
export interface BlobReference {
  readonly blob_id: string;
  /** Where it stands, such as `content.media[0].blob_id`. */
  readonly path: string;
}

/** The blobs that content refers to, in its order; one that is named twice stands at its first place. */
export function blobReferences(content: Content): BlobReference[] {
  if (content.kind === 'blob_ref') return [{ blob_id: content.blob_id, path: 'content.blob_id' }];
  if (content.kind !== 'message') return [];
  const first = new Map<string, BlobReference>();
  for (const [i, { blob_id }] of (content.media ?? []).entries()) {
    if (!first.has(blob_id)) first.set(blob_id, { blob_id, path: `content.media[${i}].blob_id` });
  }
  return [...first.values()];
}
