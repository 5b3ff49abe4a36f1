import { message, type Answer } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { blobIdOf, blobOf } from './blobs.ts';
import { ask } from './graphql/ask.ts';
import { expectProblem } from './problem.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const capture = (body: unknown, query = ''): Promise<Answer> => service.post(`/v1/experience${query}`, body);
const eventOf = async (id: string): Promise<any> => (await service.get(`/v1/events/${id}`)).json;

async function kept(body: unknown): Promise<any> {
  const answer = await capture(body);
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 202 });
  return eventOf(answer.json.event_id);
}

const RFC3339_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

describe('what is kept of an envelope', () => {
  it('gives every field back as it was sent', async () => {
    const envelope = {
      scope: 'org:kept/user:all',
      observed_actor: { id: 'agent:mission-control', type: 'service', session: 's 1' },
      subject: { id: 'user:lovell', type: 'person' },
      modality: 'conversation',
      content: { kind: 'message', role: 'assistant', text: '  “Houston” — we’ve had a problem 🚀  ' },
      context: {
        observed_at: '1970-04-14T03:07:53.123456+00:00',
        source_recorded_at: '1970-04-14T03:08:00-05:00',
        intent: 'report a fault',
        labels: ['a,b', 'fault', 'main bus B'],
        timezone: 'America/Chicago',
        refers_to: { from: '1970-04-13', to: '1970-04-14T03:07:53Z' },
        location: { lat: 28.5, lon: -80.6, nested: { deep: [null] } },
        preceded_by: ['evt_unknown'],
      },
      directives: { extract: ['facts', 'entities'], embed: 'lazy', confidence_floor: 0.25 },
      language: 'en-US',
      scripts: ['Latn', 'Grek'],
      source: { system: 'transcript', page: 167, ['__proto__']: 1, nested: { null: null } },
      metadata: JSON.parse('{"__proto__":{"a":1},"é":"\\u00e9","n":1e-7,"list":[1,[2]],"":""}'),
    };
    const captured = await capture(envelope);
    const item = await eventOf(captured.json.event_id);
    expect(item).toEqual({
      id: captured.json.event_id,
      scope: envelope.scope,
      caller: 'user:local',
      observed_actor: envelope.observed_actor,
      subject: envelope.subject,
      scope_key: service.tenant,
      modality: 'conversation',
      content: envelope.content,
      context: { ...envelope.context, recorded_at: captured.json.recorded_at },
      wal_offset: captured.json.wal_offset,
      derives: expect.any(Array),
      source: envelope.source,
      language: 'en-US',
      scripts: ['Latn', 'Grek'],
      language_source: 'explicit',
      directives: envelope.directives,
      metadata: envelope.metadata,
    });
    expect(Object.keys(item.metadata)).toEqual(['__proto__', 'é', 'n', 'list', '']);
    const { items } = (await service.get(`/v1/events?scope=${envelope.scope}`)).json;
    expect(items).toEqual([item]);
  });

  it('fills in the defaults of what is left out', async () => {
    const captured = await service.post(
      '/v1/experience',
      message('org:kept/user:least', 'as little as can be'),
      {
        headers: { 'x-strata-actor': 'user:priya@acme.com' },
      },
    );
    const item = await eventOf(captured.json.event_id);
    expect(item).toEqual({
      id: captured.json.event_id,
      scope: 'org:kept/user:least',
      caller: 'user:priya@acme.com',
      observed_actor: { id: 'user:priya@acme.com', type: 'user' },
      subject: { id: 'user:priya@acme.com', type: 'user' },
      scope_key: service.tenant,
      modality: 'conversation',
      content: { kind: 'message', role: 'user', text: 'as little as can be' },
      context: {
        observed_at: captured.json.recorded_at,
        recorded_at: captured.json.recorded_at,
        intent: null,
        labels: [],
      },
      wal_offset: captured.json.wal_offset,
      derives: expect.any(Array),
    });
  });

  it.each([
    ['in the context', { context: { observed_at: '2024-02-29T23:59:59.999999+00:00' } }],
    ['at top level', { observed_at: '2024-02-29T23:59:59.999999+00:00' }],
    [
      'at both places',
      {
        observed_at: '2024-02-29T23:59:59.999999+00:00',
        context: { observed_at: '2024-02-29T23:59:59.999999+00:00' },
      },
    ],
  ])('returns observed_at to the digit, sent %s', async (_where, more) => {
    const item = await kept(message('org:kept/user:time', 'when', more));
    expect(item.context.observed_at).toBe('2024-02-29T23:59:59.999999+00:00');
    expect(item.context.recorded_at).toMatch(RFC3339_UTC);
    expect(item).not.toHaveProperty('observed_at');
  });

  it.each([
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '1969-07-20T20:17:40-04:00',
    '2016-12-31T23:59:60Z',
  ])('keeps the instant %s', async (instant) => {
    const item = await kept(message('org:kept/user:time', 'when', { observed_at: instant }));
    expect(item.context.observed_at).toBe(instant);
  });

  describe('observed in the future', () => {
    const WARNED = { warnings: ['observed_in_the_future'] };
    const at = (scope: string, observed_at: string, value: string): object => ({
      scope,
      modality: 'observation',
      observed_at,
      content: {
        kind: 'triple',
        triple: {
          subject: { type: 'entity', id: 'ent_zed' },
          predicate: 'lives_in',
          object: { type: 'literal', datatype: 'string', value },
        },
      },
    });

    it('is warned of, one by one and in a bulk, and holds from when it was recorded', async () => {
      const scope = 'org:kept/user:ahead';
      const answer = await capture(at(scope, '9000-01-01T00:00:00Z', 'Mars'), '?wait=consolidated');
      expect(answer.json).toMatchObject(WARNED);
      const { recorded_at } = answer.json;
      const [fact] = (await service.get(`/v1/facts?scope=${scope}`)).json.items;
      expect(fact).toMatchObject({ valid_from: recorded_at, recorded_from: recorded_at });
      expect((await eventOf(answer.json.event_id)).context.observed_at).toBe('9000-01-01T00:00:00Z');
      const items = [at(scope, '9001-01-01T00:00:00Z', 'Venus'), at(scope, '2020-01-01T00:00:00Z', 'Earth')];
      const bulk = await service.post('/v1/experience/bulk?wait=consolidated', { items });
      expect(bulk.json.results[0]).toMatchObject(WARNED);
      expect(bulk.json.results[1]).not.toHaveProperty('warnings');
      const stays = await capture(at(scope, new Date(0).toISOString(), 'Sun'));
      expect(stays.json).not.toHaveProperty('warnings');
    });

    it('does not win over what is stated later', async () => {
      const scope = 'org:kept/user:ahead-then';
      await capture(at(scope, '9000-01-01T00:00:00Z', 'Mars'));
      const { observed_at: _, ...later } = at(scope, '', 'Venus') as Record<string, unknown>;
      await capture(later, '?wait=consolidated');
      for (const instant of ['', '&as_of_valid=9500-01-01T00:00:00Z']) {
        const { items } = (await service.get(`/v1/facts?scope=${scope}${instant}`)).json;
        expect(items.map(({ object }: any) => object.value)).toEqual(['Venus']);
      }
    });

    it('is warned of over GraphQL, and not again when it is sent again', async () => {
      const input = {
        scope: 'org:kept/user:ahead',
        modality: 'observation',
        observedAt: '9000-01-01T00:00:00Z',
        content: { text: { text: 'ahead of its time' } },
        idempotencyKey: 'ahead',
      };
      const query = 'mutation M($input: ExperienceInput!) { capture(input: $input) { warnings } }';
      const first = await ask(service, query, { input });
      expect([first.errors, first.data?.capture]).toEqual([undefined, WARNED]);
      expect((await ask(service, query, { input })).data.capture).toEqual({ warnings: null });
    });
  });

  it.each([
    ['one stretch', { from: '2026-03-01' }],
    ['a list', [{ from: '2026-03-01', to: '2026-03-02' }, { from: '2026-05-05T10:00:00+02:00' }]],
  ])('keeps refers_to as %s', async (_what, refersTo) => {
    const item = await kept(message('org:kept/user:time', 'when', { context: { refers_to: refersTo } }));
    expect(item.context.refers_to).toEqual(refersTo);
  });

  it('keeps a place that is a text, scripts that are one text, and an unknown modality', async () => {
    const item = await kept(
      message('org:kept', 'hm', { context: { location: 'Fra Mauro' }, scripts: 'Latn', modality: 'seance' }),
    );
    expect(item.context.location).toBe('Fra Mauro');
    expect(item.scripts).toEqual(['Latn']);
    expect(item.modality).toBe('seance');
  });
});

