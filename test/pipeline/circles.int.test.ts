import type { Driver } from 'neo4j-driver';

import { factsOf, statement } from '../support/facts.ts';
import type { Answer } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { expectProblem } from '../api/problem.ts';

let service: SharedService;
let driver: Driver;

beforeAll(() => {
  service = sharedService();
  driver = service.driver();
});
afterAll(async () => {
  await driver.close();
});

/** A scope that no other file has: stored rows are looked up by scope, and those of all tenants are there. */
const own = (name: string): string => `org:${service.tenant}-${name}`;

const state = (scope: string, subject: string, value: string, premises: string[] = []): object =>
  statement(scope, [subject, 'state', `=${value}`], premises.length === 0 ? {} : { derived_from: premises });

async function say(scope: string, subject: string, value: string, premises: string[] = []): Promise<string> {
  const answer = await service.post(
    '/v1/experience?wait=consolidated',
    state(scope, subject, value, premises),
  );
  expect([answer.status, answer.text]).toEqual([202, answer.text]);
  return (await factOf(scope, subject)).id;
}

async function factOf(scope: string, subject: string): Promise<{ id: string }> {
  const found = (await factsOf(driver, scope)).findLast((fact) => fact.subject === subject);
  if (found === undefined) throw new Error(`no fact about ${subject}`);
  return found;
}

async function beliefAbout(scope: string, subject: string): Promise<string> {
  return (await service.get(`/v1/beliefs?scope=${scope}&about=${subject}`)).json.items[0].id;
}

const refused = (answer: Answer, index: number): void => {
  expectProblem(answer, {
    status: 422,
    code: 'INVALID_BODY',
    field: `content.triple.derived_from[${index}]`,
  });
  expect(answer.json.details.reason).toBe('rests on what is concluded from it');
};

describe('a conclusion that would rest on itself', () => {
  it('is refused for a fact and a belief of its own claim, of whatever value', async () => {
    const scope = own('circle-own');
    const fact = await say(scope, 'ent_a', 'fine');
    const elsewhere = await say(scope, 'ent_b', 'fine');
    const belief = await beliefAbout(scope, 'ent_a');
    refused(await service.post('/v1/experience', state(scope, 'ent_a', 'fine', [fact])), 0);
    refused(await service.post('/v1/experience', state(scope, 'ent_a', 'broken', [elsewhere, belief])), 1);
  });

  it('is refused over any number of steps, also through other scopes', async () => {
    const scope = own('circle-chain');
    let last = await say(scope, 'ent_0', 'fine');
    for (let i = 1; i < 6; i += 1)
      last = await say(i === 3 ? own('circle-other') : scope, `ent_${i}`, 'fine', [last]);
    refused(await service.post('/v1/experience', state(scope, 'ent_0', 'fine', [last])), 0);
    const belief = await beliefAbout(scope, 'ent_5');
    refused(await service.post('/v1/experience', state(scope, 'ent_1', 'fine', [belief])), 0);
    await say(scope, 'ent_6', 'fine', [last]);
  });

  it('is not refused once what it rested on was taken out', async () => {
    const scope = own('circle-gone');
    const first = await say(scope, 'ent_a', 'fine');
    const second = await service.post(
      '/v1/experience?wait=consolidated',
      state(scope, 'ent_b', 'fine', [first]),
    );
    const concluded = await factOf(scope, 'ent_b');
    refused(await service.post('/v1/experience', state(scope, 'ent_a', 'fine', [concluded.id])), 0);
    const belief = await beliefAbout(scope, 'ent_b');
    await service.post(`/v1/lifecycle/memory-event/${second.json.event_id}/cancel`);
    await say(scope, 'ent_b', 'fine');
    await say(scope, 'ent_a', 'worn', [belief]);
  });

  it('is refused of a bulk whose items would rest on one another', async () => {
    const scope = own('circle-bulk');
    const [a, b] = [await say(scope, 'ent_a', 'fine'), await say(scope, 'ent_b', 'fine')];
    const items = [state(scope, 'ent_a', 'worn', [b]), state(scope, 'ent_b', 'worn', [a])];
    const { status, json } = await service.post('/v1/experience/bulk', { items });
    expect([status, json.accepted]).toEqual([207, 1]);
    expect(json.failures).toMatchObject([
      { index: 1, error_code: 'INVALID_BODY', details: { field_path: 'content.triple.derived_from[0]' } },
    ]);
  });
});

describe('what a triple may say', () => {
  const values: [string, unknown][] = [
    ['string', '42'],
    ['integer', 42],
    ['number', 42.5],
    ['number', 1.7976931348623157e308],
    ['integer', 9007199254740991],
    ['number', -0.0000001],
    ['string', '1e400'],
    ['string', 'Zażółć gęślą jaźń 🚀'],
    ['string', 'e\u0301'],
    ['boolean', false],
    ['date', '0001-01-01'],
    ['date', '9999-12-31'],
    ['datetime', '2026-02-01T12:00:00.123456+05:30'],
    ['color', { r: 1, g: [2, null] }],
    ['nothing', null],
  ];

  it('is any value of any datatype, which comes back as it was', async () => {
    const scope = own('datatypes');
    const items = values.map(([datatype, value], i) => ({
      scope,
      modality: 'observation',
      content: {
        kind: 'triple',
        triple: {
          subject: { type: 'entity', id: `ent_${i}`, name: `Ünïcode ${i} 名前` },
          predicate: 'has value',
          object: { type: 'literal', datatype, value },
        },
      },
    }));
    const sent = await service.post('/v1/experience/bulk?wait=consolidated', { items });
    expect([sent.status, sent.text]).toEqual([202, sent.text]);
    const { json } = await service.get(`/v1/facts?scope=${scope}`);
    const found = new Map(json.items.map(({ subject, object }: any) => [subject.id, object]));
    values.forEach(([datatype, value], i) => {
      expect(found.get(`ent_${i}`)).toEqual({ type: 'literal', datatype, value });
    });
    expect(
      (await service.get(`/v1/facts?scope=${scope}&subject=${encodeURIComponent('Ünïcode 7 名前')}`)).json
        .items,
    ).toHaveLength(1);
  });

  it('is a number and a text that looks like it as two values, an integer and the same number as one', async () => {
    const scope = own('lookalikes');
    const say2 = (datatype: string, value: unknown, valid_from: string) =>
      service.post('/v1/experience?wait=consolidated', {
        scope,
        modality: 'observation',
        content: {
          kind: 'triple',
          triple: {
            subject: { type: 'entity', id: 'ent_a' },
            predicate: 'size',
            object: { type: 'literal', datatype, value },
            valid_from,
          },
        },
      });
    await say2('integer', 42, '2020-01-01');
    await say2('number', 42, '2021-01-01');
    expect(await factsOf(driver, scope)).toHaveLength(1);
    await say2('string', '42', '2022-01-01');
    expect(await factsOf(driver, scope)).toHaveLength(2);
  });

  it('is of an entity about itself', async () => {
    const scope = own('itself');
    const sent = statement(scope, ['ent_ada', 'knows', 'ent_ada']);
    expect((await service.post('/v1/experience?wait=consolidated', sent)).status).toBe(202);
    expect((await service.get(`/v1/entities/ent_ada/edges?scope=${scope}`)).json.items).toHaveLength(1);
  });
});
