import { cancelled } from '../support/cancel.ts';
import { claimOf } from '../support/contradict.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

type Policy = 'latest_wins' | 'highest_confidence' | 'keep_both';

async function scopeWith(policy: Policy, path = `user:${policy}`): Promise<string> {
  const made = await service.post('/v1/scopes', { path, policies: { conflict_resolution: policy } });
  expect(made.status).toBe(201);
  return path;
}

async function change(path: string, policy: Policy): Promise<void> {
  const body = { policies: { conflict_resolution: policy } };
  expect((await service.request('PUT', `/v1/scopes?path=${path}`, { body })).status).toBe(200);
}

async function state(scope: string, value: string, more: Record<string, unknown> = {}): Promise<string> {
  const { status, json } = await service.post(
    '/v1/experience?wait=consolidated',
    claimOf(scope, value, more),
  );
  expect(status).toBe(202);
  return json.event_id;
}

/** The values in force, by the reading of one claim and by that of all facts of the scope. */
async function values(scope: string, more = ''): Promise<string[]> {
  const read = async (query: string): Promise<string[]> => {
    const { json } = await service.get(`/v1/facts?scope=${scope}${query}${more}`);
    return json.items.map(({ object }: any) => object.value).sort();
  };
  const found = await read('&subject=ent_priya&predicate=lives_in');
  expect(await read('')).toEqual(found);
  return found;
}

async function stances(scope: string): Promise<Record<string, string>> {
  const { json } = await service.get(`/v1/beliefs?scope=${scope}`);
  return Object.fromEntries(json.items.map(({ object, stance }: any) => [object.value, stance]));
}

const open = async (scope: string): Promise<number> =>
  (await service.get(`/v1/conflicts?scope=${scope}`)).json.total;

