import type { Statement } from '../../src/derive/claim/statement.ts';
import { OPEN_END, toEpochMs, toRfc3339 } from '../../schemas/time.ts';
import { activeFactsOf } from '../../src/derive/claim/claim.ts';
import { historyOf, rangesOf } from '../../src/derive/claim/history.ts';
import { isVisible } from '../../src/time/bitemporal-range.ts';

type Said = Pick<Statement, 'value'> & { from: string; to?: string; kind?: Statement['kind'] };

/** The log of what was said, a day of recorded time between one and the next. */
function logOf(all: readonly Said[]): Statement[] {
  return all.map(({ value, from, to, kind = 'asserted' }, i) => ({
    id: `s${i + 1}`,
    event_id: `e${i + 1}`,
    confidence: 1,
    position: i + 1,
    recorded_at: toEpochMs(`2026-01-0${i + 1}`),
    kind,
    value,
    valid: { from: toEpochMs(from), to: to === undefined ? OPEN_END : toEpochMs(to) },
  }));
}

/** Facts as they stand, a line each: id, value, years, and the statements that support it. */
function facts(...all: Said[]): string[] {
  const year = (at: number): string => (at === OPEN_END ? '' : toRfc3339(at).slice(0, 4));
  return activeFactsOf(historyOf(logOf(all)).claim).map(
    ({ id, value, valid, supports }) =>
      `${id} ${value} ${year(valid.from)}-${year(valid.to)} by ${supports.map((one) => one.id).join('+')}`,
  );
}

describe('a value', () => {
  const paris = { value: 'Paris', from: '2010' };

  it('with a later beginning supersedes the one before, which ends there', () => {
    expect(facts(paris, { value: 'London', from: '2020' })).toEqual([
      's1 Paris 2010-2020 by s1',
      's2 London 2020- by s2',
    ]);
  });

  it('with an earlier beginning goes into the past and supersedes nothing', () => {
    expect(facts(paris, { value: 'Rome', from: '2000' })).toEqual([
      's2 Rome 2000-2010 by s2',
      's1 Paris 2010- by s1',
    ]);
  });

  it('that is in force already supports the fact in force', () => {
    expect(facts(paris, { value: 'Paris', from: '2015' }, { value: 'Paris', from: '2010' })).toEqual([
      's1 Paris 2010- by s1+s3+s2',
    ]);
  });

  it('that returns is a new fact', () => {
    expect(facts(paris, { value: 'London', from: '2020' }, { value: 'Paris', from: '2024' })).toEqual([
      's1 Paris 2010-2020 by s1',
      's2 London 2020-2024 by s2',
      's3 Paris 2024- by s3',
    ]);
  });

  it('with the same beginning as another leaves that one no time', () => {
    expect(facts(paris, { value: 'Lyon', from: '2010' })).toEqual(['s2 Lyon 2010- by s2']);
  });

  it('that was stated again behind one that is learned late stays in force', () => {
    const log = [paris, { value: 'Paris', from: '2020' }, { value: 'London', from: '2015' }];
    expect(facts(...log)).toEqual([
      's1 Paris 2010-2015 by s1',
      's3 London 2015-2020 by s3',
      's2 Paris 2020- by s2',
    ]);
  });

  it('ends where it was stated to, also when that is said afterwards', () => {
    expect(facts({ ...paris, to: '2012' })).toEqual(['s1 Paris 2010-2012 by s1']);
    expect(facts(paris, { ...paris, to: '2012' })).toEqual(['s1 Paris 2010-2012 by s1+s2']);
    expect(facts({ ...paris, to: '2012' }, { value: 'London', from: '2020' })).toEqual([
      's1 Paris 2010-2012 by s1',
      's2 London 2020- by s2',
    ]);
  });

  it('that is denied ends there, whenever it is stated', () => {
    const denial = { value: 'Paris', from: '2018', kind: 'denied' as const };
    expect(facts(paris, denial)).toEqual(['s1 Paris 2010-2018 by s1']);
    expect(facts(denial, paris)).toEqual(['s2 Paris 2010-2018 by s2']);
    expect(facts(paris, { value: 'London', from: '2015' }, denial)).toEqual([
      's1 Paris 2010-2015 by s1',
      's2 London 2015- by s2',
    ]);
    expect(facts(paris, denial, { value: 'Paris', from: '2020' })).toEqual([
      's1 Paris 2010-2018 by s1',
      's3 Paris 2020- by s3',
    ]);
  });

  it('with a stated end interrupts what goes on behind it', () => {
    const trieste = { value: 'Trieste', from: '2010' };
    const udine = { value: 'Udine', from: '2015', to: '2016' };
    expect(facts(trieste, udine)).toEqual([
      's1 Trieste 2010-2015 by s1',
      's2 Udine 2015-2016 by s2',
      's1 Trieste 2016- by s1',
    ]);
    expect(facts({ ...trieste, to: '2016' }, udine)).toEqual([
      's1 Trieste 2010-2015 by s1',
      's2 Udine 2015-2016 by s2',
    ]);
    const denial = { value: 'Trieste', from: '2015', kind: 'denied' as const };
    expect(facts(trieste, udine, denial)).toEqual(['s1 Trieste 2010-2015 by s1', 's2 Udine 2015-2016 by s2']);
    const found = historyOf(logOf([trieste, udine])).facts;
    expect(found.get('s1')?.rows.at(-1)).toMatchObject({ superseded_by: null, ended_at: null });
    expect(found.get('s2')?.rows.at(-1)).toMatchObject({ superseded_by: null, ended_at: null });
  });

  it('that was interrupted ends where it says so itself, and as one fact', () => {
    const trieste = { value: 'Trieste', from: '2010' };
    const udine = { value: 'Udine', from: '2015', to: '2020' };
    const within = { value: 'Rome', from: '2016', to: '2017' };
    expect(facts(trieste, udine, within, { ...trieste, from: '2022', to: '2024' })).toEqual([
      's1 Trieste 2010-2015 by s1+s4',
      's2 Udine 2015-2016 by s2',
      's3 Rome 2016-2017 by s3',
      's2 Udine 2017-2020 by s2',
      's1 Trieste 2020-2024 by s1+s4',
    ]);
  });

  it('that was never true leaves what was there before in force, until it is said again', () => {
    const log = [
      paris,
      { value: 'London', from: '2020' },
      { value: 'London', from: '2024', kind: 'never' as const },
    ];
    expect(facts(...log)).toEqual(['s1 Paris 2010- by s1']);
    expect(facts(...log, { value: 'London', from: '2022' })).toEqual([
      's1 Paris 2010-2022 by s1',
      's4 London 2022- by s4',
    ]);
  });
});

