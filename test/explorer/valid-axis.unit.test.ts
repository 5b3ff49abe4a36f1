import { changesOf, finenessOf } from '../../src/explorer/views/entity/changes.ts';
import type { Rectangle } from '../../src/explorer/views/entity/rectangles.ts';
import type { Pace } from '../../src/explorer/views/entity/scales.ts';
import { labelsOf, labelWidth, seenPace, validAxis } from '../../src/explorer/views/entity/valid-axis.ts';
import fc from '../support/property.ts';

const NOW = new Date(2026, 10, 29).getTime();
const [DAY_MS, NARROWEST] = [86_400_000, 6];
/** Of the picture on a screen of 360 pixels, of 1440, and of one with four times as many. */
const WIDTHS = [210, 640, 2300];

function held(value: string, from: number, to: number | null): Rectangle {
  return { fact: value, value, from, to, since: NOW, until: null };
}

const inApril = (minute: number, second: number): number =>
  new Date(1970, 3, 14, 3, minute, second).getTime();
const [UNDERVOLT, GOOD, ZERO] = [inApril(8, 35), inApril(9, 10), inApril(11, 33)];
/** Two values that held for minutes, and one that holds since. */
const VOLTAGES = [
  held('undervolt', UNDERVOLT, GOOD),
  held('looking good', GOOD, ZERO),
  held('zero', ZERO, null),
];
const YEARS = [2019, 2021, 2022].map((year, i, all) => {
  const next = all[i + 1];
  return held(String(year), new Date(year, 0, 1).getTime(), next ? new Date(next, 0, 1).getTime() : null);
});

/** Instants that are milliseconds apart, and centuries. */
const instant = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.integer({ min: -DAY_MS, max: DAY_MS }),
  fc.integer({ min: -8_000_000_000_000, max: 8_000_000_000_000 }),
);
const rectangle = fc
  .tuple(instant, fc.option(instant))
  .filter(([from, to]) => from !== to)
  .map(([from, to]) =>
    to === null ? held('v', from, null) : held('v', Math.min(from, to), Math.max(from, to)),
  );
const picture = fc.record({
  rectangles: fc.array(rectangle, { minLength: 1, maxLength: 40 }),
  looked: instant,
  width: fc.integer({ min: 1, max: 4000 }),
});

function widthsOf(rectangles: readonly Rectangle[], looked: number, width: number, pace: Pace): number[] {
  const { place } = validAxis(rectangles, { looked, width, pace });
  return rectangles.map(({ from, to }) => place(to) - place(from));
}

describe('valid time', () => {
  it('is to scale unless a value cannot be seen there', () => {
    for (const width of WIDTHS) {
      const room = { looked: NOW, width };
      expect(seenPace(YEARS, room)).toBe('scale');
      expect(seenPace(VOLTAGES, room)).toBe('steps');
      expect(Math.min(...widthsOf(VOLTAGES, NOW, width, 'scale'))).toBeLessThan(1);
      expect(Math.min(...widthsOf(VOLTAGES, NOW, width, 'steps'))).toBeGreaterThan(width / 4);
    }
    expect(seenPace(VOLTAGES, { looked: ZERO + 60_000, width: 640 })).toBe('scale');
  });

  it('is drawn to scale by itself only where each value has a band that is seen', () => {
    fc.assert(
      fc.property(picture, ({ rectangles, looked, width }) => {
        const narrowest = Math.min(...widthsOf(rectangles, looked, width, 'scale'));
        expect(seenPace(rectangles, { looked, width })).toBe(narrowest < NARROWEST ? 'steps' : 'scale');
      }),
    );
  });

  it('keeps instants in their order, within the picture', () => {
    fc.assert(
      fc.property(picture, fc.constantFrom<Pace>('steps', 'scale'), ({ rectangles, looked, width }, pace) => {
        const { place } = validAxis(rectangles, { looked, width, pace });
        const instants = [...new Set([...changesOf(rectangles), looked])].sort((a, b) => a - b);
        const places = instants.map(place);
        expect(places[0]).toBe(0);
        expect(place(null)).toBe(width);
        expect([...places, width]).toEqual([...places, width].sort((a, b) => a - b));
        if (pace === 'steps') expect(new Set([...places, width]).size).toBe(instants.length + 1);
      }),
    );
  });

  it('gives each change the same room, nearly all of the width between them', () => {
    fc.assert(
      fc.property(picture, ({ rectangles, looked, width }) => {
        const { place } = validAxis(rectangles, { looked, width, pace: 'steps' });
        const changes = changesOf(rectangles);
        const gaps = changes.slice(1).map((change, i) => place(change) - place(changes[i] ?? null));
        for (const gap of gaps) {
          expect(gap).toBeCloseTo(gaps[0] ?? 0, 6);
          expect(gap).toBeGreaterThan((0.9 * width) / (changes.length + 1));
        }
        const goesOn = width - place(changes.at(-1) ?? null);
        expect(goesOn).toBeGreaterThan((0.9 * width) / (changes.length + 1));
      }),
    );
  });

  it('has what is looked at between the changes where it is, and beyond them on a step of its own', () => {
    const placed = (looked: number): number =>
      validAxis(VOLTAGES, { looked, width: 300, pace: 'steps' }).place(looked);
    expect(placed(GOOD)).toBe(100);
    expect(placed((GOOD + ZERO) / 2)).toBe(150);
    expect(placed(UNDERVOLT - DAY_MS)).toBe(0);
    expect(placed(NOW)).toBeCloseTo(276, 6);
    const before = validAxis(VOLTAGES, { looked: UNDERVOLT - DAY_MS, width: 400, pace: 'steps' });
    expect([UNDERVOLT, GOOD, ZERO, null].map(before.place)).toEqual([100, 200, 300, 400]);
  });

  it('has one value that begins where it is looked at all over the picture', () => {
    const only = [held('zero', ZERO, null)];
    expect(widthsOf(only, ZERO, 300, 'steps')).toEqual([300]);
    expect(widthsOf(only, ZERO, 300, 'scale')).toEqual([300]);
  });
});

