import { joined } from '../../src/time/interval.ts';

const interval = (from: number, to: number) => ({ from, to });

describe('intervals that are joined', () => {
  it('are one where they overlap or touch, in the order of time', () => {
    const all = [interval(7, 9), interval(1, 3), interval(3, 4), interval(2, 5)];
    expect(joined(all)).toEqual([interval(1, 5), interval(7, 9)]);
  });

  it('stay one where one lies in another', () => {
    expect(joined([interval(1, 9), interval(2, 3)])).toEqual([interval(1, 9)]);
  });

  it('are none of none', () => {
    expect(joined([])).toEqual([]);
  });
});
