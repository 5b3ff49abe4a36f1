import { cancelled } from '../support/cancel.ts';
import { current, declare, factsIn, say } from '../support/declared.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { ask } from './graphql/ask.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

describe('a declared belief about what is stated too', () => {
  const about = { subject: 'ent_ada', predicate: 'lives in' };
  type Told = 'stated' | 'declared';

  async function tell(told: Told, scope: string, value: string, valid_from: string): Promise<void> {
    if (told === 'stated') await say(service, scope, `=${value}`, { valid_from });
    else await declare(service, scope, { ...about, statement: value, valid_from });
  }

  const told = async (scope: string, query = ''): Promise<string[]> => {
    const { json } = await service.get(`/v1/facts?scope=${scope}&include_superseded=1${query}`);
    return json.items
      .map(
        ({ object, extractor, valid_from, valid_to }: any) =>
          `${object.value} ${extractor} ${valid_from.slice(0, 4)}-${valid_to?.slice(0, 4) ?? ''}`,
      )
      .sort();
  };
  const stances = async (scope: string): Promise<Record<string, string>> => {
    const { json } = await service.get(`/v1/beliefs?scope=${scope}&about=ent_ada`);
    return Object.fromEntries(json.items.map(({ object, stance }: any) => [object.value, stance]));
  };
  const conflicts = async (scope: string): Promise<any[]> =>
    (await service.get(`/v1/conflicts?scope=${scope}&status=all`)).json.conflicts;

  it.each<[string, Told, Told, boolean]>([
    ['a stated older one', 'stated', 'declared', false],
    ['a declared older one, by a stated newer', 'declared', 'stated', false],
    ['a stated older one that is told later', 'stated', 'declared', true],
    ['a declared older one that is told later', 'declared', 'stated', true],
  ])('closes, or is closed as, %s', async (_what, older, newer, isReversed) => {
    const scope = `org:declared-rule/user:${older}_${newer}_${isReversed}`;
    const steps = [
      () => tell(older, scope, 'Paris', '2020-01-01'),
      () => tell(newer, scope, 'London', '2022-01-01'),
    ];
    for (const step of isReversed ? steps.reverse() : steps) await step();
    const by = (one: Told): string => (one === 'stated' ? 'triple' : 'declared');
    expect(await told(scope)).toEqual([`London ${by(newer)} 2022-`, `Paris ${by(older)} 2020-2022`]);
    expect(await stances(scope)).toEqual({ London: 'supported', Paris: 'contradicted' });
    expect(await conflicts(scope)).toEqual([]);
    const [fact] = await factsIn(service, scope);
    expect(fact.object.value).toBe('London');
    const old = (await service.get(`/v1/facts?scope=${scope}&as_of_valid=2021-01-01T00:00:00Z`)).json.items;
    expect(old.map(({ object }: any) => object.value)).toEqual(['Paris']);
    if (isReversed) return;
    expect(old[0].superseded_by).toBe(fact.id);
    expect((await service.get(`/v1/facts/${old[0].superseded_by}`)).json).toEqual(fact);
    const frames = (await service.get(`/v1/lifecycle?events=consolidated&event_id=${fact.supports[0]}`)).json;
    expect(frames.items[0].data.facts_superseded).toMatchObject([{ old: old[0].id, new: fact.id }]);
    const before = `&as_of_recorded=${encodeURIComponent(new Date(Date.parse(fact.recorded_from) - 1).toISOString())}`;
    expect(await told(scope, before)).toEqual([`Paris ${by(older)} 2020-`]);
    await cancelled(service, fact.supports[0], scope);
    expect(await told(scope)).toEqual([`Paris ${by(older)} 2020-`]);
    expect(await stances(scope)).toEqual({ Paris: 'supported' });
  });

  it('closes an older value once, and not again where that is stated once more', async () => {
    const scope = 'org:declared-once';
    await tell('stated', scope, 'Berlin', '2020-01-01');
    await tell('stated', scope, 'Hamburg', '2026-01-01');
    const [hamburg] = await factsIn(service, scope);
    const again = await say(service, scope, '=Berlin', { valid_from: '2021-01-01' });
    const supersededBy = async (event: string): Promise<any[] | undefined> =>
      (await service.get(`/v1/lifecycle?events=consolidated&event_id=${event}`)).json.items[0].data
        .facts_superseded;
    const [old] = (await service.get(`/v1/facts?scope=${scope}&as_of_valid=2021-01-01T00:00:00Z`)).json.items;
    expect(await supersededBy(hamburg.supports[0])).toMatchObject([{ old: old.id, new: hamburg.id }]);
    expect(await supersededBy(again)).toBeUndefined();
    // It is known how sure the older one is by now, and that it ends where it did.
    expect(old).toMatchObject({ confidence: 0.8, superseded_by: hamburg.id });
    expect(old.supports).toHaveLength(2);
  });

  it('opens a conflict with what is stated for the same time, which may be settled for it', async () => {
    const scope = 'org:declared-conflict';
    await tell('declared', scope, 'Paris', '2020-01-01');
    await tell('stated', scope, 'London', '2020-01-01');
    const [conflict, ...others] = await conflicts(scope);
    expect([conflict.status, others]).toEqual(['open', []]);
    const record = (value: string): any => conflict.records.find(({ object }: any) => object === value);
    expect([record('Paris').extractor, record('London').extractor]).toEqual(['declared', 'triple']);
    expect(await stances(scope)).toEqual({ London: 'supported', Paris: 'contradicted' });
    const resolution = { action: 'pick', winner: record('Paris').id, reason: 'asked her' };
    expect((await service.post(`/v1/conflicts/${conflict.id}/resolve`, resolution)).status).toBe(200);
    expect(await told(scope)).toEqual(['London triple 2020-2020', 'Paris declared 2020-']);
    expect(await stances(scope)).toMatchObject({ Paris: 'supported' });
    const records = (await service.get(`/v1/claims?scope=${scope}`)).json.records;
    expect(records.map(({ object, extractor }: any) => [object, extractor])).toEqual([['Paris', 'declared']]);
  });

  it('of the same value is one fact and one belief, with both as evidence', async () => {
    const scope = 'org:declared-same';
    const event = await say(service, scope, '=Paris', { valid_from: '2020-01-01', confidence: 0.5 });
    const [stated] = (await service.get(`/v1/beliefs?scope=${scope}`)).json.items;
    const belief = await declare(service, scope, { ...about, statement: 'Paris', valid_from: '2021-01-01' });
    expect(belief.id).toBe(stated.id);
    const [fact, ...others] = await factsIn(service, scope);
    expect(others).toEqual([]);
    expect(fact.supports).toHaveLength(2);
    const word = fact.supports.find((id: string) => id !== event);
    expect(belief.supports).toEqual([
      expect.objectContaining({ type: 'fact', id: fact.id, weight: 0.25 }),
      expect.objectContaining({ type: 'event', id: word, weight: 0.9 }),
    ]);
    await cancelled(service, event, scope);
    expect((await current(service, belief.id)).supports).toMatchObject([
      { type: 'event', id: word, weight: 0.9 },
    ]);
    expect((await factsIn(service, scope)).map(({ supports }: any) => supports)).toEqual([[word]]);
  });

  it('stands beside others where the predicate has many values', async () => {
    const scope = 'org:declared-many';
    const likes = { subject: 'ent_ada', predicate: 'likes', valid_from: '2020-01-01' };
    for (const statement_ of ['Tea', 'Chess'])
      await declare(service, scope, { ...likes, statement: statement_ });
    expect(await told(scope)).toEqual(['Chess declared 2020-', 'Tea declared 2020-']);
    expect(await stances(scope)).toEqual({ Chess: 'supported', Tea: 'supported' });
  });

  it('may name a value of its own claim as a reason, which adds nothing', async () => {
    const scope = 'org:declared-own';
    await tell('stated', scope, 'Paris', '2020-01-01');
    const [paris] = await factsIn(service, scope);
    const more = { ...about, supports: [paris.id], valid_from: '2021-01-01' };
    const same = await declare(service, scope, { ...more, statement: 'Paris', confidence: 0.5 });
    expect(same.supports.map(({ id, weight }: any) => [id, weight])).toEqual([
      [paris.id, 1],
      [expect.stringMatching(/^evt_/), 0.25],
    ]);
    const other = await declare(service, scope, { ...more, statement: 'London', confidence: 0.5 });
    expect(other.supports).toMatchObject([{ type: 'event', weight: 0.5, polarity: 'supports' }]);
    expect(
      (await factsIn(service, scope)).map(({ object, premises }: any) => [object.value, premises]),
    ).toEqual([['London', undefined]]);
  });

  it('is recalled once in each layer, and says until when it held', async () => {
    const scope = 'org:declared-pack';
    await tell('declared', scope, 'Lima', '2020-01-01');
    await tell('stated', scope, 'Oslo', '2022-01-01');
    const recalled = async (query: string, more: object = {}): Promise<any> =>
      (await service.post('/v1/recall', { scope, query, ...more })).json;
    const now = await recalled('Where does ent_ada live, Oslo or Lima?');
    expect(now.layers.facts.map(({ object }: any) => object.value)).toEqual(['Oslo']);
    const events = now.context_block.split('\n---\n').filter((line: string) => line.includes('Lima'));
    expect(events).toEqual([expect.stringContaining('(until 2022-01-01')]);
    await tell('declared', scope, 'Rome', '2023-01-01');
    const { layers } = await recalled('Where does ent_ada live, in Rome?', { include_superseded: true });
    for (const layer of ['facts', 'beliefs', 'events']) {
      const found = layers[layer].filter((one: object) => JSON.stringify(one).includes('Rome'));
      expect([layer, found.length]).toEqual([layer, 1]);
    }
  });

  it('is told over GraphQL as over REST', async () => {
    const scope = 'org:declared-told';
    await tell('stated', scope, 'Paris', '2020-01-01');
    await tell('declared', scope, 'London', '2022-01-01');
    const { data, errors } = await ask(
      service,
      `{ facts(scope: "${scope}", includeSuperseded: true) { nodes { extractor validTo object { ... on LiteralTerm { value } } } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.facts.nodes).toEqual([
      { extractor: 'declared', validTo: null, object: { value: 'London' } },
      { extractor: 'triple', validTo: '2022-01-01T00:00:00.000Z', object: { value: 'Paris' } },
    ]);
  });
});
