import { Columns, levelsOf, TextRow } from '../../graph/columns.ts';
import { CONSTANT_SUPPORT } from '../../graph/concept/support.ts';
import { STORE_VERSION } from '../../graph/migrate.ts';
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
    expect(columns.values('s')).toBe('[s.id, s.kind, s.ended_at]');
  });

  it('give the values of a node their names', () => {
    expect(columns.record(['a', 'asserted', null])).toEqual({ id: 'a', kind: 'asserted', ended_at: null });
  });
});

describe('records as text', () => {
  const said = new TextRow<{ id: string; place: number | null; events: readonly string[] }>({
    id: true,
    place: true,
    events: true,
  });
  const row = { id: 'a "b"', place: null, events: ['e1'] };

  it('are read as they were written, without their names, in whatever order these were given', () => {
    const text = said.text({ events: row.events, place: row.place, id: row.id });
    expect(text).toBe(String.raw`["a \"b\"",null,["e1"]]`);
    expect(said.row(text)).toEqual(row);
  });

  it('are read with their names too, as they were kept before', () => {
    expect(said.row(JSON.stringify(row))).toEqual(row);
  });

  it('have to be there, and whole', () => {
    expect(() => said.row(null)).toThrow('earlier development version');
    expect(() => said.row('["a",null]')).toThrow('2 values in place of 3');
  });

  // Another order, or another number, reads every text that is stored already as something else: it needs another version of the store.
  it.each([
    [
      CONSTANT_SUPPORT,
      'scope_ref concept_id entity_id entity_name other_id relation fact_id claim belief_id position recorded_from caused_by stance confidence events newest_at text',
    ],
  ])('are kept in the order of this version of the store', (kept, names) => {
    expect(STORE_VERSION).toBe(11);
    expect(kept.names.join(' ')).toBe(names);
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
