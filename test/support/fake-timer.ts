import type { Timer } from '../../src/clock.ts';

/** Time that passes only where a test says so. */
export class FakeTimer implements Timer {
  private at = 0;
  private readonly due = new Set<{ readonly at: number; readonly call: () => void }>();

  now(): number {
    return this.at;
  }

  after(milliseconds: number, call: () => void): () => void {
    const one = { at: this.at + milliseconds, call };
    this.due.add(one);
    return () => {
      this.due.delete(one);
    };
  }

  /** Lets so much time pass; what comes due is called at its time, and everything that follows from it is done. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.at + milliseconds;
    await settled();
    for (;;) {
      const [next] = [...this.due].sort((a, b) => a.at - b.at);
      if (next === undefined || next.at > end) break;
      this.due.delete(next);
      this.at = next.at;
      next.call();
      await settled();
    }
    this.at = end;
  }
}

/** Resolves when everything that needs no time is done. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
