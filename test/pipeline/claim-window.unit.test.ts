import type { NewStatement } from '../../graph/claim/new-statement.ts';
import type { EndOfClaim, StoredClaim } from '../../graph/claim/read.ts';
import type { StoredRow } from '../../graph/claim/stored-row.ts';
import type { ClaimWrites } from '../../graph/claim/row.ts';
import type { StoredStatement } from '../../graph/stored-statement.ts';
import { OPEN_END } from '../../schemas/time.ts';
import { planned } from '../../src/derive/belief/change.ts';
import type { ClaimChange } from '../../src/derive/claim/change.ts';
import {
  supportChange,
  supportKey,
  supportsNeeded,
  type SupportChange,
  type SupportRow,
} from '../../src/derive/concept/support.ts';
import { consolidated } from '../../src/derive/claim/consolidate.ts';
import { windowBounds, windowOf } from '../../src/pipeline/claim-window.ts';
import { changeOf, inputOf, writesOf } from '../../src/pipeline/stored-claims.ts';
import { inDepth } from '../support/depth.ts';
import { KEYED_IDS } from '../support/keyed-ids.ts';
import fc from '../support/property.ts';
import { timesOf } from './row-times.ts';

// Going on with the end of a claim comes to the same as going on with all of it, or is not done.

const CLAIM = 'c';
const END = 8;
const RUNS = inDepth(80, 1200);

/** A statement: how long after the one before it was recorded, when it begins relative to the newest beginning, value and length. */
const saying = fc.record({
  later: fc.constantFrom(0, 0, 1, 1, 1),
  ahead: fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.integer({ min: -3, max: 0 })),
  value: fc.constantFrom('a', 'a', 'b', 'c'),
  length: fc.option(fc.integer({ min: 0, max: 4 }), { freq: 3 }),
  kind: fc.oneof(
    { weight: 200, arbitrary: fc.constant('asserted' as const) },
    fc.constantFrom('denied' as const, 'never' as const),
  ),
  confidence: fc.oneof(
    { weight: 60, arbitrary: fc.constantFrom(0.5, 1) },
    { weight: 1, arbitrary: fc.constant(0) },
  ),
});
type Saying = typeof saying extends fc.Arbitrary<infer T> ? T : never;
/** Of some logs nothing says when it ends, of others some of it does, or each that is not open by itself. */
const log: fc.Arbitrary<readonly Saying[]> = fc
  .tuple(
    fc.array(saying, { minLength: 10, maxLength: 40 }),
    fc.constantFrom('open', 'open', 'some', 'all', 'always'),
  )
  .map(([all, ends]) =>
    all.map((one, i) => ({
      ...one,
      length:
        ends === 'always'
          ? (one.length ?? 1)
          : ends === 'all' || (ends === 'some' && i % 3 === 2)
            ? one.length
            : null,
    })),
  );

/** The statements of a log; what is recorded later never has a lower place. */
function told(sayings: readonly Saying[]): NewStatement[] {
  let [recorded, newest] = [1000, 100];
  return sayings.map(({ later, ahead, value, length, kind, confidence }, i) => {
    recorded += later;
    const from = newest + ahead;
    newest = Math.max(newest, from);
    const subject = { id: 'ent_s', name: null, normalised_name: 's', type: 'other' };
    return {
      id: `fact_${String(i).padStart(3, '0')}`,
      event_id: `evt_${i}`,
      tenant: 't',
      scope: 'org:a',
      scope_ref: 's1',
      levels: ['s1'],
      shard: 0,
      claim: CLAIM,
      cardinality: 'one',
      position: i + 1,
      recorded_at: recorded,
      kind,
      value,
      valid_from: from,
      valid_to: length === null || kind !== 'asserted' ? OPEN_END : from + length,
      has_explicit_valid_from: true,
      confidence,
      extractor: 'triple',
      span: null,
      subject,
      predicate: 'is',
      object: JSON.stringify({ type: 'literal', datatype: 'string', value }),
      object_entity: null,
      premises: [],
      continuation_of: null,
      retracted: false,
    };
  });
}

/** What a store knows of one claim; of rows those that are known now. */
class Store {
  statements: StoredStatement[] = [];
  rows: StoredRow[] = [];
  /** What supports concepts by it. */
  supports: SupportRow[] = [];

