import { claimOf } from '../support/contradict.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { ask } from './graphql/ask.ts';
import { expectPlainText, expectProblem } from './problem.ts';

let service: SharedService;
const SCOPE = 'user:claims';
let recorded: string[];

beforeAll(async () => {
  service = sharedService();
  recorded = [];
  for (const [value, more] of [
    ['Paris', { valid_from: '2010-01-01' }],
    ['London', { valid_from: '2015-06-01' }],
    ['Rome', { valid_from: '2015-06-01', confidence: 0.5 }],
    ['Bern', { valid_from: '2020-01-01', valid_to: '2021-01-01' }],
  ] as const) {
    const said = await service.post('/v1/experience?wait=consolidated', claimOf(SCOPE, value, more));
    expect(said.status).toBe(202);
    recorded.push(said.json.recorded_at);
  }
  const tea = claimOf(SCOPE, 'tea', { predicate: 'likes', valid_from: undefined });
  expect((await service.post('/v1/experience?wait=consolidated', tea)).status).toBe(202);
});

async function claims(query: string): Promise<any[]> {
  const { status, json, text } = await service.get(`/v1/claims?scope=${SCOPE}&${query}`);
  expect([status, text]).toEqual([200, text]);
  expect(json.records).toEqual(json.items);
  return json.records;
}
const values = async (query: string): Promise<string[]> =>
  (await claims(`predicate=lives_in&${query}`)).map(({ object }) => object).reverse();
const at = (index: number): string => encodeURIComponent(recorded[index]!);

