/** What one run of a load came to. */
export interface Run {
  /** Events acknowledged within the time. */
  readonly events: number;
  /** Events a second. */
  readonly rate: number;
  /** Milliseconds from the moment that an act was due to its end. */
  readonly latencies: number[];
  /** Milliseconds by which acts began late; of an open loop only. */
  readonly late: number[];
}

/**
 * A closed loop: each client acts, waits for the end, and acts again. Counts what ended within the time; `events`: how many
 * one act is worth.
 */
export async function closedLoop(
  options: { clients: number; seconds: number; events?: number },
  act: (client: number) => Promise<void>,
): Promise<Run> {
  const { clients, seconds, events = 1 } = options;
  const latencies: number[] = [];
  const end = performance.now() + seconds * 1000;
  const client = async (number: number): Promise<void> => {
    for (let begun = performance.now(); begun < end;) {
      await act(number);
      const now = performance.now();
      if (now <= end) latencies.push(now - begun);
      begun = now;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  const count = latencies.length * events;
  return { events: count, rate: count / seconds, latencies, late: [] };
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
  private resolve: () => void = () => undefined;

  constructor(options: { rate: number; seconds: number }, act: () => Promise<void>) {
    this.rate = options.rate;
    this.total = Math.round(options.rate * options.seconds);
    this.act = act;
  }

  /** Runs it; rejects when an act did. */
  async run(): Promise<Run> {
    this.started = performance.now();
    await new Promise<void>((resolve) => {
      this.resolve = resolve;
      this.beginDue();
    });
    await Promise.all(this.acts);
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
    if (this.acts.length === this.total) this.resolve();
    else
      setTimeout(
        () => {
          this.beginDue();
        },
        this.due(this.acts.length) - performance.now(),
      );
  }

  private due(number: number): number {
    return this.started + (number * 1000) / this.rate;
  }

  private async begin(due: number): Promise<void> {
    await this.act();
    this.latencies.push(performance.now() - due);
  }
}
