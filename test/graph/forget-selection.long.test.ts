import type { Driver } from 'neo4j-driver';

import { FORGET_LAYERS, type ForgetLayer } from '../../schemas/forget.ts';
import { DeploymentStore } from '../../graph/deployment.ts';
import type { Database, Reader } from '../../graph/driver.ts';
import { ForgetReader } from '../../graph/forget/reader.ts';
import { boltParameters, type Params, type Statement } from '../../graph/statement.ts';
import { scopeRef } from '../../src/capture/scope-key.ts';
import { KeyedIds } from '../../src/derive/keyed-ids.ts';
import type { Selector } from '../../src/forget/selector.ts';
import { cancelled } from '../support/cancel.ts';
import { patientDatabase, testDriver } from '../support/database.ts';
import { statement } from '../support/facts.ts';
import { allDerived } from '../support/rebuild.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { LOG, storedIn, told } from './forget-log.ts';

// What each selector matches in each layer of a small log; beside it the same log stands in another scope, and in one below.

const SCOPE = 'org:forget/ws:here';
const OTHERS = ['org:forget/ws:there', `${SCOPE}/project:below`];
const END = Date.parse('9999-01-01');

let service: TestService;
let driver: Driver;
let database: Database;
let reader: ForgetReader;
let ids: KeyedIds;
/** What ids are called, of this scope alone. */
const called = new Map<string, string>();
const events: Record<string, string> = {};

beforeAll(async () => {
  service = await startTestService();
  driver = testDriver();
  database = patientDatabase();
  const { secret, digits } = await new DeploymentStore(database).idSecret();
  ids = new KeyedIds(secret, digits);
  reader = new ForgetReader(database, ids);
  for (const scope of OTHERS) await told(service, scope, LOG);
  Object.assign(events, await told(service, SCOPE, LOG));
  for (const [name, id] of Object.entries(events)) called.set(id, name);
  for (const { id, called: name } of await storedIn(driver, SCOPE)) called.set(id, name);
});

afterAll(async () => {
  await service.stop();
  await database.close();
  await driver.close();
});

/** What a selector matches, as people call it; what is not of this scope keeps its id. */
async function matched(
  selector: Selector,
  layers: readonly ForgetLayer[] = FORGET_LAYERS,
): Promise<Record<ForgetLayer, string[]>> {
  const selected = await reader.select(
    { ref: scopeRef('default', SCOPE), through: 1_000_000 },
    { layers, selector },
  );
  return Object.fromEntries(
    FORGET_LAYERS.map((layer) => [layer, selected[layer].map((id) => called.get(id) ?? id).sort()]),
  ) as Record<ForgetLayer, string[]>;
}

const idOf = (name: string): string => [...called].find(([, known]) => known === name)?.[0] ?? '';
const from = (day: string): number => Date.parse(`${day}T00:00:00Z`);

const OSLO = 'Ann lives_in Oslo';
const ROME = 'Ann lives_in Rome';
const TEA = 'Ann likes tea';
const KNOWS = 'Bo knows Ann';
const COFFEE = 'Bo likes coffee';
const EPISODES = ['2020-01-01', '2021-05-01', '2022-01-01', '2023-01-01', '2023-01-02'].map(
  (day) => `episode of ${day}`,
);
const NOTHING = { events: [], episodes: [], facts: [], beliefs: [], understanding: [] };
const everything = () => ({
  events: Object.keys(events).sort(),
  episodes: EPISODES,
  facts: [KNOWS, TEA, OSLO, ROME].sort(),
  beliefs: [KNOWS, COFFEE, TEA, OSLO, ROME].sort(),
  understanding: ['ent_ann', 'ent_bo', 'ent_oslo', 'ent_rome'],
});