  whole(): StoredClaim {
    return { claim: CLAIM, statements: this.statements, rows: this.rows };
  }

  end(most: number): EndOfClaim {
    const found = [...this.statements].sort((a, b) => b.valid_from - a.valid_from).slice(0, most);
    const facts = new Set(found.map(({ fact_id }) => fact_id));
    const whole = found.length < most;
    const plain = this.statements.every(({ kind, confidence }) => kind === 'asserted' && confidence > 0);
    const begins = found.at(-1)?.valid_from ?? 0;
    const reached = this.statements.some(
      ({ valid_from, valid_to }) => valid_from < begins && valid_to > begins,
    );
    const rows = whole ? this.rows : this.rows.filter(({ fact_id }) => facts.has(fact_id));
    return { claim: CLAIM, whole, plain, reached, statements: found, rows };
  }

  /** Whether something in front of a window came at the instant of what is new, or later. */
  undercuts(window: StoredClaim, fresh: readonly NewStatement[]): boolean {
    const { first, since } = windowBounds(window, fresh);
    return this.statements.some(({ valid_from, recorded_at }) => valid_from < first && recorded_at >= since);
  }

  /** What becomes of its supports. */
  supported(change: ClaimChange): SupportChange {
    const needed = supportsNeeded(change);
    return supportChange(
      change,
      this.supports.filter(({ recorded }) => recorded.to >= needed),
      KEYED_IDS,
    );
  }

  support({ opened, moved, removed }: SupportChange): void {
    const deleted = new Set([...opened, ...moved, ...removed].map(supportKey));
    this.supports = [...this.supports.filter((row) => !deleted.has(supportKey(row))), ...opened, ...moved];
  }

  /** Every row that there is, what was known before among them. */
  all: StoredRow[] = [];

  apply({ statements, belonging, rows, removed, resumptions, dropped }: ClaimWrites): void {
    this.statements.push(...statements.map(stored));
    const factOf = new Map(belonging.map(({ id, fact_id }) => [id, fact_id]));
    this.statements = this.statements.map((one) => ({ ...one, fact_id: factOf.get(one.id) ?? one.fact_id }));
    const deleted = new Set([
      ...[...removed, ...rows].map(({ fact_id, recorded_from }) => `${fact_id} ${recorded_from}`),
      ...[...dropped, ...resumptions].map(
        ({ resumes, recorded_from, valid_from }) => `${resumes} ${recorded_from} resumed ${valid_from}`,
      ),
    ]);
    const left = this.all.filter(
      ({ fact_id, recorded_from, resumes, valid_from }) =>
        !deleted.has(`${fact_id} ${recorded_from}${resumes ? ` resumed ${valid_from}` : ''}`),
    );
    const written: StoredRow[] = [
      ...rows.map((row) => ({ ...row, resumes: false })),
      ...resumptions.map((row) => ({ ...RESUMED, ...row, fact_id: row.resumes, resumes: true })),
    ];
    this.all = [...left, ...written];
    this.rows = this.all.filter(({ recorded_to }) => recorded_to === OPEN_END);
  }
}

/** What a further interval does not say. */
const RESUMED = { superseded_by: null, ended_at: null, confidence: 0, same_time: false, caused_by: '' };

function stored(one: NewStatement): StoredStatement {
  const { subject, span: _span, object_entity: _object, cardinality_assumed: assumed, ...same } = one;
  return {
    ...same,
    cardinality_assumed: assumed ?? false,
    fact_id: null,
    subject_id: subject.id,
    subject_name: subject.name,
    subject_normal: subject.normalised_name,
    subject_type: subject.type,
    object_id: null,
    object_name: null,
    object_normal: null,
    object_type: null,
    span_start: null,
    span_end: null,
    policy: null,
    max_layer: null,
    not_about: null,
    decision: null,
    moved: null,
  };
}

function derived(
  known: StoredClaim,
  fresh: readonly NewStatement[],
): { writes: ClaimWrites; change: ClaimChange } {
  const input = inputOf(known, { fresh, premises: new Map(), changed: false });
  const output = consolidated(input, () => new Map());
  const { before } = input;
  return {
    writes: writesOf(known, output, before, fresh),
    change: changeOf(known, output, { before, fresh }),
  };
}

