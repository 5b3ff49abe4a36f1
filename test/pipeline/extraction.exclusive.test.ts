import { EXTRACTION_TRIES } from '../../src/pipeline/extraction-outcome.ts';
import { EXTRACTION_PART_CHARACTERS } from '../../src/pipeline/extraction-input.ts';
import type { Driver } from 'neo4j-driver';

import { partsOf } from '../../src/derive/extraction.ts';
import { query, testDriver } from '../support/database.ts';
import { ModelEndpoint, SIMPLE_MIND, type Reply } from '../support/model-endpoint.ts';
import { message, type Answer } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';

let endpoint: ModelEndpoint;
let service: TestService;
let driver: Driver;

/** How long an answer of the model is waited for: one that is not silent is there by then on any machine. */
const TIMEOUT_MS = 10_000;

const settings = (more: Record<string, string> = {}): Record<string, string> => ({
  STRATA_PIPELINE_POLL_MS: '200',
  STRATA_LLM_URL: endpoint.url,
  STRATA_LLM_MODEL: 'simple-mind',
  STRATA_LLM_EXTRACTION_RETRY_MS: '50',
  STRATA_LLM_EXTRACTION_TIMEOUT_MS: String(TIMEOUT_MS),
  ...more,
});

beforeAll(async () => {
  endpoint = await ModelEndpoint.start();
  endpoint.models = ['simple-mind'];
  service = await startTestService(settings());
  driver = testDriver();
});
afterAll(async () => {
  await driver.close();
  await service.stop();
  await endpoint.stop();
});
beforeEach(() => {
  endpoint.script = SIMPLE_MIND;
  endpoint.requests.length = 0;
});

const capture = (scope: string, text: string, wait: string, more: object = {}): Promise<Answer> =>
  service.post(`/v1/experience?wait=${wait}`, message(scope, text, { ...more }));

const bulk = (items: object[]): Promise<Answer> => service.post('/v1/experience/bulk', { items });

interface Kept {
  extractor: string;
  statements: { triple: any; quote: string; span: { start: number; end: number } }[];
}

async function kept(id: unknown): Promise<Kept | null> {
  const [row] = await query(
    driver,
    'MATCH (x:Extraction {event_id: $id})-[:OF]->(:Event {id: $id}) RETURN x.extractor AS extractor, x.answer AS answer',
    { id },
  );
  return row ? { extractor: row.extractor, ...JSON.parse(row.answer) } : null;
}

async function framesOf(id: unknown): Promise<{ type: string; data: any }[]> {
  const rows = await query(
    driver,
    'MATCH (f:LifecycleEvent {event_id: $id}) RETURN f.type AS type, f.data AS data ORDER BY f.sequence',
    { id },
  );
  return rows.map(({ type, data }) => ({ type, data: data === null ? null : JSON.parse(data) }));
}

const typesOf = async (id: unknown): Promise<string[]> => (await framesOf(id)).map(({ type }) => type).sort();
const statusOf = async (id: unknown): Promise<any> =>
  (await service.get(`/v1/experience/status?event_id=${id as string}`)).json;
const derivationOf = async (scope: string): Promise<any> =>
  (await service.get(`/v1/derivation/status?scope=${scope}`)).json;
const caughtUp = (scope: string): Promise<unknown> =>
  eventually(`${scope} to be caught up`, async () => (await derivationOf(scope)).caught_up === true);

describe('the model of extraction', () => {
  it('is looked for once the service listens, before anything asks it', async () => {
    const found = await eventually('the look', async () => {
      const { json } = await service.get('/v1/admin/ready');
      return json.checks.extraction.status !== 'unknown' && json;
    });
    expect(found).toMatchObject({ degraded: false, checks: { extraction: { ok: true, status: 'up' } } });
    expect(found.checks.extraction.detail).toContain('it lists the model');
    expect([endpoint.listed, endpoint.requests]).toEqual([1, []]);
  });
});

