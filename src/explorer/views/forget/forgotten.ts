import { signal } from '@preact/signals';

import { caller } from '../../api/session.ts';
import type { Forgotten } from './queries.ts';

/** What was forgotten last in this tab, so that it is told until something else is done. */
export const forgotten = signal<(Forgotten & { readonly scope: string }) | null>(null);

// It is told to nobody else.
caller.subscribe(() => {
  forgotten.value = null;
});

/** How often something was taken away here: receipts, holds and suppressions are read anew then. */
export const removals = signal(0);