/** What is written, in one order. */
function inOrder(writes: ClaimWrites | SupportChange): unknown {
  return Object.fromEntries(
    Object.entries(writes).map(([name, rows]) => [
      name,
      (rows as unknown[]).map((row) => JSON.stringify(row)).sort(),
    ]),
  );
}

/** What beliefs are asked by a change, in one order. */
function asked(change: ClaimChange): unknown {
  const { steps, needs } = planned(change, KEYED_IDS);
  const byValue = (a: { value: string }, b: { value: string }): number => (a.value < b.value ? -1 : 1);
  return {
    needs: [...needs].sort(byValue),
    steps: steps.map(({ snapshot, intervals }) => [
      snapshot.recorded_at,
      snapshot.event_id,
      [...intervals].sort(([a], [b]) => (a < b ? -1 : 1)),
    ]),
  };
}

describe('the end of a claim', () => {
  it('comes to the same as all of it', () => {
    const windows = { behind: 0, between: 0 };
    fc.assert(
      fc.property(
        log,
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 40, maxLength: 40 }),
        (sayings, sizes) => {
          const store = new Store();
          const rest = told(sayings);
          for (const size of sizes) {
            const fresh = rest.splice(0, size);
            if (fresh.length === 0) break;
            const whole = derived(store.whole(), fresh);
            const window = windowOf(store.end(END), fresh);
            if (typeof window !== 'string' && !(window.appended && store.undercuts(window, fresh))) {
              if (window.appended) windows[window.appended] += 1;
              const ended = derived(window, fresh);
              expect(inOrder(ended.writes)).toEqual(inOrder(whole.writes));
              expect(asked(ended.change)).toEqual(asked(whole.change));
              expect(inOrder(store.supported(ended.change))).toEqual(inOrder(store.supported(whole.change)));
            }
            store.support(store.supported(whole.change));
            store.apply(whole.writes);
          }
        },
      ),
      {
        numRuns: RUNS,
        examples: [[RENAMED, [2, 3, 2, 2, ...Array.from({ length: 36 }, () => 1)]]],
      },
    );
    expect(windows.behind).toBeGreaterThan(RUNS / 4);
    expect(windows.between).toBeGreaterThan(RUNS / 12);
  });

  it('is not enough where a statement comes far in front, takes the place of another, denies, is concluded, or is about the claim by a link only', () => {
    const long = told(
      Array.from({ length: 20 }, (_, i): Saying => ({ ...SAID, value: i % 2 === 0 ? 'a' : 'b' })),
    );
    const store = new Store();
    store.apply(derived(store.whole(), long.slice(0, 19)).writes);
    const [last] = long.slice(19);
    if (last === undefined) throw new Error('no statement');
    expect(windowOf(store.end(END), [last])).toMatchObject({ appended: 'behind', claim: CLAIM });
    expect(windowOf(store.end(END), [{ ...last, valid_from: 101 }])).toBe('more');
    expect(windowOf(store.end(END), [{ ...last, valid_from: last.valid_from - 1 }])).toBe('all');
    expect(windowOf(store.end(END), [{ ...last, kind: 'denied' }])).toBe('all');
    expect(windowOf(store.end(END), [{ ...last, premises: ['fact_1'] }])).toBe('all');
    expect(windowOf(store.end(END), [{ ...last, max_layer: 'facts' }])).toBe('all');
    expect(windowOf(store.end(END), [{ ...last, not_about: 'object' }])).toBe('all');
    const assigned_during = [{ from: 2000, to: OPEN_END, by: 'link_1', until: null }];
    expect(windowOf(store.end(END), [{ ...last, moved: { assigned_during, assignments: [] } }])).toBe('all');
    expect(windowOf({ ...store.end(END), plain: false }, [last])).toBe('all');
    expect(windowOf(store.end(1), [last])).toBe('more');
    expect(windowOf(store.end(100), [last])).toMatchObject({ whole: true });
  });
});

