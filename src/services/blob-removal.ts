import type { BlobWriter } from '../../graph/blob.ts';
import type { Clock } from '../clock.ts';
import { errorText } from '../errors.ts';
import type { Log } from '../log.ts';
import { Wakeup } from '../wakeup.ts';

/** Chunks removed in one transaction: keeps its memory small. */
const BLOB_REMOVAL_CHUNKS = 8;

/** Time between looks for bytes that no blob owns, milliseconds; a deletion starts one at once. */
const BLOB_REMOVAL_EVERY_MS = 60_000;

/** Removes bytes that no blob owns, in small transactions: every minute, and when it is told that there are some. */
export class BlobRemoval {
  private readonly parts: { readonly writer: BlobWriter; readonly clock: Clock; readonly log: Log };
  private readonly ending = new AbortController();
  private readonly pause = new Wakeup();
  private running: Promise<void> = Promise.resolve();

  constructor(parts: { writer: BlobWriter; clock: Clock; log: Log }) {
    this.parts = parts;
  }

  /** Starts the job. */
  start(): void {
    this.running = this.run();
  }

  /** Has the job look at once. */
  wake(): void {
    this.pause.raise();
  }

  /** Ends the job after the transaction that it is at. */
  async stop(): Promise<void> {
    this.ending.abort();
    this.pause.raise();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.ending.signal.aborted) {
      try {
        await this.removeAll();
      } catch (error) {
        this.parts.log.warn('bytes of deleted blobs could not be removed; it is tried again in a minute', {
          error: errorText(error),
        });
      }
      await this.pause.wait(BLOB_REMOVAL_EVERY_MS);
    }
  }

  private async removeAll(): Promise<void> {
    const { writer, clock } = this.parts;
    while (!this.ending.signal.aborted) {
      if ((await writer.removeSome(clock.now(), BLOB_REMOVAL_CHUNKS)) === null) return;
    }
  }
}
