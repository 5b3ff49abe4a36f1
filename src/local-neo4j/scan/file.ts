import type { FileHandle } from 'node:fs/promises';

import { Matcher, OVERLAP_BYTES } from './matcher.ts';
import { needlesOf, type Form, type Needle } from './needles.ts';
import { PACKED_BYTES, Unpacker } from './packed.ts';
import { placeOf } from './places.ts';
import {
  blocksOfPage,
  BLOCKS_BYTES,
  chainBytesOf,
  holdsProperties,
  LOGGED_CONTENT_BYTES,
  LOGGED_SEAM_BYTES,
  loggedSeam,
  PAGE_BYTES,
  placeInPage,
  seamsOfPage,
} from './records.ts';

/** Bytes read at once; whole pages. */
const CHUNK_BYTES = 512 * PAGE_BYTES;

/** What is looked at again together with the next chunk: the longest that may lie across two. */
const KEPT_BYTES = Math.max(OVERLAP_BYTES, PACKED_BYTES, LOGGED_SEAM_BYTES);

/** The bits of a word that say whether something packed may begin there: a key below 4,096, and the type. */
const HEAD_MASK = 0x0f_ff_f0_00;
const HEAD_OF_TEXT = 0x0b_00_00_00;
const HEAD_OF_ARRAY = 0x0c_00_00_00;

/** Where in a file a text was found. */
export type OnFind = (text: number, form: Form, offset: number) => void;

/** Looks for texts in files, each of which is read once, piece by piece. */
export class FileScanner {
  private readonly matcher: Matcher;
  private readonly unpacker = new Unpacker();
  private readonly chunk = Buffer.alloc(KEPT_BYTES + CHUNK_BYTES + KEPT_BYTES);
  private readonly blocks = Buffer.alloc(BLOCKS_BYTES);

  constructor(texts: readonly string[]) {
    this.matcher = new Matcher(needlesOf(texts));
  }

  /** Looks through a file, whose path within the data directory says what is in it. */
  async scan(file: FileHandle, path: string, onFind: OnFind): Promise<void> {
    const isLog = placeOf(path) === 'transaction_log';
    const records = chainBytesOf(path);
    const { chunk } = this;
    for (let offset = 0, kept = 0; ;) {
      const { bytesRead } = await file.read(chunk, kept, CHUNK_BYTES, offset);
      if (bytesRead === 0) return;
      const length = kept + bytesRead;
      const isLast = bytesRead < CHUNK_BYTES;
      if (isLast) chunk.fill(0, length);
      const piece: Piece = { bytes: chunk, length, isLast, known: kept, offset: offset - kept };
      if (isLog) this.log(piece, onFind);
      else this.plain(piece, onFind);
      const fresh = chunk.subarray(kept, length);
      if (holdsProperties(path)) this.properties(fresh, offset, onFind);
      if (records !== null) await this.chains(file, { fresh, offset, recordBytes: records }, onFind);
      kept = Math.min(KEPT_BYTES, length);
      chunk.copyWithin(0, length - kept, length);
      offset += bytesRead;
    }
  }

  private plain({ bytes, length, known, offset }: Piece, onFind: OnFind): void {
    this.matcher.search(bytes, length, known, ({ text, form }, at) => {
      if (form !== 'packed_rest') onFind(text, form, offset + at);
    });
  }

  /** Blocks of properties lie at any place of a log, and the records of long values one behind the other. */
  private log({ bytes, length, isLast, known, offset }: Piece, onFind: OnFind): void {
    // What does not lie whole in this piece is looked at in the next one, and what did in the one before was looked at there.
    const isNow = (at: number, size: number): boolean => at + size > known && (isLast || at + size <= length);
    const rests = new Rests((text, at) => {
      onFind(text, 'packed_rest', offset + at);
    });
    this.matcher.search(
      bytes,
      length,
      known,
      ({ text, form }, at) => {
        if (form === 'packed_rest') rests.add(text, at);
        else onFind(text, form, offset + at);
      },
      (word, at) => {
        const head = word & HEAD_MASK;
        if (head === HEAD_OF_TEXT || head === HEAD_OF_ARRAY)
          this.packed(bytes, { at, room: PACKED_BYTES, rests }, (text) => {
            if (isNow(at, PACKED_BYTES)) onFind(text, 'packed', offset + at);
          });
        if (word === LOGGED_CONTENT_BYTES && isNow(at, LOGGED_SEAM_BYTES)) {
          const seam = loggedSeam(bytes, at, length);
          if (seam !== null) this.seam({ ...seam, offset: offset + at }, onFind);
        }
      },
    );
  }

