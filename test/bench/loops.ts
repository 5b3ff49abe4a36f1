/** What one run of a load came to. */
export interface Run {
  /** Events acknowledged. */
  readonly events: number;
  /** Events a second, from the first act to the end of the last. */
  readonly rate: number;
  /** Milliseconds from the moment that an act was due to its end. */
  readonly latencies: number[];
  /** Milliseconds by which acts began late; of an open loop only. */
  readonly late: number[];
}

/**
 * A closed loop: each client acts, waits for the end, and acts again; after the time none begins but those that have
 * not acted yet. `events`: how many one act is worth.
 */
export async function closedLoop(
  options: { clients: number; seconds: number; events?: number },
  act: (client: number) => Promise<void>,
): Promise<Run> {
  const { clients, seconds, events = 1 } = options;
  const latencies: number[] = [];
  const started = performance.now();
  const end = started + seconds * 1000;
  const client = async (number: number): Promise<void> => {
    let begun = performance.now();
    do {
      await act(number);
      const now = performance.now();
      latencies.push(now - begun);
      begun = now;
    } while (begun < end);
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  const count = latencies.length * events;
  return { events: count, rate: (count * 1000) / (performance.now() - started), latencies, late: [] };
}

/**
 * An open loop: acts begin at fixed instants, whether or not earlier ones have ended, and are timed from the instant at
 * which they were due. What a slow answer delays is therefore counted in full.
 */
export class OpenLoop {
  private readonly rate: number;
  private readonly total: number;
  private readonly act: () => Promise<void>;
  private readonly latencies: number[] = [];
  private readonly late: number[] = [];
  private readonly acts: Promise<void>[] = [];
  private started = 0;
  private readonly failures: unknown[] = [];
  private end: { resolve: () => void; reject: (error: unknown) => void } | null = null;

  constructor(options: { rate: number; seconds: number }, act: () => Promise<void>) {
    this.rate = options.rate;
    this.total = Math.round(options.rate * options.seconds);
    this.act = act;
  }

  /** Runs it; rejects when an act did. */
  async run(): Promise<Run> {
    this.started = performance.now();
    await new Promise<void>((resolve, reject) => {
      this.end = { resolve, reject };
      this.beginDue();
    });
    await Promise.all(this.acts);
    if (this.failures.length > 0) throw this.failures[0];
    const { latencies, late, rate } = this;
    return { events: latencies.length, rate, latencies, late };
  }

  private beginDue(): void {
    const now = performance.now();
    while (this.acts.length < this.total && this.due(this.acts.length) <= now) {
      const due = this.due(this.acts.length);
      this.late.push(now - due);
      this.acts.push(this.begin(due));
    }
    if (this.acts.length < this.total && this.failures.length === 0) {
      const pauseMs = this.due(this.acts.length) - performance.now();
      setTimeout(() => {
        this.beginDue();
      }, pauseMs);
    } else if (this.acts.length === this.total) {
      this.end?.resolve();
    }
  }

  private due(number: number): number {
    return this.started + (number * 1000) / this.rate;
  }

  private async begin(due: number): Promise<void> {
    try {
      await this.act();
      this.latencies.push(performance.now() - due);
    } catch (error) {
      this.failures.push(error);
      this.end?.reject(error);
    }
  }
}
