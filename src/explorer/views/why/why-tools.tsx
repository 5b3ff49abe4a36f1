import type { RefObject } from 'preact';

import { linkWith } from '../../app/location.ts';
import type { WhyCanvas } from './canvas.ts';

/** By how much a press of a button comes closer. */
const CLOSER = 1.3;

/** How the drawing is looked at. */
export function WhyTools({
  canvas,
  root,
}: {
  readonly canvas: RefObject<WhyCanvas | null>;
  readonly root: string;
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
      <a class="button" href={linkWith({ way: 'down' })}>
        Downwards
      </a>
      <a class="button" href={linkWith({ way: 'across' })}>
        Across
      </a>
    </div>
  );
}