describe('what is written along valid time', () => {
  it('is the date of each change, and its time where another one is on the same day', () => {
    const later = ZERO + 3 * DAY_MS;
    const rectangles = [...VOLTAGES.slice(0, 2), held('zero', ZERO, later)];
    const { ticks } = validAxis(rectangles, { looked: NOW, width: 640, pace: 'steps' });
    const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
    const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
    expect(ticks.map(({ text }) => text)).toEqual(
      [UNDERVOLT, GOOD, ZERO, later].map((at) => date.format(at)),
    );
    expect(ticks.map((tick) => tick.time)).toEqual([
      ...[UNDERVOLT, GOOD, ZERO].map((at) => time.format(at)),
      '',
    ]);
    expect(labelsOf(ticks, 640).map(({ text }) => text)).toEqual([
      date.format(ZERO),
      '',
      '',
      date.format(later),
    ]);
  });

  it('is as fine as the changes of a day need', () => {
    const day = new Date(2026, 4, 1, 12).getTime();
    const fineness = (...offsets: number[]) => [...finenessOf(offsets.map((ms) => day + ms)).values()];
    expect(fineness(0, DAY_MS)).toEqual(['day', 'day']);
    expect(fineness(0, 60_000, DAY_MS)).toEqual(['minute', 'minute', 'day']);
    expect(fineness(0, 1_000)).toEqual(['second', 'second']);
    expect(fineness(0, 1, 60_000)).toEqual(['millisecond', 'millisecond', 'millisecond']);
    expect(fineness(0, 0)).toEqual(['day']);
  });

  it('has room for each voltage on a narrow screen', () => {
    const { ticks } = validAxis(VOLTAGES, { looked: NOW, width: 210, pace: 'steps' });
    expect(labelsOf(ticks, 210)).toHaveLength(3);
  });

  it('does not stand on anything else', () => {
    fc.assert(
      fc.property(picture, fc.constantFrom<Pace>('steps', 'scale'), ({ rectangles, looked, width }, pace) => {
        const { ticks } = validAxis(rectangles, { looked, width, pace });
        const labels = labelsOf(ticks, width);
        if (ticks.length > 0) expect(labels.length).toBeGreaterThan(0);
        const sides = labels.flatMap((label) => [
          label.at - labelWidth(label) / 2,
          label.at + labelWidth(label) / 2,
        ]);
        expect(sides).toEqual(sides.toSorted((a, b) => a - b));
        expect(Math.max(0, ...sides)).toBeLessThanOrEqual(width + 1e-6);
      }),
    );
  });
});
