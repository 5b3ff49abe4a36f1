import { createHash } from 'node:crypto';

import { errorText } from '../../errors.ts';
import { INGEST_LINE_BYTES } from '../../limits.ts';
import type { Line } from './lines.ts';

/** An envelope that is ready to be sent: the text of its line, given a key when it had none. */
export interface Item {
  readonly number: number;
  readonly text: string;
  /** Bytes of the text in UTF-8. */
  readonly bytes: number;
}

/** A line that was not captured, and why. */
export interface Refusal {
  readonly number: number;
  readonly code: string;
  readonly message: string;
}

/** What a line turned out to be. */
export type LineReading =
  | { readonly kind: 'blank' }
  | { readonly kind: 'item'; readonly item: Item }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * Reads the lines of one input in order. An envelope without `idempotency_key` is given one: a SHA-256 over the
 * input from its start through this line (blank lines apart). So a repeated or broken-off ingest of the same input
 * captures nothing twice, lines added at the end of it are new, and equal lines stay two events.
 */
export class ItemReader {
  private chain = '';
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });

  /** The reading of the next line. */
  read(line: Line): LineReading {
    if (line.bytes === null) return refused(line, `the line is longer than ${INGEST_LINE_BYTES} bytes`);
    let text: string;
    try {
      text = this.decoder.decode(line.bytes).trim();
    } catch (error) {
      return refused(line, `the line is not UTF-8 (${errorText(error)})`);
    }
    if (text === '') return { kind: 'blank' };
    const key = this.nextKey(text);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      return refused(line, `the line is not JSON: ${errorText(error)}`);
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return refused(line, 'the line is not a JSON object');
    }
    const keyed = Object.hasOwn(value, 'idempotency_key') ? text : withKey(text, value, key);
    return { kind: 'item', item: { number: line.number, text: keyed, bytes: Buffer.byteLength(keyed) } };
  }

  private nextKey(text: string): string {
    this.chain = createHash('sha256').update(`${this.chain}\n${text}`, 'utf8').digest('hex');
    return `ingest-${this.chain.slice(0, 48)}`;
  }
}

/** Puts the key in front. The rest stays as written: parsing and printing would change numbers. */
function withKey(text: string, value: object, key: string): string {
  const separator = Object.keys(value).length === 0 ? '' : ',';
  return `{"idempotency_key":"${key}"${separator}${text.slice(1)}`;
}

function refused(line: Line, message: string): LineReading {
  return { kind: 'refused', refusal: { number: line.number, code: 'INVALID_BODY', message } };
}