const LITERAL = { type: 'literal', datatype: 'string', value: 'Fra Mauro' };
const CONTENTS: [string, unknown, unknown?][] = [
  ['a message without kind', { role: 'system', text: 't' }, { kind: 'message', role: 'system', text: 't' }],
  ['a text', { kind: 'text', text: 'line\r\nline\ttab' }],
  ['a text without kind', { text: 'only text' }, { kind: 'text', text: 'only text' }],
  ['json: an object', { kind: 'json', data: { a: [1, { b: null }], c: -0.5, d: 1e300 } }],
  ['json: null', { kind: 'json', data: null }],
  ['json: a text', { kind: 'json', data: '' }],
  [
    'a triple',
    {
      kind: 'triple',
      triple: {
        subject: { type: 'entity', id: 'ent_1', name: 'Apollo 13' },
        predicate: 'lands_at',
        object: LITERAL,
        valid_from: '1970-04-11T19:13:00Z',
        valid_to: '1970-04-17',
        confidence: 0.5,
        polarity: 'positive',
      },
    },
  ],
  [
    'a triple in the words of published clients',
    {
      kind: 'triple',
      triple: {
        subject: { kind: 'concept', id: 'ent_1' },
        predicate: 'crew',
        object: { kind: 'entity', id: 'ent_2' },
      },
    },
    {
      kind: 'triple',
      triple: {
        subject: { type: 'entity', id: 'ent_1' },
        predicate: 'crew',
        object: { type: 'entity', id: 'ent_2' },
      },
    },
  ],
];

