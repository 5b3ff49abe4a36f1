import { SWEEP_STOPS, type RetentionSweepReport } from '../../schemas/retention.ts';
import { hasMore, RetentionSweeper } from '../../src/services/retention-sweeper.ts';
import type { SweepTask } from '../../src/services/retention-tick.ts';

it('goes on soon after whatever stopped it, but for its end and the loss of its tenant', () => {
  const over = SWEEP_STOPS.filter((stopped) => !hasMore({ stopped } as RetentionSweepReport));
  expect(over).toEqual(['complete', 'lease_lost']);
});

it('refuses a third dry run while two are under way, and takes one again when they are over', async () => {
  const fail: ((error: Error) => void)[] = [];
  const status = () => new Promise((_, reject) => fail.push(reject));
  const sweeper = new RetentionSweeper({ sweeps: { status } } as never);
  const look = () =>
    sweeper.look({ tenant: 'default' } as SweepTask, {
      rescan: false,
      signal: new AbortController().signal,
    });
  const first = [look(), look()].map((run) => run.catch((error: unknown) => (error as Error).message));
  await expect(look()).rejects.toMatchObject({ code: 'SERVER_BUSY' });
  for (const end of fail) end(new Error('away'));
  expect(await Promise.all(first)).toEqual(['away', 'away']);
  const again = look();
  expect(fail).toHaveLength(3);
  fail[2]?.(new Error('away again'));
  await expect(again).rejects.toThrow('away again');
});
