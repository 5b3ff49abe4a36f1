import { tagTest } from '../../graph/passage/tags.ts';
import { envelope } from '../../schemas/envelope.ts';
import { filterTree, recallFilters } from '../../schemas/recall-filter.ts';
import { tagsOf } from '../../src/capture/search-tags.ts';

const tags = new Set(
  tagsOf(
    envelope.parse({
      scope: 'user:a',
      modality: 'conversation',
      content: { kind: 'text', text: 'said' },
      context: { labels: ['old', 'red'] },
    }),
    'user:ann',
  ),
);

const fits = (filters: unknown): boolean | undefined =>
  tagTest({ filter: filterTree(recallFilters.parse(filters)), refers: false })?.(tags);

describe('what is asked of the tags of a passage', () => {
  it.each([
    [true, { labels: { eq: 'old' } }],
    [false, { labels: { eq: 'new' } }],
    [true, { labels: { in: ['new', 'red'] } }],
    [false, { labels: { in: [] } }],
    [true, { labels: { exists: true }, intent: { exists: false } }],
    [false, { labels: { exists: false } }],
    [true, { caller: { exists: true } }],
    [false, { caller: { exists: false } }],
    [true, { caller: { eq: 'user:ann' }, observed_actor: { eq: 'user:ann' } }],
    [false, { caller: { eq: 'user:ann' }, modality: { eq: 'document' } }],
    [true, { OR: [{ labels: { eq: 'new' } }, { modality: { eq: 'conversation' } }] }],
    [false, { OR: [{ labels: { eq: 'new' } }, { modality: { eq: 'document' } }] }],
    [false, { AND: [{ labels: { eq: 'old' } }, { labels: { eq: 'new' } }] }],
    [true, { AND: [{ labels: { eq: 'old' } }, { observed_at: { gte: '2030-01-01T00:00:00Z' } }] }],
  ])('is %s of %j', (expected, filters) => {
    expect(fits(filters)).toBe(expected);
  });

  it('is nothing without a filter, and that a time is spoken of where one is asked for', () => {
    expect(tagTest({ filter: null, refers: false })).toBeNull();
    expect(tagTest({ filter: null, refers: true })?.(tags)).toBe(false);
  });
});
