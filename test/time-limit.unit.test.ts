import { joinSignals, timeLimit } from '../src/time-limit.ts';
import { collectGarbage, whileCollecting } from './support/garbage.ts';

/** What a signal fires with; the promise holds no reference to the limit that it belongs to. */
function fires(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve(signal.reason);
    });
  });
}

describe('a time limit', () => {
  it('comes although garbage is collected, and says that the time is over', async () => {
    const limit = timeLimit(100, new AbortController().signal);
    expect(limit.isOver).toBe(false);
    expect(await whileCollecting(fires(limit.signal))).toMatchObject({ name: 'TimeoutError' });
    expect(limit.isOver).toBe(true);
  });

  it('reaches what was joined with it, when nothing else knows it any more', async () => {
    const joined = joinSignals(timeLimit(100).signal, new AbortController().signal);
    expect(await whileCollecting(fires(joined.signal))).toMatchObject({ name: 'TimeoutError' });
  });

  it('ends with any of the others, by its reason', () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const limit = timeLimit(60_000, first.signal, second.signal);
    second.abort('gone');
    first.abort('too late');
    expect(limit.signal.reason).toBe('gone');
    expect(limit.isOver).toBe(false);
    limit.end();
  });

  it('is over at once where one of the others is', () => {
    const limit = timeLimit(60_000, AbortSignal.abort('before'));
    expect(limit.signal.reason).toBe('before');
    limit.end();
  });

  it('fires no more once it has ended', () => {
    const other = new AbortController();
    const limit = timeLimit(60_000, other.signal);
    limit.end();
    other.abort();
    expect(limit.signal.aborted).toBe(false);
  });

  it('is let go of by the signals of others once it has ended', () => {
    const other = new AbortController();
    const lost = (() => {
      const limit = timeLimit(60_000, other.signal);
      limit.end();
      return new WeakRef(limit.signal);
    })();
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      collectGarbage();
      expect(lost.deref()).toBeUndefined();
    });
  });
});
