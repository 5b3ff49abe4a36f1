import { OPEN_END } from '../../schemas/time.ts';
import {
  conflictConfidence,
  disputedBy,
  settledBy,
  undisputed,
  type Disputes,
  type Evidence,
  type Settlement,
} from '../../src/derive/conflict.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';

const CLAIM = 'claim';
/** Since ever, and for ever. */
const ALWAYS = { from: -OPEN_END, to: OPEN_END };

interface Part {
  readonly value: string;
  readonly kind?: Evidence['kind'];
  /** Stated beginning; without it the statement holds since it was observed, which is its place. */
  readonly from?: number | undefined;
  /** Stated end. */
  readonly to?: number | undefined;
  readonly event?: string;
  readonly settles?: string;
}

function said(position: number, { value, kind = 'asserted', from, to, event, settles }: Part): Evidence {
  return {
    id: `s${position}`,
    event_id: event ?? `e${position}`,
    position,
    recorded_at: 1000 + position,
    kind,
    value,
    valid: { from: from ?? position, to: to ?? OPEN_END },
    confidence: 1,
    has_explicit_valid_from: from !== undefined,
    settles: settles ?? null,
  };
}

const after = (...parts: Part[]): Disputes =>
  parts.reduce((known, part, i) => disputedBy(known, said(i + 1, part)), undisputed(CLAIM));

const next = (known: Disputes, part: Part): Disputes =>
  disputedBy(known, said(known.statements.length + 1, part));

function settle(
  known: Disputes,
  holds: Settlement['holds'],
  status: Settlement['status'] = 'manually_resolved',
): Disputes {
  const conflict_id = known.conflicts.find((each) => each.status === 'open')!.id;
  const position = known.statements.length + 0.5;
  return settledBy(known, {
    conflict_id,
    event_id: 'e_settled',
    position,
    recorded_at: 1000 + position,
    status,
    holds,
  });
}

/** The conflicts in short: status, and the statements on each side. */
const shown = ({ conflicts }: Disputes): string[] =>
  conflicts.map(
    ({ status, sides }) => `${status} ${sides.map((side) => side.map(({ id }) => id).join('+')).join(' / ')}`,
  );

