import { entityIdOf } from '../../src/derive/entity.ts';
import { KnownNames, type KnownForm } from '../../src/derive/known-names.ts';
import { MAX_AMBIGUOUS_IDS } from '../../src/limits.ts';
import fc from '../support/property.ts';

/** A statement of a log that names an entity. */
interface Naming {
  readonly id: string;
  /** Null where it gives no name. */
  readonly name: string | null;
}

const formOf = ({ id, name }: Naming, position: number): KnownForm => ({
  scope_ref: 'ref',
  id,
  normalised_name: name ?? id,
  given: name !== null,
  position,
  recorded_at: position,
});

/** What a name stands for, told from the log up to a place alone, statement by statement. */
function plainly(log: readonly Naming[], name: string): { id: string; among: string[] } {
  const captions = new Map<string, string | null>();
  const names = new Map<string, Set<string>>();
  for (const { id, name: given } of log) {
    const known = names.get(id) ?? new Set();
    names.set(id, known);
    if (!captions.has(id)) captions.set(id, null);
    // A name that it had before is nothing that is learned.
    if (given === null || known.has(given)) continue;
    known.add(given);
    captions.set(id, given);
  }
  const by = [...captions].filter(([, caption]) => caption === name).map(([id]) => id);
  const among = by.length > 0 ? by : [...names].filter(([, known]) => known.has(name)).map(([id]) => id);
  return { id: among[0] ?? entityIdOf(name), among };
}

const naming = fc.record({
  id: fc.constantFrom('ent_a', 'ent_b', 'ent_ann'),
  name: fc.option(fc.constantFrom('ann', 'anna', 'bo')),
});

describe('a name', () => {
  it('stands at each place of a log for what it does by the log before it, in whatever order forms come to be known', () => {
    fc.assert(
      fc.property(
        fc.array(naming, { maxLength: 12 }),
        fc.constantFrom('ann', 'anna', 'bo'),
        fc.nat(12),
        fc.boolean(),
        (log, name, place, backwards) => {
          const forms = log.map(formOf);
          const known = new KnownNames(backwards ? forms.reverse() : forms);
          expect(known.resolve('ref', name, place)).toEqual(plainly(log.slice(0, place), name));
        },
      ),
    );
  });

  const known = new KnownNames(
    [
      { id: 'ent_a', name: 'ann' },
      { id: 'ent_a', name: 'anna' },
      { id: 'ent_b', name: 'bo' },
      { id: 'ent_c', name: 'bo' },
    ].map(formOf),
  );

  it.each([
    ['what goes by it', 'Anna', 9, 'ent_a'],
    ['what has it as another name', ' ANN ', 9, 'ent_a'],
    ['an id made from it before anything has it', 'Anna', 1, 'ent_anna'],
    ['an id made from it where nothing has it', 'Zed', 9, 'ent_zed'],
    ['the one of several that was known first', 'Bo', 9, 'ent_b'],
  ])('stands for %s', (_what, name, place, id) => {
    expect(known.resolve('ref', name, place).id).toBe(id);
  });

  it('stands for nothing of another scope, and for several where they go by it', () => {
    expect(known.resolve('elsewhere', 'Bo', 9)).toEqual({ id: 'ent_bo', among: [] });
    expect(known.resolve('ref', 'Bo', 9).among).toEqual(['ent_b', 'ent_c']);
  });

  it('stands for the first that had it, however many follow', () => {
    const log = Array.from({ length: 1_000 }, (_, i) => ({ id: `ent_${i}`, name: 'cy' }));
    const late = { id: 'ent_late', name: null };
    // Known before all others, it has the name only behind them.
    const forms = [late, ...log, { ...late, name: 'cy' }].map(formOf).reverse();
    expect(new KnownNames(forms).resolve('ref', 'Cy', 2_000).among).toEqual(
      log.slice(0, MAX_AMBIGUOUS_IDS).map(({ id }) => id),
    );
  });
});
