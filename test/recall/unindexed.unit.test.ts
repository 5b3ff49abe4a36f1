import { rankedUnindexed } from '../../src/recall/unindexed.ts';

const one = (word: string) => new Map([[word, 1]]);
const event = (id: string, ...words: string[]) => ({ id, words: new Set(words) });

describe('ranking what the index does not know yet', () => {
  it('goes by the share of the words, of the best score that the index gave; what has them all comes first', () => {
    const indexed = [
      { id: 'a', score: 8 },
      { id: 'b', score: 2 },
    ];
    const events = [event('c', 'peanut', 'allergi'), event('d', 'peanut', 'butter'), event('e', 'butter')];
    expect(rankedUnindexed([one('allergi'), one('peanut')], events, indexed)).toEqual([
      { id: 'c', score: 8.08 },
      { id: 'd', score: 4 },
    ]);
  });

  it('counts another form of a word for what it weighs', () => {
    const word = new Map([
      ['cafe', 1],
      ['_cafe', 0.5],
    ]);
    expect(rankedUnindexed([word], [event('a', 'café', '_cafe'), event('b', 'cafe')], [])).toEqual([
      { id: 'a', score: 0.5 },
      { id: 'b', score: 1.01 },
    ]);
  });

  it('leaves out what the index found by itself', () => {
    expect(rankedUnindexed([one('peanut')], [event('a', 'peanut')], [{ id: 'a', score: 3 }])).toEqual([]);
  });

  it('stands alone where the index finds nothing', () => {
    expect(rankedUnindexed([one('peanut')], [event('a', 'peanut')], [])).toEqual([{ id: 'a', score: 1.01 }]);
  });
});
