import { OPEN_END } from '../../schemas/time.ts';
import { recallRequest, type RecallRequest } from '../../schemas/recall.ts';
import { refersWithin, stretchOf } from '../../src/recall/refers.ts';
import { isNever, isPast, windowOf } from '../../src/recall/window.ts';

const now = Date.parse('2026-05-20T10:00:00Z');
const at = (text: string): number => Date.parse(text);
const temporalOf = (temporal: unknown): RecallRequest['temporal'] =>
  recallRequest.parse({ scope: 'user:ann', temporal }).temporal;
const window = (temporal: unknown) => windowOf(temporalOf(temporal), { now, own: [] });

describe('what a recall asks of time', () => {
  it('is nothing where nothing is said', () => {
    expect(windowOf(undefined, { now, own: [] })).toEqual({
      valid: null,
      recorded: null,
      during: null,
      recorded_during: null,
      refers_during: null,
      phrase: null,
      left_out: null,
    });
  });

  it('is both axes by as_of, or one by its own name', () => {
    const instant = '2026-01-01T00:00:00Z';
    expect(window({ as_of: instant })).toMatchObject({ valid: at(instant), recorded: at(instant) });
    expect(window({ as_of_valid: instant })).toMatchObject({ valid: at(instant), recorded: null });
    expect(window({ as_of_recorded: instant })).toMatchObject({ valid: null, recorded: at(instant) });
  });

  it('is half open, and open where 1970 or 9999 says so', () => {
    expect(window({ valid_during: ['2026-01', '2026-02'] }).during).toEqual({
      from: at('2026-01-01T00:00:00Z'),
      to: at('2026-02-01T00:00:00Z'),
    });
    expect(window({ valid_during: ['1970-01-01', '9999-12-31'] }).during).toMatchObject({ to: OPEN_END });
    expect(window({ valid_during: ['1970-01-01', '2026-01-01'] }).during?.from).toBeLessThan(0);
  });

  it('anchors a phrase at the reference, in the time zone', () => {
    expect(window({ natural: 'yesterday', reference_date: '1970-04-14T12:00:00Z' }).phrase).toEqual({
      from: at('1970-04-13T00:00:00Z'),
      to: at('1970-04-14T00:00:00Z'),
    });
    expect(window({ natural: 'yesterday', timezone: 'America/New_York' }).phrase).toEqual({
      from: at('2026-05-19T04:00:00Z'),
      to: at('2026-05-20T04:00:00Z'),
    });
  });

  it('joins phrase and stretch; what contradicts itself is never', () => {
    const both = window({ natural: 'yesterday', valid_during: ['2026-05-19T12:00:00Z', '9999'] });
    expect(both.during).toEqual({ from: at('2026-05-19T12:00:00Z'), to: at('2026-05-20T00:00:00Z') });
    expect(isNever(both)).toBe(false);
    expect(isNever(window({ natural: 'yesterday', valid_during: ['2026-05-20', '9999'] }))).toBe(true);
  });

  it('lies in the past where an instant does', () => {
    const now = at('2026-05-20T00:00:00Z');
    const past = (temporal: RecallRequest['temporal']) => isPast(window(temporal ?? {}), now);
    expect(past({ as_of: '2026-05-19T23:59:59Z' })).toBe(true);
    expect(past({ as_of_valid: '2026-05-19T00:00:00Z' })).toBe(true);
    expect(past({ as_of: '2026-05-20T00:00:00Z' })).toBe(false);
    expect(past({ natural: 'yesterday' })).toBe(false);
  });

  it('tells of a phrase that is not understood', () => {
    expect(window({ natural: 'when pigs fly' }).left_out?.reason).toContain('not a time phrase');
  });
});

describe('what content speaks of', () => {
  it('is taken in whole at its end where that is a date, a month or a year', () => {
    expect(stretchOf({ from: '2026-05-01' }, 'UTC')).toEqual({
      from: at('2026-05-01'),
      to: at('2026-05-02'),
    });
    expect(stretchOf({ from: '2026-05', to: '2026-06' }, 'UTC')).toEqual({
      from: at('2026-05-01'),
      to: at('2026-07-01'),
    });
    expect(stretchOf({ from: '2026' }, 'UTC')).toEqual({ from: at('2026-01-01'), to: at('2027-01-01') });
    expect(stretchOf({ from: '2026-12-31', zone: 'Asia/Tokyo' }, 'UTC')).toEqual({
      from: at('2026-12-30T15:00:00Z'),
      to: at('2026-12-31T15:00:00Z'),
    });
    expect(stretchOf({ from: '2026-05-01T10:00', to: '2026-05-01T11:00:30Z' }, 'Europe/Berlin')).toEqual({
      from: at('2026-05-01T08:00:00Z'),
      to: at('2026-05-01T11:00:30Z') + 1,
    });
  });

  it('lies within a stretch where any of it does', () => {
    const during = stretchOf({ from: '2026-05' }, 'UTC');
    expect(refersWithin(undefined, 'UTC', during)).toBe(false);
    expect(refersWithin([{ from: '2026-04-30' }], 'UTC', during)).toBe(false);
    expect(refersWithin([{ from: '2020' }, { from: '2026-05-31' }], 'UTC', during)).toBe(true);
    expect(refersWithin({ from: '2026-04-30', to: '2026-05-01' }, 'UTC', during)).toBe(true);
  });
});
