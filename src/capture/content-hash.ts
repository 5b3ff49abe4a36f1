import { createHmac } from 'node:crypto';

import canonicalize from 'canonicalize';

/** The hash of what an envelope (JSON text, as it is stored) says. */
export type ContentHash = (envelope: string) => string;

/**
 * Hashes what envelopes say: HMAC-SHA-256 (base64url) over the RFC 8785 form of `content`. Without the key nobody can tell by trying
 * which content a hash is of.
 */
export function contentHasher(key: string): ContentHash {
  return (envelope) => {
    const { content } = JSON.parse(envelope) as { content: unknown };
    return createHmac('sha256', key)
      .update(canonicalize(content) ?? '')
      .digest('base64url');
  };
}