describe('a conflict opens', () => {
  it.each<[string, Part, Part]>([
    ['the same beginning', { value: 'a', from: 10 }, { value: 'b', from: 10 }],
    ['the same stretch', { value: 'a', from: 10, to: 20 }, { value: 'b', from: 10, to: 20 }],
    ['stretches that overlap', { value: 'a', from: 10, to: 20 }, { value: 'b', from: 15, to: 30 }],
    ['one stretch within another', { value: 'a', from: 10, to: 20 }, { value: 'b', from: 12, to: 13 }],
    ['a beginning within a stretch', { value: 'a', from: 10, to: 20 }, { value: 'b', from: 15 }],
    ['an end that is stated alone', { value: 'a', to: 20 }, { value: 'b', from: 15 }],
  ])('where two events state another value with %s, in whatever order', (_what, one, other) => {
    expect(shown(after(one, other))).toEqual(['open s1 / s2']);
    expect(shown(after(other, one))).toEqual(['open s2 / s1']);
  });

  it.each<[string, Part, Part]>([
    [
      'a later beginning, since what has no stated end is superseded',
      { value: 'a', from: 10 },
      { value: 'b', from: 11 },
    ],
    ['an earlier beginning', { value: 'a', from: 11 }, { value: 'b', from: 10 }],
    [
      'a stretch that begins where the other ends',
      { value: 'a', from: 10, to: 20 },
      { value: 'b', from: 20 },
    ],
    ['no stated validity on one side', { value: 'a', from: 10, to: 20 }, { value: 'b' }],
    ['no stated validity at all', { value: 'a' }, { value: 'b' }],
    ['the same value', { value: 'a', from: 10 }, { value: 'a', from: 10 }],
    ['an empty stretch', { value: 'a', from: 10, to: 10 }, { value: 'b', from: 10 }],
    ['the same event', { value: 'a', from: 10, event: 'e' }, { value: 'b', from: 10, event: 'e' }],
    ['a denial', { value: 'a', from: 10 }, { value: 'b', from: 10, kind: 'denied' }],
  ])('not with %s', (_what, one, other) => {
    expect(shown(after(one, other))).toEqual([]);
  });

  it('once for all that states the two values for that time', () => {
    const all = after(
      { value: 'a', from: 10, to: 20 },
      { value: 'b', from: 15, to: 30 },
      { value: 'a', from: 12, to: 18 },
      { value: 'b', from: 11, to: 12 },
      { value: 'a', from: 40, to: 50 },
    );
    expect(shown(all)).toEqual(['open s1+s3 / s2+s4']);
    expect(shown(next(all, { value: 'b', from: 45, to: 46 }))).toEqual([
      'open s1+s3 / s2+s4',
      'open s5 / s6',
    ]);
  });

  it('for each other value', () => {
    const all = after({ value: 'a', from: 10 }, { value: 'c', from: 10 }, { value: 'b', from: 10 });
    expect(shown(all)).toEqual(['open s1 / s2', 'open s1 / s3', 'open s3 / s2']);
    expect(new Set(all.conflicts.map(({ id }) => id)).size).toBe(3);
  });

  it('with an id that is a UUID, and the same whenever it is derived', () => {
    const [conflict] = after({ value: 'a', from: 10 }, { value: 'b', from: 10 }).conflicts;
    expect(conflict!.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(after({ value: 'a', from: 10 }, { value: 'b', from: 10 }).conflicts[0]).toEqual(conflict);
    expect(conflict).toMatchObject({
      detected_at: 1002,
      resolved_at: null,
      resolved_by: null,
      values: ['a', 'b'],
    });
  });
});

describe('a conflict ends', () => {
  const open = after({ value: 'a', from: 10, to: 20 }, { value: 'b', from: 15, to: 30 });

  it.each<[string, Part]>([
    ['one value was said never to be true', { value: 'a', kind: 'never' }],
    ['it ended before the other began', { value: 'a', kind: 'denied', from: 12 }],
    ['the later one did not begin', { value: 'b', kind: 'denied', from: 15 }],
  ])('when %s', (_what, denial) => {
    const ended = next(open, denial);
    expect(shown(ended)).toEqual(['withdrawn s1 / s2']);
    expect(ended.conflicts[0]).toMatchObject({ resolved_at: 1003, resolved_by: 'e3', settlement: null });
  });

  it('not when what is left still disagrees', () => {
    expect(shown(next(open, { value: 'a', kind: 'denied', from: 17 }))).toEqual(['open s1 / s2']);
    const more = next(open, { value: 'a', from: 25 });
    expect(shown(next(more, { value: 'a', kind: 'denied', from: 12 }))).toEqual(['open s1+s3 / s2']);
  });

  it('and another one opens when the value is stated again', () => {
    const again = next(next(open, { value: 'a', kind: 'never' }), { value: 'a', from: 18, to: 19 });
    expect(shown(again)).toEqual(['withdrawn s1 / s2', 'open s4 / s2']);
  });

  it('when somebody settles it, once', () => {
    const settled = settle(open, [{ value: 'b', valid: ALWAYS }]);
    expect(shown(settled)).toEqual(['manually_resolved s1 / s2']);
    expect(settled.conflicts[0]).toMatchObject({ resolved_at: 1002.5, resolved_by: 'e_settled' });
    const { conflict_id } = settled.conflicts[0]!.settlement!;
    const late = {
      conflict_id,
      event_id: 'late',
      position: 9,
      recorded_at: 9,
      status: 'dismissed' as const,
      holds: [],
    };
    expect(settledBy(settled, late)).toEqual(settled);
    expect(shown(next(settled, { value: 'a', kind: 'never' }))).toEqual(['manually_resolved s1 / s2']);
  });
});

describe('a settled conflict', () => {
  const open = after({ value: 'a', from: 10, to: 20 }, { value: 'b', from: 15, to: 30 });
  const settled = settle(open, [{ value: 'b', valid: ALWAYS }]);

  it('is not opened again by what holds, nor by what settles it', () => {
    expect(shown(next(settled, { value: 'b', from: 16, to: 17 }))).toEqual(['manually_resolved s1 / s2']);
    const { id } = settled.conflicts[0]!;
    expect(shown(next(settle(open, []), { value: 'c', from: 16, settles: id }))).toEqual([
      'manually_resolved s1 / s2',
    ]);
  });

  it('is another one when what does not hold is stated again', () => {
    expect(shown(next(settled, { value: 'a', from: 16, to: 17 }))).toEqual([
      'manually_resolved s1 / s2',
      'open s3 / s2',
    ]);
  });

  it('holds what it says within its bounds', () => {
    const split = settle(open, [
      { value: 'a', valid: { from: 10, to: 18 } },
      { value: 'b', valid: { from: 18, to: 30 } },
    ]);
    expect(shown(next(split, { value: 'a', from: 16, to: 18 }))).toHaveLength(1);
    expect(shown(next(split, { value: 'a', from: 16, to: 19 }))[1]).toBe('open s3 / s2');
  });

  it('takes further evidence of the same when it was dismissed, and stays so', () => {
    const dismissed = settle(open, [], 'dismissed');
    const more = next(next(dismissed, { value: 'a', from: 16, to: 17 }), { value: 'b', from: 16, to: 17 });
    expect(shown(more)).toEqual(['dismissed s1+s3 / s2+s4']);
  });
});

describe('two values', () => {
  it.each([
    ['Jon Smith', 'John Smith', 0.5],
    ['Müller', 'Muller', 0.5],
    ['New-York', 'new york', 0.5],
    ['Paris', 'London', 1],
    ['iPhone 12', 'iPhone 13', 1],
    ['12', '13', 1],
    ['3.14', '31.4', 1],
    ['Al', 'Ali', 1],
    ['Marcus', 'Markus', 0.5],
    ['Marcus', 'Maroos', 1],
  ])('%s and %s may be one, or are two: %d', (one, other, confidence) => {
    expect(conflictConfidence(one, other)).toBe(confidence);
    expect(conflictConfidence(other, one)).toBe(confidence);
  });
});

const part = fc.record({
  kind: fc.oneof(
    { weight: 8, arbitrary: fc.constant('asserted' as const) },
    { weight: 1, arbitrary: fc.constant('denied' as const) },
    { weight: 1, arbitrary: fc.constant('never' as const) },
  ),
  value: fc.constantFrom('a', 'b', 'c'),
  from: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
  length: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
  /** Whether the oldest open conflict is settled afterwards, and in favour of which side. */
  settle: fc.option(fc.constantFrom(0, 1), { freq: 5 }),
});

/** The oracle: which pairs of statements disagree and are not settled, each pair looked at by itself. */
class Pairs {
  private readonly log: Evidence[] = [];
  private readonly settled: { readonly ids: Set<string>; readonly holds: string; readonly until: number }[] =
    [];

  add(statement: Evidence): void {
    this.log.push(statement);
  }

  settle(ids: readonly string[], holds: string): void {
    this.settled.push({ ids: new Set(ids), holds, until: this.log.length });
  }

  /** Pairs that disagree as the log says now: unsettled ones, and settled ones. */
  now(): { open: string[]; settled: string[] } {
    const found = { open: [] as string[], settled: [] as string[] };
    for (const [i, x] of this.log.entries())
      for (const [j, y] of this.log.slice(0, i).entries())
        if (x.value !== y.value && this.speaks(x).some((at) => this.speaks(y).includes(at)))
          (this.isSettled(x, i, y, j) ? found.settled : found.open).push(pairOf(x, y));
    return found;
  }

  private isSettled(later: Evidence, place: number, earlier: Evidence, _place: number): boolean {
    return this.settled.some(
      ({ ids, holds, until }) =>
        ids.has(earlier.id) && (place < until ? ids.has(later.id) : later.value === holds),
    );
  }

  /** The instants that an assertion speaks of, one by one. */
  private speaks(one: Evidence): number[] {
    if (one.kind !== 'asserted') return [];
    const place = this.log.indexOf(one);
    const later = this.log.slice(place + 1);
    if (later.some(({ kind, value }) => kind === 'never' && value === one.value)) return [];
    const instants = Array.from({ length: 12 }, (_, at) => at).filter((at) =>
      one.valid.to === OPEN_END
        ? one.has_explicit_valid_from && at === one.valid.from
        : at >= one.valid.from && at < one.valid.to,
    );
    return instants.filter(
      (at) =>
        !this.log.some(
          (denial, i) =>
            denial.kind === 'denied' &&
            denial.value === one.value &&
            denial.valid.from <= at &&
            (denial.valid.from > one.valid.from || (denial.valid.from === one.valid.from && i > place)),
        ),
    );
  }
}

const pairOf = (x: Evidence, y: Evidence): string => [x.id, y.id].sort().join(' ');

describe('disputes of random logs', () => {
  it('are the pairs of statements that disagree and were not settled', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        let known = undisputed(CLAIM);
        const oracle = new Pairs();
        for (const [i, { length, settle: side, from, ...rest }] of parts.entries()) {
          const begins = from ?? 3;
          const to = length === undefined || rest.kind !== 'asserted' ? undefined : begins + length;
          const one = {
            ...said(i + 1, { ...rest, from: begins, to }),
            has_explicit_valid_from: from !== undefined,
          };
          known = disputedBy(known, one);
          oracle.add(one);
          const open = known.conflicts.find(({ status }) => status === 'open');
          if (side !== null && open !== undefined) {
            oracle.settle(
              open.sides.flat().map(({ id }) => id),
              open.values[side],
            );
            known = settle(known, [{ value: open.values[side], valid: ALWAYS }]);
          }
          const wanted = oracle.now();
          const conflicts = known.conflicts.filter(({ status }) => status === 'open');
          const pairs = conflicts.flatMap(({ sides: [xs, ys] }) =>
            xs.flatMap((x) => ys.map((y) => pairOf(x, y))),
          );
          for (const pair of wanted.open) expect(pairs).toContain(pair);
          for (const conflict of conflicts) {
            const own = conflict.sides[0].flatMap((x) => conflict.sides[1].map((y) => pairOf(x, y)));
            expect(own.some((pair) => wanted.open.includes(pair) || wanted.settled.includes(pair))).toBe(
              true,
            );
            expect(conflict.sides.map((all) => new Set(all.map(({ value }) => value)).size)).toEqual([1, 1]);
          }
        }
      }),
      { numRuns: inDepth(2000, 10_000) },
    );
  });
});
