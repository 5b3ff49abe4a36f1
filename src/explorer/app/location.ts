import { computed, signal } from '@preact/signals';

import type { AsOf } from '../api/document.ts';
import { readAddress, sharedOf, writeAddress, type Address } from './address.ts';

/** What the address bar says. */
export const address = signal<Address>(readAddress(location.hash));

window.addEventListener('hashchange', () => {
  address.value = readAddress(location.hash);
});

/** The scope that is looked at; null for none in particular. */
export const scope = computed(() => address.value.parameters.scope ?? null);

/** The instants that are looked at; null for now. */
export const asOf = computed<AsOf | null>(() => {
  const { valid, recorded } = address.value.parameters;
  if (valid === undefined && recorded === undefined) return null;
  return { ...(valid === undefined ? {} : { valid }), ...(recorded === undefined ? {} : { recorded }) };
});

/** The address of a view, for `href`: scope and instants stay unless `parameters` says otherwise. */
export function linkTo(
  view: string,
  rest: readonly string[] = [],
  parameters: Readonly<Record<string, string>> = {},
): string {
  return writeAddress({ view, rest, parameters: { ...sharedOf(address.value), ...parameters } });
}

/** The address of the same view with other parameters; an empty one is left out. */
export function linkWith(parameters: Readonly<Record<string, string>>): string {
  const { view, rest, parameters: before } = address.value;
  return writeAddress({ view, rest, parameters: { ...before, ...parameters } });
}

/** Goes to an address that {@link linkTo} or {@link linkWith} made. */
export function goTo(link: string): void {
  location.hash = link;
}

/** Goes there without a step of its own on the way back: for what is moved through, such as time. */
export function replaceWith(link: string): void {
  history.replaceState(null, '', link);
  address.value = readAddress(link);
}
