import type { RefObject } from 'preact';

import { linkWith } from '../../app/location.ts';
import type { WhyCanvas } from './canvas.ts';

/** By how much a press of a button comes closer. */
const CLOSER = 1.3;

const WAYS = [
  ['', 'As it fits'],
  ['down', 'Downwards'],
  ['across', 'Across'],
] as const;

/** How the drawing is looked at. */
export function WhyTools({
  canvas,
  root,
  asked,
}: {
  readonly canvas: RefObject<WhyCanvas | null>;
  readonly root: string;
  /** Which way the address says that it goes; nothing where the page chooses. */
  readonly asked: string | undefined;
}) {
  const button = (label: string, act: () => void) => (
    <button type="button" class="button" onClick={act}>
      {label}
    </button>
  );
  return (
    <div class="form-row" role="group" aria-label="The drawing">
      {button('Closer', () => {
        canvas.current?.zoom(CLOSER);
      })}
      {button('Farther', () => {
        canvas.current?.zoom(1 / CLOSER);
      })}
      {button('All of it', () => {
        canvas.current?.fit(root);
      })}
      {WAYS.map(([way, title]) => (
        <a
          class="button"
          key={way}
          href={linkWith({ way })}
          aria-current={way === (asked ?? '') ? 'true' : undefined}
        >
          {title}
        </a>
      ))}
    </div>
  );
}
