/** A stretch of bytes: from the first up to and without the last. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The one stretch that a `Range` header asks for; `whole` when it asks for several, in another unit or in no form that is known,
 * which a server may do as it likes with; `none` when it begins behind the last byte.
 */
export function byteRange(header: string | undefined, sizeBytes: number): ByteRange | 'whole' | 'none' {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const count = Math.min(Number(last), sizeBytes);
    return count === 0 ? 'none' : { from: sizeBytes - count, to: sizeBytes };
  }
  const from = Number(first);
  const to = last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes);
  if (last !== '' && Number(last) < from) return 'whole';
  return from >= sizeBytes ? 'none' : { from, to };
}

/** Whether an `If-None-Match` header names the entity tag. */
export function namesTag(header: string | undefined, tag: string): boolean {
  const named = (header ?? '').split(',').map((part) => part.trim().replace(/^W\//, ''));
  return named.includes('*') || named.includes(tag);
}
