import { OPEN_END } from '../../schemas/time.ts';
import { KNOWN_NOW, namedInstants, readingInstants } from '../../src/time/as-of.ts';

const NOW = 1_000;
const AT = '1970-01-01T00:00:05Z';

describe('the instants of a reading', () => {
  it('are now, as known now, when nothing is said', () => {
    expect(readingInstants({}, NOW)).toEqual({ valid: NOW, recorded: KNOWN_NOW });
    expect(namedInstants({})).toEqual({ valid: null, recorded: null });
  });

  it('are both axes, or one of them', () => {
    expect(readingInstants({ as_of: AT }, NOW)).toEqual({ valid: 5_000, recorded: 5_000 });
    expect(readingInstants({ as_of_valid: AT }, NOW)).toEqual({ valid: 5_000, recorded: KNOWN_NOW });
    expect(readingInstants({ as_of_recorded: AT }, NOW)).toEqual({ valid: NOW, recorded: 5_000 });
    expect(readingInstants({ as_of_valid: AT, as_of_recorded: '1970-01-01T00:00:06Z' }, NOW)).toEqual({
      valid: 5_000,
      recorded: 6_000,
    });
  });

  it('know everything at the end of time', () => {
    const { recorded } = readingInstants({ as_of: '9999-12-31T23:59:59.999Z' }, NOW);
    expect(recorded).toBeLessThan(OPEN_END);
  });

  it.each(['as_of_valid', 'as_of_recorded'])('refuse as_of beside %s', (other) => {
    expect(() => namedInstants({ as_of: AT, [other]: AT })).toThrow(
      expect.objectContaining({
        code: 'INVALID_QUERY',
        details: expect.objectContaining({ field_path: 'as_of' }),
      }),
    );
  });
});
