import { canonicalMediaType } from '../../src/validation/media-type.ts';
import type { StrataError } from '../../src/errors.ts';

function codeOf(label: string): string {
  try {
    return canonicalMediaType(label);
  } catch (error) {
    return (error as StrataError).code;
  }
}

describe('the canonical spelling of a media type', () => {
  it.each([
    [null, 'application/octet-stream'],
    ['  ', 'application/octet-stream'],
    ['IMAGE/PNG', 'image/png'],
    [' text/plain ', 'text/plain'],
    ['Text/HTML;Charset=UTF-8', 'text/html; charset=utf-8'],
    ['text/plain ; charset="Utf-8" ; ', 'text/plain; charset=utf-8'],
    ['a/b; z=1;\ta=Two', 'a/b; a=Two; z=1'],
    ['a/b; name="two words"', 'a/b; name="two words"'],
    ['a/b; name="say \\"hi\\" \\\\"', 'a/b; name="say \\"hi\\" \\\\"'],
    ['a/b; name="plain"', 'a/b; name=plain'],
    ['a/b; name=""', 'a/b; name=""'],
    ['application/vnd.api+json', 'application/vnd.api+json'],
  ])('of %j is %j, and that of itself', (label, canonical) => {
    expect(canonicalMediaType(label)).toBe(canonical);
    expect(canonicalMediaType(canonical)).toBe(canonical);
  });

  it.each([
    'text',
    'text/',
    '/plain',
    'text/plain; charset',
    'text/plain, a/b',
    'a/b; x="open',
    'a/b; x=1; X=2',
    'a b/c',
    'tëxt/plain',
  ])('is not to be had of %j', (label) => {
    expect(codeOf(label)).toBe('INVALID_HEADER');
  });

  it('is not made of more than 512 characters', () => {
    expect(codeOf(`a/b; x=${'y'.repeat(512 - 7)}`)).toMatch(/^a\/b/);
    expect(codeOf(`a/b; x=${'y'.repeat(512 - 6)}`)).toBe('INVALID_HEADER');
  });

  it.each(['multipart/form-data; boundary=x', 'MULTIPART/mixed'])(
    'refuses %j by the code of its own',
    (label) => {
      expect(codeOf(label)).toBe('unsupported_media_type');
    },
  );
});
