import { uploadKeyHasher } from '../../src/capture/upload-key.ts';

const hash = uploadKeyHasher('k'.repeat(43));

it('gives one hash to one key of an actor, in which the key cannot be read', () => {
  const of = hash('acme', 'user:ann', 'mira.pdf');
  expect(of).toEqual(hash('acme', 'user:ann', 'mira.pdf'));
  expect(of).toEqual({
    tenant: 'acme',
    uploader: 'user:ann',
    key_hash: expect.stringMatching(/^[\w-]{43}$/),
  });
});

it.each([
  ['another key', hash('acme', 'user:ann', 'mira.pdf2')],
  ['another actor', hash('acme', 'user:bob', 'mira.pdf')],
  ['another tenant', hash('other', 'user:ann', 'mira.pdf')],
  ['parts divided elsewhere', hash('acme', 'user:annmira', '.pdf')],
  ['the key of another deployment', uploadKeyHasher('l'.repeat(43))('acme', 'user:ann', 'mira.pdf')],
])('gives another hash to %s', (_, other) => {
  expect(other.key_hash).not.toBe(hash('acme', 'user:ann', 'mira.pdf').key_hash);
});
