import { createHash, createHmac } from 'node:crypto';

/** The hash by which a row tells of the body of its request. */
export interface RequestHash {
  /** Of the SHA-256 (hex) of the body. */
  ofDigest(sha256: string): string;
  /** Of a body at hand: both what rows hold now, and what those of before hold. */
  ofBody(body: string): { readonly keyed: string; readonly plain: string };
}

/**
 * Hashes bodies of requests for the audit log: HMAC-SHA-256 (hex) over their SHA-256. Rows stay when what was sent is erased, and a plain hash
 * would prove to whoever guesses the request what it said.
 */
export function requestHasher(deploymentKey: string): RequestHash {
  const ofDigest = (sha256: string): string =>
    createHmac('sha256', deploymentKey).update(`strata request\n${sha256}`).digest('hex');
  return {
    ofDigest,
    ofBody: (body) => {
      const plain = createHash('sha256').update(body, 'utf8').digest('hex');
      return { keyed: ofDigest(plain), plain };
    },
  };
}
