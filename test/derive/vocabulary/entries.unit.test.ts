import {
  changedEntries,
  NO_ENTRIES,
  type VocabularyEntries,
} from '../../../src/derive/vocabulary/entries.ts';
import { vocabularyChange } from '../../../schemas/vocabulary-record.ts';

const changed = (known: VocabularyEntries, change: object) =>
  changedEntries(known, vocabularyChange.parse(change));
const made = (change: object, known: VocabularyEntries = NO_ENTRIES): VocabularyEntries => {
  const outcome = changed(known, change);
  if ('fault' in outcome) throw new Error(outcome.fault.reason);
  return outcome.entries;
};

describe('a change of entries', () => {
  it('adds those of new ids, and gives the others the fields that are given', () => {
    const first = made({
      predicates: [{ id: 'b', aliases: ['x'], cardinality: 'many', label: 'B' }, { id: 'a' }],
    });
    expect(first.predicates.map(({ id }) => id)).toEqual(['a', 'b']);
    const second = made(
      { predicates: [{ id: 'b', active: false, label: null, valid_to: '2030-01-01' }] },
      first,
    );
    expect(second.predicates[1]).toEqual({
      ...first.predicates[1],
      active: false,
      label: null,
      valid_to: '2030-01-01T00:00:00.000Z',
    });
    expect(
      made({ predicates: [{ id: 'b', aliases: [], cardinality: null, valid_to: null }] }, second)
        .predicates[1],
    ).toMatchObject({
      ...{ aliases: [], cardinality: null, valid_to: null, active: false },
    });
  });

  it('says what is gone by: predicates and relations in one spelling, terms in another', () => {
    const outcome = changed(NO_ENTRIES, {
      terms: [{ id: 't', term: 'Big  Thing', aliases: ['BT'] }],
      predicates: [
        { id: 'Renews-On', aliases: ['renewal date'], cardinality: 'one', valid_from: '1970-01-01' },
      ],
      relations: [
        { id: 'r', term: 'account of', replaced_by: 's' },
        { id: 's', active: false },
      ],
    });
    expect(outcome).toMatchObject({
      calls: [{ id: 'terms:t', name: 'big thing', synonyms: ['bt'] }],
      acts: [
        {
          id: 'predicates:Renews-On',
          name: 'renews_on',
          synonyms: ['renewal_date'],
          cardinality: 'one',
          from: 0,
        },
        { id: 'relations:r', name: 'account_of', synonyms: [], replaced_by: 'relations:s' },
        { id: 'relations:s', name: 's', synonyms: [], inactive: true },
      ],
    });
  });

  it.each([
    [{ terms: [{ id: 'a' }, { id: 'a' }] }, 'terms[1].id'],
    [{ predicates: [{ id: 'a' }, { id: 'b', replaced_by: 'x' }] }, 'predicates[1].replaced_by'],
    [{ relations: [{ id: 'b', replaced_by: 'p' }] }, 'relations[0].replaced_by'],
    [{ relations: [{ id: 'r', aliases: ['P'] }] }, 'relations[0]'],
    [{ predicates: [{ id: 'p', valid_from: '2041-01-01' }] }, 'predicates[0].valid_to'],
    [{ predicates: Array.from({ length: 2_000 }, (_, i) => ({ id: `i${i}` })) }, 'predicates'],
  ])('is refused, with the field: %#', (change, field) => {
    const known = made({ predicates: [{ id: 'p', valid_to: '2040-01-01' }] });
    expect(changed(known, change)).toMatchObject({ fault: { field } });
  });
});
