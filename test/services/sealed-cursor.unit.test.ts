import { CursorSeal } from '../../src/services/sealed-cursor.ts';

describe('a sealed cursor', () => {
  const seal = new CursorSeal('secret');
  const text = 'default\norg:acme/user:a';

  it('is opened by whoever holds the secret, and by nobody else', () => {
    expect(new CursorSeal('secret').open(seal.seal(text))).toBe(text);
    expect(new CursorSeal('other').open(seal.seal(text))).toBeNull();
  });

  it('is the same for the same text, and shows nothing of it', () => {
    const sealed = seal.seal(text);
    expect(seal.seal(text)).toBe(sealed);
    expect(Buffer.from(sealed, 'base64url').includes('org')).toBe(false);
  });

  it('is none when any bit of it is changed or cut', () => {
    const bytes = Buffer.from(seal.seal(text), 'base64url');
    for (let i = 0; i < bytes.length; i += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(i) ^ 1, i);
      expect(seal.open(changed.toString('base64url'))).toBeNull();
      expect(seal.open(bytes.subarray(0, i).toString('base64url'))).toBeNull();
    }
    for (const junk of ['', 'A', 'not a cursor', 'ä'.repeat(50)]) expect(seal.open(junk)).toBeNull();
  });
});
