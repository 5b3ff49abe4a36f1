import type { Driver } from 'neo4j-driver';

import type { Cascade } from '../../schemas/forget.ts';
import { DeploymentStore } from '../../graph/deployment.ts';
import type { Database } from '../../graph/driver.ts';
import { ForgetReader } from '../../graph/forget/reader.ts';
import { scopeRef } from '../../src/capture/scope-key.ts';
import { KeyedIds } from '../../src/derive/keyed-ids.ts';
import { closureOf, type Closure } from '../../src/forget/closure.ts';
import { digestOf } from '../../src/forget/digest.ts';
import { byLayer, type ByLayer } from '../../src/forget/layers.ts';
import { cancelled } from '../support/cancel.ts';
import { patientDatabase, testDriver } from '../support/database.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { LOG, storedIn, told, type Stored, type Told } from './forget-log.ts';

// What a closure says that is gone is what is gone when the events are taken out by a cancel, and all that says something else is revised.

let service: TestService;
let driver: Driver;
let database: Database;
let reader: ForgetReader;

beforeAll(async () => {
  service = await startTestService();
  driver = testDriver();
  database = patientDatabase();
  const { secret, digits } = await new DeploymentStore(database).idSecret();
  reader = new ForgetReader(database, new KeyedIds(secret, digits));
});

afterAll(async () => {
  await service.stop();
  await database.close();
  await driver.close();
});

const NONE = byLayer<readonly string[]>(() => []);
const OF = { tenant: 'default' };
const DERIVED = ['facts', 'beliefs', 'understanding', 'episodes'] as const;

async function closure(
  scope: string,
  selected: Partial<ByLayer<readonly string[]>>,
  cascade: Cascade,
): Promise<Closure> {
  const all = { ...NONE, ...selected };
  const footprint = await reader.footprint({
    ...OF,
    ref: scopeRef('default', scope),
    selected: all,
    cascade,
    through: Number.MAX_SAFE_INTEGER,
  });
  return closureOf(all, cascade, footprint);
}

const layerOf = (stored: readonly Stored[], layer: Stored['layer']): Map<string, Stored> =>
  new Map(stored.filter((one) => one.layer === layer).map((one) => [one.id, one]));
const names = (stored: readonly Stored[], ids: readonly string[]): string[] =>
  ids.map((id) => stored.find((one) => one.id === id)?.called ?? id).sort();

let scopes = 0;
const newScope = (): string => `org:closure/ws:w${(scopes += 1)}`;

/** Entities that nothing else names, so that more than one thing rests on another. */
const concluding = (oslo: string): Told[] => [
  {
    name: 'speaks',
    at: '2022-02-01',
    states: ['ent_ann', 'speaks', '=Norwegian'],
    more: { derived_from: [oslo] },
    session: 's6',
  },
];

describe('a closure beside what a cancel leaves', () => {
  it.each([
    ['the only event of a fact', ['rome']],
    ['one of two events of a fact', ['tea']],
    ['both events of a fact', ['tea', 'tea again']],
    ['an event with a conclusion', ['oslo']],
    ['a text', ['text']],
    ['a denial', ['no coffee']],
    ['an event that names two entities', ['bo']],
    ['several at once', ['oslo', 'rome', 'bo', 'text']],
  ])('is the same for %s', async (_what, cancel) => {
    const scope = newScope();
    const ids = await told(service, scope, LOG);
    Object.assign(ids, await told(service, scope, concluding(ids.oslo ?? '')));
    const events = cancel.map((name) => ids[name] ?? '');
    const before = await storedIn(driver, scope);
    const { gone, revised, redacted } = await closure(scope, { events }, 'redact_events');
    expect(redacted).toEqual([...events].sort());
    for (const id of events) await cancelled(service, id, scope);
    const after = await storedIn(driver, scope);
    for (const layer of DERIVED) {
      const [was, is] = [layerOf(before, layer), layerOf(after, layer)];
      const went = [...was.keys()].filter((id) => !is.has(id));
      const changed = [...was].flatMap(([id, { says }]) => (is.get(id)?.says === says ? [] : [id]));
      // What goes on under another id is revised.
      const moved = went.filter((id) => revised[layer].includes(id) && goesOn(was.get(id), is));
      expect([layer, names(before, gone[layer])]).toEqual([
        layer,
        names(
          before,
          went.filter((id) => !moved.includes(id)),
        ),
      ]);
      const unforeseen = changed.filter((id) => !gone[layer].includes(id) && !revised[layer].includes(id));
      expect([layer, names(before, unforeseen)]).toEqual([layer, []]);
    }
  });
});

