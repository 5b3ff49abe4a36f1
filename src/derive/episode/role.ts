import type { StatedRole } from './episode.ts';

/** Intents that give an event its role, in lower case with `_` between words. Any other intent says nothing. */
const INTENTS: Readonly<Record<string, StatedRole>> = {
  decision: 'decision',
  decide: 'decision',
  decided: 'decision',
  choice: 'decision',
  approval: 'decision',
  outcome: 'outcome',
  result: 'outcome',
  resolution: 'outcome',
  resolved: 'outcome',
  conclusion: 'outcome',
  complication: 'complication',
  problem: 'complication',
  issue: 'complication',
  error: 'complication',
  failure: 'complication',
  incident: 'complication',
  blocker: 'complication',
};

/** What an event says of its role: its intent, else its modality (what a tool gave is an outcome), else that it follows. */
export function statedRole(intent: string | undefined, modality: string): StatedRole {
  const name = (intent ?? '')
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  const stated = Object.hasOwn(INTENTS, name) ? INTENTS[name] : undefined;
  return stated ?? (modality === 'tool_result' ? 'outcome' : 'follow_up');
}
