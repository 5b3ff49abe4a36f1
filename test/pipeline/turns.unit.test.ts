import { STAGE_EVENTS_BESIDE_CAPTURES } from '../../src/limits.ts';
import { Turns } from '../../src/pipeline/turns.ts';
import { eventually } from '../support/wait.ts';

it('a batch has fewer events beside captures, and as many as it may have once they pause', async () => {
  const turns = new Turns();
  expect(turns.mostEvents(500)).toBe(500);
  turns.captured();
  expect(turns.mostEvents(500)).toBe(STAGE_EVENTS_BESIDE_CAPTURES);
  expect(turns.mostEvents(7)).toBe(7);
  await eventually('captures to count as paused', () => turns.mostEvents(500) === 500);
});
