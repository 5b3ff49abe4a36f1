import { signal } from '@preact/signals';

/** First parts of the addresses of all views that there are. Views look here, since the list of them knows their code. */
export const viewPaths = signal<readonly string[]>([]);
