import { cancelled } from '../support/cancel.ts';
import type { Answer } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { ask } from './graphql/ask.ts';
import { openConflict, stateParts, type Open, type Part } from './open-conflict.ts';
import { expectProblem } from './problem.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const state = (scope: string, ...parts: Part[]): Promise<string[]> => stateParts(service, scope, ...parts);
const open = (scope: string, ...parts: Part[]): Promise<Open> => openConflict(service, scope, ...parts);
const all = async (scope: string): Promise<any> =>
  (await service.get(`/v1/conflicts?scope=${scope}&status=all`)).json;
const resolve = (id: string, body: object): Promise<Answer> =>
  service.post(`/v1/conflicts/${id}/resolve`, body);

async function settle(id: string, body: object): Promise<any> {
  const { status, json, text } = await resolve(id, body);
  expect([status, text]).toEqual([200, text]);
  return json;
}

/** What is true, as value and beginning and end in years, as known now or at an instant. */
async function timeline(scope: string, query = ''): Promise<string[]> {
  const { json } = await service.get(`/v1/facts/timeline?scope=${scope}&subject=ent_priya${query}`);
  return json.items.map(
    ({ value, valid_from, valid_to }: any) =>
      `${value} ${valid_from.slice(0, 4)}-${valid_to?.slice(0, 4) ?? ''}`,
  );
}

async function stances(scope: string): Promise<Record<string, string>> {
  const { json } = await service.get(`/v1/beliefs?scope=${scope}`);
  return Object.fromEntries(json.items.map(({ object, stance }: any) => [object.value, stance]));
}

describe('picking a value', () => {
  it('makes it hold, whatever came last, and beliefs and frames say so', async () => {
    const scope = 'user:pick';
    const { id, records } = await open(scope, ['Paris'], ['London']);
    expect(await timeline(scope)).toEqual(['London 2026-']);
    const settled = await settle(id, { action: 'pick', winner: records.Paris, reason: 'She said so.' });
    expect(settled).toMatchObject({
      id,
      status: 'manually_resolved',
      resolved_by: expect.stringMatching(/^evt_/),
      resolved_at: expect.stringMatching(/Z$/),
      resolution: { action: 'pick', winner: records.Paris, reason: 'She said so.' },
    });
    expect((await service.get(`/v1/conflicts/${id}`)).json).toEqual(settled);
    expect(settled.records.map(({ object, status }: any) => [object, status])).toEqual([
      ['Paris', 'active'],
      ['London', 'displaced'],
    ]);
    expect(await timeline(scope)).toEqual(['Paris 2026-']);
    expect(await stances(scope)).toEqual({ Paris: 'supported', London: 'contradicted' });
    const known = encodeURIComponent(settled.detected_at);
    expect(await timeline(scope, `&as_of_recorded=${known}`)).toEqual(['London 2026-']);
    const frames = (await service.get(`/v1/lifecycle?event_id=${settled.resolved_by}&events=consolidated`))
      .json.items;
    expect(frames[0].data).toMatchObject({ conflicts_resolved: 1, derived: { facts: [] } });
    expect(frames[0].data.beliefs_updated).toBe(2);
    const event = (await service.get(`/v1/events/${settled.resolved_by}`)).json;
    expect(event).toMatchObject({
      modality: 'feedback',
      content: {
        kind: 'conflict_resolution',
        conflict_resolution: { conflict_id: id, action: 'pick', displaces: [records.London] },
      },
    });
  });

  it('is undone with its event', async () => {
    const scope = 'user:pick-undone';
    const { id, records } = await open(scope, ['Paris'], ['London']);
    const { resolved_by } = await settle(id, { action: 'pick', winner: records.Paris });
    await cancelled(service, resolved_by, scope);
    expect(await timeline(scope)).toEqual(['London 2026-']);
    expect((await service.get(`/v1/conflicts/${id}`)).json).toMatchObject({
      status: 'open',
      resolution: null,
      resolved_by: null,
    });
    await settle(id, { action: 'pick', winner: records.London });
    expect(await timeline(scope)).toEqual(['London 2026-']);
  });

  it('counts only as long as what it decided for is stated', async () => {
    const scope = 'user:pick-gone';
    const [paris] = await state(scope, ['Paris'], ['London']);
    const { conflicts } = await all(scope);
    const { id } = conflicts[0].records.find(({ object }: any) => object === 'Paris');
    await settle(conflicts[0].id, { action: 'pick', winner: id });
    expect(await timeline(scope)).toEqual(['Paris 2026-']);
    await cancelled(service, paris, scope);
    expect(await timeline(scope)).toEqual(['London 2026-']);
    expect((await all(scope)).total).toBe(0);
  });

  it('is opened again by new evidence of the other value only', async () => {
    const scope = 'user:pick-again';
    const { id, records } = await open(scope, ['Paris'], ['London']);
    await settle(id, { action: 'pick', winner: records.Paris });
    await state(scope, ['Paris']);
    expect((await all(scope)).conflicts.map(({ status }: any) => status)).toEqual(['manually_resolved']);
    await state(scope, ['London']);
    const { conflicts } = await all(scope);
    expect(conflicts.map(({ status }: any) => status)).toEqual(['open', 'manually_resolved']);
    expect(conflicts[0].id).not.toBe(id);
  });

  it('settles owners of one thing, of whom the subject is the value', async () => {
    const scope = 'user:owners';
    const items = ['ent_ines', 'ent_marcus'].map((subject) => ({
      scope,
      modality: 'observation',
      content: {
        kind: 'triple',
        triple: {
          subject: { type: 'entity', id: subject },
          predicate: 'owner of',
          object: { type: 'entity', id: 'ent_billing' },
          valid_from: '2026-01-01',
        },
      },
    }));
    await service.post('/v1/experience/bulk?wait=consolidated', { items });
    const { conflicts } = await all(scope);
    const [first] = conflicts[0].records;
    await settle(conflicts[0].id, { action: 'pick', winner: first.id });
    const facts = (await service.get(`/v1/facts?scope=${scope}`)).json.items;
    expect(facts.map(({ subject }: any) => subject.id)).toEqual(['ent_ines']);
  });
});

