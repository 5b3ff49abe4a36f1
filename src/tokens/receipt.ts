import { InspectFooter, PublicProtocol } from 'paseto';
import { VerifyFactory } from 'paseto/v4/public';

import { erasureReceipt, type ErasureReceipt } from '../../schemas/erasure.ts';
import { StrataError } from '../errors.ts';
import type { SigningKey, VerifyingKey } from './key.ts';
import { signToken, TOKEN_HEADER } from './paseto.ts';

const v4 = new PublicProtocol(VerifyFactory);

/** Characters of a signed receipt at most. */
const MAX_RECEIPT_LENGTH = 1024 * 1024;

/** Signs what a receipt says. */
export function signReceipt(key: SigningKey, receipt: ErasureReceipt): Promise<string> {
  return signToken(key, { ...receipt }, { forGood: true });
}

/**
 * What a signed receipt says, checked with the public key alone. Throws `INVALID_TOKEN_SIGNATURE` for what is none, or is not signed
 * by that key.
 */
export async function openReceipt(text: string, { key }: VerifyingKey): Promise<ErasureReceipt> {
  if (!text.startsWith(TOKEN_HEADER) || text.length > MAX_RECEIPT_LENGTH)
    throw invalid('the receipt is no v4.public token');
  const claims = await claimsOf(text, key);
  const read = erasureReceipt.safeParse(claims);
  if (!read.success) throw invalid('what is signed is no receipt of an erasure');
  return read.data;
}

/** The name of the key that a receipt says it is signed with; null where it says none. */
export function receiptKeyName(text: string): string | null {
  try {
    const { kid } = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(InspectFooter(text))) as {
      kid?: unknown;
    };
    return typeof kid === 'string' ? kid : null;
  } catch {
    return null;
  }
}

async function claimsOf(text: string, key: VerifyingKey['key']): Promise<unknown> {
  try {
    return (await v4.Verify(key, text, { clockTolerance: 1e12, allowNonExpiring: true })).claims;
  } catch (cause) {
    throw new StrataError(
      'INVALID_TOKEN_SIGNATURE',
      'the receipt is not signed by this key, or was changed',
      {
        cause,
      },
    );
  }
}

function invalid(message: string): StrataError {
  return new StrataError('INVALID_TOKEN_SIGNATURE', message);
}
