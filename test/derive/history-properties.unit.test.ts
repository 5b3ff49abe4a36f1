import type { Statement } from '../../src/derive/claim/statement.ts';
import { OPEN_END } from '../../schemas/time.ts';
import { inserted, activeFactsOf } from '../../src/derive/claim/claim.ts';
import {
  EMPTY_HISTORY,
  historyOf,
  rangesOf,
  recordStatement,
  revisedFacts,
  type ClaimHistory,
  type FactRow,
} from '../../src/derive/claim/history.ts';
import { grouped } from '../../src/derive/grouped.ts';
import { isVisible } from '../../src/time/bitemporal-range.ts';
import { contains, isEmpty, overlap } from '../../src/time/interval.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';
import { confidenceOf, enderAt, valueAt, valuesAt } from './oracle.ts';

const RUNS = inDepth(400, 10_000);
/** Instants of statements lie this far apart, so that one before and one after each is another instant. */
const STEP = 10;

const instant = fc.integer({ min: 0, max: 6 }).map((n) => n * STEP);
const said = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant('asserted' as const) },
    { weight: 1, arbitrary: fc.constant('denied' as const) },
    { weight: 1, arbitrary: fc.constant('never' as const) },
    { weight: 1, arbitrary: fc.constant('settled' as const) },
  ),
  /** Of a decision: which of the statements so far it decides against, and which for. */
  against: fc.array(fc.nat(8), { maxLength: 3 }),
  for: fc.array(fc.nat(8), { maxLength: 1 }),
  conflict: fc.constantFrom('a', 'b'),
  confidence: fc.constantFrom(0, 0.3, 0.6, 0.9),
  has_explicit_valid_from: fc.boolean(),
  policy: fc.constantFrom(undefined, 'highest_confidence' as const, 'keep_both' as const),
  value: fc.constantFrom('x', 'y', 'z'),
  from: instant,
  /** How long it holds as stated; null for no stated end. */
  length: fc.option(
    fc.integer({ min: 0, max: 3 }).map((n) => n * STEP),
    { freq: 1 },
  ),
  /** Milliseconds of recorded time after the statement before; 0: in the same commit. */
  pause: fc.constantFrom(0, STEP, STEP),
});

/** The log of one claim, in its order; `contested` where what contradicts itself is not left to the latest. */
const logOf = (contested: boolean): fc.Arbitrary<Statement[]> =>
  fc.array(said, { maxLength: 9 }).map((all) => {
    let now = 1000;
    return all.map(
      (
        {
          kind,
          value,
          from,
          length,
          pause,
          conflict,
          confidence,
          has_explicit_valid_from,
          policy,
          ...decided
        },
        i,
      ) => {
        now += pause;
        const to = length === null || kind !== 'asserted' ? OPEN_END : from + length;
        return {
          id: `s${i}`,
          event_id: `e${i}`,
          position: i + 1,
          recorded_at: now,
          kind,
          value: kind === 'settled' ? '' : value,
          valid: { from, to },
          confidence: kind === 'settled' ? 1 : confidence,
          ...(contested ? { has_explicit_valid_from, ...(policy === undefined ? {} : { policy }) } : {}),
          ...(kind === 'settled'
            ? {
                decision: {
                  conflict_id: conflict,
                  status: 'manually_resolved',
                  holds: [],
                  displaces: decided.against.filter((n) => n < i).map((n) => `s${n}`),
                  rests_on: decided.for.map((n) => `s${n}`),
                },
              }
            : {}),
        };
      },
    );
  });

const log = logOf(false);

/** The same, where every source is sure to some degree and each statement has an instant of its own: of what an instant undoes itself the last change tells since when. */
const sureLog = log.map((all) =>
  all.map((one, i) => ({ ...one, recorded_at: 1000 + i * STEP, confidence: Math.max(one.confidence, 0.3) })),
);

/** The same, where most begins behind all that was said before. */
const risingLog = fc
  .tuple(fc.oneof(log, logOf(true)), fc.array(fc.constantFrom(-STEP, 0, STEP, STEP, 2 * STEP)))
  .map(([statements, gaps]) => {
    let from = 0;
    return statements.map((one, i): Statement => {
      from += gaps[i] ?? STEP;
      const { valid } = one;
      const to = valid.to === OPEN_END ? OPEN_END : from + valid.to - valid.from;
      return { ...one, valid: { from, to } };
    });
  });

/** Every instant at which something may change, and the milliseconds beside it. */
function instantsOf(statements: readonly Statement[]): { valid: number[]; recorded: number[] } {
  const around = (instants: number[]): number[] => [
    ...new Set(instants.flatMap((at) => [at - 1, at, at + 1])),
  ];
  return {
    valid: around(statements.flatMap(({ valid }) => [valid.from, Math.min(valid.to, 1e6)])),
    recorded: around(statements.map(({ recorded_at }) => recorded_at)),
  };
}

function found({ facts }: ClaimHistory, valid: number, recorded: number): string[] {
  return [...facts.values()]
    .filter((fact) => rangesOf(fact).some((range) => isVisible(range, { valid, recorded })))
    .map(({ value }) => value);
}

