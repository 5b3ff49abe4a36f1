import { cancelled } from '../support/cancel.ts';
import { statement } from '../support/facts.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';

// What rests on a premise, over chains and diamonds of conclusions, up to beliefs and concepts: it falls with the premise, in whichever
// way that goes, in the consolidation that takes it, and returns with it; what does not rest on it stays as it was.

const WAYS = ['superseded', 'denied', 'cancelled', 'replaced'] as const;
type Way = (typeof WAYS)[number];

const PREMISE = 'ent_tank';
const BYSTANDERS = ['ent_by', 'ent_by_conclusion'];

/** Conclusions, level by level from the premise on, each with what it rests on. */
type Shape = readonly (readonly { readonly subject: string; readonly on: readonly string[] }[])[];

const chain = (depth: number): Shape =>
  Array.from({ length: depth }, (_, i) => [
    { subject: `ent_step${i + 1}`, on: [i === 0 ? PREMISE : `ent_step${i}`] },
  ]);

/** Two conclusions on each level, each of which rests on both of the level below, and one on top. */
const diamond = (depth: number): Shape =>
  Array.from({ length: depth }, (_, i) => {
    const on = i === 0 ? [PREMISE] : [`ent_left${i}`, `ent_right${i}`];
    const sides = [`ent_left${i + 1}`, `ent_right${i + 1}`];
    return (i === depth - 1 ? ['ent_top'] : sides).map((subject) => ({ subject, on }));
  });

interface Case {
  readonly scope: string;
  readonly shape: Shape;
  readonly way: Way;
}

const CASES: readonly Case[] = WAYS.flatMap((way) => [
  ...[1, 2, 3, 4, 5, 6].map((depth) => ({
    scope: `org:cascade/ws:chain-${depth}-${way}`,
    shape: chain(depth),
    way,
  })),
  ...[2, 3, 4, 5, 6].map((depth) => ({
    scope: `org:cascade/ws:diamond-${depth}-${way}`,
    shape: diamond(depth),
    way,
  })),
]);
const DEEPEST = 6;

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const at = { valid_from: '2010-01-01' };
const state = (scope: string, subject: string, more: object = {}, value = 'fine'): object =>
  statement(scope, [subject, 'state', `=${value}`], { ...at, ...more });
const key = (scope: string): { idempotency_key: string } => ({ idempotency_key: `${scope} premise` });

/** Captures everything at once and waits until it is consolidated; answers the ids of the events. */
async function say(items: readonly object[]): Promise<string[]> {
  const { status, text, json } = await service.post('/v1/experience/bulk?wait=consolidated', { items });
  expect([status, text]).toEqual([202, text]);
  return json.results.map(({ event_id }: { event_id: string }) => event_id);
}

async function items(path: string, scope: string): Promise<any[]> {
  return (await service.get(`${path}?scope=${encodeURIComponent(scope)}&limit=1000`)).json.items;
}

interface Seen {
  /** Ids of the facts that hold now, by subject. */
  readonly facts: Readonly<Record<string, string>>;
  /** What is believed of each subject, of the value that was said first. */
  readonly beliefs: Readonly<Record<string, string>>;
  readonly concepts: Readonly<Record<string, string>>;
}

async function seen(scope: string): Promise<Seen> {
  const [facts, beliefs, concepts] = await Promise.all(
    ['/v1/facts', '/v1/beliefs', '/v1/understanding'].map((path) => items(path, scope)),
  );
  const fine = (one: any): boolean => one.object.value === 'fine';
  return {
    facts: Object.fromEntries((facts ?? []).filter(fine).map((one) => [one.subject.id, one.id])),
    beliefs: Object.fromEntries(
      (beliefs ?? []).filter(fine).map((one) => [one.claim.subject.id, one.stance]),
    ),
    concepts: Object.fromEntries((concepts ?? []).map((one) => [one.name, one.stance])),
  };
}

const all = async <T>(work: (one: Case) => Promise<T>): Promise<Map<Case, T>> => {
  const found = new Map<Case, T>();
  for (const one of CASES) found.set(one, await work(one));
  return found;
};

/** Builds every shape, level by level. */
async function build(): Promise<string[]> {
  const premises = await say(CASES.map(({ scope }) => state(scope, PREMISE, key(scope))));
  await say(CASES.map(({ scope }) => state(scope, 'ent_by')));
  for (let level = 0; level < DEEPEST; level += 1) {
    const facts = await all(({ scope }) => seen(scope).then((one) => one.facts));
    const idOf = (one: Case, subject: string): string => facts.get(one)?.[subject] ?? `no fact of ${subject}`;
    const next = CASES.flatMap((one) => [
      ...(one.shape[level] ?? []).map(({ subject, on }) =>
        state(one.scope, subject, { derived_from: on.map((below) => idOf(one, below)) }),
      ),
      ...(level === 0
        ? [state(one.scope, 'ent_by_conclusion', { derived_from: [idOf(one, 'ent_by')] })]
        : []),
    ]);
    await say(next);
  }
  return premises;
}