describe('the other ways to settle', () => {
  it('splits the time', async () => {
    const scope = 'user:split';
    const { id, records } = await open(
      scope,
      ['Paris', { valid_from: '2020-01-01' }],
      ['London', { valid_from: '2020-01-01' }],
    );
    const settled = await settle(id, {
      action: 'split',
      boundary: '2023-01-01',
      earlier: records.London,
      later: records.Paris,
    });
    expect(settled.resolution).toEqual({
      action: 'split',
      boundary: '2023-01-01',
      earlier: records.London,
      later: records.Paris,
    });
    expect(await timeline(scope)).toEqual(['London 2020-2023', 'Paris 2023-']);
    await state(scope, ['Paris', { valid_from: '2024-01-01' }]);
    expect((await all(scope)).conflicts.map(({ status }: any) => status)).toEqual(['manually_resolved']);
    const facts = (await service.get(`/v1/facts?scope=${scope}`)).json.items;
    expect(facts[0]).toMatchObject({
      extractor: 'resolution',
      supports: [settled.resolved_by, expect.any(String)],
    });
  });

  it('takes new information in place of all, or of what it disagrees with', async () => {
    const scope = 'user:news';
    const first = await open(scope, ['Paris'], ['London']);
    const record = { object: { type: 'literal', datatype: 'string', value: 'Rome' }, confidence: 0.8 };
    await settle(first.id, { action: 'new_information', record });
    expect(await timeline(scope)).toEqual(['Rome 2026-']);
    expect(await stances(scope)).toEqual({
      // Of what came in the same commit as London nothing was ever believed.
      London: 'contradicted',
      Rome: 'supported',
    });

    const other = 'user:news-dated';
    const second = await open(
      other,
      ['Paris', { valid_from: '2020-01-01', valid_to: '2024-01-01' }],
      ['London', { valid_from: '2022-01-01' }],
    );
    const dated = {
      object: { type: 'literal', datatype: 'string', value: 'London' },
      valid_from: '2024-01-01',
    };
    await settle(second.id, { action: 'new_information', record: dated });
    expect(await timeline(other)).toEqual(['Paris 2020-2024', 'London 2024-']);
  });

  it('takes new information about a name as about the entity of the scope that goes by it', async () => {
    const scope = 'user:news-named';
    const literal = (value: string): object => ({ type: 'literal', datatype: 'string', value });
    const billing = { type: 'entity', id: 'ent_billing' };
    const item = (id: string, name: string, predicate: string, object: object): object => {
      const triple = { subject: { type: 'entity', id, name }, predicate, object, valid_from: '2026-01-01' };
      return { scope, modality: 'observation', content: { kind: 'triple', triple } };
    };
    const items = [
      item('ent_a', 'Ann', 'lives in', literal('Paris')),
      item('ent_a', 'Ann', 'lives in', literal('London')),
      item('ent_b', 'Bo', 'owner of', billing),
      item('ent_c', 'Cleo', 'owner of', billing),
      item('ent_d', 'Dan', 'likes', literal('tea')),
    ];
    await service.post('/v1/experience/bulk?wait=consolidated', { items });
    const { conflicts } = await all(scope);
    const idOf = (predicate: string): string => conflicts.find((one: any) => one.predicate === predicate).id;
    const action = 'new_information';
    const record = (name: string, more: object = {}): object => ({ subject: literal(name), ...more });
    const rome = { object: literal('Rome') };
    const elsewhere = await resolve(idOf('lives_in'), { action, record: record('Bo', rome) });
    expectProblem(elsewhere, { status: 422, code: 'INVALID_BODY' });
    expect(elsewhere.json.details).toMatchObject({ field_path: 'record.subject' });
    await settle(idOf('lives_in'), { action, record: record(' ANN', rome) });
    await settle(idOf('owner_of'), { action, record: record('Dan') });
    const facts = (await service.get(`/v1/facts?scope=${scope}`)).json.items;
    expect(facts.map(({ subject, predicate }: any) => `${subject.id} ${predicate}`).sort()).toEqual([
      'ent_a lives_in',
      'ent_d likes',
      'ent_d owner_of',
    ]);
    const entities = (await service.get(`/v1/entities?scope=${scope}`)).json.items;
    const ids = ['ent_a', 'ent_b', 'ent_billing', 'ent_c', 'ent_d'];
    expect(entities.map(({ id }: any) => id).sort()).toEqual(ids);
  });

  it('dismisses what is none: what counts stays as it is', async () => {
    const scope = 'user:dismiss';
    const { id } = await open(scope, ['Paris'], ['London']);
    expect(await settle(id, { action: 'dismiss', reason: 'a test' })).toMatchObject({
      status: 'dismissed',
      resolution: { action: 'dismiss' },
    });
    expect(await timeline(scope)).toEqual(['London 2026-']);
    await state(scope, ['Paris']);
    expect((await all(scope)).conflicts.map(({ status }: any) => status)).toEqual(['dismissed']);
  });

  it('takes an empty reason as none', async () => {
    const { id } = await open('user:unreasoned', ['Paris'], ['London']);
    const settled = await settle(id, { action: 'dismiss', reason: '' });
    expect(settled).toMatchObject({ status: 'dismissed', resolution: { action: 'dismiss' } });
    expect(settled.resolution).not.toHaveProperty('reason');
  });

  it('settles a conflict once, also when two come at the same time', async () => {
    const scope = 'user:twice';
    const { id, records } = await open(scope, ['Paris'], ['London']);
    const answers = await Promise.all([
      resolve(id, { action: 'pick', winner: records.Paris }),
      resolve(id, { action: 'pick', winner: records.London }),
    ]);
    const { resolved_by, resolution } = (await service.get(`/v1/conflicts/${id}`)).json;
    const held = Object.entries(records).find(([, record]) => record === resolution.winner)?.[0];
    expect(await timeline(scope)).toEqual([`${held} 2026-`]);
    for (const { status, json } of answers)
      if (status === 200) expect(json.resolved_by).toBe(resolved_by);
      else expect(json.error_code).toBe('CONFLICT_NOT_OPEN');
    const late = await resolve(id, { action: 'dismiss' });
    expectProblem(late, { status: 409, code: 'CONFLICT_NOT_OPEN' });
    expect(late.json.details).toEqual({ status: 'manually_resolved' });
  });

  it('goes over GraphQL too', async () => {
    const { id, records } = await open('user:graphql', ['Paris'], ['London']);
    const { data, errors } = await ask(
      service,
      `mutation ($id: ID!, $winner: String!) { resolveConflict(id: $id, input: {action: pick, winner: $winner}) { status resolution { action winner } } }`,
      { id, winner: records.London },
    );
    expect(errors).toBeUndefined();
    expect(data.resolveConflict).toEqual({
      status: 'manually_resolved',
      resolution: { action: 'pick', winner: records.London },
    });
  });
});

