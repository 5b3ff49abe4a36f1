import { temporalPhrase, type TemporalPhrase } from '../../schemas/temporal-phrase.ts';
import { phraseInterval, readPhrase } from '../../src/time/phrase.ts';

const REFERENCE = Date.parse('2024-05-15T10:30:00Z');
const sprint: TemporalPhrase = { name: 'Last  Sprint', anchor: 'today', expression: '-P14D..P0D' };

function interval(own: Partial<TemporalPhrase>, timezone = 'UTC', reference = REFERENCE) {
  const found = phraseInterval(temporalPhrase.parse({ ...sprint, ...own }), { reference, timezone });
  return found.ok
    ? [found.interval.from, found.interval.to].map((at) => new Date(at).toISOString())
    : found.failure.fault;
}

function faults(own: object): string[] {
  const { error } = temporalPhrase.safeParse({ ...sprint, ...own });
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`);
}

describe('an own phrase', () => {
  it.each([
    ['now', '-PT2H..PT0S', '2024-05-15T08:30:00.000Z', '2024-05-15T10:30:00.000Z'],
    ['today', '-P14D..P0D', '2024-05-01T00:00:00.000Z', '2024-05-15T00:00:00.000Z'],
    ['this_week', '-P1W..P0D', '2024-05-06T00:00:00.000Z', '2024-05-13T00:00:00.000Z'],
    ['this_month', '-P1M..P0D', '2024-04-01T00:00:00.000Z', '2024-05-01T00:00:00.000Z'],
    ['this_quarter', 'P0D..+P3M', '2024-04-01T00:00:00.000Z', '2024-07-01T00:00:00.000Z'],
    ['this_year', '-P1Y6M..-P1Y', '2022-07-01T00:00:00.000Z', '2023-01-01T00:00:00.000Z'],
    ['2024-01-31', 'P1M..P1M1DT12H', '2024-02-29T00:00:00.000Z', '2024-03-01T12:00:00.000Z'],
  ])('from %s by %s', (anchor, expression, from, to) => {
    expect(interval({ anchor, expression })).toEqual([from, to]);
  });

  it('counts days of the zone, and hours as they pass', () => {
    const reference = Date.parse('2024-03-31T12:00:00Z');
    expect(interval({ expression: 'P0D..P1D' }, 'Europe/Berlin', reference)).toEqual([
      '2024-03-30T23:00:00.000Z',
      '2024-03-31T22:00:00.000Z',
    ]);
    expect(interval({ expression: 'P0D..PT24H' }, 'Europe/Berlin', reference)).toEqual([
      '2024-03-30T23:00:00.000Z',
      '2024-03-31T23:00:00.000Z',
    ]);
  });

  it('that has no length from its anchor, or lies beyond all instants, has no interval', () => {
    expect(interval({ anchor: '2024-01-30', expression: 'P30D..P1M' })).toBe('contradictory');
    expect(interval({ expression: 'P9000Y..P9001Y' })).toBe('out_of_range');
  });

  it.each(['last sprint', ' LAST SPRINT ', 'Last\tSprint', 'during last sprint'])(
    'is found by the name %j',
    (text) => {
      const found = readPhrase(text, { reference: REFERENCE, own: [sprint] });
      expect(found).toEqual(phraseInterval(sprint, { reference: REFERENCE }));
    },
  );

  it('goes before what the words mean otherwise, and stands in a span', () => {
    const own = [{ ...sprint, name: 'every Monday' }, sprint, { ...sprint, name: 'yesterday' }];
    const whole = phraseInterval(sprint, { reference: REFERENCE });
    expect(readPhrase('Every monday', { reference: REFERENCE, own })).toEqual(whole);
    expect(readPhrase('yesterday', { reference: REFERENCE, own })).toEqual(whole);
    expect(readPhrase('since last sprint', { reference: REFERENCE, own })).toEqual({
      ok: true,
      interval: { from: Date.parse('2024-05-01T00:00:00Z'), to: REFERENCE },
    });
  });

  it('is refused by its schema, naming the field', () => {
    expect(faults({})).toEqual([]);
    for (const name of [' ', '.', '..', '“?!”', '- -'])
      expect(faults({ name })).toEqual(['name holds nothing but blanks and punctuation']);
    for (const name of ['Q', '🎄', 'mi-octubre', 'crunch time!', '冬休み'])
      expect(faults({ name })).toEqual([]);
    expect(faults({ name: 'x'.repeat(65) })).toEqual(['name is not 1 to 64 characters long']);
    expect(faults({ name: 'a\u0000' })).toEqual(['name holds a control character']);
    expect(faults({ anchor: 'this_day' })).toEqual([
      expect.stringMatching(/^anchor is neither one of now, today/),
    ]);
    expect(faults({ anchor: '2024-02-30' })).toEqual([expect.stringMatching(/^anchor is neither/)]);
    expect(faults({ anchor: 'now', extra: 1 })).toHaveLength(1);
    for (const expression of [
      '',
      'P1D',
      'P1D..',
      'P1D...P2D',
      'P1D..P2D..P3D',
      'P..P1D',
      'PT..P1D',
      'P1.5D..P2D',
      '14D..P0D',
    ])
      expect(faults({ expression })).toEqual([
        expect.stringMatching(/^expression is not two ISO-8601 durations/),
      ]);
    for (const expression of ['P0D..P0D', 'P0D..-P14D', 'P1D..PT24H', 'P31D..P1M'])
      expect(faults({ expression })).toEqual(['expression ends where it begins or before']);
  });

  it('whose expression never passed its schema is a fault of the caller', () => {
    expect(() => phraseInterval({ ...sprint, expression: 'soon' }, { reference: REFERENCE })).toThrow(
      TypeError,
    );
  });
});