describe('a text', () => {
  it('is extracted from, with the words that say it and where they stand', async () => {
    const text = 'Well 🚀, Ada lives_in Turin now.';
    const { json } = await capture('user:plain', text, 'consolidated');
    const found = await kept(json.event_id);
    expect(found).toMatchObject({
      extractor: 'simple-mind/extract-2',
      statements: [
        {
          triple: {
            subject: { type: 'entity', id: 'ent_ada', name: 'Ada' },
            predicate: 'lives_in',
            object: { type: 'entity', id: 'ent_turin', name: 'Turin' },
          },
          quote: 'Ada lives_in Turin',
        },
      ],
    });
    const { start = 0, end = 0 } = found?.statements[0]?.span ?? {};
    expect(Array.from(text).slice(start, end).join('')).toBe('Ada lives_in Turin');
  });

  it('is quoted by the facts of a recall, whether its event comes too or not', async () => {
    const scope = 'user:quoted';
    await capture(scope, 'Well 🚀, Ada lives_in Turin now.', 'consolidated');
    await service.post('/v1/experience', message(scope, 'Ada waves.'));
    const facts = async (more: object): Promise<unknown[]> => {
      const { json } = await service.post('/v1/recall', { scope, query: 'Where does Ada live?', ...more });
      return json.layers.facts.map(({ quote, polarity, date_basis }: any) => [quote, polarity, date_basis]);
    };
    const whole = [['Ada lives_in Turin', 'positive', 'observed']];
    for (const include of [['facts'], ['events', 'facts']]) expect(await facts({ include })).toEqual(whole);
    expect(await facts({ exclude_content: true })).toEqual([[undefined, 'positive', 'observed']]);
    const [{ supports }] = (await service.get(`/v1/facts?scope=${scope}`)).json.items;
    // Words of an event that says the same too stand in for those of one that is gone.
    await capture(scope, 'So ada lives_in Turin, they say.', 'consolidated');
    await service.post(`/v1/lifecycle/memory-event/${supports[0] as string}/cancel`, {});
    await caughtUp(scope);
    expect(await facts({ include: ['facts'] })).toEqual([['ada lives_in Turin', 'positive', 'observed']]);
  });

  it('speaks of the entities of its scope that have the names it says', async () => {
    const scope = 'user:known';
    const triple = {
      subject: { type: 'entity', id: 'ent_lovelace', name: 'Ada' },
      predicate: 'lives_in',
      object: { type: 'entity', id: 'ent_t', name: 'Turin' },
    };
    await service.post('/v1/experience', {
      scope,
      modality: 'observation',
      content: { kind: 'triple', triple },
    });
    const { json } = await capture(scope, 'Ada waves_at Turin', 'consolidated');
    const { items } = (await service.get(`/v1/facts?scope=${scope}&predicate=waves_at`)).json;
    expect(items.map(({ subject, object }: any) => [subject.id, object.id])).toEqual([
      ['ent_lovelace', 'ent_t'],
    ]);
    // What names stand for is decided behind extraction: its frame tells the ids that they make by themselves.
    const entitiesIn = async (frame: string): Promise<unknown> =>
      (await framesOf(json.event_id)).find(({ type }) => type === frame)?.data.derived.entities;
    expect(await entitiesIn('extracted')).toEqual(['ent_ada', 'ent_turin']);
    expect(await entitiesIn('consolidated')).toEqual(['ent_lovelace', 'ent_t']);
  });

  it('leaves one frame of each stage, which tells what was extracted and by whom', async () => {
    const { json } = await capture('user:frames', 'Ada likes Opera', 'consolidated');
    expect(await typesOf(json.event_id)).toEqual(['captured', 'consolidated', 'extracted', 'indexed']);
    const extracted = (await framesOf(json.event_id)).find(({ type }) => type === 'extracted');
    expect(extracted?.data).toMatchObject({
      derived: { entities: ['ent_ada', 'ent_opera'] },
      statements: 1,
      extractor: 'simple-mind/extract-2',
    });
    expect(await statusOf(json.event_id)).toMatchObject({
      stage: 'consolidated',
      stages_completed: ['captured', 'extracted', 'indexed', 'consolidated'],
    });
  });

  it('is asked about once: sent again with the same key it is not', async () => {
    const more = { idempotency_key: 'once' };
    const first = await capture('user:once', 'Ada owns Boat', 'consolidated', more);
    const asked = endpoint.requests.length;
    const second = await capture('user:once', 'Ada owns Boat', 'consolidated', more);
    expect(second.json.event_id).toBe(first.json.event_id);
    expect(endpoint.texts).toEqual(['Ada owns Boat']);
    expect(endpoint.requests).toHaveLength(asked);
  });

  it('is asked about with others of its scope, eight at most, and never with those of another', async () => {
    const items = Array.from({ length: 30 }, (_, i) =>
      message(i % 2 === 0 ? 'user:even' : 'user:odd', `Ada likes Thing${i}`),
    );
    await bulk(items);
    await caughtUp('user:even');
    await caughtUp('user:odd');
    expect(endpoint.texts.sort()).toEqual(items.map((_, i) => `Ada likes Thing${i}`).sort());
    for (const { items: asked } of endpoint.requests) {
      expect(asked.length).toBeLessThanOrEqual(8);
      expect(new Set(asked.map(({ text }) => Number(/\d+/.exec(text)?.[0]) % 2)).size).toBe(1);
    }
    expect(endpoint.answered.length).toBeLessThan(16);
  });

  it.each<[string, object]>([
    ['wants nothing derived', { directives: { extract: [] } }],
    ['wants only what needs no facts', { directives: { extract: ['episodes'] } }],
    ['is feedback', { modality: 'feedback' }],
    ['is of a modality that nobody knows', { modality: 'dream' }],
    ['is data', { content: { kind: 'json', data: { text: 'Ada owns Secret' } } }],
  ])('that %s is not asked about', async (_what, more) => {
    const { json } = await capture('user:unasked', 'Ada owns Secret', 'consolidated', more);
    expect(endpoint.requests).toEqual([]);
    expect(await kept(json.event_id)).toBeNull();
    expect(await typesOf(json.event_id)).toEqual(['captured', 'consolidated', 'indexed']);
  });

  it('keeps what is sure enough for it', async () => {
    const directives = { confidence_floor: 0.95 };
    const { json } = await capture('user:sure', 'Ada owns Boat', 'consolidated', { directives });
    expect(await kept(json.event_id)).toMatchObject({
      statements: [],
      left_out: ['below the confidence that the event asks for'],
    });
  });

  it('that is long is read in parts, and its words are found where they stand in the whole', async () => {
    const filler = 'Nothing happened on that day. '.repeat(1000);
    const text = `${filler}Ada owns Boat. ${filler}Ben owns House. `;
    const { json } = await capture('user:long', text, 'consolidated');
    const { statements } = (await kept(json.event_id)) ?? { statements: [] };
    expect(statements.map(({ triple }) => triple.subject.name)).toEqual(['Ada', 'Ben']);
    for (const { span, quote } of statements)
      expect(Array.from(text).slice(span.start, span.end).join('')).toBe(quote);
    // Parts are asked about beside one another, and one again where no answer came in time.
    const parts = partsOf(text, EXTRACTION_PART_CHARACTERS);
    expect(new Set(endpoint.texts)).toEqual(new Set(parts.map((part) => part.text)));
  });

  it('takes its extraction with it when its scope is wiped', async () => {
    const { json } = await capture('user:wiped', 'Ada owns Boat', 'consolidated');
    expect(await kept(json.event_id)).not.toBeNull();
    await service.post('/v1/scopes', { path: 'user:wiped' });
    expect((await service.request('DELETE', '/v1/scopes?path=user:wiped&records=forget')).status).toBe(204);
    const rows = await query(driver, 'MATCH (x:Extraction {event_id: $id}) RETURN x', { id: json.event_id });
    expect(rows).toEqual([]);
  });
});

