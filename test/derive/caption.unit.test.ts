import type { Term } from '../../schemas/triple.ts';
import { captionOf } from '../../src/derive/caption.ts';

const ann = { type: 'entity', id: 'ent_ann', name: 'Ann' } as const;
const literal = (value: string): Term => ({ type: 'literal', datatype: 'string', value });

describe('the caption of what is stated', () => {
  it.each([
    [
      { subject: ann, predicate: 'lives_in', object: { type: 'entity', id: 'ent_oslo' } },
      'Ann lives_in ent_oslo',
    ],
    [{ subject: ann, predicate: 'says', object: literal(' two\n  words ') }, 'Ann says two words'],
    [{ subject: ann, predicate: 'asserts', object: literal('It is so.'), of_itself: true }, 'It is so.'],
  ] as const)('is what it says, on one line', (terms, caption) => {
    expect(captionOf(terms)).toBe(caption);
  });

  it('has 280 characters at most, and no half of one', () => {
    const long = captionOf({ subject: ann, predicate: 'says', object: literal('😀'.repeat(4000)) });
    expect(long.length).toBeLessThanOrEqual(280);
    expect(long.isWellFormed()).toBe(true);
  });
});