describe('a selector', () => {
  it('that asks nothing matches everything of the scope, and of the layers that are asked for', async () => {
    expect(await matched({})).toEqual(everything());
    expect(await matched({}, ['beliefs'])).toEqual({ ...NOTHING, beliefs: everything().beliefs });
  });

  it('with an empty list matches nothing', async () => {
    expect(await matched({ memory_ids: [] })).toEqual(NOTHING);
    expect(await matched({ labels: [] })).toEqual(NOTHING);
  });

  it('by ids matches records of any layer, of this scope alone', async () => {
    const wanted = ['rome', TEA, COFFEE, 'ent_oslo', 'episode of 2020-01-01'];
    const there = [...(await storedIn(driver, OTHERS[0] ?? '')).map(({ id }) => id)];
    expect(
      await matched({ memory_ids: [...wanted.map(idOf), ...there.slice(0, 20), 'evt_unknown'] }),
    ).toEqual({
      events: ['rome'],
      facts: [TEA],
      beliefs: [COFFEE],
      understanding: ['ent_oslo'],
      episodes: ['episode of 2020-01-01'],
    });
  });

  it.each(['ent_ann', 'Ann', ' ANN '])(
    'by the subject %j matches what is stated about it',
    async (about_subject) => {
      expect(await matched({ about_subject })).toEqual({
        ...NOTHING,
        events: ['oslo', 'rome', 'tea', 'tea again'],
        episodes: ['episode of 2020-01-01', 'episode of 2021-05-01'],
        facts: [TEA, OSLO, ROME].sort(),
        beliefs: [TEA, OSLO, ROME].sort(),
        understanding: ['ent_ann'],
      });
    },
  );

  it.each(['ent_bo', 'bo'])(
    'by the subject %j matches events that have it as their own',
    async (about_subject) => {
      const { events: found, facts, beliefs, understanding } = await matched({ about_subject });
      expect(found).toEqual(['bo', 'no coffee', 'text']);
      expect([facts, beliefs, understanding]).toEqual([[KNOWS], [KNOWS, COFFEE].sort(), ['ent_bo']]);
    },
  );

  it('by an entity matches objects and labels too', async () => {
    expect(await matched({ about_entity: 'Ann' }, ['events', 'facts', 'beliefs'])).toEqual({
      ...NOTHING,
      events: ['bo', 'oslo', 'rome', 'tea', 'tea again', 'text'],
      facts: [KNOWS, TEA, OSLO, ROME].sort(),
      beliefs: [KNOWS, TEA, OSLO, ROME].sort(),
    });
    expect(await matched({ about_entity: 'ent_oslo' })).toEqual({
      ...NOTHING,
      events: ['oslo'],
      facts: [OSLO],
      beliefs: [OSLO],
      understanding: ['ent_oslo'],
    });
    expect((await matched({ about_entity: 'note' })).events).toEqual(['text']);
  });

  it('by a predicate matches facts, beliefs and events, and what rests on such events alone', async () => {
    expect(await matched({ predicates: ['likes'] })).toEqual({
      ...NOTHING,
      events: ['no coffee', 'tea', 'tea again'],
      episodes: ['episode of 2021-05-01', 'episode of 2023-01-02'],
      facts: [TEA],
      beliefs: [COFFEE, TEA].sort(),
    });
    expect((await matched({ predicates: ['lives_in'] })).understanding).toEqual(['ent_oslo', 'ent_rome']);
  });

  it('by labels matches events that carry all of them, and what rests on such events alone', async () => {
    expect(await matched({ labels: ['type:home'] })).toEqual({
      events: ['oslo', 'rome', 'tea again'],
      episodes: ['episode of 2021-05-01'],
      facts: [OSLO, ROME],
      beliefs: [OSLO, ROME],
      understanding: ['ent_oslo', 'ent_rome'],
    });
    expect((await matched({ labels: ['type:home', 'ticket:ent_oslo'] })).events).toEqual(['oslo']);
  });

  it('by valid time matches what was observed or begins in it', async () => {
    const valid_during = { from: from('2020-01-02'), to: from('2022-01-01') };
    expect(await matched({ valid_during })).toEqual({
      ...NOTHING,
      events: ['tea', 'tea again'],
      episodes: ['episode of 2021-05-01'],
      facts: [TEA],
      beliefs: [TEA],
    });
  });

  it('by recorded time matches what was recorded in it', async () => {
    expect(await matched({ recorded_during: { from: 0, to: END } })).toEqual(everything());
    expect(await matched({ recorded_during: { from: 0, to: from('2020-01-01') } })).toEqual(NOTHING);
  });

  it('matches what meets all of its conditions', async () => {
    expect(await matched({ about_subject: 'Ann', predicates: ['likes'] })).toEqual({
      ...NOTHING,
      events: ['tea', 'tea again'],
      episodes: ['episode of 2021-05-01'],
      facts: [TEA],
      beliefs: [TEA],
    });
    expect(await matched({ about_subject: 'Ann', labels: ['type:taste'] }, ['events', 'facts'])).toEqual({
      ...NOTHING,
      events: ['tea'],
    });
    expect(
      await matched({ memory_ids: [idOf('tea'), idOf('rome')], predicates: ['likes'] }, ['events']),
    ).toEqual({
      ...NOTHING,
      events: ['tea'],
    });
  });

  it('matches up to an offset of the log', async () => {
    const ref = scopeRef('default', SCOPE);
    const all = (await service.get(`/v1/events?scope=${SCOPE}`)).json.items;
    const offset = all.find(({ id }: { id: string }) => id === events.tea).wal_offset;
    const { events: found, facts } = await reader.select(
      { ref, through: offset },
      { layers: FORGET_LAYERS, selector: {} },
    );
    expect([found.map((id) => called.get(id)).sort(), facts.map((id) => called.get(id)).sort()]).toEqual([
      ['oslo', 'tea'],
      [TEA, OSLO].sort(),
    ]);
  });

  it('matches events that were cancelled, whose content is there still, and no redacted ones', async () => {
    await cancelled(service, events['no coffee'], SCOPE);
    expect((await matched({ predicates: ['likes'] }, ['events'])).events).toEqual([
      'no coffee',
      'tea',
      'tea again',
    ]);
    expect((await matched({}, ['beliefs'])).beliefs).not.toContain(COFFEE);
  });
});