describe('a model that misbehaves', () => {
  const WAYS: [string, Reply, RegExp][] = [
    ['answers garbage', { bytes: 'no completion' }, /no JSON/],
    ['answers words', { words: 'I would rather not say.' }, /form asked for/],
    ['answers another shape', { say: { facts: [] } }, /form asked for/],
    ['refuses', { refuse: 'I cannot' }, /refused/],
    ['says nothing', { silent: true }, new RegExp(`no answer within ${TIMEOUT_MS} ms`)],
    ['answers 200 KB', { words: 'x'.repeat(200_000) }, /longer than/],
    ['is busy', { status: 429, headers: { 'retry-after': '1.5' } }, /429/],
    ['is broken', { status: 500 }, /500/],
    ['cuts the connection', { cut: true }, /connection/],
    ['takes no schema and no tools', { status: 400 }, /400/],
  ];

  it.each(WAYS)('and %s holds the event, with the reason, and nothing else', async (_what, reply, reason) => {
    const scope = `user:way${WAYS.findIndex(([, one]) => one === reply)}`;
    endpoint.script = (request, number) =>
      request.items.some(({ text }) => text.includes('bad')) ? reply : SIMPLE_MIND(request, number);
    const bad = await capture(scope, 'Bob likes bad', 'indexed');
    expect(bad.status).toBe(202);
    await eventually('the event to be held', async () => (await derivationOf(scope)).held > 0);
    expect(await statusOf(bad.json.event_id)).toMatchObject({ status: 'indexed', stage: 'held' });
    const [hold] = await query(
      driver,
      "MATCH (h:StageRetry {event_id: $id, stage: 'extracted'}) RETURN h.reason AS reason",
      { id: bad.json.event_id },
    );
    expect(hold?.reason).toMatch(reason);

    endpoint.script = SIMPLE_MIND;
    await caughtUp(scope);
    expect(await kept(bad.json.event_id)).toMatchObject({ statements: [{ quote: 'Bob likes bad' }] });
    expect(await typesOf(bad.json.event_id)).toEqual(['captured', 'consolidated', 'extracted', 'indexed']);
    const good = await capture(scope, 'Ada likes good', 'consolidated');
    expect(good.status).toBe(202);
  });

  it('does not take other events with the one that it cannot answer', async () => {
    endpoint.script = (request, number) =>
      request.items.some(({ text }) => text.includes('bad'))
        ? { refuse: 'no' }
        : SIMPLE_MIND(request, number);
    const { json } = await bulk(
      Array.from({ length: 5 }, (_, i) =>
        message('user:mixed', `Ada likes ${i === 2 ? 'bad' : `Thing${i}`}`),
      ),
    );
    const ids = (json.results as { event_id: string }[]).map(({ event_id }) => event_id);
    await eventually('the others to be extracted from', async () => {
      const all = await Promise.all(ids.map(kept));
      return all.filter((one) => one !== null).length === 4;
    });
    expect(await kept(ids[2])).toBeNull();
    const later = await capture('user:mixed', 'Ada likes Later', 'consolidated');
    expect(await kept(later.json.event_id)).not.toBeNull();
  });

  it('is not asked for ever: the event is given up, and tried again when it is sent again', async () => {
    const more = { idempotency_key: 'hopeless' };
    endpoint.script = (request, number) =>
      request.items.some(({ text }) => text.includes('bad'))
        ? { refuse: 'no' }
        : SIMPLE_MIND(request, number);
    const { json } = await capture('user:hopeless', 'Bob likes bad', 'captured', more);
    await eventually('the event to be given up', async () => {
      // Others succeed meanwhile, so that it is the event that is to blame.
      await capture('user:bystander', 'Ada likes Opera', 'consolidated');
      return (await statusOf(json.event_id)).status === 'failed';
    });
    expect((await statusOf(json.event_id)).failure_reason).toContain('refused');
    const asked = endpoint.texts.filter((text) => text.includes('bad')).length;
    expect(asked).toBeGreaterThanOrEqual(EXTRACTION_TRIES);
    expect(await derivationOf('user:hopeless')).toMatchObject({ failed: 1, held: 0 });

    endpoint.script = SIMPLE_MIND;
    const again = await capture('user:hopeless', 'Bob likes bad', 'consolidated', more);
    expect(again.status).toBe(202);
    expect(await kept(json.event_id)).not.toBeNull();
  });

  it('is told of by the readiness while it is away', async () => {
    endpoint.script = () => ({ status: 401 });
    await capture('user:away', 'Ada likes Opera', 'indexed');
    const down = await eventually('the lane to be down', async () => {
      const { json } = await service.get('/v1/admin/ready');
      return json.checks.extraction.status === 'down' && json;
    });
    expect(down).toMatchObject({ ready: true, degraded: true });
    expect(down.checks.extraction.detail).toContain('401');
    endpoint.script = SIMPLE_MIND;
    await caughtUp('user:away');
    const { json } = await service.get('/v1/admin/ready');
    expect(json).toMatchObject({ degraded: false, checks: { extraction: { status: 'up' } } });
  });
});

