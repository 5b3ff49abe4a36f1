import { address, linkWith } from '../../app/location.ts';
import type { Pace } from './scales.ts';

/** How recorded time is drawn, as the address says. */
export function paceOf(): Pace {
  return address.value.parameters.pace === 'scale' ? 'scale' : 'steps';
}

const PACES = [
  ['steps', 'each change alike'],
  ['scale', 'to scale'],
] as const;

/** Chooses how recorded time is drawn. */
export function PaceChooser() {
  const chosen = paceOf();
  return (
    <p class="pace small">
      <span class="soft">Recorded time: </span>
      {PACES.map(([pace, title], i) => (
        <span key={pace}>
          {i > 0 && ' · '}
          <a href={linkWith({ pace })} aria-current={pace === chosen ? 'true' : undefined}>
            {title}
          </a>
        </span>
      ))}
    </p>
  );
}
