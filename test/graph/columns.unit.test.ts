import { Columns, levelsOf } from '../../graph/columns.ts';
import { levelRefs } from '../../src/capture/scope-key.ts';

describe('columns of rows', () => {
  const columns = new Columns(['id', 'kind', 'ended_at']);

  it('send values in the order of the columns, whatever the order they are given in', () => {
    expect(columns.row({ ended_at: null, kind: 'asserted', id: 'a' })).toEqual(['a', 'asserted', null]);
  });

  it('say in Cypher where each value stands', () => {
    expect(columns.cell('row', 'kind')).toBe('row[1]');
    expect(columns.set('s', 'row[0]')).toBe('s.id = row[0][0], s.kind = row[0][1], s.ended_at = row[0][2]');
    expect(columns.map('row')).toBe('{id: row[0], kind: row[1], ended_at: row[2]}');
    expect(columns.values('s')).toBe(
      'head([props IN [properties(s)] | [props.id, props.kind, props.ended_at]])',
    );
  });

  it('give the values of a node their names', () => {
    expect(columns.record(['a', 'asserted', null])).toEqual({ id: 'a', kind: 'asserted', ended_at: null });
  });
});

describe('levels of scopes', () => {
  it('are told once for each scope, by its reference', () => {
    const place = (scope: string) => {
      const refs = levelRefs('t1', scope);
      return { refs, record: { tenant: 't1', scope, scope_ref: refs.at(-1) ?? '' } };
    };
    const [deep, flat] = [place('org:a/user:b'), place('org:a')];
    const found = levelsOf([deep.record, flat.record, deep.record]);
    expect(found).toEqual({
      [deep.record.scope_ref]: Object.fromEntries(deep.refs.map((ref, level) => [`a${level}`, ref])),
      [flat.record.scope_ref]: Object.fromEntries(flat.refs.map((ref, level) => [`a${level}`, ref])),
    });
  });
});
