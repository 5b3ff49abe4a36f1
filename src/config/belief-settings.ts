import type { Setting } from './setting.ts';
import { integer, share } from './kinds.ts';

/** When beliefs are revised. */
export const BELIEF_SETTINGS = {
  'beliefs.min_change': {
    kind: share(),
    env: 'STRATA_BELIEFS_MIN_CHANGE',
    fallback: 0.05,
    description:
      'How far the confidence of a belief has to move for a revision, where its stance and what supports it stay the same.',
  },
  'beliefs.cooldown_ms': {
    kind: integer({ min: 0, max: 31_536_000_000 }),
    env: 'STRATA_BELIEFS_COOLDOWN_MS',
    fallback: 0,
    unit: 'ms',
    description: 'How old, in recorded time, an opinion has to be before confidence alone revises it.',
  },
} as const satisfies Record<string, Setting>;
