import { ALPHABETS, codesOf, HEAD_BITS } from './alphabets.ts';

/**
 * How a text is written where it is found. packed: in the few bits for each character in which the database keeps short texts;
 * packed_rest: the same, where the head of the property is gone.
 */
export type Form = 'utf-8' | 'utf-16le' | 'utf-16be' | 'base64' | 'json' | 'packed' | 'packed_rest';

/** Bytes that are looked for. */
export interface Needle {
  /** The text that they stand for, by its place in the list of texts. */
  readonly text: number;
  readonly form: Form;
  readonly bytes: Uint8Array;
  /** The bits that count of the first byte, and of the last one. */
  readonly firstMask: number;
  readonly lastMask: number;
  /** Where the first four bytes begin that count whole. */
  readonly anchor: number;
}

/** Bytes of a text, UTF-8, at least: of shorter ones too much would be found that is something else. */
export const MIN_TEXT_BYTES = 4;

/**
 * Bytes of a needle at most. What is longer is looked for in pieces, for the database cuts long values into records of 120 bytes; each
 * record that holds so much of a text has a whole piece of it, as 2 · 48 - 1 is less than 120.
 */
export const MAX_NEEDLE_BYTES = 48;

/** What each of some texts looks like in every form. */
export function needlesOf(texts: readonly string[]): Needle[] {
  return texts.flatMap((text, index) => {
    const plain = plainForms(text).flatMap(([form, bytes]) =>
      piecesOf(bytes).map((piece): Needle => ({
        text: index,
        form,
        bytes: piece,
        firstMask: 255,
        lastMask: 255,
        anchor: 0,
      })),
    );
    return [...plain, ...packedRests(text, index)];
  });
}

/** All that may stand for the text byte by byte, each once. */
function plainForms(text: string): [Form, Buffer][] {
  const utf8 = Buffer.from(text, 'utf8');
  const little = Buffer.from(text, 'utf16le');
  const all: [Form, Buffer][] = [
    ['utf-8', utf8],
    ['utf-16le', little],
    ['utf-16be', Buffer.from(little).swap16()],
    ...jsonForms(text).map((escaped): [Form, Buffer] => ['json', Buffer.from(escaped, 'utf8')]),
    ...base64Forms(utf8).map((encoded): [Form, Buffer] => ['base64', Buffer.from(encoded, 'latin1')]),
  ];
  const seen = new Set<string>();
  return all.filter(([, bytes]) => {
    const key = bytes.toString('latin1');
    return bytes.length >= MIN_TEXT_BYTES && !seen.has(key) && seen.add(key);
  });
}

/** As a JSON text has it, with what is not ASCII as it is and escaped. */
function jsonForms(text: string): string[] {
  const plain = JSON.stringify(text).slice(1, -1);
  const escaped = (digits: (hex: string) => string): string =>
    plain.replaceAll(
      /[^\0-\x7f]/g,
      (unit) => `\\u${digits(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`,
    );
  return [plain, escaped((hex) => hex), escaped((hex) => hex.toUpperCase())];
}

/** The characters of base64 that the bytes alone decide, for each place that they can begin at, in both alphabets. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor((padded.length * 8) / 6);
    return (['base64', 'base64url'] as const).map((alphabet) => padded.toString(alphabet).slice(first, last));
  });
}

/** Pieces of what is too long for one needle; the last one reaches back, so that it is whole as well. */
function piecesOf(bytes: Buffer): Buffer[] {
  if (bytes.length <= MAX_NEEDLE_BYTES) return [bytes];
  const starts = Array.from(
    { length: Math.floor(bytes.length / MAX_NEEDLE_BYTES) },
    (_, at) => at * MAX_NEEDLE_BYTES,
  );
  const all = bytes.length % MAX_NEEDLE_BYTES === 0 ? starts : [...starts, bytes.length - MAX_NEEDLE_BYTES];
  return all.map((start) => bytes.subarray(start, start + MAX_NEEDLE_BYTES));
}

/**
 * The text in the bits of each alphabet, at each bit of a byte where it can begin. Where a property was removed, its first block is
 * overwritten, and what was in the others stays without a head.
 */
function packedRests(text: string, index: number): Needle[] {
  return ALPHABETS.flatMap((alphabet) => {
    const codes = codesOf(text, alphabet);
    if (codes === null) return [];
    const begins = new Set(Array.from({ length: 8 }, (_, at) => (HEAD_BITS + at * alphabet.bits) % 8));
    return [...begins].flatMap((begin) => bitNeedle(codes, alphabet.bits, begin, index) ?? []);
  });
}

/** A needle of bits; null where it has no four whole bytes to go by. */
function bitNeedle(codes: readonly number[], step: number, begin: number, text: number): Needle | null {
  const end = begin + codes.length * step;
  const bytes = new Uint8Array(Math.ceil(end / 8));
  codes.forEach((code, at) => {
    for (let bit = 0; bit < step; bit += 1) {
      if (((code >>> bit) & 1) === 0) continue;
      const place = begin + at * step + bit;
      bytes[place >>> 3] = (bytes[place >>> 3] ?? 0) | (1 << (place & 7));
    }
  });
  const anchor = begin === 0 ? 0 : 1;
  if (Math.floor(end / 8) < anchor + 4 || bytes.length > MAX_NEEDLE_BYTES) return null;
  const firstMask = (255 << begin) & 255;
  const lastMask = end % 8 === 0 ? 255 : (1 << (end % 8)) - 1;
  return { text, form: 'packed_rest', bytes, firstMask, lastMask, anchor };
}
