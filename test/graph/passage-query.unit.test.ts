import {
  searchedParts,
  sessionQuery,
  stretchesAt,
  turnQuery,
  type PassageFilter,
} from '../../graph/passage/query.ts';
import { filterTree, recallFilters } from '../../schemas/recall-filter.ts';

const search = (own: Partial<PassageFilter> = {}): PassageFilter => ({
  selection: { scopes: ['a1'], subtrees: [] },
  filter: null,
  observed: null,
  recorded: null,
  refers: false,
  ...own,
});
const one = (word: string) => new Map([[word, 1]]);
const filterOf = (filters: unknown) => filterTree(recallFilters.parse(filters));

describe('the query of a search for turns', () => {
  it('has words in each text, and what narrows it without a score', () => {
    expect(turnQuery([one('x'), one('y')], search({ refers: true }))).toMatch(
      /^\+\(scope_ref:\(a1\)\)\^0 \+tags:p[0-9a-f]{12}\^0 \+\(text:\(x y\)\^[\d.]+ window_1:\(x y\)\^[\d.]+ window_3:\(x y\)\^[\d.]+\)$/,
    );
  });

  it('asks for other forms of a word too, behind all words, and by what they weigh', () => {
    const words = [
      new Map([
        ['cafe', 1],
        ['_cafe', 0.5],
      ]),
      new Map([
        ['c++', 1],
        ['c', 0.5],
      ]),
    ];
    expect(turnQuery(words, search(), true)).toContain('text:(cafe c++ _cafe^0.5 c^0.5)^');
  });

  it('has the own words of a turn alone where others may have been said later', () => {
    expect(turnQuery([one('x')], search(), true)).toMatch(/ \+\(text:\(x\)\^[\d.]+\)$/);
  });

  it('has what is not narrowed out where there are no words', () => {
    expect(turnQuery([], search({ observed: { from: 0, to: 1 } }))).toBe(
      '+(scope_ref:(a1))^0 +observed_day:[d19700101 TO d19700101]^0 +*:*',
    );
  });

  it('asks for anything where a filter names no condition', () => {
    expect(turnQuery([one('x')], search({ filter: filterOf({ metadata: {} }) }))).toContain(' +(*:*)^0 ');
  });

  it('has no empty group whatever the filter', () => {
    for (const filters of [{ metadata: {} }, { metadata: { labels: [] } }, { labels: { in: [] } }])
      expect(turnQuery([one('x')], search({ filter: filterOf(filters) }))).not.toMatch(/\(\s*\)/);
  });

  it('has no more parts than the parser takes, and words among them, whatever is asked for', () => {
    const words = Array.from({ length: 256 }, (_, i) => one(`w${i}`));
    const refs = Array.from({ length: 1031 }, (_, i) => `a${i}`);
    const values = Array.from({ length: 100 }, (_, i) => `v${i}`);
    const metadata = {
      labels: values,
      observed_actor: values,
      modality: values,
      intent: values,
      caller: values,
    };
    const wide = Array.from({ length: 64 }, (_, i) => ({
      language: { in: values.slice(0, i < 52 ? 7 : 8), eq: 'x', exists: i % 2 === 0 },
    }));
    const days = Array.from({ length: 59 }, () => ({
      observed_at: { gte: '2026-01-01', lte: '2026-02-01' },
    }));
    const trees = [{ metadata }, { OR: wide.slice(0, 60) }, { AND: [{ labels: { in: values } }, ...days] }];
    const during = { from: 0, to: 1 };
    for (const tree of trees)
      for (const selection of searchedParts({ scopes: refs, subtrees: [] })) {
        const part = search({
          selection,
          filter: filterOf(tree),
          observed: during,
          recorded: during,
          refers: true,
        });
        // What stands between blanks is a word, a value or a reference: a part each.
        expect(turnQuery(words, part).replaceAll(' TO ', '-').split(' ').length).toBeLessThan(1024);
        expect(turnQuery(words, part)).toContain('text:(w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10');
        expect(sessionQuery(words, part).split(' ').length).toBeLessThan(1024);
      }
    expect(turnQuery(words, search())).toContain('w255');
    const twice = words.map(
      (word) => new Map([...word, ...[...word.keys()].map((term) => [`_${term}`, 0.5] as const)]),
    );
    expect(turnQuery(twice, search()).split(' ').length).toBeLessThan(1024);
    expect(turnQuery(twice, search())).toContain('w255 _w0^0.5');
  });
});

describe('when events lie that were there at some instants', () => {
  const now = { valid: null, recorded: Number.MAX_SAFE_INTEGER };
  const noon = Date.parse('2026-03-05T12:00:00Z');

  it('is any time where no instant is named', () => {
    expect(stretchesAt(search(), now)).toEqual({ observed: null, recorded: null });
    const during = { from: 0, to: 5 };
    expect(stretchesAt(search({ observed: during }), now)).toEqual({ observed: during, recorded: null });
  });

  it('ends with the instants, so that the index does not bring what came later', () => {
    const day = 24 * 3600 * 1000;
    const at = { valid: noon, recorded: noon + day };
    const query = turnQuery([one('x')], { ...search(), ...stretchesAt(search(), at) });
    expect(query).toContain(
      '+observed_day:[d00010101 TO d20260305]^0 +recorded_day:[r00010101 TO r20260306]^0',
    );
    const asked = search({ observed: { from: noon - day, to: noon + day } });
    expect(stretchesAt(asked, at).observed).toEqual({ from: noon - day, to: noon + 1 });
  });
});

describe('the parts of a selection', () => {
  it('name each scope once, and what lies below others in one of them', () => {
    const scopes = Array.from({ length: 600 }, (_, i) => `a${i}`);
    const subtrees = [{ ref: 'b', level: 0, levels: ['b'] }];
    const parts = searchedParts({ scopes, subtrees });
    expect(parts.flatMap((part) => part.scopes)).toEqual(scopes);
    expect(parts.flatMap((part) => part.subtrees)).toEqual(subtrees);
    expect(searchedParts({ scopes: ['a'], subtrees })).toEqual([{ scopes: ['a'], subtrees }]);
  });
});
