import { useId } from 'preact/hooks';

import { address, linkWith } from '../../app/location.ts';
import type { Pace } from './scales.ts';

/** How each way to draw time is called. */
export const PACE_TITLES: Readonly<Record<Pace, string>> = { steps: 'each change alike', scale: 'to scale' };

const PACES: readonly Pace[] = ['steps', 'scale'];

/** Each axis of time with its name and the parameter of the address that keeps how it is drawn. */
const AXES = {
  recorded: { title: 'Recorded time', parameter: 'pace' },
  valid: { title: 'Valid time', parameter: 'validPace' },
} as const;

/** How an axis is drawn as the address says; null where it does not. */
export function chosenPace(axis: keyof typeof AXES): Pace | null {
  const chosen = address.value.parameters[AXES[axis].parameter];
  return PACES.find((pace) => pace === chosen) ?? null;
}

/** How recorded time is drawn. */
export function recordedPace(): Pace {
  return chosenPace('recorded') ?? 'steps';
}

/** Chooses how an axis is drawn; `drawn` is how it is now. */
export function PaceChooser({ axis, drawn }: { readonly axis: keyof typeof AXES; readonly drawn: Pace }) {
  const id = useId();
  const { title, parameter } = AXES[axis];
  return (
    <p class="pace small" role="group" aria-labelledby={id}>
      <span class="soft">
        <span id={id}>{title}</span>:{' '}
      </span>
      {PACES.map((pace, i) => (
        <span key={pace}>
          {i > 0 && ' · '}
          <a href={linkWith({ [parameter]: pace })} aria-current={pace === drawn ? 'true' : undefined}>
            {PACE_TITLES[pace]}
          </a>
        </span>
      ))}
    </p>
  );
}
