import { signal } from '@preact/signals';

import type { Refusal } from './errors.ts';

/** Whether the service can be reached, as the requests found it. */
export type Connection =
  | { readonly is: 'online' }
  /** Tries go on; the next one comes within so many milliseconds. */
  | { readonly is: 'away'; readonly why: string; readonly nextMs: number };

/** How it stands with the service. */
export const connection = signal<Connection>({ is: 'online' });

/** Whether frames arrive live; null where nothing follows them. */
export const live = signal<boolean | null>(null);

/** An answer came. */
export function reached(): void {
  if (connection.peek().is === 'away') connection.value = { is: 'online' };
}

/** None came; the next try is `nextMs` away. */
export function missed(refusal: Refusal, nextMs: number): void {
  connection.value = { is: 'away', why: refusal.message, nextMs };
}