describe('claims', () => {
  it('are what is true now, record by record', async () => {
    expect((await claims('')).map(({ object }) => object)).toEqual(['tea', 'Rome']);
    expect(await claims('predicate=likes')).toEqual([
      {
        id: expect.stringMatching(/^fact_/),
        event_id: expect.stringMatching(/^evt_/),
        subject: 'ent_priya',
        predicate: 'likes',
        object: 'tea',
        redacted: false,
        valid_from: expect.stringMatching(/Z$/),
        valid_from_basis: 'observed',
        valid_to: null,
        valid_to_basis: null,
        recorded_from: expect.stringMatching(/Z$/),
        recorded_to: null,
        status: 'active',
        supersedes: null,
        source_authority: 'user:local',
        extractor: 'triple',
        confidence: 1,
      },
    ]);
  });

  it.each([
    ['2009', []],
    ['2010', ['Paris']],
    ['2015-05', ['Paris']],
    ['2015-06', ['Rome']],
    ['2020-07-01', ['Bern']],
    ['2020-12-31T23:59:59.999Z', ['Bern']],
    ['2021', ['Rome']],
  ])('are what was true in %s', async (instant, wanted) => {
    expect(await values(`valid_as_of=${instant}`)).toEqual(wanted);
  });

  it('are what was known at an instant', async () => {
    expect(await values(`valid_as_of=2022&known_as_of=${at(0)}`)).toEqual(
      recorded[0] === recorded[1] ? ['London'] : ['Paris'],
    );
    expect(await values('known_as_of=2020')).toEqual([]);
  });

  it('are what was true in a stretch', async () => {
    expect(await values('valid_during=2014..2016')).toEqual(['Paris', 'Rome']);
    expect(await values('valid_during=2014..2015')).toEqual(['Paris']);
    expect(await values('valid_during=..2011')).toEqual(['Paris']);
    expect(await values('valid_during=2019..')).toEqual(['Rome', 'Bern']);
    expect(await values('valid_during=2021..')).toEqual(['Rome']);
  });

  it('are what was the newest value in a stretch of recorded time', async () => {
    const last = encodeURIComponent(new Date(Date.parse(recorded[3]!) + 1).toISOString());
    expect(await values(`valid_during=..&recorded_during=..2020`)).toEqual([]);
    const newest = await values(`valid_during=..&recorded_during=${at(3)}..${last}`);
    expect(newest).toContain('Bern');
    expect(newest).not.toContain('Paris');
  });

  it('go on page by page', async () => {
    const all = await claims('valid_during=..');
    const one = (await service.get(`/v1/claims?scope=${SCOPE}&valid_during=..&limit=2`)).json;
    const two = (
      await service.get(`/v1/claims?scope=${SCOPE}&valid_during=..&limit=50&cursor=${one.next_cursor}`)
    ).json;
    expect([...one.records, ...two.records]).toEqual(all);
    expect([one.has_more, two.has_more]).toEqual([true, false]);
  });

  it('have a history, displaced records too, with what contradicts what', async () => {
    const { json } = await service.get(
      `/v1/claims/history?scope=${SCOPE}&subject=ent_priya&predicate=Lives%20in`,
    );
    expect(json.claim).toEqual({ scope: SCOPE, subject: 'ent_priya', predicate: 'lives_in' });
    expect(json.history).toEqual(json.items);
    const [bern, rome, london, paris] = json.history;
    expect(
      json.history.map((record: any) => [
        record.object,
        record.status,
        record.valid_to?.slice(0, 7) ?? null,
        record.valid_to_basis,
      ]),
    ).toEqual([
      ['Bern', 'active', '2021-01', 'stated'],
      ['Rome', 'active', null, null],
      ['London', 'displaced', '2015-06', 'observed'],
      ['Paris', 'superseded', '2015-06', 'observed'],
    ]);
    expect(bern.supersedes).toBeNull();
    expect([london.id, paris.id]).toContain(rome.supersedes);
    const open = (await service.get(`/v1/conflicts?scope=${SCOPE}`)).json.conflicts;
    expect(json.conflicts).toEqual(open);
    expect(open).toHaveLength(1);
  });

  it('have an empty history where nothing is known', async () => {
    const { json } = await service.get('/v1/claims/history?scope=user:nowhere&subject=ent_x&predicate=Likes');
    expect(json).toEqual({
      claim: { scope: 'user:nowhere', subject: 'ent_x', predicate: 'likes' },
      items: [],
      history: [],
      conflicts: [],
      has_more: false,
    });
  });

  it('tell of declared beliefs', async () => {
    const scope = 'user:claims-declared';
    const declared = await service.post('/v1/beliefs', {
      scope,
      statement: 'It is so.',
      confidence: 1,
      subject: 'ent_a',
    });
    expect(declared.status).toBe(201);
    expect((await service.get(`/v1/claims?scope=${scope}`)).json.records).toMatchObject([
      {
        subject: 'ent_a',
        predicate: 'asserts',
        object: 'It is so.',
        extractor: 'declared',
        status: 'active',
      },
    ]);
  });

  it('are the same over GraphQL', async () => {
    const { data, errors } = await ask(
      service,
      `{ claims(scope: "${SCOPE}", predicate: "lives_in", validDuring: "2019..") { nodes { object validToBasis status } pageInfo { hasNextPage } }
         claimHistory(scope: "${SCOPE}", subject: "ent_priya", predicate: "lives_in") { claim { predicate } nodes { object } conflicts { status } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.claims.nodes.map(({ object }: any) => object)).toEqual(['Bern', 'Rome']);
    expect(data.claimHistory.nodes).toHaveLength(4);
    expect(data.claimHistory.conflicts).toEqual([{ status: 'open' }]);
  });

  it.each([
    ['valid_as_of=soon', 'valid_as_of'],
    ['valid_as_of=2023-13', 'valid_as_of'],
    ['known_as_of=23', 'known_as_of'],
    ['valid_during=2020', 'valid_during'],
    ['valid_during=2020..2019', 'valid_during'],
    ['valid_during=2020..2020', 'valid_during'],
    ['valid_during=a..b', 'valid_during'],
    ['recorded_during=1..2..3', 'recorded_during'],
    ['valid_as_of=2020&valid_during=2020..', 'valid_during'],
    ['known_as_of=2020&recorded_during=2020..', 'recorded_during'],
    ['as_of=2020', 'as_of'],
  ])('refuse %s', async (query, field) => {
    expectProblem(await service.get(`/v1/claims?scope=${SCOPE}&${query}`), {
      status: 400,
      code: 'INVALID_QUERY',
      field,
    });
  });

  it('ask for a scope, and the history for a subject and a predicate', async () => {
    expectPlainText(await service.get('/v1/claims'), 400, /scope/);
    expectPlainText(await service.get(`/v1/claims/history?scope=${SCOPE}`), 400, /subject/);
    expectPlainText(
      await service.get(`/v1/claims/history?scope=${SCOPE}&subject=ent_priya`),
      400,
      /predicate/,
    );
  });
});
