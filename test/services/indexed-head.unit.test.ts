import { IndexedHead, type IndexedHeadParts } from '../../src/services/indexed-head.ts';
import { eventually } from '../support/wait.ts';

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

function headOf(parts: Partial<IndexedHeadParts>): IndexedHead {
  return new IndexedHead({
    head: { settled: 9, refresh: () => Promise.resolve(false) },
    firstUnindexed: () => Promise.resolve(null),
    refreshed: () => Promise.resolve(),
    log,
    clock: { now: () => 0 },
    ...parts,
  });
}

describe('the head of the index', () => {
  it('begins at nothing, and is the head of the log where all is indexed', async () => {
    const head = headOf({});
    expect(head.through).toBe(0);
    head.look();
    await eventually('the head of the log', () => head.through === 9);
  });

  it('ends in front of what is not indexed', async () => {
    const head = headOf({ firstUnindexed: (most) => Promise.resolve(most - 4) });
    head.look();
    await eventually('the place in front of it', () => head.through === 4);
  });

  it('moves behind a refresh only, which begins after the places were read', async () => {
    const steps: string[] = [];
    let refresh = (): void => undefined;
    const head = headOf({
      firstUnindexed: () => {
        steps.push('places');
        return Promise.resolve(null);
      },
      refreshed: () =>
        new Promise((resolve) => {
          steps.push('refresh');
          refresh = resolve;
        }),
    });
    head.look();
    head.look();
    await eventually('the refresh', () => steps.includes('refresh'));
    expect([steps, head.through]).toEqual([['places', 'refresh'], 0]);
    refresh();
    await eventually('the head of the log', () => head.through === 9);
  });

  it('is looked for again now and then where nothing asks for it', async () => {
    let now = 0;
    let looks = 0;
    const head = headOf({
      clock: { now: () => now },
      firstUnindexed: () => {
        looks += 1;
        return Promise.resolve(null);
      },
    });
    head.lookNowAndThen();
    await eventually('the first look', () => head.through === 9);
    now = 9_999;
    head.lookNowAndThen();
    expect(looks).toBe(1);
    now = 10_000;
    head.lookNowAndThen();
    await eventually('the second look', () => looks === 2);
  });

  it('stays where it is when the database is away, and looks again', async () => {
    let away = true;
    let tries = 0;
    const head = headOf({
      firstUnindexed: () => {
        tries += 1;
        return away ? Promise.reject(new Error('away')) : Promise.resolve(null);
      },
    });
    head.look();
    await eventually('a look that fails', () => tries === 1);
    expect(head.through).toBe(0);
    away = false;
    await eventually('the head of the log', () => {
      head.look();
      return head.through === 9;
    });
  });
});