/** Takes every premise away in its way; answers the events that did it, where one did. */
async function fell(premises: readonly string[]): Promise<Map<Case, string>> {
  const fellings: Readonly<Record<Exclude<Way, 'cancelled'>, (scope: string) => object>> = {
    superseded: (scope) => state(scope, PREMISE, { valid_from: '2020-01-01' }, 'ruptured'),
    denied: (scope) => state(scope, PREMISE, { polarity: 'negative' }),
    replaced: (scope) => state(scope, 'ent_other', { ...key(scope), on_conflict: 'replace' }),
  };
  for (const [i, { way, scope }] of CASES.entries())
    if (way === 'cancelled') await cancelled(service, premises[i], scope);
  const said = CASES.filter(({ way }) => way !== 'cancelled');
  const events = await say(said.map(({ scope, way }) => fellings[way as Exclude<Way, 'cancelled'>](scope)));
  return new Map(said.map((one, i) => [one, events[i] ?? '']));
}

async function restore(fallen: ReadonlyMap<Case, string>): Promise<void> {
  for (const [{ way, scope }, event] of fallen)
    if (way === 'superseded') await cancelled(service, event, scope);
  const again = CASES.filter(({ way }) => way !== 'superseded');
  await say(
    again.map(({ scope, way }) =>
      state(scope, PREMISE, way === 'replaced' ? { ...key(scope), on_conflict: 'replace' } : {}),
    ),
  );
}

const conclusions = ({ shape }: Case): string[] => shape.flat().map(({ subject }) => subject);
const only = (found: Readonly<Record<string, string>>, subjects: readonly string[]): (string | undefined)[] =>
  subjects.map((subject) => found[subject]);

describe('conclusions', () => {
  let before: Map<Case, Seen>;
  let fallen: Map<Case, Seen>;
  let after: Map<Case, Seen>;
  let revised: Map<Case, any[]>;

  beforeAll(async () => {
    const premises = await build();
    before = await all(({ scope }) => seen(scope));
    const events = await fell(premises);
    fallen = await all(({ scope }) => seen(scope));
    revised = await all(async (one) => {
      if (!events.has(one)) return [];
      const frames = (await service.get(`/v1/lifecycle?event_id=${events.get(one)}`)).json.items;
      return frames.find(({ event }: any) => event === 'consolidated')?.data.beliefs_revised ?? [];
    });
    await restore(events);
    after = await all(({ scope }) => seen(scope));
  });

  describe.each(CASES.map((one) => [one.scope.slice('org:cascade/ws:'.length), one] as const))(
    '%s',
    (_name, one) => {
      const names = conclusions(one);

      it('hold with their premise', () => {
        const found = before.get(one);
        expect(only(found?.beliefs ?? {}, names)).toEqual(names.map(() => 'supported'));
        expect(only(found?.concepts ?? {}, names)).toEqual(names.map(() => 'supported'));
        expect(Object.keys(found?.facts ?? {}).sort()).toEqual([...names, ...BYSTANDERS, PREMISE].sort());
      });

      it('fall with it, all at once, and nothing else does', () => {
        const found = fallen.get(one);
        expect(only(found?.facts ?? {}, names)).toEqual(names.map(() => undefined));
        // What was cancelled or replaced leaves no trace: nothing was ever concluded from it.
        const stance = one.way === 'cancelled' || one.way === 'replaced' ? undefined : 'deprecated';
        expect(only(found?.beliefs ?? {}, names)).toEqual(names.map(() => stance));
        expect(only(found?.concepts ?? {}, names)).toEqual(names.map(() => stance));
        if (stance !== undefined)
          expect(revised.get(one)?.filter(({ stance_after }) => stance_after === stance)).toHaveLength(
            names.length,
          );
        for (const layer of ['facts', 'beliefs', 'concepts'] as const)
          expect(only(found?.[layer] ?? {}, BYSTANDERS)).toEqual(
            only(before.get(one)?.[layer] ?? {}, BYSTANDERS),
          );
      });

      it('return with it', () => {
        const found = after.get(one);
        expect(only(found?.beliefs ?? {}, names)).toEqual(names.map(() => 'supported'));
        expect(only(found?.concepts ?? {}, names)).toEqual(names.map(() => 'supported'));
        expect(only(found?.facts ?? {}, [...names, ...BYSTANDERS])).toEqual(
          only(before.get(one)?.facts ?? {}, [...names, ...BYSTANDERS]),
        );
      });
    },
  );
});

describe('conclusions from beliefs', () => {
  const scope = 'org:cascade/ws:beliefs';
  const names = ['ent_first', 'ent_second', 'ent_third'];

  it('fall with a belief that is gone, and return, up to their concepts, with one that is derived again', async () => {
    const [premise] = await say([state(scope, PREMISE, key(scope))]);
    for (const [i, subject] of names.entries()) {
      const below = names[i - 1] ?? PREMISE;
      const belief = (await items('/v1/beliefs', scope)).find(({ claim }) => claim.subject.id === below);
      await say([state(scope, subject, { derived_from: [belief?.id] })]);
    }
    const held = await seen(scope);
    for (const layer of [held.beliefs, held.concepts])
      expect(only(layer, names)).toEqual(names.map(() => 'supported'));

    await cancelled(service, premise, scope);
    expect(await seen(scope)).toEqual({ facts: {}, beliefs: {}, concepts: {} });

    await say([state(scope, PREMISE)]);
    const again = await seen(scope);
    expect(again.concepts).toEqual(held.concepts);
    expect(again.beliefs).toEqual(held.beliefs);
    expect(only(again.facts, names)).toEqual(only(held.facts, names));
  });
});
