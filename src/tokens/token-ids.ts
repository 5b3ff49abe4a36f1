import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const FORM = /^tok_([0-9a-f]{20})([0-9a-f]{12})$/;
const RANDOM_BYTES = 10;
const MARK_BYTES = 6;

/**
 * Ids of tokens that only this deployment can make: the last 12 of their 32 digits are a keyed hash of the others. What is
 * revoked is remembered by every process, so nobody may have ids remembered that he has thought up.
 */
export class TokenIds {
  readonly #key: Buffer;

  /** All processes of a deployment know the same ids by the same secret. */
  constructor(secret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, 'strata token ids', '', 32));
  }

  /** A fresh id: `tok_` and 32 hex digits. */
  make(): string {
    const random = randomBytes(RANDOM_BYTES).toString('hex');
    return `tok_${random}${this.mark(random).toString('hex')}`;
  }

  /** Whether an id was made by this deployment. */
  isOwn(id: string): boolean {
    const [, random = '', mark = ''] = FORM.exec(id) ?? [];
    return mark !== '' && timingSafeEqual(Buffer.from(mark, 'hex'), this.mark(random));
  }

  private mark(random: string): Buffer {
    return createHmac('sha256', this.#key).update(random).digest().subarray(0, MARK_BYTES);
  }
}
