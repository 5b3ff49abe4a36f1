/** Knows what is going on, so that its end can be waited for. */
export class InFlight {
  private readonly running = new Set<Promise<unknown>>();

  /** Counts a promise until it is settled; answers it unchanged. */
  async track<T>(promise: Promise<T>): Promise<T> {
    this.running.add(promise);
    try {
      return await promise;
    } finally {
      this.running.delete(promise);
    }
  }

  /** Resolves when nothing is going on; failures are told to those who started what failed. */
  async over(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running);
  }
}
