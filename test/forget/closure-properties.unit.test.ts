import type { Cascade } from '../../schemas/forget.ts';
import { closureOf, type Closure } from '../../src/forget/closure.ts';
import { digestOf } from '../../src/forget/digest.ts';
import type { ByLayer } from '../../src/forget/layers.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';
import { footprintOf, recordsOf, restingOn, worlds, type Records, type World } from './world.ts';

// A closure is right when the log without what it takes, read naively, comes to just what it says is left.

const CASCADES: readonly Cascade[] = ['none', 'derived_only', 'redact_events'];
const DERIVED = ['facts', 'beliefs', 'understanding', 'episodes'] as const;
const runs = { numRuns: inDepth(250, 30_000) };

/** A log without what is redacted or wished away. */
function without({ events, said }: World, { redacted, wishes }: Closure): World {
  const wished = (layer: string, event: string, id: string): boolean =>
    wishes.some(
      (wish) => wish.layer === layer && wish.event_id === event && (wish.ids?.includes(id) ?? true),
    );
  const [gone, leaves] = [new Set(redacted), (id: string) => wished('episodes', id, '')];
  const goes = new Set(
    said.flatMap((one) => (!one.continues && wished('facts', one.event_id, one.id) ? [one.id] : [])),
  );
  return {
    events: new Map(
      [...events].flatMap(([id, event]) =>
        gone.has(id) ? [] : [[id, { ...event, episode: leaves(id) ? null : event.episode }] as const],
      ),
    ),
    said: said
      .filter(
        ({ id, said: key, event_id, continues }) => !gone.has(event_id) && !goes.has(continues ? key : id),
      )
      .map((one) => ({
        ...one,
        max_layer: wished('beliefs', one.event_id, one.id) ? 'facts' : one.max_layer,
        not_about: ['subject', 'object'].filter((role) =>
          wished('understanding', one.event_id, `${one.id}/${role}`),
        ),
      })),
  };
}

interface Case {
  readonly world: World;
  readonly cascade: Cascade;
  readonly selected: ByLayer<readonly string[]>;
}

const cases = worlds.chain((world): fc.Arbitrary<Case> => {
  const here = recordsHere(world);
  const some = (ids: readonly string[]): fc.Arbitrary<string[]> =>
    fc.subarray([...ids], { maxLength: Math.min(3, ids.length) });
  return fc.record({
    world: fc.constant(world),
    cascade: fc.constantFrom(...CASCADES),
    selected: fc.record({
      events: some(eventsHere(world)),
      facts: some(here.facts),
      beliefs: some(here.beliefs),
      understanding: some(here.understanding),
      episodes: some(here.episodes),
    }),
  });
});

const elsewhereEvents = ({ said }: World): Set<string> =>
  new Set(said.flatMap(({ event_id, elsewhere }) => (elsewhere ? [event_id] : [])));

function eventsHere(world: World): string[] {
  const there = elsewhereEvents(world);
  return [...world.events.keys()].filter((id) => !there.has(id));
}

/** Claims of odd numbers lie in the other scope. */
const isElsewhere = (id: string): boolean => /\/there\/|\/c\d*[13579]\//.test(id);

function recordsHere(world: World) {
  const records = recordsOf(world);
  const here = (layer: (typeof DERIVED)[number]): string[] =>
    [...records[layer].keys()].filter((id) => !isElsewhere(id));
  return {
    facts: here('facts'),
    beliefs: here('beliefs'),
    understanding: here('understanding'),
    episodes: here('episodes'),
  };
}

/** Every claim of the log, or those that a reader of the store would read. */
function claimsOf({ world, cascade, selected }: Case): { all: Set<string>; read: Set<string> } {
  const all = new Set(world.said.map(({ claim }) => claim));
  const whole = footprintOf(world, all);
  const { redacted } = closureOf(selected, cascade, whole);
  const ids = new Set([...(cascade === 'none' ? [] : selected.events), ...redacted]);
  const chosen = new Set([...selected.facts, ...selected.beliefs, ...selected.understanding]);
  const first = whole.statements.filter(
    ({ event_id, fact, belief, concepts }) =>
      ids.has(event_id) ||
      chosen.has(fact ?? '') ||
      chosen.has(belief ?? '') ||
      concepts.some(({ id }) => chosen.has(id)),
  );
  const links = new Set(first.map(({ said }) => said));
  const claims = whole.statements.filter(({ said }) => links.has(said)).map(({ claim }) => claim);
  return { all, read: restingOn(world, claims, new Set(redacted)) };
}

