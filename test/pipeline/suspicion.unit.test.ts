import { Portions } from '../../src/pipeline/portions.ts';
import { Suspicion } from '../../src/pipeline/suspicion.ts';
import fc from '../support/property.ts';

const coded = (code: string): Error => Object.assign(new Error('it failed'), { code });
const UNKNOWN = coded('Neo.DatabaseError.General.UnknownError');
const REFUSED = coded('Neo.ClientError.Schema.ConstraintValidationFailed');
const POOL = coded('Neo.TransientError.General.MemoryPoolOutOfMemoryError');
const DEADLOCK = coded('Neo.TransientError.Transaction.DeadlockDetected');

const well = (): Promise<void> => Promise.resolve();
const away = (): Promise<void> => Promise.reject(coded('ServiceUnavailable'));

/** Work that fails wherever the culprits are in it, and what became of each item. */
function play(culprits: ReadonlySet<number>, error: Error, probe = well) {
  const suspicion = new Suspicion({ tries: 3, awayTries: 5 });
  const done: number[] = [];
  const givenUp = new Map<number, number>();
  const left = (items: readonly number[]): number[] =>
    items.filter((i) => !done.includes(i) && !givenUp.has(i));
  const round = (items: readonly number[]): Promise<void> =>
    suspicion.through(left(items), {
      keyOf: String,
      work: (part) => {
        if (part.some((i) => culprits.has(i))) return Promise.reject(error);
        done.push(...part);
        return Promise.resolve();
      },
      probe,
      giveUp: (item, { attempts }) => {
        givenUp.set(item, attempts);
        return Promise.resolve();
      },
      onRetry: () => Promise.resolve(),
    });
  return { done, givenUp, left, round };
}

describe('work that fails', () => {
  it.each([
    ['is refused', REFUSED, 3],
    ['fails in an unknown way', UNKNOWN, 5],
    ['uses the memory of all up', POOL, 5],
  ])('gives up what %s, that alone, and does all else', async (_, error, attempts) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.uniqueArray(fc.nat(39), { maxLength: 4 }),
        async (size, at) => {
          const items = Array.from({ length: size }, (_unused, i) => i);
          const culprits = new Set(at.filter((i) => i < size));
          const { done, givenUp, left, round } = play(culprits, error);
          // Each culprit makes rounds fail: as long as it stands with others, and then alone.
          for (let rounds = 0; left(items).length > 0; rounds += 1) {
            expect(rounds).toBeLessThanOrEqual(5 + 10 * culprits.size);
            await Promise.allSettled([round(items)]);
          }
          expect([...givenUp.keys()].sort()).toEqual([...culprits].sort());
          for (const count of givenUp.values()) expect(count).toBe(attempts);
          expect(done.length).toBe(size - culprits.size);
        },
      ),
    );
  });

  it.each([
    ['nothing else can be written', UNKNOWN, away],
    ['it waits for locks of others', DEADLOCK, well],
  ])('gives nothing up while %s', async (_, error, probe) => {
    const { givenUp, round } = play(new Set([0]), error, probe);
    for (let i = 0; i < 20; i += 1) await expect(round([0])).rejects.toBe(error);
    expect(givenUp.size).toBe(0);
  });
});

describe('work that is done part by part', () => {
  function portions(): { portions: Portions; sizes: () => number } {
    const made = new Portions(8, 'consolidated', new Suspicion({ tries: 3, awayTries: 5 }));
    return { portions: made, sizes: () => made.of('job').size };
  }

  it('is tried with less until one event is given up, and with more again', async () => {
    const { portions: parts, sizes } = portions();
    for (const half of [4, 2, 1, 1, 1]) {
      expect(await parts.failed('job', REFUSED, well)).toBe(true);
      expect(sizes()).toBe(half);
    }
    expect(parts.of('job').givenUp).toBeNull();
    expect(await parts.failed('job', REFUSED, well)).toBe(true);
    expect(parts.of('job').givenUp).toEqual({
      reason: 'consolidated failed 3 times: Neo.ClientError.Schema.ConstraintValidationFailed',
      attempts: 3,
    });
    expect(parts.of('other')).toEqual({ size: 8, givenUp: null });
    for (const more of [2, 4, 8]) {
      parts.done('job');
      expect(parts.of('job')).toMatchObject({ size: more, givenUp: null });
    }
  });

  it('waits between failures of an unknown kind, and where giving up fails too', async () => {
    const { portions: parts } = portions();
    const went: boolean[] = [];
    while (parts.of('job').givenUp === null) went.push(await parts.failed('job', UNKNOWN, well));
    expect(went.filter((on) => !on)).toHaveLength(8);
    expect(await parts.failed('job', UNKNOWN, well)).toBe(false);
    expect(parts.of('job').givenUp).not.toBeNull();
  });

  it('is tried with less, after a pause, where the answer was overdue', async () => {
    const { portions: parts, sizes } = portions();
    expect(await parts.failed('job', coded('OVERDUE'), away)).toBe(false);
    expect(sizes()).toBe(4);
  });
});
