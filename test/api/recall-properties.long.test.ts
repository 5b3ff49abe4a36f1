import { isDeepStrictEqual } from 'node:util';

import { recallPack, LAYERS, type RecallPack } from '../../schemas/recall.ts';
import type { View } from '../../schemas/scope.ts';
import { OPEN_END, toEpochMs } from '../../schemas/time.ts';
import { countTokens } from '../../src/recall/token-count.ts';
import { startTestService, type TestService } from '../support/service.ts';
import fc from '../support/property.ts';
import { inDepth } from '../support/depth.ts';
import { bodyOf, inView, instantsOf, isSought, isWanted, WISH, type Wish } from './recall-wish.ts';
import { CALLERS, PLAN, World, type Live } from './recall-world.ts';

/** Worlds, and requests in each. */
const RUNS = inDepth(1, 5);
const WISHES = 25;

let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    STRATA_DEPLOYMENT_PRESET: 'cloud_shared_saas',
    STRATA_TENANTS: 'acme',
    STRATA_PIPELINE_POLL_MS: '200',
    STRATA_RATE_LIMIT_READ: '0',
    STRATA_RATE_LIMIT_WRITE: '0',
    STRATA_V1_MINTER_ENABLE: '1',
  });
});
afterAll(async () => {
  await service.stop();
});

/** What a caller may have of a world. */
interface Seen {
  readonly view: View;
  readonly readable: (scope: string) => boolean;
  /** Events of the view that he may read. */
  readonly events: readonly Live[];
}

function seenBy(wish: Wish, world: World): Seen {
  const caller = CALLERS[wish.caller];
  if (caller === undefined) throw new Error('no such caller');
  const asked = world.pathOf(wish.place);
  const view = wish.view ?? 'holistic';
  const readable = (scope: string): boolean => inView(scope, asked, view) && world.mayRead(caller, scope);
  return { view, readable, events: world.live.filter(({ scope }) => readable(scope)) };
}

/** Nothing of what the caller may not read, or what is no more, stands anywhere in the answer. */
function expectNothingHidden(pack: RecallPack, { events }: Seen, world: World): void {
  const shown = new Set(events);
  const hidden = world.live.filter((event) => !shown.has(event)).flatMap(({ id, own }) => [id, own]);
  const text = JSON.stringify(pack);
  expect([...hidden, ...world.gone].filter((secret) => text.includes(secret))).toEqual([]);
}

/** Every record is of a scope that is read, and says something at the instants. */
function expectVisible(
  { layers, diagnostics }: RecallPack,
  { readable }: Seen,
  wish: Wish,
  world: World,
): void {
  const { valid, recorded } = instantsOf(wish, world);
  const named = diagnostics.scopes_traversed.map((path) => path.replace(/\/\*$/, ''));
  // What is asked for is named whether or not it may be read.
  expect(named.filter((scope) => scope !== world.pathOf(wish.place) && !readable(scope))).toEqual([]);
  for (const { scope } of LAYERS.flatMap((layer): { scope: string }[] => layers[layer]))
    expect([scope, readable(scope)]).toEqual([scope, true]);
  for (const { recorded_from: at } of [...layers.facts, ...layers.beliefs, ...layers.episodes])
    expect(toEpochMs(at)).toBeLessThanOrEqual(recorded ?? OPEN_END);
  for (const { valid_from: from, valid_to: to } of [...layers.facts, ...layers.beliefs]) {
    if (valid === null || wish.superseded) continue;
    expect(toEpochMs(from)).toBeLessThanOrEqual(valid);
    expect(to === null ? OPEN_END : toEpochMs(to)).toBeGreaterThan(valid);
  }
  for (const { started_at: at } of layers.episodes)
    expect(toEpochMs(at)).toBeLessThanOrEqual(valid ?? OPEN_END);
}

/** The events are among those that are wanted, and all that have the words are candidates. */
function expectWanted(pack: RecallPack, { events, view }: Seen, wish: Wish, world: World): void {
  const wanted = events.filter((event) => isWanted(event, wish, world));
  const ids = new Set(wanted.map(({ id }) => id));
  expect(pack.layers.events.filter(({ id }) => !ids.has(id))).toEqual([]);
  // A variant alone is searched for too; without any word the newest comes.
  const anyWord = wish.query !== null || wish.variant !== null;
  const due = anyWord ? wanted.filter((event) => isSought(event, wish)) : wanted;
  const items = new Set(pack.diagnostics.items?.map(({ event_id: id }) => id));
  expect(due.filter(({ id }) => !items.has(id))).toEqual([]);
  const asked = (wish.include ?? LAYERS).includes('events') && view !== 'structured';
  if (!asked || wish.maxTokens !== 8_000_000 || wish.maxEvents !== null) return;
  const brought = new Set(pack.layers.events.map(({ id }) => id));
  expect(due.filter(({ id }) => !brought.has(id))).toEqual([]);
}