describe('what picks between values that are stated for the same time', () => {
  it('is the latest, unless the scope says something else', async () => {
    const scope = await scopeWith('latest_wins');
    await state(scope, 'Paris', { confidence: 0.9 });
    await state(scope, 'London', { confidence: 0.5 });
    expect([await values(scope), await open(scope)]).toEqual([['London'], 1]);
  });

  it('is the surest one by highest_confidence, as long as it stands', async () => {
    const scope = await scopeWith('highest_confidence');
    const paris = await state(scope, 'Paris', { confidence: 0.9 });
    await state(scope, 'London', { confidence: 0.5 });
    expect([await values(scope), await open(scope)]).toEqual([['Paris'], 1]);
    expect(await stances(scope)).toEqual({ Paris: 'supported' });
    await state(scope, 'Rome', { confidence: 0.9 });
    expect(await values(scope)).toEqual(['Rome']);
    // Later is no contradiction: it supersedes, however unsure.
    await state(scope, 'Oslo', { valid_from: '2026-06-01', confidence: 0.1 });
    expect(await values(scope)).toEqual(['Oslo']);
    expect(await values(scope, '&as_of_valid=2026-03-01T00:00:00Z')).toEqual(['Rome']);
    const rome = (await service.get(`/v1/events?scope=${scope}&limit=2`)).json.items[1].id;
    await cancelled(service, rome, scope);
    expect(await values(scope, '&as_of_valid=2026-03-01T00:00:00Z')).toEqual(['Paris']);
    await cancelled(service, paris, scope);
    expect(await values(scope, '&as_of_valid=2026-03-01T00:00:00Z')).toEqual(['London']);
  });

  it('is by highest_confidence what all that says it makes surest; the fact says how sure, then and now', async () => {
    const scope = await scopeWith('highest_confidence', 'user:together');
    await state(scope, 'Paris', { confidence: 0.1 });
    await state(scope, 'London', { confidence: 0.5 });
    expect(await values(scope)).toEqual(['London']);
    await state(scope, 'Paris', { confidence: 0.9 });
    expect(await values(scope)).toEqual(['Paris']);
    // What returns is a fact of its own, which the first statement does not carry; from here on it is carried by two.
    const confidences = async (query: string): Promise<number[]> =>
      (await service.get(`/v1/facts?scope=${scope}${query}`)).json.items.map((one: any) => one.confidence);
    expect(await confidences('')).toEqual([0.9]);
    await state(scope, 'Paris', { confidence: 0.1 });
    // Beta(1 + 2 (0.9 + 0.1 / 2), 1), as the belief in it.
    expect(await confidences('')).toEqual([0.74359]);
    const beliefs = (await service.get(`/v1/beliefs?scope=${scope}&min_confidence=0.7`)).json.items;
    expect(beliefs.map((one: any) => one.stance)).toEqual(['supported']);
    expect(await values(scope, '&min_confidence=0.74')).toEqual(['Paris']);
    expect(await values(scope, '&min_confidence=0.75')).toEqual([]);
    const [fact] = (await service.get(`/v1/facts?scope=${scope}`)).json.items;
    expect(await confidences(`&as_of_recorded=${fact.recorded_from}`)).toEqual([0.9]);
  });

  it('is nothing of which its source is not sure at all, by any policy, where something else is stated', async () => {
    for (const policy of ['latest_wins', 'highest_confidence', 'keep_both'] as const) {
      const scope = await scopeWith(policy, `user:unsure_${policy}`);
      await state(scope, 'Bern', { confidence: 0 });
      expect(await values(scope)).toEqual(['Bern']);
      await state(scope, 'Paris', { confidence: 1 });
      await state(scope, 'London', { confidence: 0 });
      await state(scope, 'Paris', { confidence: 0, polarity: 'negative' });
      await state(scope, 'Rome', { confidence: 0, valid_from: '2026-06-01' });
      expect([policy, await values(scope), await open(scope)]).toEqual([policy, ['Paris'], 0]);
    }
  });

  it('is something of which its source is not sure at all where nothing surer is stated, by any policy', async () => {
    const expected = {
      2011: 'Bern',
      2013: '',
      2016: 'Rome',
      2020: 'Paris',
      2022: 'Paris',
      2023: 'Rome',
      2025: 'Oslo',
    };
    for (const policy of ['latest_wins', 'highest_confidence', 'keep_both'] as const) {
      const scope = await scopeWith(policy, `user:elsewhere_${policy}`);
      await state(scope, 'Bern', { confidence: 0, valid_from: '2010-01-01', valid_to: '2012-01-01' });
      await state(scope, 'Rome', { confidence: 0, valid_from: '2015-01-01' });
      await state(scope, 'Paris', { confidence: 1, valid_from: '2020-01-01', valid_to: '2023-01-01' });
      await state(scope, 'London', { confidence: 0, valid_from: '2021-01-01' });
      await state(scope, 'Oslo', { confidence: 0, valid_from: '2024-01-01' });
      const found: Record<string, string> = {};
      for (const year of Object.keys(expected))
        found[year] = (await values(scope, `&as_of_valid=${year}-06-01T00:00:00Z`)).join();
      expect([policy, found]).toEqual([policy, expected]);
    }
  });

  it('is nobody by keep_both: they stand beside one another', async () => {
    const scope = await scopeWith('keep_both');
    await state(scope, 'Paris');
    await state(scope, 'London');
    expect([await values(scope), await open(scope)]).toEqual([['London', 'Paris'], 1]);
    expect(await stances(scope)).toEqual({ Paris: 'uncertain', London: 'uncertain' });
    const [conflict] = (await service.get(`/v1/conflicts?scope=${scope}`)).json.conflicts;
    const { id: winner } = conflict.records.find(({ object }: any) => object === 'Paris');
    const settled = await service.post(`/v1/conflicts/${conflict.id}/resolve`, { action: 'pick', winner });
    expect(settled.status).toBe(200);
    expect(await values(scope)).toEqual(['Paris']);
    expect(await stances(scope)).toEqual({ Paris: 'supported', London: 'contradicted' });
  });

  it('goes by what the scope stated when it was captured', async () => {
    const scope = 'user:changing';
    await service.post('/v1/scopes', { path: scope });
    await state(scope, 'Paris', { confidence: 0.9 });
    await state(scope, 'London', { confidence: 0.5 });
    await change(scope, 'highest_confidence');
    expect(await values(scope)).toEqual(['London']);
    const rome = await state(scope, 'Rome', { confidence: 0.3 });
    expect(await values(scope)).toEqual(['London']);
    await change(scope, 'latest_wins');
    await state(scope, 'Bern', { confidence: 0.1 });
    expect(await values(scope)).toEqual(['Bern']);
    // Replayed from the beginning, it comes to the same.
    await cancelled(service, rome, scope);
    expect(await values(scope)).toEqual(['Bern']);
  });

  it('is inherited by the scopes below', async () => {
    const scope = 'user:keep_both/app:notes';
    await state(scope, 'Paris');
    await state(scope, 'London');
    expect(await values(scope)).toEqual(['London', 'Paris']);
  });
});
