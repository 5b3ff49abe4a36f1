import type { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';

import { GZIP_WAITING_BYTES } from '../src/limits/bodies.ts';
import { ByteBlocks } from './byte-blocks.ts';

/**
 * Unpacks gzip that comes in pieces of any size. Pieces that wait are joined: a queue of single bytes would take a hundred times
 * their memory, and a turn of another thread for each.
 */
export class Unpacking {
  private readonly source: Readable;
  private readonly gunzip: Gunzip = createGunzip();
  private readonly waiting = new ByteBlocks(() => undefined);
  private busy = false;
  private ended = false;

  /** Writes nothing by itself; `source` is paused while too much waits. */
  constructor(source: Readable) {
    this.source = source;
  }

  /** What comes out of it. */
  get output(): Gunzip {
    return this.gunzip;
  }

  /** Takes a piece. */
  write(piece: Uint8Array): void {
    this.waiting.add(piece);
    if (this.waiting.heldBytes > GZIP_WAITING_BYTES) this.source.pause();
    this.next();
  }

  /** Says that no more pieces come. */
  end(): void {
    this.ended = true;
    this.next();
  }

  private next(): void {
    if (this.busy || this.gunzip.destroyed) return;
    if (this.waiting.heldBytes > 0) {
      this.busy = true;
      this.gunzip.write(this.waiting.take(), () => {
        this.busy = false;
        this.source.resume();
        this.next();
      });
    } else if (this.ended) this.gunzip.end();
  }
}
