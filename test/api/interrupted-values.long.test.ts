import type { Driver } from 'neo4j-driver';

import { testDriver } from '../support/database.ts';
import { derivedDump, unlike } from '../support/derived-dump.ts';
import { statement } from '../support/facts.ts';
import { allDerived } from '../support/rebuild.ts';
import { startTestService, type TestService } from '../support/service.ts';

// What interrupts a value, and what ends it, says the same over both transports, live and after a rebuild.

const SCOPE = 'org:interrupted/ws:one';

let service: TestService;
let driver: Driver;
/** When each statement was recorded, in the order of their sending. */
const recorded: string[] = [];

const say = async (subject: string, city: string, valid: Record<string, string>): Promise<void> => {
  const body = statement(SCOPE, [`ent_${subject}`, 'lives in', `ent_${city}`], valid);
  const { status, json } = await service.post('/v1/experience?wait=consolidated', body);
  expect(status).toBe(202);
  recorded.push(json.recorded_at);
};

beforeAll(async () => {
  service = await startTestService({});
  driver = testDriver();
  await say('ann', 'trieste', { valid_from: '2015-01-10' });
  await say('ann', 'udine', { valid_from: '2016-03-01', valid_to: '2016-05-01' });
  await say('bob', 'paris', { valid_from: '2020-01-01' });
  await say('bob', 'london', { valid_from: '2022-01-01' });
  await say('bob', 'rome', { valid_from: '2021-01-01' });
  await allDerived(driver);
});
afterAll(async () => {
  await service.stop();
  await driver.close();
});

const DAY = 'T00:00:00.000Z';
const [BEFORE, GAP, AFTER] = [`2015-06-01${DAY}`, `2016-04-01${DAY}`, `2018-01-01${DAY}`];
const [TRIESTE, UDINE, END] = [`2015-01-10${DAY}`, `2016-03-01${DAY}`, `2016-05-01${DAY}`];

/** A fact in short: object, valid from and to, recorded to, and the object of the fact that took its place. */
type Short = readonly [string, string, string | null, string | null, string | null];
interface Stretch {
  readonly object: string;
  readonly from: string;
  readonly to: string | null;
}

/** What a transport answers. */
interface Transport {
  readonly facts: (subject: string, at: string | null, ended?: boolean) => Promise<Short[]>;
  readonly timeline: (subject: string, limit: number) => Promise<Stretch[]>;
  readonly stances: (about: string, at: string | null) => Promise<Record<string, string>>;
}

/** Facts in the order of valid time, with names for ids. */
function inShort(items: readonly any[], all: readonly any[]): Short[] {
  const objectOf = new Map(all.map(({ id, object }) => [id, object.id as string]));
  return items
    .map(({ id, from, to, until, by }): Short => [
      objectOf.get(id) ?? '',
      from,
      to,
      until,
      by && (objectOf.get(by) ?? ''),
    ])
    .sort(([, a], [, b]) => (a < b ? -1 : 1));
}

const REST: Transport = {
  facts: async (subject, at, ended = false) => {
    const list = async (query: string): Promise<any[]> =>
      (await service.get(`/v1/facts?scope=${SCOPE}&subject=ent_${subject}${query}`)).json.items;
    const when = `${at === null ? '' : `&as_of_valid=${at}`}${ended ? '&include_superseded=1' : ''}`;
    const items = (await list(when)).map(
      ({ id, valid_from: from, valid_to: to, recorded_to: until, superseded_by }) => ({
        ...{ id, from, to, until },
        by: superseded_by ?? null,
      }),
    );
    return inShort(items, await list('&include_superseded=1'));
  },
  timeline: async (subject, limit) => {
    const found: Stretch[] = [];
    for (let cursor = ''; ;) {
      const { json } = await service.get(
        `/v1/facts/timeline?scope=${SCOPE}&subject=ent_${subject}&limit=${limit}${cursor}`,
      );
      found.push(
        ...json.items.map(({ object, valid_from: from, valid_to: to }: any) => ({
          object: object.id,
          from,
          to,
        })),
      );
      if (!json.has_more) return found;
      cursor = `&cursor=${json.next_cursor}`;
    }
  },
  stances: async (about, at) => {
    const { json } = await service.get(
      `/v1/beliefs?scope=${SCOPE}&about=ent_${about}${at === null ? '' : `&as_of_valid=${at}`}`,
    );
    return Object.fromEntries(json.items.map(({ object, stance }: any) => [object.id, stance]));
  },
};

async function ask(text: string, variables: Record<string, unknown>): Promise<any> {
  const { json } = await service.post('/graphql', { query: text, variables: { scope: SCOPE, ...variables } });
  expect(json.errors).toBeUndefined();
  return json.data;
}

