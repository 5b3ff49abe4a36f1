import type { Client } from './client.ts';
import { eventually } from './wait.ts';

/**
 * Cancels an event, and resolves when its scope is derived without it: the answer waits for that no longer than a client would like to,
 * and says so.
 */
export async function cancelled(service: Client, id: string | undefined, scope: string): Promise<void> {
  const { status, text } = await service.post(`/v1/lifecycle/memory-event/${id ?? ''}/cancel`);
  if (status !== 200) throw new Error(`a cancel is answered ${status}: ${text}`);
  await caughtUp(service, scope);
}

/** Resolves when all of a scope is derived. */
export async function caughtUp(service: Client, scope: string): Promise<void> {
  const path = `/v1/derivation/status?scope=${encodeURIComponent(scope)}`;
  await eventually(`${scope} to be derived`, async () => (await service.get(path)).json.caught_up === true);
}
