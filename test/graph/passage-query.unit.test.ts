import { turnQuery, type PassageFilter } from '../../graph/passage-query.ts';
import { filterTree, recallFilters } from '../../schemas/recall-filter.ts';

const search = (own: Partial<PassageFilter> = {}): PassageFilter => ({
  selection: { scopes: ['a1'], subtrees: [] },
  filter: null,
  observed: null,
  recorded: null,
  refers: false,
  ...own,
});
const filterOf = (filters: unknown) => filterTree(recallFilters.parse(filters));

describe('the query of a search for turns', () => {
  it('has words in each text, and what narrows it without a score', () => {
    expect(turnQuery(['x', 'y'], search({ refers: true }))).toMatch(
      /^\+\(scope_ref:\(a1\)\)\^0 \+tags:p[0-9a-f]{12}\^0 \+\(text:\(x y\)\^[\d.]+ window_1:\(x y\)\^[\d.]+ window_3:\(x y\)\^[\d.]+\)$/,
    );
  });

  it('asks for anything where a filter names no condition', () => {
    expect(turnQuery(['x'], search({ filter: filterOf({ metadata: {} }) }))).toContain(' +(*:*)^0 ');
  });

  it('has no empty group whatever the filter', () => {
    for (const filters of [{ metadata: {} }, { metadata: { labels: [] } }, { labels: { in: [] } }])
      expect(turnQuery(['x'], search({ filter: filterOf(filters) }))).not.toMatch(/\(\s*\)/);
  });
});
