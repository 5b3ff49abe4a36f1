import { inDepth } from '../support/depth.ts';
import { statement } from '../support/facts.ts';
import { ownService } from '../support/own-service.ts';
import { DERIVING_PATIENCE_MS } from '../support/patience.ts';
import fc from '../support/property.ts';
import { allDerived } from '../support/rebuild.ts';
import { allOf, applied, diffOf, graphOf, textsOf, type Graph } from './graph-pages.ts';

// The graph of an instant is what single reads say, in any history; and what it is told to have become is the graph of the later instant.

const HISTORIES = inDepth(8, 60);
/** Pairs of instants at which a history is looked at. */
const LOOKS = 4;

const own = ownService();

const PEOPLE = ['ann', 'bob', 'cyd'];
const said = fc.record({
  triple: fc.tuple(
    fc.constantFrom(...PEOPLE),
    fc.constantFrom('likes', 'lives_in', 'knows'),
    fc.constantFrom(...PEOPLE, 'oslo', 'tea'),
  ),
  day: fc.integer({ min: 1, max: 9 }),
  until: fc.option(fc.integer({ min: 1, max: 9 }), { nil: null }),
  confidence: fc.constantFrom(0.4, 0.7, 1),
  /** Which of the facts of before it was concluded from; none where there is none. */
  premise: fc.option(fc.nat({ max: 9 }), { nil: null, freq: 2 }),
});
const looks = fc.array(fc.record({ valid: fc.nat({ max: 9 }), recorded: fc.nat({ max: 100 }) }), {
  minLength: LOOKS,
  maxLength: LOOKS,
});

/** Two people that are found to be one, once all is told; nobody else where they are the same. */
const linked = fc.tuple(fc.constantFrom(...PEOPLE), fc.constantFrom(...PEOPLE));

type Said = typeof said extends fc.Arbitrary<infer T> ? T : never;

const dayOf = (day: number): string => `2026-01-0${day}T00:00:00Z`;

async function tell(scope: string, history: readonly Said[]): Promise<void> {
  for (const [i, { triple, day, until, confidence, premise }] of history.entries()) {
    const { json } = await own.service.get(`/v1/facts?scope=${scope}&include_superseded=true`);
    const named = premise === null ? undefined : json.items[premise]?.id;
    const envelope = statement(scope, triple, {
      observed_at: `2026-01-0${day}T10:0${i}:00Z`,
      valid_from: dayOf(day),
      ...(until !== null && until > day ? { valid_to: dayOf(until) } : {}),
      confidence,
      ...(named === undefined ? {} : { derived_from: [named] }),
    });
    const { status, text } = await own.service.post('/v1/experience?wait=consolidated', envelope);
    if (status !== 202) throw new Error(text);
  }
}

async function link(scope: string, [entity, same_as]: readonly [string, string]): Promise<void> {
  if (entity === same_as) return;
  const { status, text } = await own.service.post('/v1/entities/link', { scope, entity, same_as });
  if (status !== 201) throw new Error(text);
}

const LISTS = {
  event: 'events',
  fact: 'facts',
  belief: 'beliefs',
  episode: 'episodes',
  concept: 'understanding',
} as const;

function targetsOf({ edges }: Graph, from: string, type: string): string[] {
  return edges
    .filter((edge) => edge.from === from && edge.type === type)
    .map(({ to }) => to as string)
    .sort();
}

