const FIRST_MS = 1000;
const LONGEST_MS = 30_000;

/** Ends every pause at once: somebody does not want to wait, or the network is back. */
const hurry = new EventTarget();
window.addEventListener('online', hurryUp);

/** Ends all pauses before the next try. */
export function hurryUp(): void {
  hurry.dispatchEvent(new Event('now'));
}

/** Milliseconds before the try that follows on `failures` failed ones: they double, up to half a minute. */
export function pauseAfter(failures: number, atLeastSeconds: number | null): number {
  return Math.max(Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS), (atLeastSeconds ?? 0) * 1000);
}

/** Waits; less long where somebody hurries. Rejects where `signal` is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      over.abort();
      settle();
    };
    const options = { signal: over.signal };
    const finish = (): void => {
      end(resolve);
    };
    const giveUp = (): void => {
      end(() => {
        reject(signal.reason as Error);
      });
    };
    const timer = setTimeout(finish, ms);
    hurry.addEventListener('now', finish, options);
    signal.addEventListener('abort', giveUp, options);
  });
}
