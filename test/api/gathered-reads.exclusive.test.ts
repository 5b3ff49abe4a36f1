import { message } from '../support/client.ts';
import { statement } from '../support/facts.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { statementsOf } from './gate/statements.ts';
import { ask } from './graphql/ask.ts';
import { CLOSED, only, say } from './provenance-world.ts';

// How many statements a reading takes, as the metrics of a service that nobody else uses count them.

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ STRATA_V1_MINTER_ENABLE: '1' });
});
afterAll(() => service.stop());

describe('reads by GraphQL are gathered', () => {
  const SCOPE = 'org:parity/user:a';

  beforeAll(async () => {
    const items = Array.from({ length: 40 }, (_, i) => message(SCOPE, `event ${i}`));
    const { status } = await service.post('/v1/experience/bulk?wait=consolidated', { items });
    expect(status).toBe(202);
  });

  /** How often each statement was sent so far. */
  async function statements(): Promise<Map<string, number>> {
    const { text } = await service.get('/v1/admin/metrics');
    const lines = text.matchAll(/^strata_statement_seconds_count\{statement="([^"]+)"\} (\d+)$/gm);
    return new Map([...lines].map(([, name = '', count]) => [name, Number(count)]));
  }

  /** How often a statement was sent while `work` ran: the fewest of three times, since stages of the background ask some of the same. */
  async function sentDuring(name: string, work: () => Promise<unknown>): Promise<number> {
    const sent: number[] = [];
    while (sent.length < 3) {
      const before = (await statements()).get(name) ?? 0;
      await work();
      sent.push(((await statements()).get(name) ?? 0) - before);
    }
    return Math.min(...sent);
  }

  it('events by aliases, and links of a page, are one statement each', async () => {
    const { json } = await service.get(`/v1/events?scope=${SCOPE}&limit=25`);
    const ids: string[] = json.items.map(({ id }: any) => id as string);
    const aliases = ids.map(
      (id, i) => `a${i}: event(id: "${id}") { id trace { stagesCompleted lifecycleEventIds } }`,
    );
    let answer: any;
    const work = async (): Promise<void> => {
      answer = await ask(service, `{ ${aliases.join(' ')} }`);
    };
    expect(await sentDuring('event.by_ids', work)).toBe(1);
    expect(ids.map((_, i) => answer.data[`a${i}`].id)).toEqual(ids);
    expect(await sentDuring('lifecycle.of_events', work)).toBe(1);
    expect(await sentDuring('derivation.progress_by_id', work)).toBe(1);
    expect(answer.data.a0.trace.stagesCompleted).toContain('indexed');
    expect(answer.data.a0.trace.lifecycleEventIds.length).toBeGreaterThan(1);
  });

  it('the events of a page of frames are one statement', async () => {
    const query = '{ lifecycle(first: 100) { nodes { data memoryEvent { id } } } }';
    let answer: any;
    const sent = await sentDuring('event.by_ids', async () => {
      answer = await ask(service, query);
    });
    expect(sent).toBe(1);
    for (const { data, memoryEvent } of answer.data.lifecycle.nodes)
      expect(memoryEvent.id).toBe(data.event_id);
  });
});

it('a graph takes the round trips of one without what is hidden', async () => {
  const { token } = await mintFrom(service, { subject: 'user:stranger' });
  const stranger = { headers: bearer(token, 'user:stranger') };
  const closed = { path: CLOSED, members: [{ actor: 'user:owner', role: 'owner' }] };
  expect((await service.post('/v1/scopes', closed)).status).toBe(201);
  const livesIn = (scope: string, city: string) =>
    say(service, statement(scope, ['ent_bo', 'lives in', city], { valid_from: '2020-01-01' }));
  const [twin, other] = ['org:why/user:twin', 'org:why/user:other'];
  const said = await livesIn(twin, 'ent_paris');
  const paris = await only(service, 'facts', `scope=${twin}`);
  const spare = await livesIn(other, 'ent_rome');
  const rome = await only(service, 'facts', `scope=${other}`);
  await say(service, statement(CLOSED, ['ent_bo', 'pays', 'ent_taxes'], { derived_from: [paris.id] }));
  const sent = async (record: string): Promise<number> => {
    const read = async (): Promise<void> => {
      const { status } = await service.get(`/v1/provenance/${record}?direction=up&depth=4`, stranger);
      expect(status).toBe(200);
    };
    await read();
    return statementsOf(service, read);
  };
  expect(await sent(paris.id)).toBe(await sent(rome.id));
  expect(await sent(said)).toBe(await sent(spare));
});

it('the records of fifty hits of a recall are read together', async () => {
  const scope = 'org:harbour/user:ada';
  const items = Array.from({ length: 30 }, (_, i) => [
    message(scope, `Berth ${i} of the harbour is free`),
    statement(scope, [`ent_harbour_${i}`, 'lies in', 'ent_lisbon'], { valid_from: '2026-01-01' }),
  ]).flat();
  expect((await service.post('/v1/experience/bulk?wait=consolidated', { items })).status).toBe(202);
  const pack = (events: number) => ({
    scope,
    query: 'harbour',
    include: ['events'],
    budgets: { max_events: events, max_tokens: 100_000 },
  });
  const asked = async (events: number): Promise<any> => {
    const { budgets, ...body } = pack(events);
    const input = { ...body, budgets: { maxEvents: events, maxTokens: budgets.max_tokens } };
    const { data, errors } = await ask(
      service,
      `query ($input: RecallInput!) { recall(input: $input) {
        layers { events { id event { id derives { id ... on Fact { predicate } } } } } } }`,
      { input },
    );
    expect(errors).toBeUndefined();
    return data.recall.layers.events;
  };
  const costs: number[] = [];
  for (const events of [5, 50]) {
    let found: any;
    costs.push(await statementsOf(service, async () => (found = await asked(events))));
    expect(found).toHaveLength(events);
    expect(found.flatMap(({ event }: any) => event.derives).length).toBeGreaterThan(events / 5);
  }
  const [few = 0, many = 0] = costs;
  const bare = await statementsOf(service, () => service.post('/v1/recall', pack(50)));
  // More events and what derives from them, and until when statements among the first and among these hold.
  expect(many).toBeLessThanOrEqual(few + 4);
  expect(many - bare).toBeLessThanOrEqual(8);
});
