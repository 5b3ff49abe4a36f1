import { LAYERS } from '../../schemas/recall.ts';
import { VIEWS, type View } from '../../schemas/scope.ts';
import fc from '../support/property.ts';
import {
  CALLERS,
  DAYS,
  LABELS,
  PLACES,
  SPEAKERS,
  within,
  WORDS,
  type Live,
  type World,
} from './recall-world.ts';

// Random requests of recalls, and which events of a world answer one, by rules that are written anew here.

const HALF_DAY_MS = 12 * 3_600_000;

/** A comparison, or several. */
type Filter =
  | { readonly AND: readonly Filter[] }
  | { readonly OR: readonly Filter[] }
  | Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What a caller asks for; instants are half days since the first of January 2024. */
export interface Wish {
  readonly caller: number;
  readonly place: number;
  readonly view: View | undefined;
  /** Words of the world, with signs around them; null for no query. */
  readonly query: { readonly words: readonly string[]; readonly noise: string } | null;
  readonly variant: string | null;
  readonly filter: Filter | null;
  readonly asOfValid: number | null;
  /** Number of the event by whose recording is read; -1 for long before. */
  readonly asOfRecorded: number | null;
  readonly during: readonly [number, number] | null;
  /** Day before which it was yesterday. */
  readonly yesterdayOf: number | null;
  readonly maxTokens: number | null;
  readonly maxEvents: number | null;
  readonly include: readonly (typeof LAYERS)[number][] | null;
  readonly order: 'relevance' | 'recency' | 'chronological';
  readonly marked: boolean;
  readonly bare: boolean;
  readonly superseded: boolean;
}

const dayText = (day: number): string => `2024-01-0${day}`;
const instantOf = (at: number): number => Date.UTC(2024, 0, 1) + at * HALF_DAY_MS;
const textOf = (at: number): string => new Date(instantOf(at)).toISOString();

/** Something in one of seven cases: a request that asks for everything at once finds nothing. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
const halfDay = fc.nat({ max: DAYS.length * 2 });
const leaf: fc.Arbitrary<Filter> = fc.oneof(
  fc.constantFrom(...LABELS).map((eq) => ({ labels: { eq } })),
  fc.uniqueArray(fc.constantFrom(...LABELS)).map((any) => ({ labels: { in: any } })),
  fc
    .constantFrom('labels', 'intent', 'language')
    .chain((field) => fc.boolean().map((exists) => ({ [field]: { exists } }))),
  fc.constantFrom(...SPEAKERS).map((eq) => ({ observed_actor: { eq } })),
  fc.constantFrom('conversation', 'observation').map((eq) => ({ modality: { eq } })),
  halfDay.map((at) => ({ observed_at: { gte: textOf(at) } })),
  halfDay.map((at) => ({ observed_at: { lte: textOf(at) }, intent: { exists: true } })),
);
const filter: fc.Arbitrary<Filter> = fc.oneof(
  leaf,
  fc.array(leaf, { minLength: 1, maxLength: 3 }).map((all) => ({ AND: all })),
  fc.array(leaf, { minLength: 1, maxLength: 3 }).map((any) => ({ OR: any })),
  fc.tuple(leaf, leaf, leaf).map(([a, b, c]) => ({ AND: [a, { OR: [b, c] }] })),
);

export const WISH: fc.Arbitrary<Wish> = fc.record({
  caller: fc.nat({ max: CALLERS.length - 1 }),
  place: fc.oneof(fc.constant(0), fc.nat({ max: PLACES.length - 1 })),
  view: fc.constantFrom(undefined, undefined, ...VIEWS),
  query: fc.option(
    fc.record({
      words: fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }),
      noise: fc.constantFrom('', '?', ' AND NOT (', ' [3] --- ', '* tags:x^9 "', ' 🚀\n'),
    }),
    { freq: 4 },
  ),
  variant: rarely(fc.constantFrom(...WORDS)),
  filter: rarely(filter),
  asOfValid: rarely(halfDay),
  asOfRecorded: rarely(fc.integer({ min: -1, max: 20 })),
  during: rarely(fc.tuple(halfDay, fc.integer({ min: 1, max: 6 }))),
  yesterdayOf: rarely(fc.constantFrom(...DAYS)),
  maxTokens: fc.option(fc.oneof(fc.nat({ max: 60 }), fc.nat({ max: 3000 }), fc.constant(8_000_000))),
  maxEvents: rarely(fc.nat({ max: 5 })),
  include: rarely(
    fc.subarray([...LAYERS]).chain((some) => fc.shuffledSubarray(some, { minLength: some.length })),
  ),
  order: fc.constantFrom('relevance', 'recency', 'chronological'),
  marked: fc.nat({ max: 3 }).map((n) => n > 0),
  bare: fc.nat({ max: 3 }).map((n) => n === 0),
  superseded: fc.nat({ max: 3 }).map((n) => n === 0),
});

/** The instants that a wish names, epoch milliseconds. */
export function instantsOf(wish: Wish, world: World): { valid: number | null; recorded: number | null } {
  const { asOfRecorded: number } = wish;
  const long = Date.UTC(2020, 0, 1);
  const recorded = number === null ? null : (world.live[number]?.recorded ?? long);
  return { valid: wish.asOfValid === null ? null : instantOf(wish.asOfValid), recorded };
}

