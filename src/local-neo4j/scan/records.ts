import type { FileHandle } from 'node:fs/promises';

import { OVERLAP_BYTES } from './matcher.ts';
import { PACKED_BYTES } from './packed.ts';

/** Bytes of a page of a store; no record lies across two. */
export const PAGE_BYTES = 8192;

/** Records of properties: bytes of each, and in front of its blocks. */
const PROPERTY_BYTES = 41;
const PROPERTY_HEAD_BYTES = 9;

/** Bytes in front of the content of a record of a long value: flags, length, and which record goes on. */
const CHAIN_HEAD_BYTES = 8;

/** Bytes of the records of long values, by the end of the file's name; nodes and edges of the database and of its tokens have no texts. */
const CHAINS: readonly (readonly [ending: string, bytes: number])[] = [
  ['propertystore.db.strings', 128],
  ['propertystore.db.arrays', 128],
  ['propertystore.db.index.keys', 38],
  ['store.db.names', 38],
];

/** Whether a file holds records of properties. */
export function holdsProperties(path: string): boolean {
  return path.endsWith('/neostore.propertystore.db');
}

/** Bytes of a record of long values that a file holds; null where it holds none. */
export function chainBytesOf(path: string): number | null {
  return CHAINS.find(([ending]) => path.endsWith(ending))?.[1] ?? null;
}

/** Records of a page of a store of properties. */
const PROPERTIES_OF_PAGE = Math.floor(PAGE_BYTES / PROPERTY_BYTES);

/** Bytes of the blocks of a page of properties. */
export const BLOCKS_BYTES = PROPERTIES_OF_PAGE * PACKED_BYTES;

/** Puts the blocks of a page of properties one behind the other, each with its lowest byte first; the store has the highest first. */
export function blocksOfPage(page: Uint8Array, into: Uint8Array): void {
  for (let at = 0; at < BLOCKS_BYTES; at += 1) {
    const within = at % PACKED_BYTES;
    const record = ((at - within) / PACKED_BYTES) * PROPERTY_BYTES + PROPERTY_HEAD_BYTES;
    // 7 - … turns the eight bytes of a block round.
    into[at] = page[record + (within & ~7) + 7 - (within & 7)] ?? 0;
  }
}

/** Where in a page of properties the byte lies that {@link blocksOfPage} put to a place. */
export function placeInPage(at: number): number {
  const within = at % PACKED_BYTES;
  return ((at - within) / PACKED_BYTES) * PROPERTY_BYTES + PROPERTY_HEAD_BYTES + (within & ~7);
}

/** What lies on both sides of where a long value goes on in another record. */
export interface Seam {
  /** The end of one record and the beginning of the next, together. */
  readonly bytes: Buffer;
  /** Where the second begins. */
  readonly middle: number;
  /** Where in the file the first part begins. */
  readonly offset: number;
}

/** The seams of the records of long values that begin in a page; the records may have been deleted. */
export async function* seamsOfPage(
  file: FileHandle,
  { page, number, recordBytes }: { page: Buffer; number: number; recordBytes: number },
): AsyncGenerator<Seam> {
  const records = Math.floor(PAGE_BYTES / recordBytes);
  const content = recordBytes - CHAIN_HEAD_BYTES;
  const tail = Math.min(OVERLAP_BYTES, content);
  const head = Buffer.alloc(tail);
  for (let index = 0; index < records && (index + 1) * recordBytes <= page.length; index += 1) {
    const at = index * recordBytes;
    const next = (page[at] ?? 0) % 16 === 0 ? page.readUInt32BE(at + 4) : 0;
    if (page.readUIntBE(at + 1, 3) !== content || next === 0 || next === 0xffff_ffff) continue;
    const begin = Math.floor(next / records) * PAGE_BYTES + (next % records) * recordBytes + CHAIN_HEAD_BYTES;
    const inPage = begin - number * PAGE_BYTES;
    if (inPage >= 0 && inPage + tail <= page.length) page.copy(head, 0, inPage, inPage + tail);
    else if ((await file.read(head, 0, tail, begin)).bytesRead < tail) continue;
    const end = at + recordBytes;
    yield {
      bytes: Buffer.concat([page.subarray(end - tail, end), head]),
      middle: tail,
      offset: number * PAGE_BYTES + end - tail,
    };
  }
}

/** In a transaction log: bytes of the content of a full record of a long value, as its head says them. */
export const LOGGED_CONTENT_BYTES = 120;

/** Bytes between the contents of two such records that follow one another: the head of the second one. */
const LOGGED_HEAD_BYTES = 25;

/** Bytes from the length in the head of a full record on, through which {@link loggedSeam} looks. */
export const LOGGED_SEAM_BYTES = 12 + LOGGED_CONTENT_BYTES + LOGGED_HEAD_BYTES + OVERLAP_BYTES;

/**
 * The seam behind a record whose length stands at a place of a transaction log; null where what follows is not the record that goes on.
 * A head is: number of the record (8 bytes), type (4), flags (1), length (4), number of the next one (8), the lowest byte first.
 */
export function loggedSeam(bytes: Buffer, at: number, length: number): Omit<Seam, 'offset'> | null {
  const begin = at + 12;
  const end = begin + LOGGED_CONTENT_BYTES;
  if (end + LOGGED_HEAD_BYTES > length) return null;
  const next = bytes.readUInt32LE(at + 4);
  if (next === 0 || next !== bytes.readUInt32LE(end)) return null;
  const head = end + LOGGED_HEAD_BYTES;
  const parts = [
    bytes.subarray(end - OVERLAP_BYTES, end),
    bytes.subarray(head, Math.min(head + OVERLAP_BYTES, length)),
  ];
  return { bytes: Buffer.concat(parts), middle: OVERLAP_BYTES };
}
