/** Several signals as one. */
export interface JoinedSignals {
  /** Fires as soon as one of them does, with its reason. */
  readonly signal: AbortSignal;
  /** Lets go of the signals, when nobody needs the joined one any more; it does not fire from then on. */
  readonly end: () => void;
}

/** A time limit, joined with what else ends the work. */
export interface TimeLimit extends JoinedSignals {
  /** Whether the time ran out; false also where another signal fired first. */
  readonly isOver: boolean;
}

/**
 * Several signals as one. Each signal holds the joined one until `end`, so a garbage collection cannot lose it; with
 * `AbortSignal.any` it can.
 */
export function joinSignals(...signals: readonly AbortSignal[]): JoinedSignals {
  const joined = new AbortController();
  const fire = (event: Event): void => {
    end();
    joined.abort((event.target as AbortSignal).reason);
  };
  const end = (): void => {
    for (const signal of signals) signal.removeEventListener('abort', fire);
  };
  const fired = signals.find(({ aborted }) => aborted);
  if (fired) joined.abort(fired.reason);
  else for (const signal of signals) signal.addEventListener('abort', fire, { once: true });
  return { signal: joined.signal, end };
}

/**
 * A limit of so many milliseconds, which others may end earlier. When the time is over the signal fires with a `TimeoutError`. The
 * timer holds the limit until it fires or `end` is called, so a garbage collection cannot lose it; with `AbortSignal.timeout` it can.
 * It does not keep the process alive.
 */
export function timeLimit(ms: number, ...others: readonly AbortSignal[]): TimeLimit {
  const clock = new AbortController();
  const joined = joinSignals(...others, clock.signal);
  const timer = setTimeout(() => {
    clock.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  }, ms);
  timer.unref();
  return {
    signal: joined.signal,
    get isOver() {
      return joined.signal.aborted && joined.signal.reason === clock.signal.reason;
    },
    end: () => {
      clearTimeout(timer);
      joined.end();
    },
  };
}
