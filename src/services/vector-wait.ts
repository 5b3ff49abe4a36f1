import type { VectorsMissing } from '../../graph/embedding/work.ts';

/** How soon the captures that wait look for their vectors, milliseconds, all together: a model takes some tens of them. */
const WAIT_VECTORS_POLL_MS = 50;

/** How seldom they look at last, milliseconds: half as long again each time, from the beginning when another one waits. */
export const WAIT_VECTORS_LONGEST_POLL_MS = 250;

/** What is known of vectors that are waited for. */
export interface VectorState {
  /** Those of some events whose vectors are wanted soon and not there, or given up. */
  readonly missing: (ids: readonly string[]) => Promise<ReadonlyMap<string, VectorsMissing>>;
  /** Whether what makes them is known to be away. */
  readonly away: () => boolean;
}

/** Lets captures wait for vectors: however many wait, they are looked for together. */
export class VectorWait {
  private readonly state: VectorState;
  /** Events that are waited for, by who waits. */
  private readonly waited = new Set<readonly string[]>();
  private next: Promise<ReadonlyMap<string, VectorsMissing>> | null = null;
  private pauseMs = WAIT_VECTORS_POLL_MS;

  constructor(state: VectorState) {
    this.state = state;
  }

  /**
   * Waits for the vectors of events as long as what makes them works, until the signal fires; answers the events that have none, and why.
   */
  async until(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, VectorsMissing>> {
    this.pauseMs = WAIT_VECTORS_POLL_MS;
    let missing = await this.state.missing(ids);
    this.waited.add(ids);
    try {
      while (isHeld(missing) && !this.state.away() && !signal.aborted) {
        const found = await this.look();
        missing = new Map(ids.flatMap((id) => pairOf(found, id)));
      }
      return missing;
    } finally {
      this.waited.delete(ids);
    }
  }

  /** What is missing of all that is waited for, a moment from now. */
  private look(): Promise<ReadonlyMap<string, VectorsMissing>> {
    this.next ??= this.pause().then(() => {
      this.next = null;
      return this.state.missing([...new Set([...this.waited].flat())]);
    });
    return this.next;
  }

  private async pause(): Promise<void> {
    const ms = this.pauseMs;
    this.pauseMs = Math.min(ms * 1.5, WAIT_VECTORS_LONGEST_POLL_MS);
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
}

function isHeld(missing: ReadonlyMap<string, VectorsMissing>): boolean {
  return [...missing.values()].includes('held');
}

function pairOf<Value>(found: ReadonlyMap<string, Value>, id: string): (readonly [string, Value])[] {
  const value = found.get(id);
  return value === undefined ? [] : [[id, value]];
}