const difference = (before: Records, after: Records, layer: (typeof DERIVED)[number], there: boolean) => {
  const [was, is] = [before[layer], after[layer]];
  const own = [...was.keys()].filter((id) => isElsewhere(id) === there).sort();
  return {
    gone: own.filter((id) => !is.has(id)),
    changed: own.filter((id) => is.has(id) && is.get(id) !== was.get(id)),
    fresh: [...is.keys()].filter((id) => !was.has(id)),
  };
};

describe('what goes with a selection', () => {
  it('is what a naive reading of the rest of the log does not come to, and what changes is revised', () => {
    fc.assert(
      fc.property(cases, (one) => {
        const { world, cascade, selected } = one;
        const closure = closureOf(selected, cascade, footprintOf(world, claimsOf(one).read));
        const [before, after] = [recordsOf(world), recordsOf(without(world, closure))];
        for (const layer of DERIVED)
          for (const there of layer === 'episodes' ? [false] : [false, true]) {
            const fate = there ? closure.elsewhere : closure;
            const { gone, changed, fresh } = difference(before, after, layer, there);
            expect([layer, there, fate.gone[layer]]).toEqual([layer, there, gone]);
            expect([layer, there, changed.filter((id) => !fate.revised[layer].includes(id))]).toEqual([
              layer,
              there,
              [],
            ]);
            expect(fresh).toEqual([]);
            expect(fate.revised[layer].filter((id) => fate.gone[layer].includes(id))).toEqual([]);
          }
      }),
      runs,
    );
  });

  it('has all that is selected, and events only where they are redacted', () => {
    fc.assert(
      fc.property(cases, (one) => {
        const { world, cascade, selected } = one;
        const { gone, redacted, wishes } = closureOf(
          selected,
          cascade,
          footprintOf(world, claimsOf(one).all),
        );
        for (const layer of DERIVED)
          expect(gone[layer]).toEqual(expect.arrayContaining([...selected[layer]]));
        const redacts = cascade === 'redact_events';
        expect(redacted.filter((id) => elsewhereEvents(world).has(id))).toEqual([]);
        expect(redacts ? wishes : redacted).toEqual([]);
        if (redacts) expect(redacted).toEqual(expect.arrayContaining([...selected.events]));
        expect(gone.events).toEqual(redacted.filter((id) => world.events.get(id)?.visible));
      }),
      runs,
    );
  });

  it('is the same whether all claims are known or those that it may reach', () => {
    fc.assert(
      fc.property(cases, (one) => {
        const { world, cascade, selected } = one;
        const { all, read } = claimsOf(one);
        const [whole, part] = [all, read].map((claims) =>
          closureOf(selected, cascade, footprintOf(world, claims)),
        );
        expect(part).toEqual(whole);
      }),
      runs,
    );
  });
});

describe('the digest of what goes', () => {
  it('is another one exactly where something else goes, or it rests on something else', () => {
    fc.assert(
      fc.property(cases, fc.nat(), (one, pick) => {
        const { world, cascade, selected } = one;
        const all = claimsOf(one).all;
        const of = (said: World['said']) =>
          closureOf(selected, cascade, footprintOf({ ...world, said }, all));
        const before = of(world.said);
        const after = of(world.said.filter((_, i) => i !== pick % Math.max(world.said.length, 1)));
        const said = ({ revised: _revised, named: _named, elsewhere, ...rest }: Closure): unknown => ({
          ...rest,
          elsewhere: elsewhere.gone,
        });
        const isSame = JSON.stringify(said(before)) === JSON.stringify(said(after));
        expect(digestOf(before) === digestOf(after)).toBe(isSame);
      }),
      runs,
    );
  });
});
