import type { Driver } from 'neo4j-driver';

import { changedBeside, classOf } from './judge.ts';
import { listed, type Listed } from './lists.ts';
import { REMOVALS, type Foreseen, type Removal } from './removals.ts';
import { SELECTORS, type Selector } from './selectors.ts';
import { lookForFacts, lookIntoStore, type Find } from './store-look.ts';
import { framesOf, thingsOf, walk } from './walk.ts';
import { WAYS, type Way } from './ways.ts';
import { World, type Tools } from './world.ts';

/** A value that comes in by a way, is selected, and removed. */
export interface Case {
  readonly way: Way;
  /** Null where the removal selects by itself. */
  readonly selector: Selector | null;
  readonly removal: Removal;
}

/** What a case came to. */
export interface Verdict {
  readonly name: string;
  readonly value: string;
  /** Places where the value was before. */
  readonly found: readonly string[];
  /** Where it is, and may be, by class. */
  readonly declared: readonly Find[];
  /** Where it is, and may not be. */
  readonly leaks: readonly Find[];
  /** What changed beside what was foreseen. */
  readonly changed: readonly string[];
  /** Why the case says nothing; null where it does. */
  readonly void: string | null;
}

/** What a drill is made on. */
export interface DrillParts extends Tools {
  /** The database of the service, now. */
  readonly driver: () => Driver;
}

interface Planted {
  readonly one: Case;
  readonly world: World;
  before: Listed | null;
  after: Listed | null;
  changed: readonly string[];
  said: Foreseen | null;
  why: string | null;
}

/** Worlds that are worked at beside one another. */
const BESIDE = 6;

export function nameOf({ way, selector, removal }: Case): string {
  return [way.name, selector?.name ?? '-', removal.name].join(' / ');
}

/** Every case that says something: a selector of statements selects nothing where nothing is stated, and some do not find all of a way. */
export function allCases(): Case[] {
  const names = new Set([...SELECTORS, ...REMOVALS].map(({ name }) => name));
  const named = WAYS.flatMap(({ missedBy = [], stays }) => [...missedBy, ...(stays?.unless ?? [])]);
  for (const name of named) if (!names.has(name)) throw new Error(`no selector or removal is called ${name}`);
  return WAYS.flatMap((way) =>
    REMOVALS.flatMap((removal): Case[] => {
      if (!removal.selects) return [{ way, selector: null, removal }];
      const finds = (selector: Selector): boolean =>
        way.missedBy?.includes(selector.name) !== true &&
        (way.states !== false || selector.ofStatements !== true);
      return SELECTORS.filter(finds).map((selector) => ({ way, selector, removal }));
    }),
  );
}

/** Each way by one selector and one removal, so that each of these is there. */
export function someCases(): Case[] {
  const all = allCases();
  return WAYS.flatMap((_, i) => oneOf(all, i, REMOVALS[i % REMOVALS.length]));
}

/** A case of a way, by its place, and a removal: each way has another selector; none where there is no such case. */
function oneOf(cases: readonly Case[], place: number, removal: Removal | undefined): Case[] {
  const own = cases.filter((one) => one.way === WAYS[place] && one.removal === removal);
  return own.slice((place * 3) % Math.max(1, own.length)).slice(0, 1);
}

/** Cases that together have each way with each removal, and each selector with each: by turns, so that a selector meets many ways. */
export function pairs(cases: readonly Case[]): ReadonlySet<Case> {
  const chosen = new Set(WAYS.flatMap((_, i) => REMOVALS.flatMap((removal) => oneOf(cases, i, removal))));
  const pairOf = ({ selector, removal }: Case): string => `${selector?.name ?? '-'} / ${removal.name}`;
  const met = new Set([...chosen].map(pairOf));
  for (const one of cases) {
    if (met.has(pairOf(one))) continue;
    met.add(pairOf(one));
    chosen.add(one);
  }
  return chosen;
}

/** Plants, removes, looks everywhere, and judges; all cases of one call together. */
export async function drill(
  parts: DrillParts,
  cases: readonly Case[],
  tag: string,
  isWalked: (one: Case) => boolean = () => true,
): Promise<Verdict[]> {
  const all = cases.map((one, i): Planted => {
    const world = new World(parts, `${tag}-${i}`);
    return { one, world, before: null, after: null, changed: [], said: null, why: null };
  });
  await together(all, async (planted) => {
    await planted.world.addBystanders();
    await planted.one.way.plant(planted.world);
    await planted.world.settled();
  });
  const before = byValue(await lookIntoStore(parts.driver()));
  await together(all, async (planted) => {
    if (!before.has(planted.world.value)) planted.why = 'the value is nowhere before it is removed';
    else await remove(planted);
  });
  const finds = [...(await lookIntoStore(parts.driver())), ...(await framesOf(parts.client))];
  const asked = new Set<string>();
  await together(all, async (planted) => {
    if (planted.why !== null) return;
    const after = await listed(planted.world);
    const { world, before: was, said } = planted;
    if (was === null) throw new Error(`${nameOf(planted.one)}: nothing was listed before`);
    if (isWalked(planted.one)) finds.push(...(await walk(world, thingsOf(world, was, after), asked)));
    planted.changed = changedBeside(world, was, after, said);
    planted.after = after;
  });
  const named = await lookForFacts(parts.driver(), new Set(all.flatMap(erasedFacts)));
  // What is of no scope is asked in one world, and shows what is of others.
  const found = byValue(finds);
  return all.map((planted): Verdict => {
    const { one, world, why, said, after } = planted;
    const own = why === null ? (found.get(world.value) ?? []) : [];
    const isDeclared = (find: Find): boolean => classOf(find, { world, ...one, said, after }) !== null;
    return {
      name: nameOf(one),
      value: world.value,
      found: (before.get(world.value) ?? []).map(({ place }) => place),
      declared: own.filter(isDeclared),
      leaks: own.filter((find) => !isDeclared(find)),
      changed: [...planted.changed, ...namedStill(erasedFacts(planted), named)],
      void: why,
    };
  });
}

/** The facts that went with their events. */
function erasedFacts({ one, said }: Planted): readonly string[] {
  return one.removal.leaves === 'nothing' ? (said?.gone.facts ?? []) : [];
}

function namedStill(facts: readonly string[], places: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return facts.flatMap((id) =>
    [...(places.get(id) ?? [])].map((place) => `fact ${id}, which was to go, is named in ${place}`),
  );
}

async function remove(planted: Planted): Promise<void> {
  const { one, world } = planted;
  planted.before = await listed(world);
  // The pack of it holds what was recalled.
  await world.sent('POST', '/v1/recall', { scope: world.scope, view: 'local', query: 'Quill admires' });
  const selection = one.selector === null ? {} : await one.selector.body(world);
  if (selection === null) {
    planted.why = 'the selector has nothing to name';
    return;
  }
  planted.said = await one.removal.run(world, selection);
  await world.settled();
}

function byValue(finds: readonly Find[]): Map<string, Find[]> {
  const all = new Map<string, Find[]>();
  for (const find of finds) all.set(find.value, [...(all.get(find.value) ?? []), find]);
  return all;
}

/** Works at all, some at a time; the first failure ends it. */
async function together<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let one = all[next++]; one !== undefined; one = all[next++]) await work(one);
  };
  await Promise.all(Array.from({ length: BESIDE }, worker));
}