describe('the history of a claim', () => {
  it('answers at every pair of instants what the log says', () => {
    fc.assert(
      fc.property(log, (statements) => {
        const history = historyOf(statements);
        const { valid, recorded } = instantsOf(statements);
        const wrong = valid.flatMap((v) =>
          recorded.flatMap((r) => {
            const [expected, seen] = [valueAt(statements, v, r) ?? '', found(history, v, r).join()];
            return expected === seen ? [] : [{ v, r, expected, seen }];
          }),
        );
        expect(wrong).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('answers what the policies pick where they are others than the latest', () => {
    fc.assert(
      fc.property(logOf(true), (statements) => {
        const history = historyOf(statements);
        const { valid, recorded } = instantsOf(statements);
        const wrong = valid.flatMap((v) =>
          recorded.flatMap((r) => {
            const expected = [...new Set(valuesAt(statements, v, r))].sort().join();
            const seen = [...new Set(found(history, v, r))].sort().join();
            return expected === seen ? [] : [{ v, r, expected, seen }];
          }),
        );
        expect(wrong).toEqual([]);
      }),
      { numRuns: RUNS / 20 },
    );
  });

  it('says of each fact that stands how sure it was then, by the statements that carried it then', () => {
    fc.assert(
      fc.property(fc.oneof(log, logOf(true)), (statements) => {
        const { facts } = historyOf(statements);
        for (const recorded of new Set(statements.map(({ recorded_at }) => recorded_at))) {
          const known = statements.filter(({ recorded_at }) => recorded_at <= recorded);
          for (const { id, supports } of activeFactsOf(historyOf(known).claim)) {
            const row = facts.get(id)?.rows.find((one) => contains(one.recorded, recorded));
            expect(row?.confidence).toBeCloseTo(confidenceOf(supports), 5);
          }
        }
      }),
      { numRuns: RUNS / 10 },
    );
  });

  it('has rows that are known for some time, and never two that are visible together', () => {
    fc.assert(
      fc.property(log, (statements) => {
        const rows = [...historyOf(statements).facts.values()].flatMap(rangesOf);
        for (const [i, a] of rows.entries()) {
          expect(isEmpty(a.recorded)).toBe(false);
          for (const b of rows.slice(i + 1))
            expect(overlap(a.valid, b.valid) && overlap(a.recorded, b.recorded)).toBe(false);
        }
      }),
      { numRuns: RUNS / 4 },
    );
  });

  it('only grows: what was known before stays as it was', () => {
    fc.assert(
      fc.property(log, fc.nat(8), (statements, cut) => {
        const before = statements.slice(0, cut);
        const [next] = statements.slice(cut);
        fc.pre(next !== undefined && before.every(({ recorded_at }) => recorded_at < next.recorded_at));
        const [early, late] = [historyOf(before), historyOf(statements)];
        for (const { id, value, rows } of early.facts.values()) {
          const known = late.facts.get(id);
          expect(known?.value).toBe(value);
          for (const { extents, recorded, confidence } of rows) {
            const kept = known?.rows.find((row) => row.recorded.from === recorded.from);
            expect(kept?.extents).toEqual(extents);
            expect(kept?.confidence).toBe(confidence);
          }
        }
      }),
      { numRuns: RUNS / 4 },
    );
  });

  it('says what ended a fact with the instant at which that became known', () => {
    fc.assert(
      fc.property(sureLog, (statements) => {
        const { facts } = historyOf(statements);
        const rowAt = (id: string, recorded: number): FactRow | undefined =>
          facts.get(id)?.rows.find((row) => contains(row.recorded, recorded));
        const instants = [...new Set(statements.map(({ recorded_at }) => recorded_at))];
        for (const [i, recorded] of instants.entries()) {
          const known = statements.filter(({ recorded_at }) => recorded_at <= recorded);
          const { claim } = historyOf(known);
          for (const { id, valid, ends_at } of activeFactsOf(claim)) {
            if (ends_at !== undefined) continue;
            const ender = enderAt(known, valid.to, recorded);
            const superseded_by = ender && (claim.factOf.get(ender.id) ?? null);
            const row = rowAt(id, recorded);
            expect(row?.superseded_by).toBe(superseded_by);
            if (superseded_by === null) continue;
            const since = instants
              .slice(0, i)
              .findLastIndex((at) => rowAt(id, at)?.superseded_by !== superseded_by);
            expect(row?.ended_at).toBe(instants[since + 1]);
          }
        }
      }),
      { numRuns: RUNS / 4 },
    );
  });

  it('gives every assertion to at most one fact, and every fact the assertions of its value within it', () => {
    fc.assert(
      fc.property(log, (statements) => {
        const { claim } = historyOf(statements);
        const byFact = grouped(activeFactsOf(claim), ({ id }) => id);
        const supports = [...byFact.values()].flatMap(([fact]) => fact?.supports.map(({ id }) => id) ?? []);
        expect(new Set(supports).size).toBe(supports.length);
        for (const all of byFact.values())
          for (const fact of all) {
            expect(fact.supports.length).toBeGreaterThan(0);
            for (const { value, valid } of fact.supports) {
              expect(value).toBe(fact.value);
              expect(all.some((one) => contains(one.valid, valid.from))).toBe(true);
            }
          }
      }),
      { numRuns: RUNS / 4 },
    );
  });

  it('becomes the same behind the end of a claim as by a look at all of it', () => {
    fc.assert(
      fc.property(risingLog, (statements) => {
        let history = EMPTY_HISTORY;
        for (const statement of statements) {
          const claim = inserted(history.claim, statement);
          const facts = revisedFacts(history.facts, claim, statement);
          history = recordStatement(history, statement);
          expect([...history.claim.factOf]).toEqual([...claim.factOf]);
          expect(activeFactsOf(history.claim)).toEqual(activeFactsOf(claim));
          expect([...history.facts]).toEqual([...facts]);
        }
      }),
      { numRuns: RUNS / 2 },
    );
  });
});
