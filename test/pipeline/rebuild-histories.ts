import fc from '../support/property.ts';
// Random histories of a scope: what events say in every way, what is declared, settled, asked for, forgotten and stated as policy.

const year = fc.integer({ min: 2010, max: 2016 });
const which = fc.nat(50);
const subject = fc.constantFrom('ent_a', 'ent_b');
const object = fc.constantFrom('ent_x', 'ent_y', 'ent_z');

const said = fc.record({
  kind: fc.constantFrom('asserted', 'asserted', 'asserted', 'asserted', 'denied', 'never'),
  subject,
  name: fc.option(fc.constantFrom('Ada', 'Augusta')),
  predicate: fc.constantFrom('lives in', 'lives in', 'owner of', 'likes', 'knows'),
  object,
  from: fc.option(year),
  length: fc.option(fc.integer({ min: 0, max: 3 })),
  confidence: fc.option(fc.constantFrom(0.3, 0.6, 0.9)),
  premise: fc.option(fc.record({ layer: fc.constantFrom('fact', 'belief', 'event'), which })),
  extract: fc.option(fc.constantFrom(['facts'], ['facts', 'beliefs'], ['facts', 'episodes'], [])),
});
const told = fc.record({
  text: fc.constantFrom('one', 'two', 'three'),
  session: fc.option(fc.constantFrom('s1', 's2')),
  at: fc.integer({ min: 0, max: 40 }),
  after: fc.option(which),
});
const declared = fc.record({
  subject: fc.option(fc.constantFrom('ent_a', 'Ada')),
  predicate: fc.option(fc.constantFrom('prefers', 'lives in')),
  statement: fc.constantFrom('It is so.', 'It is not.'),
  confidence: fc.constantFrom(0.2, 0.7, 1),
  from: fc.option(year),
  reasons: fc.array(fc.record({ layer: fc.constantFrom('fact', 'event'), which }), { maxLength: 3 }),
});
const settled = fc.record({
  which,
  action: fc.constantFrom('pick', 'split', 'new_information', 'dismiss'),
  record: which,
  other: which,
  from: fc.option(year),
  subject,
  object,
});
const stated = fc.record({
  above: fc.boolean(),
  conflict_resolution: fc.constantFrom('latest_wins', 'highest_confidence', 'keep_both'),
  cardinality: fc.option(fc.record({ lives_in: fc.constantFrom('one', 'many', 'exclusive') })),
  consolidation: fc.constantFrom('eager', 'eager', 'manual', 'periodic'),
});
/** Values of one claim, one behind the other. */
const long = fc.record({ subject, count: fc.integer({ min: 42, max: 60 }) });
const synthesis = fc.record({
  topics: fc.option(fc.uniqueArray(fc.constantFrom('ent_a', 'ent_x', 'Ada', 'Augusta'), { minLength: 1 })),
  force: fc.boolean(),
});

const linked = fc.record({
  entity: fc.constantFrom('ent_a', 'ent_b', 'ent_x', 'ent_y'),
  same_as: fc.constantFrom('ent_a', 'ent_b', 'ent_y', 'ent_z', 'ent_n'),
});

const wished = fc.record({
  which,
  /** Which of the statements of the event; null: all that it comes to in the layer. */
  statement: fc.option(which, { freq: 3 }),
  layer: fc.constantFrom('facts', 'beliefs', 'understanding', 'episodes'),
  side: fc.constantFrom('subject', 'object'),
});

/** What is done in one step of a history. */
export const step = fc.oneof(
  { weight: 12, arbitrary: doing('say', { said: fc.array(said, { minLength: 1, maxLength: 3 }) }) },
  { weight: 5, arbitrary: doing('tell', { told }) },
  { weight: 3, arbitrary: doing('cancel', { which }) },
  { weight: 2, arbitrary: doing('replace', { which, said }) },
  { weight: 2, arbitrary: doing('hold', { said }) },
  { weight: 2, arbitrary: doing('release', {}) },
  { weight: 4, arbitrary: doing('declare', { declared }) },
  { weight: 4, arbitrary: doing('settle', { settled }) },
  { weight: 3, arbitrary: doing('synthesize', { synthesis }) },
  { weight: 2, arbitrary: doing('state', { stated }) },
  { weight: 1, arbitrary: doing('say much', { long }) },
  { weight: 2, arbitrary: doing('ask', { which }) },
  { weight: 2, arbitrary: doing('link', { linked }) },
  { weight: 2, arbitrary: doing('unlink', { which }) },
  { weight: 5, arbitrary: doing('wish', { wished }) },
);

export type Step = ReturnType<typeof step.generate>['value'];
export type Saying = ReturnType<typeof said.generate>['value'];
export type Telling = ReturnType<typeof told.generate>['value'];
export type Declaring = ReturnType<typeof declared.generate>['value'];
export type Settling = ReturnType<typeof settled.generate>['value'];
export type Stating = ReturnType<typeof stated.generate>['value'];
export type Linking = ReturnType<typeof linked.generate>['value'];
export type Wishing = ReturnType<typeof wished.generate>['value'];
export type SayingMuch = ReturnType<typeof long.generate>['value'];

/** Histories of so many steps at most, the same for the same seed, and one of what chance may leave out. */
export function historiesOf(
  seed: number,
  { scopes, steps }: { scopes: number; steps: number },
): (readonly Step[])[] {
  const random = fc.array(step, { minLength: steps, maxLength: steps });
  return [...fc.sample(random, { numRuns: scopes, seed }), RARE];
}

const PLAIN: Saying = {
  kind: 'asserted',
  subject: 'ent_a',
  name: null,
  predicate: 'lives in',
  object: 'ent_x',
  from: 2012,
  length: 2,
  confidence: null,
  premise: null,
  extract: null,
};
const stating = (conflict_resolution: Stating['conflict_resolution']): Step => ({
  do: 'state',
  stated: { above: false, conflict_resolution, cardinality: null, consolidation: 'eager' },
});

/** One of each step that takes several others to do anything. */
const RARE: readonly Step[] = [
  { do: 'say', said: [PLAIN] },
  { do: 'say', said: [{ ...PLAIN, predicate: 'likes', premise: { layer: 'event', which: 0 } }] },
  stating('highest_confidence'),
  { do: 'say', said: [{ ...PLAIN, object: 'ent_y', confidence: 0.6 }] },
  stating('keep_both'),
  { do: 'say', said: [{ ...PLAIN, object: 'ent_z', length: 1 }] },
  { do: 'say much', long: { subject: 'ent_b', count: 42 } },
  {
    do: 'declare',
    declared: {
      subject: 'Ada',
      predicate: 'prefers',
      statement: 'It is so.',
      confidence: 0.7,
      from: null,
      reasons: [],
    },
  },
  {
    do: 'settle',
    settled: {
      which: 0,
      action: 'dismiss',
      record: 0,
      other: 1,
      from: null,
      subject: 'ent_a',
      object: 'ent_x',
    },
  },
  { do: 'synthesize', synthesis: { topics: null, force: false } },
];

function doing<Name extends string, T extends object>(
  name: Name,
  parts: { [K in keyof T]: fc.Arbitrary<T[K]> },
): fc.Arbitrary<{ do: Name } & T> {
  return fc.record(parts).map((made) => ({ do: name, ...(made as T) }));
}
