import { partition } from '../../src/pipeline/partition.ts';

const events = (...shards: number[]): { shard: number; n: number }[] =>
  shards.map((shard, n) => ({ shard, n }));
const told = (lanes: readonly (readonly { n: number }[])[]): number[][] =>
  lanes.map((lane) => lane.map(({ n }) => n));

describe('lanes', () => {
  it.each([
    ['nothing', [], []],
    ['one shard', [[0, 1]], [7, 7]],
    ['as many shards as lanes, each in its order', [[0, 2], [1]], [7, 3, 7]],
    [
      'more shards, about equally',
      [
        [0, 1, 4],
        [2, 3, 5],
      ],
      [1, 1, 2, 3, 1, 2],
    ],
  ])('share out %s', (_, lanes, shards) => {
    expect(told(partition(events(...shards), 2))).toEqual(lanes);
  });
});
