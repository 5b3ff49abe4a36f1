import type { AccessChanges, AccessReader } from '../../graph/access.ts';
import { errorText } from '../errors.ts';
import type { JobHandle } from '../jobs/job.ts';
import type { JobRunner } from '../jobs/runner.ts';
import { ACCESS_POLL_MS } from '../limits.ts';
import { SharedRun } from './shared-run.ts';

/** A decision rests on nothing older, milliseconds: when the looks are late, the next request looks itself. */
const ACCESS_STALE_MS = 1_000;

/** Told of what changed in who may do what, in order. Must not wait. When one throws, all are told the same again. */
export type AccessListener = (changes: AccessChanges) => void;

/**
 * Follows the changes that any process makes to rosters, policies and tokens. What a process remembers of them is never
 * trusted for longer than a second after it was last known to be true.
 */
export class AccessFeed {
  private readonly reader: AccessReader;
  private readonly listeners: AccessListener[] = [];
  private known = 0;
  /** When the last look that succeeded began. */
  private lookedAt = Number.NEGATIVE_INFINITY;
  private readonly looks = new SharedRun(() => this.look());
  private job: JobHandle | undefined;

  constructor(reader: AccessReader) {
    this.reader = reader;
  }

  /** Number of the newest change that listeners were told of. */
  get version(): number {
    return this.known;
  }

  /** Adds a listener: before {@link AccessFeed.start}, so that it misses nothing, or for what comes after. */
  listen(listener: AccessListener): void {
    this.listeners.push(listener);
  }

  /** Takes over what there is, and looks for changes from then on. Throws `DATABASE_UNAVAILABLE`. */
  async start(jobs: JobRunner): Promise<void> {
    await this.refresh();
    this.job = jobs.start({
      name: 'access_feed',
      everyMs: ACCESS_POLL_MS,
      run: async () => {
        await this.refresh();
        return 'idle';
      },
      failure: { message: 'changes of access cannot be looked for', once: true },
    });
  }

  /** Resolves when what listeners know is at most a second old. Throws `DATABASE_UNAVAILABLE`. */
  async fresh(): Promise<void> {
    if (performance.now() - this.lookedAt > ACCESS_STALE_MS) await this.refresh();
  }

  /** Resolves when listeners were told of everything that was committed before the call. Throws `DATABASE_UNAVAILABLE`. */
  refresh(): Promise<void> {
    return this.looks.run();
  }

  /** Stops looking; resolves when nothing is being read any more. */
  async close(): Promise<void> {
    await this.job?.stop();
  }

  private async look(): Promise<void> {
    const began = performance.now();
    const changes = await this.reader.changes(this.known);
    if (changes !== null) {
      this.tell(changes);
      this.known = Math.max(this.known, changes.version);
    }
    this.lookedAt = began;
  }

  /** Tells every listener, whatever becomes of the others; throws what any of them threw. */
  private tell(changes: AccessChanges): void {
    const failures: unknown[] = [];
    for (const listener of this.listeners) {
      try {
        listener(changes);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length === 0) return;
    throw new AggregateError(
      failures,
      `a change of access was not taken in: ${failures.map(errorText).join('; ')}`,
    );
  }
}