describe('what was known at an earlier time', () => {
  it('is told as it was known then', () => {
    const { facts: found } = historyOf(
      logOf([
        { value: 'Paris', from: '2010' },
        { value: 'London', from: '2020' },
        { value: 'London', from: '2020', kind: 'never' },
      ]),
    );
    const at = (valid: string, recorded: string): string[] =>
      [...found.values()]
        .filter((fact) =>
          rangesOf(fact).some((range) =>
            isVisible(range, { valid: toEpochMs(valid), recorded: toEpochMs(recorded) }),
          ),
        )
        .map(({ value }) => value);
    expect(at('2022-01-01', '2025-12-31')).toEqual([]);
    expect(at('2022-01-01', '2026-01-01')).toEqual(['Paris']);
    expect(at('2022-01-01', '2026-01-02')).toEqual(['London']);
    expect(at('2015-01-01', '2026-01-02')).toEqual(['Paris']);
    expect(at('2022-01-01', '2026-01-03')).toEqual(['Paris']);
    const told = (id: string): unknown[] =>
      (found.get(id)?.rows ?? []).map(({ extents: [{ to } = { to: 0 }], superseded_by, ended_at }) => [
        to === OPEN_END ? '' : toRfc3339(to).slice(0, 4),
        superseded_by,
        ended_at === null ? '' : toRfc3339(ended_at).slice(0, 10),
      ]);
    expect(told('s1')).toEqual([
      ['', null, ''],
      ['2020', 's2', '2026-01-02'],
      ['', null, ''],
    ]);
    expect(told('s2')).toEqual([
      ['', null, ''],
      ['2020', 's1', '2026-01-03'],
    ]);
  });
});

