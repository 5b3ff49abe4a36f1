import { createHash } from 'node:crypto';

import type { Closure } from './closure.ts';

/**
 * A digest of what forgetting comes to and of all that it rests on: the records that go, the events and statements that they rest on, and
 * the wishes. It is another one as soon as something would go that would not have gone before, or stay, or rest on something else. What
 * is only revised does not count, nor whether an episode still has events when those that go have left it: new events may change both
 * without touching what goes.
 */
export function digestOf({ redacted, wishes, gone, elsewhere, statements }: Closure): string {
  const whole = JSON.stringify([
    redacted,
    wishes.map(({ event_id, layer, ids }) => [event_id, layer, ids]),
    layersOf(gone),
    layersOf(elsewhere.gone),
    statements,
  ]);
  return createHash('sha256').update(whole).digest('hex');
}

function layersOf({ events, facts, beliefs, understanding }: Closure['gone']): readonly string[][] {
  return [events, facts, beliefs, understanding].map((ids) => [...ids]);
}