it('a claim is stored the same in one transaction and in many, of one recorded instant too', () => {
  fc.assert(
    fc.property(log, fc.integer({ min: 1, max: 4 }), (sayings, size) => {
      const [once, often] = [new Store(), new Store()];
      const all = told(sayings);
      once.apply(derived(once.whole(), all).writes);
      for (let at = 0; at < all.length; at += size)
        often.apply(derived(often.whole(), all.slice(at, at + size)).writes);
      expect(timesOf(often.all)).toEqual(timesOf(once.all));
    }),
    { numRuns: RUNS, examples: [[UNDONE, 1]] },
  );
});

/** How much of a claim of so many statements is read to go on with it, of which each begins behind the one before. */
function goneOnWith(lengths: readonly (number | null)[], values: readonly Saying['value'][]): number {
  const all = told(
    lengths.map((length, i) => ({ ...SAID, length, value: values[i % values.length] ?? 'a' })),
  );
  const store = new Store();
  const last = all.pop();
  if (last === undefined) throw new Error('no statement');
  for (const one of all) store.apply(derived(store.whole(), [one]).writes);
  const window = windowOf(store.end(END), [last]);
  return typeof window === 'string' ? Infinity : window.statements.length;
}

it.each<[string, number, readonly Saying['value'][], readonly (number | null)[]]>([
  ['of values that hold one after the other', 2, ['a', 'b'], Array.from({ length: 30 }, () => 1)],
  [
    'of values with gaps between them',
    2,
    ['a', 'b'],
    Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? 0.5 : 1)),
  ],
  [
    'of values that were interrupted',
    4,
    ['a', 'c', 'b', 'c'],
    Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? null : 0.5)),
  ],
  [
    'of one value that goes on for long, interrupted by all others',
    Infinity,
    ['a', 'b'],
    [null, ...Array.from({ length: 29 }, () => 0.5)],
  ],
])('the end of a claim %s: %d statements', (_what, most, values, lengths) => {
  expect(goneOnWith(lengths, values)).toBeLessThanOrEqual(most);
  if (most === Infinity) expect(goneOnWith(lengths, values)).toBe(Infinity);
});

it('a claim is not cut where the last of what one event states together has an end, in whatever order it is read', () => {
  const length = 2;
  const all = told([
    { ...SAID, value: 'a' },
    { ...SAID, ahead: 9, value: 'b' },
    { ...SAID, later: 0, ahead: 0, value: 'c', length },
    { ...SAID, ahead: 10, value: 'b' },
    { ...SAID, later: 0, ahead: 0, value: 'c', length },
    { ...SAID, ahead: 40 },
  ]).map((one, i, list) => ({ ...one, position: list[i === 2 || i === 4 ? i - 1 : i]?.position ?? 0 }));
  const store = new Store();
  const last = all.pop();
  if (last === undefined) throw new Error('no statement');
  for (const fresh of [all.slice(0, 1), all.slice(1, 3), all.slice(3)])
    store.apply(derived(store.whole(), fresh).writes);
  const end = store.end(4);
  expect(end.reached).toBe(true);
  for (const statements of [end.statements, [...end.statements].reverse()])
    expect(windowOf({ ...end, statements }, [last])).toBe('more');
});

const SAID: Saying = { later: 1, ahead: 1, value: 'a', length: null, kind: 'asserted', confidence: 1 };

/** Where an interval that was known goes on is undone at an instant at which something else was written first. */
const UNDONE: readonly Saying[] = [
  { ...SAID, value: 'a' },
  { ...SAID, later: 0, ahead: 9, length: 10, value: 'b' },
  { ...SAID, ahead: -5, length: 2, value: 'c' },
  { ...SAID, later: 0, ahead: 20, length: 10, value: 'b' },
];

/** Where what was broken off before is told by another name from the end: three that begin together, and one that came late in front of them. */
const RENAMED: readonly Saying[] = (
  [
    [0, 1, 'a'],
    [0, 1, 'a'],
    [0, 2, 'a'],
    [0, 0, 'a'],
    [0, 0, 'a'],
    [0, -1, 'c'],
    [1, 2, 'a'],
    [0, 1, 'a'],
    [0, -2, 'c'],
    [0, 1, 'a'],
    [0, 1, 'a'],
  ] as const
).map(([later, ahead, value]): Saying => ({ ...SAID, later, ahead, value, confidence: 0.5 }));