  private properties(pages: Buffer, offset: number, onFind: OnFind): void {
    const { blocks } = this;
    for (let from = 0; from + PAGE_BYTES <= pages.length; from += PAGE_BYTES) {
      blocksOfPage(pages.subarray(from, from + PAGE_BYTES), blocks);
      const place = (at: number): number => offset + from + placeInPage(at);
      const rests = new Rests((text, at) => {
        onFind(text, 'packed_rest', place(at));
      });
      this.matcher.search(
        blocks,
        BLOCKS_BYTES,
        0,
        ({ text, form }, at) => {
          if (form === 'packed_rest') rests.add(text, at);
        },
        (_word, at) => {
          if (at % 8 !== 0) return;
          this.packed(blocks, { at, room: PACKED_BYTES - (at % PACKED_BYTES), rests }, (text) => {
            onFind(text, 'packed', place(at));
          });
        },
      );
    }
  }

  private async chains(
    file: FileHandle,
    { fresh, offset, recordBytes }: { fresh: Buffer; offset: number; recordBytes: number },
    onFind: OnFind,
  ): Promise<void> {
    for (let from = 0; from + PAGE_BYTES <= fresh.length; from += PAGE_BYTES) {
      const page = fresh.subarray(from, from + PAGE_BYTES);
      const number = (offset + from) / PAGE_BYTES;
      for await (const seam of seamsOfPage(file, { page, number, recordBytes })) this.seam(seam, onFind);
    }
  }

  /** Finds what lies on both sides of a seam; the rest was found where it lies whole. */
  private seam(
    { bytes, middle, offset }: { bytes: Buffer; middle: number; offset: number },
    onFind: OnFind,
  ): void {
    this.matcher.search(bytes, bytes.length, middle, ({ text, form, bytes: found }: Needle, at) => {
      if (form !== 'packed_rest' && at < middle && at + found.length > middle)
        onFind(text, form, offset + at);
    });
  }

  /** Finds what is packed at a place, each text once. */
  private packed(
    bytes: Uint8Array,
    { at, room, rests }: { at: number; room: number; rests: Rests },
    onText: (text: number) => void,
  ): void {
    const length = this.unpacker.unpack(bytes, at, room);
    if (length === 0) return;
    rests.cover(at + this.unpacker.taken);
    const found = new Set<number>();
    this.matcher.search(this.unpacker.bytes, length, 0, ({ text, form }) => {
      if (form !== 'packed_rest') found.add(text);
    });
    for (const text of found) onText(text);
  }
}

/** A piece of a file, with the end of the one before in front. */
interface Piece {
  readonly bytes: Buffer;
  readonly length: number;
  /** Whether the file ends with it; behind it are zeros then. */
  readonly isLast: boolean;
  /** Bytes in front that were looked at before. */
  readonly known: number;
  /** Where in the file the piece begins. */
  readonly offset: number;
}

/** Tells rests of packed texts from what a head says of the same bits: in another alphabet they are another text. */
class Rests {
  private until = 0;
  private last = '';
  private readonly onRest: (text: number, at: number) => void;

  constructor(onRest: (text: number, at: number) => void) {
    this.onRest = onRest;
  }

  /** Notes that a head says what the bytes are up to a place. */
  cover(until: number): void {
    this.until = Math.max(this.until, until);
  }

  /** Tells of bits that may be a rest, once however many alphabets have it in common. */
  add(text: number, at: number): void {
    const rest = `${text} ${at}`;
    if (at < this.until || rest === this.last) return;
    this.last = rest;
    this.onRest(text, at);
  }
}
