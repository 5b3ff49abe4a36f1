import type { VectorsMissing } from '../../graph/embedding/work.ts';
import { VectorWait, WAIT_VECTORS_LONGEST_POLL_MS } from '../../src/services/vector-wait.ts';
import { timeLimit } from '../../src/time-limit.ts';
import { eventually } from '../support/wait.ts';

const live = new AbortController().signal;

/** Vectors that are missing as the map says; notes what was looked for. */
function play(missing: Map<string, VectorsMissing>) {
  const state = { looks: [] as string[][], away: false };
  const wait = new VectorWait({
    missing: (ids) => {
      state.looks.push([...ids]);
      return Promise.resolve(new Map([...missing].filter(([id]) => ids.includes(id))));
    },
    away: () => state.away,
  });
  return { wait, state };
}

describe('waiting for vectors', () => {
  it('looks for those of all who wait together, and more and more seldom', async () => {
    const missing = new Map<string, VectorsMissing>(
      Array.from({ length: 20 }, (_, i) => [`e${i}`, 'held'] as const),
    );
    const { wait, state } = play(missing);
    const waiting = [...missing.keys()].map((id) => wait.until([id], live));
    const began = performance.now();
    await eventually('some looks', () => state.looks.length >= 20 + 5);
    expect(performance.now() - began).toBeGreaterThan(2 * WAIT_VECTORS_LONGEST_POLL_MS);
    missing.clear();
    missing.set('e3', 'refused');
    const found = await Promise.all(waiting);
    expect(found.map((of) => [...of])).toEqual(found.map((_, i) => (i === 3 ? [['e3', 'refused']] : [])));
    const shared = state.looks.slice(20);
    expect(shared.every(({ length }) => length === 20)).toBe(true);
    expect(shared.length).toBeLessThan(12);
  });

  it('ends where what makes them is away, the time is over, or nothing is to be made', async () => {
    const { wait, state } = play(
      new Map([
        ['held', 'held'],
        ['refused', 'refused'],
      ]),
    );
    expect([...(await wait.until(['there', 'refused'], live))]).toEqual([['refused', 'refused']]);
    expect([...(await wait.until(['held'], timeLimit(100).signal))]).toEqual([['held', 'held']]);
    state.away = true;
    expect([...(await wait.until(['held', 'there'], live))]).toEqual([['held', 'held']]);
  });
});
