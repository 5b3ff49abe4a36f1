import { FORGET_READ_BYTES } from '../src/limits/forget.ts';

/** The ids of events in their order, in parts that are read at once: each of {@link FORGET_READ_BYTES} of envelopes at most, or of one event. */
export function partsByBytes(events: readonly { readonly id: string; readonly bytes: number }[]): string[][] {
  const parts: string[][] = [];
  let left = 0;
  for (const { id, bytes } of events) {
    if (bytes > left || parts.length === 0) {
      parts.push([]);
      left = FORGET_READ_BYTES;
    }
    parts.at(-1)?.push(id);
    left -= bytes;
  }
  return parts;
}
