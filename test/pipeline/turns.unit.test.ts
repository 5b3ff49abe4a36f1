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

/** Something that somebody else ends. */
function pending(): { done: Promise<void>; end: () => void } {
  let end = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { done, end };
}

it('a turn of the intake begins when a consolidation has only its commit left, and the other row goes on in its order', async () => {
  const turns = new Turns();
  const [thought, committed] = [pending(), pending()];
  const told: string[] = [];
  const first = turns.take(() =>
    turns.think(async (committing) => {
      await thought.done;
      told.push('thought');
      committing();
      await committed.done;
      told.push('committed');
    }),
  );
  await eventually('the first one to be thought out', () => turns.isThinking);
  const next = turns.take(() => Promise.resolve(told.push('next')));
  const intake = turns.take(() => Promise.resolve(told.push('intake')), 'intake');
  thought.end();
  await intake;
  expect(told).toEqual(['thought', 'intake']);
  committed.end();
  await Promise.all([first, next]);
  expect(told).toEqual(['thought', 'intake', 'committed', 'next']);
});

it('the intake goes on behind a consolidation that failed before its commit', async () => {
  const turns = new Turns();
  const failed = turns.take(() => turns.think(() => Promise.reject(new Error('refused'))));
  await expect(failed).rejects.toThrow('refused');
  expect(turns.isThinking).toBe(false);
  await expect(turns.take(() => Promise.resolve('done'), 'intake')).resolves.toBe('done');
});
