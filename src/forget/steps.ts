import type { Closure } from './closure.ts';
import type { Wish } from './wish.ts';

/** What one transaction of a forget does. */
export interface ForgetStep {
  /** Ids of the events that it redacts. */
  readonly redacted: readonly string[];
  readonly wishes: readonly Wish[];
}

/** Whether a closure has anything done. */
export function hasSteps({ redacted, wishes }: Pick<Closure, 'redacted' | 'wishes'>): boolean {
  return redacted.length > 0 || wishes.length > 0;
}

/** What a closure has to have done, in steps that concern so many events at most; what is wished of one event is of one step. */
export function stepsOf(
  { redacted, wishes }: Pick<Closure, 'redacted' | 'wishes'>,
  most: number,
): ForgetStep[] {
  const of = new Map<string, Wish[]>();
  for (const wish of wishes) of.set(wish.event_id, [...(of.get(wish.event_id) ?? []), wish]);
  return [
    ...parts(redacted, most).map((part) => ({ redacted: part, wishes: [] })),
    ...parts([...of.values()], most).map((part) => ({ redacted: [], wishes: part.flat() })),
  ];
}

/** A step in two, each with about half of its events; null where it concerns one event alone. */
export function halved({ redacted, wishes }: ForgetStep): readonly [ForgetStep, ForgetStep] | null {
  const steps = stepsOf({ redacted, wishes }, 1);
  if (steps.length < 2) return null;
  const middle = Math.ceil(steps.length / 2);
  return [together(steps.slice(0, middle)), together(steps.slice(middle))];
}

function together(steps: readonly ForgetStep[]): ForgetStep {
  return {
    redacted: steps.flatMap((step) => step.redacted),
    wishes: steps.flatMap((step) => step.wishes),
  };
}

function parts<T>(all: readonly T[], most: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / most) }, (_, i) => all.slice(i * most, (i + 1) * most));
}
