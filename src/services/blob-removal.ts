import type { BlobWriter } from '../../graph/blob.ts';
import type { Clock } from '../clock.ts';
import type { JobHandle } from '../jobs/job.ts';
import type { JobRunner } from '../jobs/runner.ts';

/** Time between looks for bytes that no blob owns, milliseconds; a deletion starts one at once. */
const BLOB_REMOVAL_EVERY_MS = 60_000;

/** Chunks removed in one transaction: keeps its memory small. */
const BLOB_REMOVAL_CHUNKS = 8;

/** Removes bytes that no blob owns, in small transactions: every minute, and when it is told that there are some. */
export class BlobRemoval {
  private readonly parts: { readonly writer: BlobWriter; readonly clock: Clock };
  private job: JobHandle | undefined;

  constructor(parts: { writer: BlobWriter; clock: Clock }) {
    this.parts = parts;
  }

  /** Starts the job. */
  start(jobs: JobRunner): void {
    const { writer, clock } = this.parts;
    this.job = jobs.start({
      name: 'blob_removal',
      everyMs: BLOB_REMOVAL_EVERY_MS,
      run: async () =>
        (await writer.removeSome(clock.now(), BLOB_REMOVAL_CHUNKS)) === null ? 'idle' : 'more',
      failure: { message: 'bytes of deleted blobs could not be removed; it is tried again in a minute' },
    });
  }

  /** Removes all that is due now; `goesOn` is asked between two transactions and throws where the process is stopping. Throws `DATABASE_UNAVAILABLE`. */
  async removeDue(goesOn: () => void): Promise<void> {
    const { writer, clock } = this.parts;
    while ((await writer.removeSome(clock.now(), BLOB_REMOVAL_CHUNKS)) !== null) goesOn();
  }

  /** Has the job look at once. */
  wake(): void {
    this.job?.wake();
  }

  /** Ends the job after the transaction that it is at. */
  async stop(): Promise<void> {
    await this.job?.stop();
  }
}
