import type { PendingEvent } from '../../graph/pending-event.ts';
import { MAX_STAGE_SUSPECTS } from '../limits.ts';

/**
 * Counts how often the work of a stage failed while the stage could write otherwise. A batch is known by its first
 * event; an event that stands alone is counted apart, so that it is not blamed for those it stood with.
 */
export class Suspicion {
  private readonly tries: number;
  private readonly failures = new Map<string, number>();

  /** `tries`: failures from which on the events themselves are at fault. */
  constructor(tries: number) {
    this.tries = tries;
  }

  /** Notes one more failure; answers whether the events themselves are at fault. */
  failed(events: readonly PendingEvent[]): boolean {
    const [first] = events;
    if (!first) return false;
    const alone = `${first.event_id} alone`;
    if (events.length > 1 && this.failures.has(alone)) return true;
    return this.count(events.length === 1 ? alone : first.event_id) >= this.tries;
  }

  /** Forgets the failures of events that were done or given up. */
  cleared(events: readonly PendingEvent[]): void {
    const [first] = events;
    if (!first || this.failures.size === 0) return;
    this.failures.delete(first.event_id);
    this.failures.delete(`${first.event_id} alone`);
  }

  private count(work: string): number {
    if (this.failures.size >= MAX_STAGE_SUSPECTS) this.failures.clear();
    const count = (this.failures.get(work) ?? 0) + 1;
    this.failures.set(work, count);
    return count;
  }
}
