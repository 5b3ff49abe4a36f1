import { createCipheriv, createDecipheriv, randomBytes, randomUUID, type Cipher } from 'node:crypto';
import { mkdir, open, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes that are kept in memory before they are written, and read back at once. */
const SPOOL_BLOCK_BYTES = 1024 * 1024;

const CIPHER = 'aes-256-ctr';

/**
 * Lines that are too many for memory, written once and read as often as wanted. What does not fit into a megabyte goes to a file of no name,
 * sealed with a key that is nowhere but here: when the process ends, however it ends, nothing of it can be read.
 */
export class SealedSpool {
  private readonly folder: string;
  private readonly key = randomBytes(32);
  private readonly nonce = randomBytes(16);
  private file: FileHandle | null = null;
  private cipher: Cipher | null = null;
  private writtenBytes = 0;
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private closed = false;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Adds lines, which hold no line feed. */
  async add(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    if (this.waitingBytes >= SPOOL_BLOCK_BYTES) await this.flush();
  }

  /** All lines from the first on, some at a time; nothing may be added meanwhile. */
  async *lines(): AsyncGenerator<string[]> {
    let rest: Buffer = Buffer.alloc(0);
    for await (const block of this.blocks()) {
      const bytes = rest.length === 0 ? block : Buffer.concat([rest, block]);
      const end = bytes.lastIndexOf(0x0a);
      rest = bytes.subarray(end + 1);
      if (end >= 0) yield bytes.toString('utf8', 0, end).split('\n');
    }
  }

  /** Lets go of file and key. */
  async close(): Promise<void> {
    this.closed = true;
    this.waiting = [];
    this.key.fill(0);
    const { file } = this;
    this.file = null;
    await file?.close();
  }

  private async flush(): Promise<void> {
    const file = (this.file ??= await this.opened());
    this.cipher ??= createCipheriv(CIPHER, this.key, this.nonce);
    const sealed = this.cipher.update(Buffer.concat(this.waiting));
    this.waiting = [];
    this.waitingBytes = 0;
    for (let done = 0; done < sealed.length;) {
      const { bytesWritten } = await file.write(sealed, done, sealed.length - done, this.writtenBytes);
      done += bytesWritten;
      this.writtenBytes += bytesWritten;
    }
  }

  /** A file that is gone from its folder before anything is in it. */
  private async opened(): Promise<FileHandle> {
    await mkdir(this.folder, { recursive: true });
    const path = join(this.folder, `spool-${randomUUID()}`);
    const file = await open(path, 'wx+', 0o600);
    try {
      await unlink(path);
    } catch (error) {
      await file.close();
      throw error;
    }
    return file;
  }

  private async *blocks(): AsyncGenerator<Buffer> {
    const decipher = createDecipheriv(CIPHER, this.key, this.nonce);
    for (let at = 0; at < this.writtenBytes;) {
      if (this.file === null || this.closed) throw new Error('the spool is closed');
      const size = Math.min(SPOOL_BLOCK_BYTES, this.writtenBytes - at);
      const { bytesRead, buffer } = await this.file.read(Buffer.alloc(size), 0, size, at);
      if (bytesRead === 0) throw new Error('the spool ends before its end');
      at += bytesRead;
      yield decipher.update(buffer.subarray(0, bytesRead));
    }
    yield* this.waiting;
  }
}
