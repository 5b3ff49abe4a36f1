import { FORGET_READ_BYTES } from '../src/limits/forget.ts';

/** What is read at once, in its order: parts of {@link FORGET_READ_BYTES} at most by what `bytesOf` says of each, or of one. */
export function partsByBytes<T>(all: readonly T[], bytesOf: (one: T) => number): T[][] {
  const parts: T[][] = [];
  let left = 0;
  for (const one of all) {
    const bytes = bytesOf(one);
    if (bytes > left || parts.length === 0) {
      parts.push([]);
      left = FORGET_READ_BYTES;
    }
    parts.at(-1)?.push(one);
    left -= bytes;
  }
  return parts;
}

/** The ids of events in their order, in parts that are read at once, by the bytes of their envelopes. */
export function eventParts(events: readonly { readonly id: string; readonly bytes: number }[]): string[][] {
  return partsByBytes(events, ({ bytes }) => bytes).map((part) => part.map(({ id }) => id));
}