const GRAPHQL: Transport = {
  facts: async (subject, at, ended = false) => {
    const list = async (variables: Record<string, unknown>): Promise<any[]> => {
      const { facts } = await ask(
        `query ($scope: String!, $subject: String!, $at: DateTime, $ended: Boolean) {
           facts(scope: $scope, subject: $subject, asOf: {valid: $at}, includeSuperseded: $ended) {
             nodes { id object { ... on EntityTerm { id } } from: validFrom to: validTo until: recordedTo supersededBy { id } } } }`,
        { subject: `ent_${subject}`, ...variables },
      );
      return facts.nodes;
    };
    const items = (await list({ at, ended })).map(({ supersededBy, ...fact }) => ({
      ...fact,
      by: supersededBy?.id ?? null,
    }));
    return inShort(items, await list({ ended: true }));
  },
  timeline: async (subject, first) => {
    const found: Stretch[] = [];
    for (let after: string | null = null; ;) {
      const { factTimeline } = await ask(
        `query ($scope: String!, $subject: String!, $first: Int, $after: String) {
           factTimeline(scope: $scope, subject: $subject, first: $first, after: $after) {
             nodes { object { ... on EntityTerm { id } } from: validFrom to: validTo } pageInfo { hasNextPage endCursor } } }`,
        { subject: `ent_${subject}`, first, after },
      );
      const { nodes, pageInfo } = factTimeline;
      found.push(...nodes.map(({ object, from, to }: any) => ({ object: object.id, from, to })));
      if (pageInfo.hasNextPage !== true) return found;
      after = pageInfo.endCursor;
    }
  },
  stances: async (about, at) => {
    const { beliefs } = await ask(
      `query ($scope: String!, $about: String!, $at: DateTime) {
         beliefs(scope: $scope, about: $about, asOf: {valid: $at}) { nodes { object { ... on EntityTerm { id } } stance } } }`,
      { about: `ent_${about}`, at },
    );
    return Object.fromEntries(
      beliefs.nodes.map(({ object, stance }: any) => [object.id, String(stance).toLowerCase()]),
    );
  },
};

/** Expects both stories of one transport. */
async function expectStories({ facts, timeline, stances }: Transport): Promise<void> {
  const ann = 'ent_trieste';
  expect(await facts('ann', null)).toEqual([[ann, END, null, null, null]]);
  expect(await facts('ann', BEFORE)).toEqual([[ann, TRIESTE, UDINE, null, null]]);
  expect(await facts('ann', GAP)).toEqual([['ent_udine', UDINE, END, null, null]]);
  expect(await facts('ann', AFTER)).toEqual([[ann, END, null, null, null]]);
  expect(await facts('ann', GAP, true)).toEqual([
    [ann, TRIESTE, UDINE, null, null],
    ['ent_udine', UDINE, END, null, null],
  ]);
  for (const limit of [50, 1, 2])
    expect(await timeline('ann', limit)).toEqual([
      { object: ann, from: TRIESTE, to: UDINE },
      { object: 'ent_udine', from: UDINE, to: END },
      { object: ann, from: END, to: null },
    ]);
  expect((await stances('ann', BEFORE))[ann]).toBe('supported');
  expect(await stances('ann', GAP)).toEqual({ ent_trieste: 'contradicted', ent_udine: 'supported' });
  expect((await stances('ann', AFTER))[ann]).toBe('supported');
  expect((await stances('ann', null))[ann]).toBe('supported');
  const [, , , london, rome] = recorded;
  expect(await facts('bob', null, true)).toEqual([
    ['ent_paris', `2020-01-01${DAY}`, `2021-01-01${DAY}`, rome, 'ent_rome'],
    ['ent_rome', `2021-01-01${DAY}`, `2022-01-01${DAY}`, rome, 'ent_london'],
    ['ent_london', `2022-01-01${DAY}`, null, null, null],
  ]);
  expect(london).not.toBe(rome);
}

describe.each([
  ['REST', REST],
  ['GraphQL', GRAPHQL],
])('over %s', (_name, transport) => {
  it('a value that was interrupted goes on, and what ended one is named with its own instant', () =>
    expectStories(transport));
});

it('a fact by id shows the interval at the instant, of one that lies behind its interruption the first', async () => {
  const [fact] = (await service.get(`/v1/facts?scope=${SCOPE}&subject=ent_ann`)).json.items;
  const at = async (query: string): Promise<unknown[]> => {
    const { status, json } = await service.get(`/v1/facts/${fact.id}${query}`);
    return [status, json.valid_from, json.valid_to];
  };
  expect(await at('')).toEqual([200, END, null]);
  expect(await at(`?as_of_valid=${BEFORE}`)).toEqual([200, TRIESTE, UDINE]);
  expect((await at(`?as_of_valid=${GAP}`))[0]).toBe(404);
  expect(await at(`?as_of_recorded=${recorded[0] ?? ''}`)).toEqual([200, TRIESTE, null]);
});

it('the records of the claim are found by every stretch that they hold in', async () => {
  const held = async (stretch: string): Promise<string[]> => {
    const { json } = await service.get(`/v1/claims?scope=${SCOPE}&subject=ent_ann&valid_during=${stretch}`);
    return json.items.map(({ valid_from }: any) => valid_from).sort();
  };
  expect(await held('2015-02-01..2015-03-01')).toEqual([TRIESTE]);
  expect(await held('2016-03-15..2016-04-15')).toEqual([UDINE]);
  expect(await held('2017-02-01..2017-03-01')).toEqual([END]);
});

it('is the same to the byte after a rebuild', async () => {
  const before = await derivedDump(driver);
  const { status } = await service.post('/v1/admin/derived/rederive', { scope: SCOPE });
  expect(status).toBe(202);
  await allDerived(driver);
  expect(unlike(before, await derivedDump(driver))).toEqual({ lost: [], new: [] });
  await expectStories(REST);
  await expectStories(GRAPHQL);
});
