/** Resolves after everything else that is due in this process has had its turn. */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A flag that one loop waits for and anybody raises. */
export class Wakeup {
  private raised = false;
  private release: (() => void) | null = null;

  /** Raises the flag; it stays up until the next wait. */
  raise(): void {
    this.raised = true;
    this.release?.();
  }

  /** Resolves when the flag is raised, or after `milliseconds`; lowers it. */
  async wait(milliseconds?: number): Promise<void> {
    if (!this.raised) {
      await new Promise<void>((resolve) => {
        const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds);
        this.release = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.release = null;
    }
    this.raised = false;
  }
}
