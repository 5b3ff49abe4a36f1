import { finished, inTurns, type Steps } from '../../src/recall/steps.ts';

function* adding(...units: number[]): Steps<number> {
  let sum = 0;
  for (const one of units) {
    sum += one;
    yield one;
  }
  return sum;
}

describe('work in steps', () => {
  it('comes to the same at once and in turns', async () => {
    expect(finished(adding(1, 2, 3))).toBe(6);
    await expect(inTurns(adding(1, 2, 3), 1, () => Promise.resolve())).resolves.toBe(6);
  });

  it('lets others have their turn each time enough was done, and not before', async () => {
    let turns = 0;
    const turn = (): Promise<void> => {
      turns += 1;
      return Promise.resolve();
    };
    await inTurns(adding(3, 3, 3, 10, 1), 6, turn);
    expect(turns).toBe(2);
    await inTurns(adding(1, 1), 6, turn);
    expect(turns).toBe(2);
  });

  it('fails as the work does', async () => {
    // oxlint-disable-next-line require-yield
    function* failing(): Steps<void> {
      throw new Error('no');
    }
    await expect(inTurns(failing(), 1, () => Promise.resolve())).rejects.toThrow('no');
  });
});
