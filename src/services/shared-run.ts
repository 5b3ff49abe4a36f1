/** Runs work once at a time for everybody: whoever asks during a run shares the next one, which begins after they asked. */
export class SharedRun {
  private readonly work: () => Promise<void>;
  private current: Promise<void> | null = null;
  private next: Promise<void> | null = null;

  constructor(work: () => Promise<void>) {
    this.work = work;
  }

  /** Resolves (or rejects) with a run that began after this call. */
  run(): Promise<void> {
    if (this.next) return this.next;
    if (!this.current) return this.start();
    this.next = Promise.allSettled([this.current]).then(() => {
      this.next = null;
      return this.start();
    });
    return this.next;
  }

  private start(): Promise<void> {
    this.current = this.work().finally(() => {
      this.current = null;
    });
    return this.current;
  }
}
