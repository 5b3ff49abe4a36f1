import type { Receipt } from './queries.ts';

/** A receipt as a file: what the service answers over REST, which the command line verifies. */
export function receiptFile({ erasureId, receipt, kid, publicKey, claims }: Receipt): string {
  const file = { erasure_id: erasureId, receipt, kid, public_key: publicKey, claims };
  return `${JSON.stringify(file, null, 2)}\n`;
}
