import {
  daysOfEvent,
  keptDays,
  levelsInForce,
  retentionRule,
  type Retention,
} from '../../src/access/retention.ts';
import fc from '../support/property.ts';

// How long an event is kept: the shortest of what its scope and those above it say.

const days = (
  levels: readonly Retention[],
  labels: readonly string[] = [],
  deployment: number | null = null,
) => daysOfEvent(keptDays(levels, deployment), labels);

describe('how long an event is kept', () => {
  it('is the shortest of what its scope and those above it say', () => {
    expect(days([{ events: 'P30D' }, { events: 'P90D' }])).toBe(30);
    expect(days([{ events: 'P90D' }, {}, { events: 'P30D' }])).toBe(30);
    expect(days([{}, { events: 'P1Y' }])).toBe(365);
  });

  it('is what the deployment says only where no scope says anything', () => {
    expect(days([{}, {}], [], 7)).toBe(7);
    expect(days([{ events: 'P90D' }], [], 7)).toBe(90);
    expect(days([{}, { events: null }], [], 7)).toBeNull();
    expect(days([{}])).toBeNull();
  });

  it('has no end where the scope itself says null, whatever those above it say', () => {
    expect(days([{ events: null }, { events: 'P1D', 'source:jira': 'P1D' }], ['source:jira'], 7)).toBeNull();
    expect(days([{}, { events: null }, { events: 'P9D' }])).toBe(9);
  });

  it('goes by the source before it goes by the default of the same scope', () => {
    const levels = [{ events: 'P30D', 'source:jira': 'P90D' }, { 'source:slack': 'P7D' }];
    expect(days(levels, ['source:jira'])).toBe(90);
    expect(days(levels, ['source:slack'])).toBe(7);
    expect(days(levels, ['jira', 'a:label'])).toBe(30);
    expect(days(levels, ['source:other'])).toBe(30);
    expect(days([{ events: null, 'source:jira': 'P90D' }, { events: 'P1D' }], ['source:jira'])).toBe(90);
  });

  it('is the shortest of several sources', () => {
    const levels = [{ events: 'P30D', 'source:jira': 'P90D', 'source:slack': 'P60D' }];
    expect(days(levels, ['source:jira', 'source:slack'])).toBe(60);
    expect(days(levels, ['source:jira', 'source:other'])).toBe(30);
  });
});

it('goes by no scope above the topmost one that has a roster', () => {
  const namesOf = (...governed: string[]) =>
    levelsInForce(['own', 'a', 'b', 'c'].map((name) => ({ name, governed: governed.includes(name) }))).map(
      ({ name }) => name,
    );
  expect(namesOf('b')).toEqual(['own', 'a', 'b']);
  expect(namesOf('own')).toEqual(['own']);
  expect(namesOf('own', 'a')).toEqual(['own', 'a']);
  expect(namesOf()).toEqual(['own', 'a', 'b', 'c']);
});

it('names the nearest scope that states the shortest', () => {
  expect(retentionRule([{}, { facts: 'P1Y' }, { facts: 'P365D' }], 'facts')).toEqual({
    value: 'P1Y',
    level: 1,
  });
  expect(retentionRule([{ events: 'P2D' }], 'facts')).toBeNull();
});

const SOURCES = ['source:a', 'source:b', 'source:c'];
const duration = fc.integer({ min: 1, max: 6 }).map((count) => `P${String(count)}D`);
const level = fc
  .tuple(
    fc.option(fc.option(duration, { freq: 3 }), { nil: undefined }),
    fc.dictionary(fc.constantFrom(...SOURCES), duration, { maxKeys: 3 }),
  )
  .map(([events, sources]): Retention => ({ ...(events === undefined ? {} : { events }), ...sources }));

/** Whether an event of one source (null: none) has to go at an age, asked scope by scope. */
function goes(
  levels: readonly Retention[],
  source: string | null,
  age: number,
  deployment: number | null,
): boolean {
  const asked = levels[0]?.events === null ? levels.slice(0, 1) : levels;
  const said = asked.flatMap((stated) => {
    if (source !== null && source in stated) return [stated[source] ?? null];
    return 'events' in stated ? [stated.events ?? null] : [];
  });
  if (said.length === 0) return deployment !== null && age >= deployment;
  return said.some((text) => text !== null && age >= Number(text.slice(1, -1)));
}

it('is what each scope by itself would say, in any tree', () => {
  fc.assert(
    fc.property(
      fc.array(level, { minLength: 1, maxLength: 5 }),
      fc.subarray(SOURCES),
      fc.option(fc.integer({ min: 1, max: 6 })),
      (levels, sources, deployment) => {
        const kept = days(levels, ['other:label', ...sources], deployment) ?? Number.POSITIVE_INFINITY;
        for (let age = 0; age <= 7; age += 1) {
          const asked = sources.length === 0 ? [null] : sources;
          const expected = asked.some((source) => goes(levels, source, age, deployment));
          expect({ age, goes: age >= kept }).toEqual({ age, goes: expected });
        }
      },
    ),
  );
});
