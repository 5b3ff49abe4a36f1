import { WriteScheduler } from '../../src/pipeline/write-scheduler.ts';
import { othersTurn } from '../../src/wakeup.ts';
import { eventually } from '../support/wait.ts';

const restless = { throttleFactor: () => 0, isThrottling: () => false };

/** Something that somebody else ends. */
function pending(): { done: Promise<void>; end: () => void } {
  let end = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { done, end };
}

it('a turn of the intake begins when a consolidation has only its commit left, and the other row goes on in its order', async () => {
  const turns = new WriteScheduler(restless);
  const [thought, committed] = [pending(), pending()];
  const told: string[] = [];
  const first = turns.take(() =>
    turns.compute(async (committing) => {
      await thought.done;
      told.push('thought');
      committing();
      await committed.done;
      told.push('committed');
    }),
  );
  await eventually('the first one to be thought out', () => turns.isComputing);
  const next = turns.take(() => Promise.resolve(told.push('next')));
  const intake = turns.take(() => Promise.resolve(told.push('intake')), 'intake');
  thought.end();
  await intake;
  expect(told).toEqual(['thought', 'intake']);
  committed.end();
  await Promise.all([first, next]);
  expect(told).toEqual(['thought', 'intake', 'committed', 'next']);
});

it('there is one row while captures have the way', async () => {
  const turns = new WriteScheduler({ throttleFactor: () => 0, isThrottling: () => true });
  const told: string[] = [];
  const first = pending();
  const before = turns.take(async () => {
    await first.done;
    told.push('derived');
  });
  const intake = turns.take(() => Promise.resolve(told.push('intake')), 'intake');
  first.end();
  await Promise.all([before, intake]);
  expect(told).toEqual(['derived', 'intake']);
});

it('a turn begins when the rest behind the one before is over, at once where everything ends', async () => {
  const turns = new WriteScheduler({ throttleFactor: () => 1e9, isThrottling: () => true });
  await turns.take(() => eventually('some time to pass', () => performance.now() > 0));
  let begun = false;
  const next = turns.take(() => Promise.resolve((begun = true)));
  await othersTurn();
  expect(begun).toBe(false);
  turns.end();
  await next;
  expect(begun).toBe(true);
});

it('the intake goes on behind a consolidation that failed before its commit', async () => {
  const turns = new WriteScheduler(restless);
  const failed = turns.take(() => turns.compute(() => Promise.reject(new Error('refused'))));
  await expect(failed).rejects.toThrow('refused');
  expect(turns.isComputing).toBe(false);
  await expect(turns.take(() => Promise.resolve('done'), 'intake')).resolves.toBe('done');
});