/** A wish as the body of a recall. */
export function bodyOf(wish: Wish, world: World): Record<string, unknown> {
  const { valid, recorded } = instantsOf(wish, world);
  const { during, yesterdayOf: today, query, variant, maxTokens, maxEvents } = wish;
  const temporal = {
    ...(valid === null ? {} : { as_of_valid: new Date(valid).toISOString() }),
    ...(recorded === null ? {} : { as_of_recorded: new Date(recorded).toISOString() }),
    ...(during === null ? {} : { valid_during: [textOf(during[0]), textOf(during[0] + during[1])] }),
    ...(today === null ? {} : { natural: 'yesterday', reference_date: dayText(today) }),
  };
  return {
    scope: world.pathOf(wish.place),
    ...(wish.view === undefined ? {} : { view: wish.view }),
    ...(query === null ? {} : { query: `${query.noise}${query.words.join(' ')}${query.noise}` }),
    ...(variant === null ? {} : { query_variants: [{ text: variant }] }),
    ...(wish.filter === null ? {} : { filters: wish.filter }),
    ...(wish.include === null ? {} : { include: wish.include }),
    temporal,
    budgets: {
      ...(maxTokens === null ? {} : { max_tokens: maxTokens }),
      ...(maxEvents === null ? {} : { max_events: maxEvents }),
    },
    citation_mode: wish.marked ? 'inline_with_markers' : 'none',
    order: wish.order,
    exclude_content: wish.bare,
    include_superseded: wish.superseded,
    diagnostics: 'full',
  };
}

/** Whether a scope lies in what a view shows. */
export function inView(scope: string, asked: string, view: View): boolean {
  const below = within(scope, asked);
  const above = scope !== asked && within(asked, scope);
  if (view === 'holistic') return below || above;
  if (view === 'descend') return below;
  return view === 'lineage' ? above : scope === asked;
}

/** Whether an event lies in the instants and stretches of a wish, and its filter wants it. */
export function isWanted(event: Live, wish: Wish, world: World): boolean {
  const { valid, recorded } = instantsOf(wish, world);
  if (valid !== null && event.observed > valid) return false;
  if (recorded !== null && event.recorded > recorded) return false;
  if (wish.during !== null) {
    const [from, length] = wish.during;
    if (event.observed < instantOf(from) || event.observed >= instantOf(from + length)) return false;
  }
  if (wish.yesterdayOf !== null) {
    const today = Date.UTC(2024, 0, wish.yesterdayOf);
    if (event.observed < today - 2 * HALF_DAY_MS || event.observed >= today) return false;
  }
  return wish.filter === null || matches(event, wish.filter);
}

/** Whether an event has a word that a wish looks for. */
export function isSought({ said: { words, kind } }: Live, { query, variant }: Wish): boolean {
  const sought = [...(query?.words ?? []), ...(variant === null ? [] : [variant])];
  // Of a triple the first two words are stated.
  const stated = kind === 'triple' ? words.slice(0, 2) : words;
  return stated.some((word) => sought.includes(word));
}

function matches(event: Live, tree: Filter): boolean {
  if ('AND' in tree) return (tree.AND as Filter[]).every((one) => matches(event, one));
  if ('OR' in tree) return (tree.OR as Filter[]).some((one) => matches(event, one));
  const { said } = event;
  const values: Record<string, readonly string[]> = {
    labels: said.labels,
    intent: said.intent === undefined ? [] : [said.intent],
    language: [],
    observed_actor: [said.speaker],
    modality: [said.kind === 'triple' ? 'observation' : 'conversation'],
  };
  return Object.entries(tree as Record<string, Record<string, unknown>>).every(([field, test]) => {
    const has = values[field] ?? [];
    return Object.entries(test).every(([name, wanted]) => {
      if (name === 'eq') return has.includes(wanted as string);
      if (name === 'in') return (wanted as string[]).some((one) => has.includes(one));
      if (name === 'exists') return has.length > 0 === wanted;
      const at = Date.parse(wanted as string);
      return name === 'gte' ? event.observed >= at : event.observed <= at;
    });
  });
}
