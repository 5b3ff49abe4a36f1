import type { Kind } from './kinds.ts';

/** One setting: where it may be given, what is allowed, what holds when it is given nowhere. */
export interface Setting<Value = unknown> {
  /** Name of the environment variable. */
  readonly env: string;
  /** Another name of that variable, which counts where the first is not set. */
  readonly alias?: string;
  readonly kind: Kind<Value>;
  /** The value when it is given nowhere; left out when there is none or when it follows from other settings. */
  readonly fallback?: Value;
  /** Says in words what holds when it is given nowhere, where `fallback` cannot. */
  readonly fallbackText?: string;
  /** Unit of the value. */
  readonly unit?: string;
  /** Masked when printed, and without a flag, because the arguments of a process are readable by every user. */
  readonly secret?: true;
  /** True when an empty variable is a value of its own; else it counts as not set, so that compose files can pass optional ones. */
  readonly emptyCounts?: true;
  /** What it does: one or two sentences for the documentation. */
  readonly description: string;
}

/** Declares a setting with the type of its value. */
export function setting<Value, const Rest extends Omit<Setting<Value>, 'kind'>>(
  kind: Kind<Value>,
  rest: Rest,
): Rest & { readonly kind: Kind<Value> } {
  return { ...rest, kind };
}
