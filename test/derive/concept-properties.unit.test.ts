import { inDepth } from '../support/depth.ts';
import { KEYED_IDS } from '../support/keyed-ids.ts';
import fc from '../support/property.ts';
import { toldOf } from './concept-oracle.ts';
import { ConceptShelf, PLACE, tale, type Spoken, type Tale } from './concept-story.ts';

const RUNS = inDepth(100, 2000);
const cuts = fc.array(fc.boolean(), { minLength: 14, maxLength: 14 });

function whole({ spoken, syntheses }: Tale): ConceptShelf {
  const shelf = new ConceptShelf();
  for (const one of syntheses) shelf.enter(one);
  shelf.apply(spoken);
  return shelf;
}

/** In several transactions, each synthesis carried out behind everything that was said by then. */
function inParts({ spoken, syntheses }: Tale, at: readonly boolean[]): ConceptShelf {
  const shelf = new ConceptShelf();
  const waiting = [...syntheses];
  let part: Spoken[] = [];
  for (const [i, one] of spoken.entries()) {
    part.push(one);
    if (i < spoken.length - 1 && at[i] !== true) continue;
    shelf.apply(part);
    part = [];
    while (waiting[0] && waiting[0].recorded_at <= one.statement.recorded_at)
      shelf.synthesize(waiting.shift()!);
  }
  return shelf;
}

describe('concepts', () => {
  it('are told where looking at everything at every instant says so', () => {
    fc.assert(
      fc.property(tale, (one) => {
        const shelf = whole(one);
        for (const entity of ['ent_a', 'ent_b', 'ent_c']) {
          const id = KEYED_IDS.concept(PLACE.scope_ref, entity);
          const versions = shelf.versions.get(id) ?? [];
          expect(
            versions.map((version) => ({
              at: version.recorded_from,
              facts: version.facts,
              stances: shelf.stancesOf(id, version),
              count: version.fact_count,
              independent: version.independent,
            })),
          ).toEqual(toldOf(entity, one));
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('are the same to the byte whether they are told at once or in parts', () => {
    fc.assert(
      fc.property(tale, cuts, (one, at) => {
        expect(inParts(one, at).dump()).toBe(whole(one).dump());
      }),
      { numRuns: RUNS },
    );
  });

  it('are the same to the byte when statements come late', () => {
    fc.assert(
      fc.property(tale, cuts, cuts, (one, held, at) => {
        const early = one.spoken.filter((_, i) => held[i] !== true);
        const late = one.spoken.filter((_, i) => held[i] === true);
        const shelf = inParts({ ...one, spoken: early }, at);
        for (const synthesis of early.length === 0 ? one.syntheses : []) shelf.enter(synthesis);
        for (const spoken of late) shelf.apply([spoken]);
        if (early.length === 0 || one.syntheses.every(({ recorded_at }) => recorded_at <= lastOf(early)))
          expect(shelf.dump()).toBe(whole(one).dump());
      }),
      { numRuns: RUNS },
    );
  });

  it('are the same to the byte as if what was taken out had never been said', () => {
    fc.assert(
      fc.property(tale, cuts, cuts, (one, out, at) => {
        const ids = new Set(
          one.spoken.flatMap(({ statement }, i) => (out[i] === true ? [statement.id] : [])),
        );
        const shelf = inParts(one, at);
        shelf.apply([], ids);
        const left = one.spoken.filter(({ statement }) => !ids.has(statement.id));
        expect(shelf.dump()).toBe(whole({ ...one, spoken: left }).dump());
      }),
      { numRuns: RUNS },
    );
  });

  it('have one version an instant, numbered from 1, each of which says something', () => {
    fc.assert(
      fc.property(tale, (one) => {
        for (const versions of whole(one).versions.values()) {
          expect(versions.map(({ number }) => number)).toEqual(versions.map((_, i) => i + 1));
          const instants = versions.map(({ recorded_from }) => recorded_from);
          expect(instants).toEqual([...new Set(instants)].sort((a, b) => a - b));
          for (const { summary, name, caused_by, facts, fact_count } of versions) {
            expect(summary).not.toBe('');
            expect(name).not.toBe('');
            expect(caused_by).toMatch(/^(e|job)\d+$/);
            expect(facts.length).toBeLessThanOrEqual(fact_count);
          }
        }
      }),
      { numRuns: RUNS / 5 },
    );
  });
});

function lastOf(spoken: readonly Spoken[]): number {
  return spoken.at(-1)?.statement.recorded_at ?? 0;
}
