import { BODY_BLOCK_BYTES } from '../src/limits/bodies.ts';

/**
 * Gathers bytes that come in pieces of any size. They are copied into blocks, each as large as all before it up to
 * `BODY_BLOCK_BYTES`, since a piece that is kept costs some hundred bytes of its own, however short it is.
 */
export class ByteBlocks {
  private blocks: Buffer[] = [];
  /** Bytes of the last block that are taken. */
  private used = 0;
  private held = 0;
  private readonly onHeld: (bytes: number) => void;
  private readonly onFull: (bytes: Buffer) => void;

  /**
   * `onHeld` is told of the bytes of a block before there is one, and what it throws is thrown by `add`; `onFull` is told of each
   * stretch of bytes once, in their order, when its block is full, the last when all are taken.
   */
  constructor(onHeld: (bytes: number) => void, onFull: (bytes: Buffer) => void = () => undefined) {
    this.onHeld = onHeld;
    this.onFull = onFull;
  }

  /** Bytes of memory that are held, which may be more than have come. */
  get heldBytes(): number {
    return this.held;
  }

  add(piece: Uint8Array): void {
    for (let from = 0; from < piece.length;) {
      const block = this.open(piece.length - from);
      const bytes = Math.min(piece.length - from, block.length - this.used);
      block.set(piece.subarray(from, from + bytes), this.used);
      this.used += bytes;
      from += bytes;
      if (this.used === block.length) this.onFull(block);
    }
  }

  /** All of them in one; nothing is held afterwards. */
  take(): Buffer {
    const { blocks } = this;
    const last = blocks.pop();
    if (last === undefined) return Buffer.alloc(0);
    const rest = last.subarray(0, this.used);
    if (rest.length < last.length) this.onFull(rest);
    const isWhole = blocks.length === 0 && rest.length === last.length;
    this.drop();
    return isWhole ? last : Buffer.concat([...blocks, rest]);
  }

  /** Forgets all. */
  drop(): void {
    this.blocks = [];
    this.used = 0;
    this.held = 0;
  }

  /** A block with room, for so many bytes more to come at least. */
  private open(bytes: number): Buffer {
    const last = this.blocks.at(-1);
    if (last !== undefined && this.used < last.length) return last;
    const length = Math.max(Math.min(this.held, BODY_BLOCK_BYTES), Math.min(bytes, BODY_BLOCK_BYTES));
    this.onHeld(length);
    const block = Buffer.allocUnsafeSlow(length);
    this.blocks.push(block);
    this.used = 0;
    this.held += length;
    return block;
  }
}