/** Compares the graph of a scope at some instants with what the lists of the layers say of them. */
async function compare(scope: string, at: string, all = false): Promise<void> {
  const query = `scope=${scope}${at}`;
  const whenever = all ? '&include_superseded=true' : '';
  const graph = await graphOf(own.service, `${query}${whenever}&limit=3`);
  const nodes = new Set(graph.nodes.map(({ id }) => id as string));
  const here = (ids: readonly string[]): string[] => [...new Set(ids)].filter((id) => nodes.has(id)).sort();
  // Concepts have no valid time, and of facts alone it is asked whether they are true at one.
  const queryOf = (type: string): string =>
    type === 'concept' ? query.replace(/&as_of_valid=[^&]*/, '') : type === 'fact' ? query + whenever : query;
  const read = Object.fromEntries(
    await Promise.all(
      Object.entries(LISTS).map(async ([type, list]) => [
        type,
        await allOf(own.service, `/v1/${list}?${queryOf(type)}`),
      ]),
    ),
  ) as Record<keyof typeof LISTS, any[]>;
  for (const [type, items] of Object.entries(read))
    expect([
      at,
      type,
      graph.nodes
        .filter((node) => node.type === type)
        .map(({ id }) => id)
        .sort(),
    ]).toEqual([at, type, items.map(({ id }) => id).sort()]);
  for (const { id, supports, premises = [], subject, valid_from, valid_to } of read.fact) {
    expect(targetsOf(graph, id, 'DERIVED_FROM')).toEqual(here(supports));
    expect(targetsOf(graph, id, 'CONCLUDED_FROM')).toEqual(here(premises));
    expect(targetsOf(graph, id, 'SUBJECT')).toEqual([subject.id]);
    expect(graph.nodes.find((node) => node.id === id)).toMatchObject({ valid_from, valid_to });
  }
  for (const { id, supports, stance, confidence } of read.belief) {
    const found = supports.map((one: any) => one.id as string);
    expect([id, targetsOf(graph, id, 'SUPPORTED_BY')]).toEqual([id, here(found)]);
    expect(graph.nodes.find((node) => node.id === id)).toMatchObject({ stance, confidence });
  }
  for (const { id, events } of read.episode) expect(targetsOf(graph, id, 'CONTAINS')).toEqual(here(events));
  for (const { id, facts } of read.concept)
    expect(targetsOf(graph, id, 'SUPPORTED_BY')).toEqual(expect.arrayContaining(here(facts)));
  const ends = graph.edges.flatMap(({ from, to }) => [from as string, to as string]);
  expect(ends.filter((id) => !nodes.has(id))).toEqual([]);
}

/** Applies what is told of two instants on an axis to the graph of the first, and compares that with the graph of the second. */
async function compareDiff(
  scope: string,
  axis: string,
  [from, to]: readonly [string, string],
): Promise<void> {
  const at = (instant: string): Promise<Graph> =>
    graphOf(own.service, `scope=${scope}&as_of_${axis}=${instant}&limit=100`);
  const pages = await diffOf(own.service, `scope=${scope}&axis=${axis}&from=${from}&to=${to}&limit=3`);
  const [before, after] = [await at(from), await at(to)];
  expect([axis, from, to, textsOf(applied(before, pages, scope))]).toEqual([axis, from, to, textsOf(after)]);
  // Links of an entity come with each page that brings it.
  if (after.edges.some(({ type }) => type === 'SAME_AS')) return;
  const countOf = ({ appeared, changed, unchanged }: any): number =>
    [...appeared.edges, ...changed.edges].length + (unchanged.edges as number);
  const told = pages.reduce((sum: number, page) => sum + countOf(page), 0);
  expect(told).toBe(after.edges.length);
}

let round = 0;

it(
  'is at any two instants what the lists of the layers say of them, and becomes what it is told to have become',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(said, { minLength: 2, maxLength: 7 }),
        linked,
        looks,
        async (history, pair, instants) => {
          round += 1;
          const scope = `org:graph/ws:w${round}`;
          await tell(scope, history);
          await link(scope, pair);
          await allDerived(own.driver);
          const events = await allOf(own.service, `/v1/events?scope=${scope}`);
          const recorded = events.map(({ context }) => Date.parse(context.recorded_at)).sort((a, b) => a - b);
          const known = [...recorded.map((at) => new Date(at).toISOString()), '9999-01-01T00:00:00Z'];
          await compare(scope, '');
          await compare(scope, '', true);
          const at = instants.map((look) => ({
            valid: dayOf(Math.max(1, look.valid)),
            recorded: known[look.recorded % known.length] ?? '',
          }));
          for (const one of at)
            await compare(scope, `&as_of_recorded=${one.recorded}&as_of_valid=${one.valid}`);
          const [first, second] = at;
          await compareDiff(scope, 'recorded', [first!.recorded, second!.recorded]);
          await compareDiff(scope, 'valid', [first!.valid, second!.valid]);
        },
      ),
      { numRuns: HISTORIES },
    );
  },
  DERIVING_PATIENCE_MS * inDepth(4, 20),
);
