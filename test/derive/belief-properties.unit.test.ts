import { isVisible } from '../../src/time/bitemporal-range.ts';
import { contains, isEmpty, overlap } from '../../src/time/interval.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';
import { beliefsAt, type Belief } from './belief-oracle.ts';
import { BeliefShelf, merged, partsOf, STEP, story, type Story } from './belief-story.ts';

const RUNS = inDepth(200, 10_000);

/** Valid instants at which something may change, and one beside each. */
const INSTANTS = Array.from({ length: 12 }, (_, n) => (n - 1) * STEP).flatMap((at) => [at - 1, at]);

/** What counts of a belief: where a value never held, since when it does not is no more than a place. */
function plain(belief: Belief | null | undefined) {
  if (!belief) return null;
  const { opinion, revised_at, caused_by } = belief;
  return {
    opinion: { ...opinion, holds: isEmpty(opinion.holds) ? null : opinion.holds },
    revised_at,
    caused_by,
  };
}

function whole({ steps, policy }: Story): BeliefShelf {
  const shelf = new BeliefShelf(policy);
  shelf.replay(merged(steps));
  return shelf;
}

function inParts(one: Story, cuts: readonly boolean[]): BeliefShelf {
  const shelf = new BeliefShelf(one.policy);
  for (const part of partsOf(one, cuts)) shelf.apply(part);
  return shelf;
}

describe('beliefs about the values of a claim', () => {
  it('say at every pair of instants what the evidence comes to for that pair alone', () => {
    fc.assert(
      fc.property(story, (one) => {
        const snapshots = merged(one.steps);
        const { beliefs } = whole(one);
        const wrong = ['x', 'y', 'z'].flatMap((value) =>
          INSTANTS.flatMap((valid) => {
            const rows = (beliefs.get(value) ?? []).filter((row) => contains(row.valid, valid));
            const found = snapshots.map(({ recorded_at }) =>
              rows.filter((row) => isVisible(row, { valid, recorded: recorded_at })),
            );
            const says = JSON.stringify(found.map(([row]) => plain(row)));
            const expected = JSON.stringify(
              beliefsAt(value, valid, snapshots, one.policy).map((belief) => plain(belief)),
            );
            return says === expected ? [] : [{ value, valid, says, expected }];
          }),
        );
        expect(wrong).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('are the same to the byte whether the claim is told at once or in parts', () => {
    fc.assert(
      fc.property(story, fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }), (one, cuts) => {
        expect(inParts(one, cuts).dump()).toBe(whole(one).dump());
      }),
      { numRuns: RUNS },
    );
  });

  it('are the same to the byte when a store that has them already derives them anew', () => {
    fc.assert(
      fc.property(story, fc.nat(9), (one, length) => {
        const shelf = new BeliefShelf(one.policy);
        shelf.replay(merged(one.steps.slice(0, length)));
        shelf.replay(merged(one.steps));
        expect(shelf.dump()).toBe(whole(one).dump());
      }),
      { numRuns: RUNS / 10 },
    );
  });

  it('have rows that are known for some time, never two at once, and never a word of the past changed', () => {
    fc.assert(
      fc.property(story, fc.nat(9), (one, length) => {
        const snapshots = merged(one.steps);
        const [early, late] = [new BeliefShelf(one.policy), whole(one)];
        early.replay(snapshots.slice(0, length));
        for (const rows of late.beliefs.values())
          for (const [i, a] of rows.entries()) {
            expect(isEmpty(a.recorded) || isEmpty(a.valid)).toBe(false);
            for (const b of rows.slice(i + 1))
              expect(overlap(a.valid, b.valid) && overlap(a.recorded, b.recorded)).toBe(false);
          }
        for (const [value, rows] of early.beliefs)
          for (const { recorded, ...row } of rows)
            expect(late.beliefs.get(value)).toContainEqual({
              ...row,
              recorded: { from: recorded.from, to: expect.any(Number) as number },
            });
      }),
      { numRuns: RUNS / 10 },
    );
  });
});
