import { characters, nameText, visibleName } from '../../schemas/text.ts';
import { toJsonSchema } from '../../rest/json-schema.ts';

const accepts = (schema: { safeParse(text: string): { success: boolean } }, text: string): boolean =>
  schema.safeParse(text).success;

describe('the length of a text', () => {
  it('counts characters, as its JSON schema does, and not halves of them', () => {
    const name = nameText(4);
    expect(['abcd', '😀😀😀😀', '😀'].map((text) => accepts(name, text))).toEqual([true, true, true]);
    expect(['', 'abcde', '😀😀😀😀😀', '😀😀abc'].map((text) => accepts(name, text))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(toJsonSchema(name, 'input')).toMatchObject({ type: 'string', minLength: 1, maxLength: 4 });
  });

  it('may be nothing where that is allowed', () => {
    expect(accepts(characters(0, 2), '')).toBe(true);
    expect(toJsonSchema(characters(0, 2), 'input')).toEqual({ type: 'string', maxLength: 2 });
  });
});

describe('a name', () => {
  it('holds no control character, and its JSON schema says so without \\p', () => {
    const { pattern } = toJsonSchema(nameText(9), 'input') as { pattern: string };
    expect(pattern).not.toContain('\\p');
    for (let code = 0; code < 0x200; code += 1) {
      const text = `a${String.fromCodePoint(code)}`;
      const control = /\p{Cc}/u.test(text);
      expect([code, accepts(nameText(9), text), new RegExp(pattern, 'u').test(text)]).toEqual([
        code,
        !control,
        !control,
      ]);
    }
  });

  it('that has to be seen is not blank', () => {
    expect(['', ' ', '\u00a0\u3000', ' x '].map((text) => accepts(visibleName(), text))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(toJsonSchema(visibleName(), 'input').allOf).toEqual([{ pattern: '\\S' }]);
  });
});