describe('what ended a fact', () => {
  it('is said with the instant at which that became known', () => {
    const log = logOf([
      { value: 'Paris', from: '2020' },
      { value: 'London', from: '2022' },
      { value: 'Rome', from: '2021' },
    ]);
    const rows = historyOf(log).facts.get('s1')?.rows ?? [];
    expect(rows.map(({ superseded_by, ended_at }) => [superseded_by, ended_at])).toEqual([
      [null, null],
      ['s2', log[1]?.recorded_at],
      ['s3', log[2]?.recorded_at],
    ]);
  });
});

describe('a row of a fact', () => {
  /** Of each row of the first fact, whether only how sure that is has changed; `together`: at the instant of the one before. */
  const sureness = (...all: readonly (Said & { together?: boolean })[]): boolean[] => {
    let now = 0;
    const log = logOf(all).map((one, i): Statement => {
      if (all[i]?.together !== true) now = one.recorded_at;
      return { ...one, recorded_at: now };
    });
    return (historyOf(log).facts.get('s1')?.rows ?? []).map(({ same_time }) => same_time);
  };
  const berlin = { value: 'Berlin', from: '2020' };
  const again = { value: 'Berlin', from: '2021' };
  const hamburg = { value: 'Hamburg', from: '2025' };

  it('says whether it says of its time what the one before it does', () => {
    expect(sureness(berlin)).toEqual([false]);
    expect(sureness(berlin, again, hamburg, again)).toEqual([false, true, false, true]);
  });

  it('says so for all that became known at its instant', () => {
    const together = true;
    expect(sureness(berlin, { ...again, together })).toEqual([false]);
    expect(sureness(berlin, again, { ...again, together })).toEqual([false, true]);
    expect(sureness(berlin, hamburg, { ...again, together })).toEqual([false, false]);
    expect(sureness(berlin, again, { ...hamburg, together })).toEqual([false, false]);
  });
});

describe('of values stated for the same time, the one that somebody picks', () => {
  const values = ['1990', '1991', '1992', '1993'];

  /** What stands once somebody picked one value over others, in this order; values are stated in theirs. */
  function after(picks: readonly (readonly [string, string])[], policy?: 'highest_confidence'): string[] {
    const said = logOf(values.map((value) => ({ value, from: '1990' }))).map((one, i) => ({
      ...one,
      has_explicit_valid_from: true,
      confidence: i / 10,
      ...(policy === undefined ? {} : { policy }),
    }));
    const idOf = (value: string): string => `s${values.indexOf(value) + 1}`;
    const decisions = picks.map(([winner, loser], i): Statement => {
      const { valid } = said[0] as Statement;
      const position = values.length + i + 1;
      return {
        id: `d${i}`,
        event_id: `d${i}`,
        position,
        recorded_at: toEpochMs('2026-02-01') + position,
        kind: 'settled',
        value: '',
        valid,
        confidence: 1,
        decision: {
          conflict_id: `${winner} ${loser}`,
          status: 'manually_resolved',
          holds: [{ value: winner, valid }],
          displaces: [idOf(loser)],
          rests_on: [idOf(winner)],
        },
      };
    });
    return activeFactsOf(historyOf([...said, ...decisions]).claim).map(({ id, value }) => `${id} ${value}`);
  }

  it.each(['1991', '1992', '1993'])('is the fact, whatever else contradicts it: over %s', (loser) => {
    expect(after([['1990', loser]])).toEqual(['s1 1990']);
    expect(after([['1990', loser]], 'highest_confidence')).toEqual(['s1 1990']);
  });

  it.each([
    [
      ['1990', '1992'],
      ['1990', '1991'],
      ['1991', '1992'],
    ],
    [
      ['1991', '1992'],
      ['1990', '1991'],
      ['1990', '1992'],
    ],
    [
      ['1990', '1991'],
      ['1991', '1992'],
      ['1992', '1993'],
    ],
  ] as [string, string][][])('is the fact in whatever order conflicts are settled: %j %j %j', (...picks) => {
    expect(after(picks)).toEqual(['s1 1990']);
    expect(after([...picks].reverse(), 'highest_confidence')).toEqual(['s1 1990']);
  });
});
