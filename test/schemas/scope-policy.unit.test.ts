import { durationDays, MAX_RETENTION_DAYS } from '../../schemas/scope-policy.ts';

describe('a duration', () => {
  it.each([
    ['P1D', 1],
    ['PT24H', 1],
    ['PT23H60M', 1],
    ['PT23H59M60S', 1],
    ['PT1440M', 1],
    ['PT86400S', 1],
    ['P1Y1M1W1DT12H', 403.5],
    [`P${MAX_RETENTION_DAYS}D`, MAX_RETENTION_DAYS],
    [`P${MAX_RETENTION_DAYS - 1}DT23H60M`, MAX_RETENTION_DAYS],
  ])('%s has so many days: %d', (text, days) => {
    expect(durationDays(text)).toBe(days);
  });

  it.each(['', 'P', 'PT', 'P1', '1D', 'PT23H59M59S', `P${MAX_RETENTION_DAYS}DT1S`, 'P-1D', 'P1.5D'])(
    '%s is none that is allowed',
    (text) => {
      expect(durationDays(text)).toBeNull();
    },
  );
});