/** The text is within its budget, and has each record once, in a line that nothing else looks like. */
function expectText(pack: RecallPack, wish: Wish): void {
  const { context_block: block, layers, diagnostics } = pack;
  const tokens = countTokens(block);
  expect(tokens).toBeLessThanOrEqual(wish.maxTokens ?? 4000);
  expect(diagnostics.tokens.used).toBe(tokens);
  const records = LAYERS.flatMap((layer) => layers[layer].map(({ id }): [string, string] => [layer, id]));
  const lines = block === '' ? [] : block.split('\n---\n');
  expect(lines).toHaveLength(records.length);
  const markers = block.match(/\[\d+\]/g) ?? [];
  const { citations } = pack.provenance;
  expect(markers).toEqual(Object.keys(citations));
  if (!wish.marked) expect(markers).toEqual([]);
  const stamp = /^\[\d{4}-\d\d-\d\d \d\d:\d\d UTC\]/;
  for (const [i, line] of lines.entries()) {
    expect(line).toMatch(stamp);
    expect(line).not.toContain('\n');
    if (wish.marked) expect(line.replace(stamp, '').startsWith(` [${i + 1}]`)).toBe(true);
  }
  if (!wish.marked) return;
  const cited = Object.values(citations).map(({ layer, id }) => [layer, id]);
  expect(cited.map(String).sort()).toEqual(records.map(String).sort());
}

/** The events stand in the order asked for, and within their limit. */
function expectOrder({ layers }: RecallPack, wish: Wish): void {
  const { events } = layers;
  expect(events.length).toBeLessThanOrEqual(wish.maxEvents ?? Infinity);
  if (wish.include !== null)
    for (const layer of LAYERS) if (!wish.include.includes(layer)) expect(layers[layer]).toEqual([]);
  const by = {
    relevance: events.map(({ score }) => -score),
    recency: observedOf(events, -1),
    chronological: observedOf(events, 1),
  };
  expect(by[wish.order]).toEqual([...by[wish.order]].sort((a, b) => a - b));
  if (wish.bare) expect(events.filter(({ content }) => content !== undefined)).toEqual([]);
}

function observedOf(events: RecallPack['layers']['events'], sign: number): number[] {
  return events.map(({ context }) => sign * toEpochMs(context.observed_at));
}

/** A pack without what is another each time: its id, and times. */
function lasting({
  pack_id: _id,
  provenance,
  diagnostics: { time_ms: _ms, ...diagnostics },
  as_of,
  ...pack
}: RecallPack) {
  const trail = provenance.trail.map(({ elapsed_ms: _elapsed, ...step }) => step);
  const understanding = pack.layers.understanding.map(({ staleness_score: _stale, ...concept }) => concept);
  return {
    ...pack,
    layers: { ...pack.layers, understanding },
    provenance: { ...provenance, trail },
    diagnostics,
    recorded: as_of.recorded,
  };
}

/**
 * The same request gives the same pack. Once it may not: the index merges what it holds in the background, of which it learns that
 * words are rarer than what was deleted made them, and their scores change. What is found does not change with them.
 */
async function expectSame(pack: RecallPack, recall: () => Promise<RecallPack>): Promise<void> {
  const again = await recall();
  if (isDeepStrictEqual(lasting(again), lasting(pack))) return;
  expect(foundIn(again)).toEqual(foundIn(pack));
  expect(lasting(await recall())).toEqual(lasting(again));
}

/** What a pack was chosen from, whatever the scores were. */
function foundIn({ diagnostics: { items = [], drops = [], signals, scopes_traversed: scopes } }: RecallPack) {
  const candidates = items.map(({ event_id: id, matched_via: by }) => [id, ...by].join());
  return {
    candidates: candidates.sort(),
    drops: drops.map(({ event_id: id, reason }) => `${id} ${reason}`).sort(),
    signals,
    scopes,
  };
}

async function expectAnswered(wish: Wish, world: World): Promise<number> {
  const body = bodyOf(wish, world);
  const answer = await world.recall(wish.caller, body);
  if (answer.status === 403) {
    // A token that is not for the scope is told so.
    expect(CALLERS[wish.caller]?.confined).not.toBeNull();
    expect(answer.json.error_code).toBe('POLICY_DENIED');
    return 0;
  }
  expect([answer.status, answer.json.message]).toEqual([200, undefined]);
  const pack = recallPack.parse(answer.json);
  const seen = seenBy(wish, world);
  expectNothingHidden(pack, seen, world);
  expectVisible(pack, seen, wish, world);
  expectWanted(pack, seen, wish, world);
  expectText(pack, wish);
  expectOrder(pack, wish);
  await expectSame(pack, async () => recallPack.parse((await world.recall(wish.caller, body)).json));
  return pack.layers.events.length;
}

it('brings what is asked for, of what the caller may read, and nothing else', async () => {
  let worlds = 0;
  let hits = 0;
  await fc.assert(
    fc.asyncProperty(PLAN, fc.array(WISH, { minLength: WISHES, maxLength: WISHES }), async (plan, wishes) => {
      worlds += 1;
      const world = await new World(service, plan, worlds).make();
      for (const wish of wishes) hits += await expectAnswered(wish, world);
    }),
    // Each further run would make a world of its own.
    { numRuns: RUNS, endOnFailure: true },
  );
  // Worlds in which hardly anything is found would prove nothing; by chance some hold little.
  expect(hits).toBeGreaterThan(WISHES / 5);
});
