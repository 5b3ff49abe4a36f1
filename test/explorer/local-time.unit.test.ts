import { instantOf, localOf } from '../../src/explorer/app/local-time.ts';

describe('a field of local time', () => {
  const recorded = '2025-01-01T12:00:30.987Z';

  it('that was not changed says the instant that filled it, to the millisecond', () => {
    expect(instantOf(localOf(recorded), recorded)).toBe(recorded);
    expect(localOf(recorded)).toMatch(/:30$/);
  });

  it('is not changed by a browser that leaves out seconds which are zero', () => {
    const even = '2025-01-01T12:00:00.987Z';
    expect(instantOf(localOf(even).slice(0, -3), even)).toBe(even);
  });

  it('that was changed says its own instant', () => {
    const other = '2025-01-01T12:00:31.000Z';
    expect(instantOf(localOf(other), recorded)).toBe(other);
    expect(instantOf(localOf(other), '')).toBe(other);
    expect(instantOf(localOf(other), 'yesterday')).toBe(other);
  });

  it('that is empty says nothing', () => {
    expect(instantOf('', recorded)).toBe('');
    expect(instantOf(null, recorded)).toBe('');
    expect(localOf('yesterday')).toBe('');
  });
});
