import { createHmac } from 'node:crypto';

import canonicalize from 'canonicalize';

/** A key that an uploader chose, as it is kept. */
export interface HashedUploadKey {
  readonly tenant: string;
  /** Actor id. */
  readonly uploader: string;
  /** HMAC of the key, base64url: the key itself, often the name of a file, is kept nowhere. */
  readonly key_hash: string;
}

/** Hashes a key of an uploader. */
export type UploadKeyHash = (tenant: string, uploader: string, key: string) => HashedUploadKey;

/**
 * Hashes the keys of uploads: HMAC-SHA-256 (base64url) over tenant, actor and key. A key is often the name of a file, and what is kept of it
 * outlives the file: without the key of the deployment nobody can tell by trying which name it was.
 */
export function uploadKeyHasher(deploymentKey: string): UploadKeyHash {
  return (tenant, uploader, key) => ({
    tenant,
    uploader,
    // A list: what `contentHasher` hashes with the same key is an object.
    key_hash: createHmac('sha256', deploymentKey)
      .update(canonicalize([tenant, uploader, key]) ?? '')
      .digest('base64url'),
  });
}
