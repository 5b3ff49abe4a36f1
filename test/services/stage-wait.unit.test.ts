import { silentLog } from '../../src/log.ts';
import { StageProgress } from '../../src/pipeline/stage-progress.ts';
import { StageWait } from '../../src/services/stage-wait.ts';
import { whileCollecting } from '../support/garbage.ts';

type Parts = ConstructorParameters<typeof StageWait>[0];

/** A wait for stages that never come; `holds` are those of every event. */
function waitOf(holds: readonly { stage: string; state: string }[], passed: number): StageWait {
  const marks = { extracted: passed, indexed: passed, consolidated: passed };
  const shards = {
    watermarks: (numbers: readonly number[]) => Promise.resolve(new Map(numbers.map((n) => [n, marks]))),
  };
  const derivation = {
    progress: (ids: readonly string[]) =>
      Promise.resolve(ids.map((event_id) => ({ event_id, holds, consolidated: true, wal_offset: 1 }))),
  };
  const parts = {
    progress: new StageProgress(shards as never, silentLog),
    derivation,
    passages: { refreshed: () => Promise.resolve() },
    clock: { now: () => 0 },
    onQueued: () => undefined,
    deferrals: { through: () => Promise.resolve() },
    onReleased: () => undefined,
  };
  return new StageWait(parts as unknown as Parts);
}

const EVENT = { event_id: 'evt_1', shard: 1, wal_offset: 1 };

describe('a wait for a stage', () => {
  it.each<[string, StageWait]>([
    ['that does not pass', waitOf([], 0)],
    ['behind which the event is queued to be repeated', waitOf([{ stage: 'indexed', state: 'queued' }], 1)],
  ])('%s ends at its budget although garbage is collected', async (_what, wait) => {
    const { signal } = new AbortController();
    const waited = wait.until('indexed', [EVENT], { budgetMs: 200, signal, where: {} });
    await expect(whileCollecting(waited)).rejects.toMatchObject({ code: 'WAIT_TIMEOUT' });
  });
});
