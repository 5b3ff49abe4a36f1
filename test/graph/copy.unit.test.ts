import neo4j from 'neo4j-driver';

import { canonicalProperties, canonicalValue } from '../../graph/copy/canonical.ts';
import { IdMap } from '../../graph/copy/id-map.ts';
import { Tally } from '../../graph/copy/tally.ts';

function tallyOf(...records: readonly (readonly [kind: string, text: string])[]): Tally {
  const tally = new Tally();
  for (const [kind, text] of records) tally.add(kind, text);
  return tally;
}

describe('a tally', () => {
  it('is the same in whatever order records come', () => {
    const here = tallyOf(['(:A)', '1'], ['(:A)', '2'], ['[:R]', '1 2']);
    const there = tallyOf(['[:R]', '1 2'], ['(:A)', '2'], ['(:A)', '1']);
    expect(here.differences(there)).toEqual([]);
    expect([here.total, here.digest]).toEqual([3, there.digest]);
  });

  it.each([
    ['a record less', tallyOf(['(:A)', '1'])],
    ['a record twice', tallyOf(['(:A)', '1'], ['(:A)', '2'], ['(:A)', '2'])],
    ['another label', tallyOf(['(:A)', '1'], ['(:B)', '2'])],
    ['another content', tallyOf(['(:A)', '1'], ['(:A)', '3'])],
    ['two records twice in place of two others', tallyOf(['(:A)', '1'], ['(:A)', '1'])],
  ])('differs with %s', (_what, other) => {
    expect(tallyOf(['(:A)', '1'], ['(:A)', '2']).differences(other)).toHaveLength(
      other.differences(tallyOf(['(:A)', '1'], ['(:A)', '2'])).length,
    );
    expect(other.differences(tallyOf(['(:A)', '1'], ['(:A)', '2']))).not.toEqual([]);
  });
});

describe('the canonical text of a value', () => {
  const values = [
    1,
    neo4j.int(1),
    '1',
    true,
    'true',
    0,
    -0,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    neo4j.int('9007199254740993'),
    neo4j.int('9007199254740992'),
    [],
    [''],
    ['a', 'b'],
    ['a,b'],
    [1, 2],
    [neo4j.int(1), neo4j.int(2)],
    new Int8Array([1, 2]),
    new neo4j.types.Date(2026, 11, 27),
    new neo4j.types.DateTime(2026, 11, 27, 8, 0, 0, 0, 0),
    new neo4j.types.DateTime(2026, 11, 27, 8, 0, 0, 0, 3600),
    new neo4j.types.LocalDateTime(2026, 11, 27, 8, 0, 0, 0),
    new neo4j.types.LocalTime(8, 0, 0, 0),
    new neo4j.types.Time(8, 0, 0, 0, 0),
    new neo4j.types.Duration(1, 2, 3, 4),
    new neo4j.types.Point(7203, 1, 2),
  ];

  it('is of that value alone', () => {
    expect(new Set(values.map(canonicalValue)).size).toBe(values.length);
  });

  it('does not depend on the order of properties', () => {
    expect(canonicalProperties({ b: 1, a: 'x' })).toBe(canonicalProperties({ a: 'x', b: 1 }));
    expect(canonicalProperties({ a: 'x' })).not.toBe(canonicalProperties({ b: 'x' }));
  });

  it('is refused for what no property can be', () => {
    expect(() => canonicalValue({ a: 1 })).toThrow('is not known');
    expect(() => canonicalValue(null)).toThrow('is not known');
  });
});

test('ids are found again, and one that was not copied is refused', () => {
  const ids = new IdMap();
  ids.set(0, 5);
  ids.set(3_000_000, 0);
  expect([ids.get(0), ids.get(3_000_000)]).toEqual([5, 0]);
  for (const missing of [1, 2_999_999, 50_000_000])
    expect(() => ids.get(missing)).toThrow(`node ${missing} was not copied`);
  expect(() => {
    ids.set(1, 0xffff_ffff);
  }).toThrow('too large');
});
