import type { RevocationStore } from '../../graph/token.ts';
import type { Clock } from '../clock.ts';
import { errorText } from '../errors.ts';
import { REVOCATION_SWEEP_BATCH, REVOCATION_SWEEP_EVERY_MS } from '../limits.ts';
import type { Log } from '../log.ts';
import type { Revocations } from '../tokens/revocations.ts';
import { Wakeup } from '../wakeup.ts';

/** What the job needs. */
export interface RevocationSweepParts {
  readonly store: Pick<RevocationStore, 'sweep'>;
  readonly revocations: Revocations;
  readonly clock: Clock;
  readonly log: Log;
}

/** Removes revocations of tokens that could not be good any more, now and every hour. Several processes may do so at once. */
export class RevocationSweep {
  private readonly parts: RevocationSweepParts;
  private readonly pause = new Wakeup();
  private ended = false;
  private running: Promise<void> = Promise.resolve();

  constructor(parts: RevocationSweepParts) {
    this.parts = parts;
  }

  /** Starts the job. */
  start(): void {
    this.running = this.run();
  }

  /** Ends the job after the transaction that it is at. */
  async stop(): Promise<void> {
    this.ended = true;
    this.pause.raise();
    await this.running;
  }

  /** Removes everything that may go now; answers how much went. */
  async sweep(): Promise<number> {
    const { store, revocations, clock } = this.parts;
    const now = clock.now();
    revocations.forget(now);
    let removed = 0;
    while (!this.ended) {
      const batch = await store.sweep(now, REVOCATION_SWEEP_BATCH);
      removed += batch;
      if (batch < REVOCATION_SWEEP_BATCH) break;
    }
    return removed;
  }

  private async run(): Promise<void> {
    while (!this.ended) {
      try {
        await this.sweep();
      } catch (error) {
        this.parts.log.warn('old revocations could not be removed; it is tried again in an hour', {
          error: errorText(error),
        });
      }
      await this.pause.wait(REVOCATION_SWEEP_EVERY_MS);
    }
  }
}