const WITH_BLOB: [string, (blob: string) => unknown][] = [
  [
    'a message with media',
    (blob) => ({ kind: 'message', role: 'tool', text: 't', media: [{ blob_id: blob }] }),
  ],
  ['a blob with transcript', (blob) => ({ kind: 'blob_ref', blob_id: blob, transcript: 'spoken' })],
  ['a blob without transcript', (blob) => ({ kind: 'blob_ref', blob_id: blob })],
];

describe('content kinds', () => {
  let blob: string;

  beforeAll(async () => {
    blob = await blobOf(service, 'crackle');
    expect(blob).toBe(blobIdOf('crackle'));
  });

  it.each(CONTENTS)('keeps %s', async (_what, content, returned = content) => {
    const item = await kept({ scope: 'org:kinds', modality: 'observation', content });
    expect(item.content).toEqual(returned);
  });

  it.each(WITH_BLOB)('keeps %s', async (_what, contentWith) => {
    const content = contentWith(blob);
    const item = await kept({ scope: 'org:kinds', modality: 'observation', content });
    expect(item.content).toEqual(content);
    if ((content as { blob_id?: string }).blob_id !== undefined) expect(item.source_blob_ids).toEqual([blob]);
  });

  it('accepts a conclusion that rests on a known event and refuses one that does not', async () => {
    const premise = (await capture(message('org:kinds', 'a premise'))).json.event_id;
    const conclusion = (ids: string[]): unknown => ({
      scope: 'org:kinds',
      modality: 'observation',
      content: {
        kind: 'triple',
        triple: {
          subject: { type: 'entity', id: 'e' },
          predicate: 'p',
          object: LITERAL,
          derived_from: ids,
        },
      },
    });
    const item = await kept(conclusion([premise]));
    expect(item.content.triple.derived_from).toEqual([premise]);
    expectProblem(await capture(conclusion([premise, 'evt_none'])), {
      status: 422,
      code: 'INVALID_BODY',
      field: 'content.triple.derived_from[1]',
    });
  });
});

describe('the acknowledgement', () => {
  it('has its fields and headers', async () => {
    const answer = await capture(message('org:ack', 'yes'));
    expect(answer.status).toBe(202);
    expect(answer.json).toEqual({
      event_id: expect.stringMatching(/^evt_/),
      status: 'captured',
      wal_offset: expect.any(Number),
      recorded_at: expect.stringMatching(RFC3339_UTC),
      replayed_from_idempotency: false,
      lifecycle_stream: `/v1/lifecycle/stream?event_id=${answer.json.event_id}`,
    });
    for (const family of ['strata', 'cortex']) {
      expect(answer.headers.get(`x-${family}-request-id`)).toMatch(/^req_/);
      expect(answer.headers.get(`x-${family}-stability`)).toBe('stable');
      expect(answer.headers.get(`x-${family}-policy`)).toBe(
        'tier=operator; decision=allow; capability=scope.write',
      );
      expect(answer.headers.get(`x-${family}-token-expires-in`)).toMatch(/^\d+$/);
      expect(answer.headers.get(`x-${family}-token-expires-at`)).toBe('');
    }
  });
});

describe('wait', () => {
  it.each(['accepted', 'captured', 'indexed', 'consolidated'])('answers 202 for %s', async (wait) => {
    const answer = await capture(message('org:wait', `waited ${wait}`), `?wait=${wait}`);
    expect(answer.status).toBe(202);
    expect(answer.json.status).toBe('captured');
    const status = (await service.get(`/v1/experience/status?event_id=${answer.json.event_id}`)).json;
    if (wait === 'indexed') expect(status.status).toBe('indexed');
    if (wait === 'consolidated') {
      expect(status).toMatchObject({
        status: 'indexed',
        stage: 'consolidated',
        stages_completed: ['captured', 'indexed', 'consolidated'],
      });
    }
  });

  it('waits for a replayed event too', async () => {
    const body = message('org:wait', 'twice', { idempotency_key: 'w' });
    const first = await capture(body);
    const again = await capture(body, '?wait=indexed');
    expect(again.json).toEqual({ ...first.json, replayed_from_idempotency: true });
    const status = (await service.get(`/v1/experience/status?event_id=${first.json.event_id}`)).json;
    expect(status.status).toBe('indexed');
  });

  it('refuses settled and unknown values before anything is written', async () => {
    const body = message('org:wait/user:refused', 'no', { idempotency_key: 'never' });
    expectProblem(await capture(body, '?wait=settled'), { status: 503, code: 'SETTLEMENT_UNAVAILABLE' });
    const unknown = await capture(body, '?wait=later');
    expectProblem(unknown, { status: 422, code: 'INVALID_BODY', field: 'wait' });
    expect(unknown.json.message).toMatch(/accepted, captured, indexed, consolidated, settled/);
    expect((await service.get('/v1/events?scope=org:wait/user:refused')).json.items).toEqual([]);
  });
});
