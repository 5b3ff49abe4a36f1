/** Where a JSON text starts: after a byte order mark, which the decoder drops too. */
export function textStart(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** The value of four hex digits, -1 when they are none. */
export function hexUnit(bytes: Uint8Array, start: number): number {
  const digits = latin1(bytes, start, start + 4);
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : -1;
}

/** Bytes as one character each. */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  const last = Math.max(start, Math.min(end, bytes.length));
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, last - start).toString('latin1');
}
