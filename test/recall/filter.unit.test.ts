import { toJsonSchema } from '../../rest/json-schema.ts';
import { filterTree, recallFilters, type FilterNode } from '../../schemas/recall-filter.ts';
import { isExactInIndex, matchesFilter, stretchOfFilter, type Filterable } from '../../src/recall/filter.ts';
import fc from '../support/property.ts';

const event = (own: Partial<Filterable> = {}): Filterable => ({
  labels: ['a', 'b'],
  observed_actor: ['user:ann'],
  modality: ['conversation'],
  intent: [],
  caller: ['user:local'],
  subject: ['user:ann'],
  language: [],
  observed_at: Date.parse('2026-03-01T12:00:00Z'),
  recorded_at: Date.parse('2026-03-02T12:00:00Z'),
  ...own,
});
const matches = (filters: unknown, own: Partial<Filterable> = {}): boolean =>
  matchesFilter(filterTree(recallFilters.parse(filters)), event(own));

describe('the filter of a recall', () => {
  it('joins keys by AND and the values of one by OR in its short form', () => {
    expect(matches({ metadata: {} })).toBe(true);
    expect(matches({ metadata: { labels: 'a' } })).toBe(true);
    expect(matches({ metadata: { labels: ['x', 'b'], observed_actor: 'user:ann' } })).toBe(true);
    expect(matches({ metadata: { labels: ['x', 'b'], observed_actor: 'user:bob' } })).toBe(false);
    expect(matches({ metadata: { labels: [] } })).toBe(false);
    expect(matches({ metadata: { intent: 'plan' } }, { intent: ['plan'] })).toBe(true);
    expect(matches({ metadata: { intent: 'plan' } })).toBe(false);
  });

  it('compares in a tree by eq, in, exists, gte and lte', () => {
    expect(matches({ labels: { eq: 'a', in: ['b', 'c'] } })).toBe(true);
    expect(matches({ labels: { eq: 'a', in: ['c'] } })).toBe(false);
    expect(matches({ intent: { exists: false }, labels: { exists: true } })).toBe(true);
    expect(matches({ observed_at: { gte: '2026-03-01T12:00:00Z', lte: '2026-03-01T12:00:00Z' } })).toBe(true);
    expect(matches({ observed_at: { gte: '2026-03-02' } })).toBe(false);
    expect(
      matches({
        OR: [
          { labels: { eq: 'x' } },
          { AND: [{ labels: { eq: 'a' } }, { modality: { eq: 'conversation' } }] },
        ],
      }),
    ).toBe(true);
  });

  it('refuses what it does not know, and what is too large, naming the place', () => {
    const fault = (filters: unknown): string | undefined => {
      const issue = recallFilters.safeParse(filters).error?.issues[0];
      return issue && JSON.stringify([issue.path, issue.message]);
    };
    expect(fault({ metadata: { label: 'a' } })).toContain('metadata');
    expect(fault({ metadata: { labels: 7 } })).toContain('labels');
    expect(fault({ label: { eq: 'a' } })).toBeDefined();
    expect(fault({ labels: { equals: 'a' } })).toBeDefined();
    expect(fault({ labels: {} })).toBeDefined();
    expect(fault({})).toBeDefined();
    expect(fault('labels')).toBeDefined();
    expect(fault({ AND: [] })).toBeDefined();
    expect(fault({ observed_at: { gte: 'soon' } })).toBeDefined();
    expect(fault({ AND: Array.from({ length: 65 }, () => ({ labels: { eq: 'a' } })) })).toContain('64');
    const values = Array.from({ length: 100 }, (_, i) => `v${i}`);
    const many = (count: number) => ({
      OR: Array.from({ length: count }, () => ({ labels: { in: values } })),
    });
    expect(fault({ AND: [many(3), many(2)] })).toBeUndefined();
    expect(fault({ AND: [many(3), many(2), { caller: { eq: 'x' } }] })).toContain('500 values');
    let deep: unknown = { labels: { eq: 'a' } };
    for (let i = 0; i < 20_000; i += 1) deep = { AND: [deep] };
    expect(fault(deep)).toContain('levels');
  });

  it.each([
    [3, ''],
    [{ AND: [{ labels: {} }] }, 'AND.0.labels'],
    [{ AND: [{ OR: [{ labels: { eq: 3 } }] }] }, 'AND.0.OR.0.labels.eq'],
    [{ OR: [{ labels: { eq: 'x' } }, { AND: [] }] }, 'OR.1.AND'],
    [{ metadata: { labels: [3] } }, 'metadata.labels'],
  ])('names the place within a tree: %j', (filters, place) => {
    const { issues } = recallFilters.safeParse(filters).error ?? { issues: [] };
    expect(issues.map(({ path }) => path.join('.'))).toEqual([place]);
  });

  it('has a shape that the documents tell, trees and all', () => {
    const shape = toJsonSchema(recallFilters, 'input');
    expect(shape.anyOf).toHaveLength(2);
    expect(JSON.stringify(shape)).toContain('"AND"');
  });

  it('says of every tree what its parts say', () => {
    const leaf: fc.Arbitrary<FilterNode> = fc
      .tuple(
        fc.constantFrom('labels' as const, 'modality' as const),
        fc.constantFrom('a', 'b', 'conversation'),
      )
      .map(([field, eq]) => ({ [field]: { eq } }));
    const { tree } = fc.letrec<{ tree: FilterNode }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((AND) => ({ AND })),
        fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((OR) => ({ OR })),
      ),
    }));
    const naive = (node: FilterNode, one: Filterable): boolean => {
      if ('AND' in node) return node.AND.every((part) => naive(part, one));
      if ('OR' in node) return node.OR.some((part) => naive(part, one));
      const [[field, test] = []] = Object.entries(node);
      return field !== undefined && one[field as 'labels'].includes((test as { eq: string }).eq);
    };
    fc.assert(
      fc.property(tree, fc.subarray(['a', 'b']), (node, labels) => {
        expect(matchesFilter(node, event({ labels }))).toBe(naive(node, event({ labels })));
      }),
    );
  });

  it('lies in a stretch of time that its conditions make', () => {
    const stretch = (filters: unknown) =>
      stretchOfFilter(filterTree(recallFilters.parse(filters)), 'observed_at');
    const [first, second, third] = ['2026-01-01', '2026-01-02', '2026-01-03'];
    const day = (date: string) => Date.parse(date);
    const until = { observed_at: { lte: third } };
    const since = { observed_at: { gte: second } };
    expect(stretch({ labels: { eq: 'a' } })).toBeNull();
    expect(stretch({ metadata: { labels: 'a' } })).toBeNull();
    expect(stretch({ recorded_at: { gte: first } })).toBeNull();
    expect(stretch({ observed_at: { gte: first, lte: third } })).toEqual({
      from: day(first),
      to: day(third) + 1,
    });
    expect(stretch({ AND: [since, until, { labels: { eq: 'a' } }] })).toEqual({
      from: day(second),
      to: day(third) + 1,
    });
    expect(stretch({ OR: [since, { labels: { eq: 'a' } }] })).toBeNull();
    expect(stretch({ OR: [{ observed_at: { gte: first, lte: first } }, { AND: [since, until] }] })).toEqual({
      from: day(first),
      to: day(third) + 1,
    });
    const never = { observed_at: { gte: third, lte: first } };
    expect(stretch({ OR: [never, { AND: [since, until] }] })).toEqual(stretch({ AND: [since, until] }));
    const nothing = stretch({ OR: [never, never] });
    expect(nothing?.from).toBe(nothing?.to);
  });

  it('is left to the index unless instants are one of several ways to match', () => {
    const exact = (filters: unknown) => isExactInIndex(filterTree(recallFilters.parse(filters)));
    const since = { observed_at: { gte: '2026-01-01T10:00:00Z' } };
    const labelled = { labels: { eq: 'a' } };
    expect(exact({ metadata: { labels: 'a' } })).toBe(true);
    expect(exact({ AND: [since, labelled] })).toBe(true);
    expect(exact({ OR: [labelled, { caller: { eq: 'x' } }] })).toBe(true);
    expect(exact({ OR: [labelled, { AND: [since] }] })).toBe(false);
    expect(exact({ AND: [labelled, { OR: [{ OR: [since] }, labelled] }] })).toBe(false);
  });
});
