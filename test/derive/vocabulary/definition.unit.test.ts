import {
  boundariesOf,
  definedAt,
  definitionFault,
  type Definition,
} from '../../../src/derive/vocabulary/definition.ts';
import { FIRST_INSTANT, OPEN_END } from '../../../schemas/time.ts';
import { inDepth } from '../../support/depth.ts';
import fc from '../../support/property.ts';

const one = (id: string, more: Partial<Definition> = {}): Definition => ({
  ...{ id, name: id, synonyms: [] },
  ...more,
});

const meantBy = (definitions: readonly Definition[], instant: number): Record<string, string> =>
  Object.fromEntries([...definedAt(definitions, instant)].map(([id, { name }]) => [id, name]));

describe('what definitions stand for', () => {
  it.each([
    ['itself, without a word on when', one('a'), 5, 'a'],
    ['nothing, where it is not active', one('a', { inactive: true }), 5, undefined],
    ['nothing before it begins', one('a', { from: 6 }), 5, undefined],
    ['itself from its beginning on', one('a', { from: 5 }), 5, 'a'],
    ['nothing from its end on', one('a', { to: 5 }), 5, undefined],
    ['what replaces it, at once', one('a', { replaced_by: 'b' }), 5, 'b'],
    ['itself up to its end', one('a', { replaced_by: 'b', to: 6 }), 5, 'a'],
    ['what replaces it from its end on', one('a', { replaced_by: 'b', to: 5 }), 5, 'b'],
    ['what replaces it, though it is not active', one('a', { replaced_by: 'b', inactive: true }), 5, 'b'],
    ['what replaces that, over several', one('a', { replaced_by: 'c' }), 5, 'b'],
    ['nothing, where that does not count yet', one('a', { replaced_by: 'd' }), 5, undefined],
  ] as const)('is %s', (_, definition, instant, meant) => {
    const others = [one('b'), one('c', { replaced_by: 'b' }), one('d', { from: 9 })];
    expect(meantBy([definition, ...others], instant).a).toBe(meant);
  });

  it('changes at their boundaries alone', () => {
    expect(boundariesOf([one('a', { from: 3, to: 9 }), one('b', { from: 9 }), one('c')])).toEqual([3, 9]);
  });
});

describe('what is wrong with definitions', () => {
  it.each([
    ['a replacement that is not there', [one('a', { replaced_by: 'x' })], { kind: 'unknown', id: 'a' }],
    ['one by itself', [one('a', { replaced_by: 'a' })], { kind: 'circle', id: 'a' }],
    [
      'one by itself over another',
      [one('a', { replaced_by: 'b' }), one('b', { replaced_by: 'a' })],
      { kind: 'circle', id: 'a' },
    ],
    [
      'one over many',
      Array.from({ length: 18 }, (_, i) => one(`e${i}`, i < 17 ? { replaced_by: `e${i + 1}` } : {})),
      { kind: 'long', id: 'e0' },
    ],
    [
      'a name of two at once',
      [one('a', { synonyms: ['x'] }), one('b', { synonyms: ['x'] })],
      { kind: 'twice', name: 'x', ids: ['a', 'b'] },
    ],
    [
      'a name that is an alias of another',
      [one('a', { synonyms: ['b'] }), one('b')],
      { kind: 'twice', name: 'b', ids: ['a', 'b'] },
    ],
    [
      'a name that comes to two by a replacement',
      [one('a', { synonyms: ['x'], replaced_by: 'c' }), one('b', { synonyms: ['x'] }), one('c')],
      { kind: 'twice', name: 'x', ids: ['c', 'b'] },
    ],
    [
      'a name of two, one after the other',
      [one('a', { synonyms: ['x'], to: 5 }), one('b', { synonyms: ['x'], from: 5 })],
      null,
    ],
    [
      'a name of two, of which one is not active',
      [one('a', { synonyms: ['x'], inactive: true }), one('b', { synonyms: ['x'] })],
      null,
    ],
    [
      'a name of one and of what replaces it',
      [one('a', { synonyms: ['x'], replaced_by: 'b' }), one('b', { synonyms: ['x'] })],
      null,
    ],
  ] as const)('%s', (_, definitions, fault) => {
    const found = definitionFault(definitions);
    if (fault?.kind !== 'twice') expect(found).toEqual(fault);
    else
      expect({ ...found, ids: [...(found as typeof fault).ids].sort() }).toEqual({
        ...fault,
        ids: [...fault.ids].sort(),
      });
  });

  const definition = fc.record(
    {
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      synonyms: fc.subarray(['x', 'y']),
      inactive: fc.constant(true as const),
      from: fc.integer({ min: 0, max: 6 }),
      to: fc.integer({ min: 0, max: 6 }),
      replaced_by: fc.constantFrom('a', 'b', 'c', 'd'),
    },
    { requiredKeys: ['id', 'synonyms'] },
  );

  it('is told of a name exactly where it stands for two at some instant', () => {
    fc.assert(
      fc.property(fc.uniqueArray(definition, { selector: ({ id }) => id, maxLength: 4 }), (drawn) => {
        const definitions = drawn.map((each) => ({ ...each, name: each.id })) as Definition[];
        const fault = definitionFault(definitions);
        fc.pre(fault === null || fault.kind === 'twice');
        const instants = [FIRST_INSTANT, ...boundariesOf(definitions), OPEN_END - 1];
        const doubled = instants.some((instant) => {
          const meant = definedAt(definitions, instant);
          return ['a', 'b', 'c', 'd', 'x', 'y'].some((name) => {
            const own = definitions.filter((each) => each.name === name || each.synonyms.includes(name));
            return new Set(own.flatMap(({ id }) => meant.get(id)?.id ?? [])).size > 1;
          });
        });
        expect(fault !== null).toBe(doubled);
      }),
      { numRuns: inDepth(400, 4_000) },
    );
  });
});
