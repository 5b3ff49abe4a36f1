/** Drawings of 16 by 16, each one path. */
const PATHS = {
  check: 'M3 8.5 6.5 12 13 4.5',
  cross: 'm4 4 8 8m0-8-8 8',
  question: 'M5.5 6a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.5m0 2.4v.1',
  dash: 'M3.5 8h9',
  warning: 'M8 2.5 14 13H2zM8 6.5v3m0 1.7v.1',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zm0-6.5V11m0-6.100V5',
  circle: 'M8 13A5 5 0 1 0 8 3a5 5 0 0 0 0 10z',
  right: 'm6 3.5 4.5 4.5L6 12.5',
  left: 'M10 3.5 5.5 8l4.5 4.5',
  down: 'm3.5 6 4.5 4.5L12.5 6',
  sun: 'M8 10.7a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4zM8 1.5v1.4m0 10.200v1.4M1.5 8h1.4m10.200 0h1.4M3.4 3.4l1 1m7.200 7.200 1 1m0-9.200-1 1m-7.200 7.200-1 1',
  moon: 'M13.5 9.600A5.800 5.800 0 0 1 6.4 2.5a5.800 5.800 0 1 0 7.100 7.100z',
  half: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 2v12',
  pause: 'M5.5 3.5v9m5-9v9',
  play: 'M5 3.5v9L12.5 8z',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zm0-9v3l2 1.5',
} as const;

/** Name of a drawing. */
export type IconName = keyof typeof PATHS;

/** A drawing beside a word, which says the same: so nobody has it read to him. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
