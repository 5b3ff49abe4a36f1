import { line, toLine, type Measured } from './line.ts';
import type { Goal } from './statistics.ts';
import { table } from './table.ts';

const CIRCUMSTANCES = {
  machine: { cores: 2, memory: 24, node: 'v20.0.0', neo4j: '2026.09.0', load: 0.5 },
  commit: 'abc1234',
  at: '2026-11-21T10:00:00.000Z',
};
const GOAL: Goal = { of: 'ratio', sense: 'at_least', floor: 0.4, aim: 0.6 };
const MEASURED: Measured = {
  name: 'throughput.128',
  value: 1000.04,
  unit: 'events/s',
  raw: 2000,
  percentiles: { p50: 1, p95: 2, p99: 3 },
  rawPercentiles: { p50: 0.5, p95: 1, p99: 2 },
  runs: { ours: [990, 1000.04, 1010], raw: [1990, 2000, 2010] },
  n: 12_000,
  rawN: 24_000,
  cpu: { service: 1.5, service_database: 4.5, load: 9, raw: 1.2, raw_database: 1.2 },
  goal: GOAL,
};
const LAG: Goal = { of: 'p95', sense: 'at_most', floor: 100, aim: 50 };

describe('a line', () => {
  it('says ratio, floor, aim and verdict, and is what the schema says after being written and read', () => {
    const made = toLine(MEASURED, CIRCUMSTANCES);
    expect(line.parse(JSON.parse(JSON.stringify(made)))).toEqual(made);
    expect(made).toMatchObject({
      value: 1000,
      raw: 2000,
      ratio: 0.5,
      p95: 2,
      raw_percentiles: { p50: 0.5 },
      floor: 0.4,
      aim: 0.6,
      judged: ['ratio', 'at_least'],
      met: 'floor',
    });
  });

  it('judges the percentile where the goal is one', () => {
    const { raw: _raw, rawPercentiles: _percentiles, runs: _runs, ...own } = MEASURED;
    const made = toLine(
      { ...own, unit: 'ms', percentiles: { p50: 1, p95: 101, p99: 200 }, goal: LAG },
      CIRCUMSTANCES,
    );
    expect(made).toMatchObject({ met: 'missed', judged: ['p95', 'at_most'] });
    expect(made).not.toHaveProperty('ratio');
  });

  it('has no verdict where nothing was measured', () => {
    const made = toLine(
      { name: 'stream.same_process', value: null, unit: 'ms', n: 0, cpu: {}, goal: LAG, note: 'not there' },
      CIRCUMSTANCES,
    );
    expect(made).not.toHaveProperty('met');
    expect(made.value).toBeNull();
  });

  it('is refused when its goal has nothing to judge', () => {
    const { raw: _raw, ...alone } = MEASURED;
    expect(() => toLine(alone, CIRCUMSTANCES)).toThrow('throughput.128 has a floor for its ratio');
  });

  it.each([{ name: 'Not A Name' }, { n: 1.5 }, { value: Number.NaN }])('is refused with %j', (wrong) => {
    expect(() => toLine({ ...MEASURED, ...wrong }, CIRCUMSTANCES)).toThrow();
  });
});

describe('the table', () => {
  const lines = [
    toLine(MEASURED, CIRCUMSTANCES),
    toLine({ ...MEASURED, name: 'bulk.100', value: 100 }, CIRCUMSTANCES),
    toLine(
      { name: 'graphql.page', value: null, unit: 'ms', n: 0, cpu: {}, note: 'not there yet' },
      CIRCUMSTANCES,
    ),
  ];

  it('has a row for each line, aligned, and names what is below its floor', () => {
    const rows = table(lines).split('\n');
    expect(rows).toHaveLength(5);
    expect(rows[1]).toMatch(
      /^throughput\.128 +1000 events\/s +1 +2 +3 +2000 +0\.5 +≥ 0\.4 +≥ 0\.6 +floor +0\.5 ms +0\.1 ms$/,
    );
    expect(rows[3]).toMatch(/^graphql\.page +not there yet$/);
    expect(rows[4]).toBe('below the floor: bulk.100');
    expect(rows[1]?.indexOf('≥ 0.4')).toBe(rows[0]?.indexOf('floor'));
  });

  it('tells no CPU where the system does not', () => {
    const made = toLine({ ...MEASURED, cpu: { ...MEASURED.cpu, raw: null } }, CIRCUMSTANCES);
    expect(table([made]).split('\n')[1]).toMatch(/floor +0\.5 ms$/);
  });

  it('ends with the last row where every floor is kept', () => {
    expect(table(lines.slice(0, 1)).split('\n')).toHaveLength(2);
  });
});
