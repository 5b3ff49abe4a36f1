import type { Erasure } from './queries.ts';

/** How far a step is. */
export type PhaseState = 'done' | 'under way' | 'to come' | 'left out';

const PHASES: readonly (readonly [Erasure['phase'], title: string])[] = [
  ['removing', 'Take content and keys away'],
  ['taking_out', 'Take out what was derived'],
  ['sealing', 'Take ids away'],
  ['verifying', 'Look for whatever is left'],
];

/** The steps of an erasure, each with how far it is. Of one that was stopped nobody knows the step: what was not looked at is left out. */
export function phasesOf({
  phase,
  status,
}: Pick<Erasure, 'phase' | 'status'>): readonly { readonly title: string; readonly state: PhaseState }[] {
  const order = [...PHASES.map(([name]) => name), 'done'];
  const now = order.indexOf(phase);
  return PHASES.map(([name, title], i) => {
    if (now > i) return { title, state: 'done' };
    if (status === 'cancelled') return { title, state: 'left out' };
    return { title, state: name === phase ? 'under way' : 'to come' };
  });
}