describe('what settles nothing', () => {
  let conflict: Open;
  beforeAll(async () => {
    conflict = await open(
      'user:bad',
      ['Paris', { valid_from: '2020-01-01', valid_to: '2024-01-01' }],
      ['London', { valid_from: '2022-01-01' }],
    );
  });

  it.each<[string, (records: Open['records']) => object, string]>([
    ['no action', () => ({}), 'action'],
    ['an unknown action', () => ({ action: 'merge' }), 'action'],
    ['a pick without a winner', () => ({ action: 'pick' }), 'winner'],
    ['a winner that is a value', () => ({ action: 'pick', winner: 'Paris' }), 'winner'],
    [
      'a pick with a boundary',
      ({ Paris }) => ({ action: 'pick', winner: Paris, boundary: '2023-01-01' }),
      'boundary',
    ],
    [
      'a split with a reason',
      ({ Paris, London }) => ({
        action: 'split',
        boundary: '2023-01-01',
        earlier: Paris,
        later: London,
        reason: 'x',
      }),
      'reason',
    ],
    [
      'a split without a boundary',
      ({ Paris, London }) => ({ action: 'split', earlier: Paris, later: London }),
      'boundary',
    ],
    [
      'a split of one value',
      ({ Paris }) => ({ action: 'split', boundary: '2023-01-01', earlier: Paris, later: Paris }),
      'later',
    ],
    [
      'a boundary before all',
      ({ Paris, London }) => ({ action: 'split', boundary: '2020-01-01', earlier: Paris, later: London }),
      'boundary',
    ],
    [
      'a boundary behind the end',
      ({ Paris, London }) => ({ action: 'split', boundary: '2024-01-01', earlier: London, later: Paris }),
      'boundary',
    ],
    ['new information without a record', () => ({ action: 'new_information' }), 'record'],
    ['a record without an object', () => ({ action: 'new_information', record: {} }), 'record.object'],
    [
      'a record about somebody else',
      () => ({
        action: 'new_information',
        record: { subject: { type: 'entity', id: 'ent_x' }, object: { type: 'entity', id: 'ent_y' } },
      }),
      'record.subject',
    ],
    [
      'a record of another predicate',
      () => ({
        action: 'new_information',
        record: { predicate: 'likes', object: { type: 'entity', id: 'ent_y' } },
      }),
      'record.predicate',
    ],
    [
      'a record of another time',
      () => ({
        action: 'new_information',
        record: { object: { type: 'entity', id: 'ent_y' }, valid_from: '2030-01-01' },
      }),
      'record',
    ],
    [
      'a record that ends before it begins',
      () => ({
        action: 'new_information',
        record: { object: { type: 'entity', id: 'ent_y' }, valid_to: '2010-01-01' },
      }),
      'record.valid_to',
    ],
    ['an unknown field', () => ({ action: 'dismiss', colour: 1 }), 'colour'],
  ])('is %s', async (_what, body, field) => {
    expectProblem(await resolve(conflict.id, body(conflict.records)), {
      status: 422,
      code: 'INVALID_BODY',
      field,
    });
  });

  it.each([undefined, '', 'a test', 'x'.repeat(5000)])(
    'is an unknown conflict, whatever the reason',
    async (reason) => {
      const unknown = await resolve('00000000-0000-8000-8000-000000000000', { action: 'dismiss', reason });
      expectProblem(unknown, { status: 404, code: 'NOT_FOUND' });
    },
  );
});
