import { createHash } from 'node:crypto';
import { inspect } from 'node:util';

import { KeyedIds } from '../../src/derive/keyed-ids.ts';

const REF = 's0123';

describe('ids of beliefs and concepts', () => {
  const ids = new KeyedIds('one secret');

  it('are the same for one store, and others for another', () => {
    const again = new KeyedIds('one secret');
    const other = new KeyedIds('another secret');
    expect(ids.belief(REF, 'claim', 'value')).toBe(again.belief(REF, 'claim', 'value'));
    expect(ids.concept(REF, 'ent_a')).toBe(again.concept(REF, 'ent_a'));
    expect(ids.belief(REF, 'claim', 'value')).not.toBe(other.belief(REF, 'claim', 'value'));
    expect(ids.concept(REF, 'ent_a')).not.toBe(other.concept(REF, 'ent_a'));
  });

  it('differ by each of what they are made of', () => {
    const made = [
      ids.belief(REF, 'claim', 'value'),
      ids.belief('s0', 'claim', 'value'),
      ids.belief(REF, 'c', 'laimvalue'),
      ids.belief(REF, 'claim', 'other'),
      ids.concept(REF, 'ent_a'),
      ids.concept(REF, 'ent_b'),
      ids.concept('s0', 'ent_a'),
    ];
    expect(new Set(made).size).toBe(made.length);
    expect(made.every((id) => /^(belief|concept)_[0-9a-f]{28}$/.test(id))).toBe(true);
  });

  it('are longer on a store of before, and the same but for that', () => {
    const older = new KeyedIds('one secret', 32);
    expect(older.concept(REF, 'ent_a')).toMatch(/^concept_[0-9a-f]{32}$/);
    expect(older.concept(REF, 'ent_a').startsWith(ids.concept(REF, 'ent_a'))).toBe(true);
  });

  it('are not a plain hash of what can be guessed', () => {
    const plain = (of: readonly string[]): string =>
      createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 28);
    expect(ids.belief(REF, 'claim', 'value')).not.toContain(plain([REF, 'claim', 'value']));
    expect(ids.concept(REF, 'ent_a')).not.toContain(plain([REF, 'ent_a']));
  });

  it('do not show their secret when they are printed', () => {
    const shown = `${inspect(ids, { depth: 9, showHidden: true })} ${JSON.stringify(ids)}`;
    expect(shown).not.toContain('one secret');
  });

  it('need a secret', () => {
    expect(() => new KeyedIds('')).toThrow('empty');
  });
});