describe('the usage', () => {
  it('is told by call site and model, of the tenant and of a scope, over both transports', async () => {
    await capture('user:spent', 'Ada likes Opera', 'consolidated');
    const spent = { role: 'extraction', model: 'simple-mind', calls: 1, failed_calls: 0 };
    const items = [{ ...spent, input_tokens: 100, output_tokens: 10 }];
    for (const [period, days] of Object.entries({ day: 1, week: 7, month: 30, all: null })) {
      const { json } = await service.get(`/v1/admin/usage?period=${period}&scope=user:spent&role=extraction`);
      expect(json).toMatchObject({
        period,
        scope: 'user:spent',
        items,
        totals: { calls: 1, input_tokens: 100 },
      });
      const { from, to } = json;
      expect(from === null ? null : (Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(days);
    }
    const whole = (await service.get('/v1/admin/usage')).json;
    expect(whole.totals.calls).toBeGreaterThan(1);
    expect(whole.totals.failed_calls).toBeGreaterThan(0);
    expect((await service.get('/v1/admin/usage?role=answer')).json).toMatchObject({ items: [] });
    const text =
      '{ usage(period: day, role: extraction, scope: "user:spent") { totals { calls inputTokens } } }';
    const { json } = await service.post('/graphql', { query: text });
    expect(json.data.usage.totals).toEqual({ calls: 1, inputTokens: 100 });
  });

  it.each([
    ['period=year', 'INVALID_PERIOD'],
    ['role=poet', 'INVALID_ROLE'],
    ['scope=nowhere', 'INVALID_QUERY'],
    ['spell=x', 'INVALID_QUERY'],
  ])('refuses %s', async (parameter, code) => {
    const { status, json } = await service.get(`/v1/admin/usage?${parameter}`);
    expect([status, json.error_code]).toEqual([400, code]);
  });
});
