import type { LifecycleItem } from '../../schemas/lifecycle.ts';
import type { Call } from '../../src/services/access.ts';
import type { LifecycleSubscription, Services } from '../../src/services/operations.ts';

/** Frames that end at once. */
export function echoFrames(
  stand: (method: string) => (call: Call, ...input: unknown[]) => Promise<unknown>,
  noun: string,
): Services['lifecycle']['subscribe'] {
  return async (call, query) => {
    await stand(`${noun}.subscribe`)(call, query);
    return subscriptionOf([]);
  };
}

/** A subscription of these frames, which then ends. */
function subscriptionOf(items: readonly LifecycleItem[]): LifecycleSubscription {
  const left = [...items];
  const subscription: LifecycleSubscription = {
    abandoned: new AbortController().signal,
    next: () => {
      const value = left.shift();
      return Promise.resolve(value === undefined ? { done: true, value } : { done: false, value });
    },
    return: () => {
      left.length = 0;
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]: () => subscription,
  };
  return subscription;
}
