import { readAddress, sharedOf, writeAddress } from '../../src/explorer/app/address.ts';

describe('an address', () => {
  it('says view, place and parameters, and is written as it was read', () => {
    const text = '#/why/fact_1/as%20text?scope=user:priya/app:mail&valid=2026-01-01T00:00:00.000Z';
    const address = readAddress(text);
    expect(address).toEqual({
      view: 'why',
      rest: ['fact_1', 'as text'],
      parameters: { scope: 'user:priya/app:mail', valid: '2026-01-01T00:00:00.000Z' },
    });
    expect(writeAddress(address)).toBe(text);
  });

  it.each(['', '#', '#/'])('%j is the start', (text) => {
    expect(readAddress(text)).toEqual({ view: '', rest: [], parameters: {} });
  });

  it('keeps whatever a scope may hold', () => {
    const parameters = { scope: 'user:ö&=?#%/a:b c' };
    expect(readAddress(writeAddress({ view: 'home', rest: [], parameters })).parameters).toEqual(parameters);
  });

  it('keeps a question mark of a parameter', () => {
    expect(readAddress('#/recall?q=who?').parameters).toEqual({ q: 'who?' });
  });

  it('takes a part that is not encoded well as it stands', () => {
    expect(readAddress('#/why/%zz').rest).toEqual(['%zz']);
  });

  it('leaves out what is empty, and takes along what all views share', () => {
    const address = readAddress('#/home?scope=a:b&filter=x&valid=');
    expect(writeAddress(address)).toBe('#/home?scope=a:b&filter=x');
    expect(sharedOf(address)).toEqual({ scope: 'a:b', valid: '' });
  });
});