/** Reads as the database does, and counts what the server touches for it. */
class Touches implements Reader {
  hits = 0;

  async read<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    const profiled = statement.text.replace('\n', '\nPROFILE ');
    const { summary } = await driver.executeQuery(profiled, boltParameters(params), { database: 'neo4j' });
    if (summary.profile === false) throw new Error(`${statement.name} was not profiled`);
    this.hits += hitsOf(summary.profile);
    return database.read(statement, params);
  }
}

interface Profile {
  readonly dbHits: number;
  readonly children: readonly Profile[];
}

function hitsOf({ dbHits, children }: Profile): number {
  return children.reduce((sum, child) => sum + hitsOf(child), dbHits);
}

it('finds all about somebody by as much reading among many scopes as among a few', async () => {
  const touched = async (): Promise<number> => {
    const touches = new Touches();
    const span = { ref: scopeRef('default', SCOPE), through: 1_000_000 };
    const selector = { about_entity: 'ent_ann' };
    const found = await new ForgetReader(touches, ids).select(span, { layers: FORGET_LAYERS, selector });
    expect(found.events).not.toEqual([]);
    return touches.hits;
  };
  const few = await touched();
  const items = Array.from({ length: 400 }, (_, i) =>
    statement(`org:forget/ws:other${i}`, ['ent_ann', 'likes', 'ent_tea']),
  );
  expect((await service.post('/v1/experience/bulk', { items })).json).toMatchObject({ accepted: 400 });
  await allDerived(driver);
  expect(await touched()).toBeLessThanOrEqual(few * 1.2);
});