/** Whether a record is still there, under another id. */
function goesOn(was: Stored | undefined, is: ReadonlyMap<string, Stored>): boolean {
  return was?.layer === 'episodes' || [...is.values()].some(({ called }) => called === was?.called);
}

describe('a closure of derived records', () => {
  const idsOf = (stored: readonly Stored[], layer: Stored['layer'], called: string): string[] =>
    stored.filter((one) => one.layer === layer && one.called === called).map(({ id }) => id);
  let scope: string;
  let events: Record<string, string>;
  let before: Stored[];

  beforeAll(async () => {
    scope = newScope();
    events = await told(service, scope, LOG);
    Object.assign(events, await told(service, scope, concluding(events.oslo ?? '')));
    before = await storedIn(driver, scope);
  });

  it('wishes a fact away from every event that states it, with all that rests on it', async () => {
    const facts = idsOf(before, 'facts', 'Ann likes tea');
    const { wishes, gone, redacted } = await closure(scope, { facts }, 'derived_only');
    expect(redacted).toEqual([]);
    expect(wishes.map(({ event_id, layer }) => [event_id, layer]).sort()).toEqual(
      [events.tea, events['tea again']].map((id) => [id, 'facts']).sort(),
    );
    expect(wishes.every(({ ids }) => ids?.length === 1)).toBe(true);
    expect([names(before, gone.facts), names(before, gone.beliefs)]).toEqual([
      ['Ann likes tea'],
      ['Ann likes tea'],
    ]);
    expect([gone.understanding, gone.episodes, gone.events]).toEqual([[], [], []]);
  });

  it('wishes a belief away and leaves its facts', async () => {
    const beliefs = idsOf(before, 'beliefs', 'Ann likes tea');
    const { wishes, gone, revised } = await closure(scope, { beliefs }, 'none');
    expect(wishes.map(({ layer }) => layer)).toEqual(['beliefs', 'beliefs']);
    expect([gone.facts, names(before, gone.beliefs), names(before, revised.understanding)]).toEqual([
      [],
      ['Ann likes tea'],
      ['ent_ann'],
    ]);
  });

  it('wishes a concept away from all that names its entity, in the role in which it does', async () => {
    const understanding = idsOf(before, 'understanding', 'ent_ann');
    const { wishes, gone } = await closure(scope, { understanding }, 'derived_only');
    const roles = wishes.flatMap(({ event_id, layer, ids }) =>
      (ids ?? []).map((id) => [event_id, layer, id.split('/')[1]]),
    );
    const subject = ['oslo', 'rome', 'tea', 'tea again', 'speaks'].map((name) => [
      events[name],
      'understanding',
      'subject',
    ]);
    expect(roles.sort()).toEqual([...subject, [events.bo, 'understanding', 'object']].sort());
    expect([gone.facts, gone.beliefs, names(before, gone.understanding)]).toEqual([[], [], ['ent_ann']]);
  });

  it('takes the events of an episode out of it', async () => {
    const episodes = idsOf(before, 'episodes', 'episode of 2020-01-01');
    const { wishes, gone } = await closure(scope, { episodes }, 'none');
    expect(wishes).toEqual(
      [events.oslo ?? '', events.tea ?? '']
        .sort()
        .map((event_id) => ({ event_id, layer: 'episodes', ids: null })),
    );
    expect([gone.facts, gone.episodes]).toEqual([[], episodes]);
  });

  it('takes all that events come to, under derived_only, and nothing of them under none', async () => {
    const selected = { events: [events.oslo ?? ''] };
    const { wishes, gone } = await closure(scope, selected, 'derived_only');
    expect(wishes.map(({ layer, ids }) => [layer, ids])).toEqual([
      ['episodes', null],
      ['facts', null],
    ]);
    // What was concluded from the event itself stands: the event is there.
    expect(names(before, gone.facts)).toEqual(['Ann lives_in Oslo']);
    expect(names(before, gone.understanding)).toEqual(['ent_oslo']);
    const none = await closure(scope, selected, 'none');
    expect([none.wishes, none.gone, none.revised]).toEqual([[], NONE, NONE]);
  });

  it('redacts the events that a derived record rests on', async () => {
    const facts = idsOf(before, 'facts', 'Ann likes tea');
    const { redacted, gone, wishes } = await closure(scope, { facts }, 'redact_events');
    const both = [events.tea ?? '', events['tea again'] ?? ''].sort();
    expect([redacted, gone.events, wishes]).toEqual([both, both, []]);
    expect(names(before, gone.episodes)).toEqual(['episode of 2021-05-01']);
  });

  it('reaches conclusions in other scopes, apart from its own', async () => {
    const other = newScope();
    const [rome = ''] = idsOf(before, 'facts', 'Ann lives_in Rome');
    await told(service, other, [
      {
        name: 'warm',
        at: '2022-03-01',
        states: ['ent_rome', 'is', '=warm'],
        more: { derived_from: [rome] },
      },
    ]);
    const there = await storedIn(driver, other);
    const { gone, elsewhere } = await closure(scope, { facts: [rome] }, 'derived_only');
    expect(names(there, elsewhere.gone.facts)).toEqual(['Rome is warm']);
    expect(names(there, elsewhere.gone.understanding)).toEqual(['ent_rome']);
    expect([names(before, gone.facts), names(before, gone.understanding)]).toEqual([
      ['Ann lives_in Rome'],
      ['ent_rome'],
    ]);
  });

  it('names what links moved by every id that it has', async () => {
    const linked = newScope();
    const ids = await told(service, linked, [
      { name: 'robert', at: '2020-01-01', states: ['ent_robert', 'likes', '=tea'] },
      { name: 'bob', at: '2020-01-02', states: ['ent_bob', 'likes', '=tea'] },
    ]);
    const link = { scope: linked, entity: 'ent_bob', same_as: 'ent_robert' };
    expect((await service.post('/v1/entities/link', link)).json.status).toBe('applied');
    const span = { ref: scopeRef('default', linked), through: 1_000_000 };
    const asked = { layers: ['facts'] as const, selector: { about_subject: 'ent_bob' } };
    const { facts } = await reader.select(span, asked);
    const stored = await storedIn(driver, linked);
    expect([...facts].sort()).toEqual([...layerOf(stored, 'facts').keys()].sort());
    const now = idsOf(stored, 'facts', 'ent_robert likes tea');
    const { wishes, gone } = await closure(linked, { facts: now }, 'none');
    expect(wishes.map(({ event_id, ids: all }) => [event_id, all?.length])).toEqual([
      [ids.robert, 1],
      [ids.bob, 2],
    ]);
    expect([...gone.facts].sort()).toEqual([...facts].sort());
  });

  it('has a digest that new events leave as it is unless they touch what goes', async () => {
    const facts = idsOf(before, 'facts', 'Ann likes tea');
    const digest = async (): Promise<string> => digestOf(await closure(scope, { facts }, 'derived_only'));
    const first = await digest();
    await told(service, scope, [
      { name: 'milk', at: '2023-02-01', states: ['ent_ann', 'likes', '=milk'] },
      { name: 'more text', at: '2023-02-02' },
    ]);
    expect(await digest()).toBe(first);
    await told(service, scope, [
      { name: 'tea once more', at: '2023-03-01', states: ['ent_ann', 'likes', '=tea'] },
    ]);
    expect(await digest()).not.toBe(first);
  });
});
