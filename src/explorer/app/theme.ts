import { effect, signal } from '@preact/signals';

/** How light the page is; `auto` as the system is. */
export type Theme = 'auto' | 'light' | 'dark';

const THEMES: readonly Theme[] = ['auto', 'light', 'dark'];
const KEPT_AS = 'strata.theme';

/** How light the page is, kept in this browser. */
export const theme = signal<Theme>(THEMES.find((known) => known === localStorage.getItem(KEPT_AS)) ?? 'auto');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  localStorage.setItem(KEPT_AS, theme.value);
});

/** The one after it, round and round. */
export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.peek()) + 1) % THEMES.length] ?? 'auto';
}
