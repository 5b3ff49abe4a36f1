import { signal } from '@preact/signals';

import { Icon } from './icon.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
}

const SHOWN_MS = 6000;
const toasts = signal<readonly Toast[]>([]);
let count = 0;

/** Says for some seconds that something was done. What went wrong is no toast: it stays where it happened. */
export function toast(text: string): void {
  count += 1;
  const id = count;
  toasts.value = [...toasts.value, { id, text }];
  setTimeout(() => {
    toasts.value = toasts.value.filter((shown) => shown.id !== id);
  }, SHOWN_MS);
}

/** Where toasts appear; once in the page. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text }) => (
        <p class="toast" key={id}>
          <Icon name="check" />
          {text}
        </p>
      ))}
    </div>
  );
}
