import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Cursors that tell their holder nothing and that he cannot make himself: a page may end at something that he may not read.
 * All processes of a deployment make the same ones of the same secret.
 */
export class CursorSeal {
  readonly #cipherKey: Buffer;
  readonly #nonceKey: Buffer;

  constructor(secret: string) {
    const derive = (use: string): Buffer => Buffer.from(hkdfSync('sha256', secret, 'strata cursor', use, 32));
    this.#cipherKey = derive('seal');
    this.#nonceKey = derive('nonce');
  }

  /** Seals a text; the same text gives the same cursor. */
  seal(text: string): string {
    const nonce = createHmac('sha256', this.#nonceKey).update(text).digest().subarray(0, NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#cipherKey, nonce);
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return sealed.toString('base64url');
  }

  /** The text that was sealed; null for anything that was not sealed here. */
  open(cursor: string): string | null {
    const sealed = Buffer.from(cursor, 'base64url');
    if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
    const decipher = createDecipheriv(CIPHER, this.#cipherKey, sealed.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch (error) {
      if (/unable to authenticate data/i.test((error as { message?: string }).message ?? '')) return null;
      throw error;
    }
  }
}
