import { computed } from '@preact/signals';

import { address, asOf, goTo, linkWith, replaceWith } from '../../app/location.ts';
import { chosenIn, type Chosen } from './choice.ts';

/** What is looked at. */
export const chosen = computed<Chosen>(() => chosenIn(address.value.parameters, asOf.value ?? {}));

/** Looks at something else: a step that the browser's way back leads behind. */
export function choose(parameters: Readonly<Record<string, string>>): void {
  goTo(linkWith(parameters));
}

/** The same without a step of its own: for what is moved through, such as time. */
export function moveTo(parameters: Readonly<Record<string, string>>): void {
  replaceWith(linkWith(parameters));
}
