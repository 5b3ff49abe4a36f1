import { message, type Answer } from '../support/client.ts';
import { eventually } from '../support/wait.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { expectPlainText, expectProblem } from './problem.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const RFC3339_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

async function consolidated(body: unknown, headers: Record<string, string> = {}): Promise<any> {
  const answer = await service.post('/v1/experience?wait=consolidated', body, { headers });
  expect(answer.status).toBe(202);
  return answer.json;
}

const frames = (parameters: Record<string, string>): Promise<Answer> =>
  service.get(`/v1/lifecycle?${new URLSearchParams(parameters).toString()}`);
const items = async (parameters: Record<string, string>): Promise<any[]> =>
  (await frames(parameters)).json.items;
const names = async (parameters: Record<string, string>): Promise<string[]> =>
  (await items(parameters)).map(({ event }) => event);
const trace = (id: string): Promise<Answer> => service.get(`/v1/lifecycle/memory-event/${id}`);
const cancel = (id: string): Promise<Answer> =>
  service.request('POST', `/v1/lifecycle/memory-event/${id}/cancel`);

const triple = (scope: string): object => ({
  scope,
  modality: 'observation',
  content: {
    kind: 'triple',
    triple: {
      subject: { type: 'entity', id: 'ent_a' },
      predicate: 'is',
      object: { type: 'literal', datatype: 'boolean', value: true },
    },
  },
});

describe('the frames of an event', () => {
  it('of text come in order and say what they report', async () => {
    const scope = 'org:l/user:text';
    const { event_id: id, ...ack } = await consolidated(message(scope, 'text'), {
      'x-strata-actor': 'agent:a',
    });
    const found = await items({ event_id: id });
    expect(found).toEqual([
      {
        lifecycle_id: expect.stringMatching(/^lce_\d{16}$/),
        ts: ack.recorded_at,
        scope,
        event: 'captured',
        data: {
          event_id: id,
          wal_offset: ack.wal_offset,
          actor: 'agent:a',
          modality: 'conversation',
          ts: ack.recorded_at,
        },
      },
      {
        lifecycle_id: expect.any(String),
        ts: expect.stringMatching(RFC3339_UTC),
        scope,
        event: 'indexed',
        data: { event_id: id, layers_indexed: ['events'] },
      },
      {
        lifecycle_id: expect.any(String),
        ts: expect.stringMatching(RFC3339_UTC),
        scope,
        event: 'consolidated',
        data: {
          event_id: id,
          derived: { entities: [], facts: [], beliefs: [] },
          beliefs_updated: 0,
          conflicts_resolved: 0,
          episodes_touched: [expect.stringMatching(/^ep_/)],
        },
      },
    ]);
    const ids = found.map((frame) => frame.lifecycle_id);
    expect(ids).toEqual([...new Set(ids)].sort());
    const answer = await trace(id);
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        event_id: id,
        stages_completed: ['captured', 'indexed', 'consolidated'],
        lifecycle_event_ids: ids,
        derived: { episodes: [expect.stringMatching(/^ep_/)] },
      },
    ]);
  });

  it('of a triple have an extracted one', async () => {
    const { event_id: id } = await consolidated(triple('org:l/user:triple'));
    const found = await items({ event_id: id });
    expect(found.map(({ event }) => event).sort()).toEqual(
      ['captured', 'consolidated', 'extracted', 'indexed'].sort(),
    );
    expect([found[0].event, found[3].event]).toEqual(['captured', 'consolidated']);
    const extracted = found.find(({ event }) => event === 'extracted');
    expect(extracted.data).toMatchObject({ event_id: id, derived: {} });
    expect((await trace(id)).json.stages_completed).toEqual([
      'captured',
      'extracted',
      'indexed',
      'consolidated',
    ]);
  });

  it('of a cancelled event end with it, and the trace stays', async () => {
    const { event_id: id } = await consolidated(message('org:l/user:gone', 'gone'));
    await cancel(id);
    const found = await items({ event_id: id });
    expect(found.at(-1)).toMatchObject({ event: 'cancelled', data: { event_id: id } });
    expect((await trace(id)).json.lifecycle_event_ids).toEqual(found.map((frame) => frame.lifecycle_id));
  });

  it('are none for a replay and one set for each item of a bulk', async () => {
    const scope = 'org:l/user:bulk';
    const body = { items: [1, 2, 3].map((n) => message(scope, `${n}`, { idempotency_key: `k${n}` })) };
    const first = await service.post('/v1/experience/bulk?wait=consolidated', body);
    await service.post('/v1/experience/bulk?wait=consolidated', body);
    const captured = await items({ batch_id: first.json.batch_id, events: 'captured' });
    expect(captured.map(({ data }) => [data.event_id, data.batch_id])).toEqual(
      first.json.results.map((row: any) => [row.event_id, first.json.batch_id]),
    );
    expect(await names({ scope, events: 'captured' })).toHaveLength(3);
  });

  it('of an unknown event are an empty page, its trace is 404', async () => {
    expect(await items({ event_id: 'evt_unknown' })).toEqual([]);
    expectProblem(await trace('evt_unknown'), { status: 404, code: 'NOT_FOUND' });
  });
});

describe('filters of the list', () => {
  beforeAll(async () => {
    for (const scope of ['org:f', 'org:f/user:a', 'org:f/user:a/ws:w', 'org:f/user:ab', 'org:ff']) {
      await consolidated(message(scope, scope), { 'x-strata-actor': `agent:${scope.length}` });
    }
  });

  const scopesOf = async (parameters: Record<string, string>): Promise<string[]> => [
    ...new Set((await items(parameters)).map(({ scope }) => scope)),
  ];

  it.each<[Record<string, string>, string[]]>([
    [{ scope: 'org:f' }, ['org:f']],
    [{ scope: 'org:f/user:a' }, ['org:f/user:a']],
    [{ scope: 'org:f/user:a/*' }, ['org:f/user:a', 'org:f/user:a/ws:w']],
    [{ scope: 'org:f/*' }, ['org:f', 'org:f/user:a', 'org:f/user:a/ws:w', 'org:f/user:ab']],
    [{ scope: 'org:nobody/*' }, []],
    [{ scope: 'org:f/*', actor: 'agent:12' }, ['org:f/user:a']],
    [{ scope: 'org:f/*', job_id: 'job_none' }, []],
  ])('%j', async (parameters, expected) => {
    expect(await scopesOf(parameters)).toEqual(expected);
  });

  it('take several names of frames', async () => {
    expect(await names({ scope: 'org:f', events: 'captured' })).toEqual(['captured']);
    expect(await names({ scope: 'org:f', events: 'consolidated,captured' })).toEqual([
      'captured',
      'consolidated',
    ]);
  });
});

describe('pages of the list', () => {
  let all: string[];

  beforeAll(async () => {
    const bulk = { items: Array.from({ length: 40 }, (_, i) => message('org:p', `p${i}`)) };
    await service.post('/v1/experience/bulk?wait=consolidated', bulk);
    all = await eventually('a quiet list', async () => {
      const { json } = await frames({ limit: '1000' });
      return !json.has_more && json.items.map((item: any) => item.lifecycle_id);
    });
  });

  it.each([{}, { scope: 'org:p', events: 'indexed' }])(
    'go on at next_offset, filtered by %j',
    async (filter) => {
      const whole = (await items({ ...filter, limit: '1000' })).map((item) => item.lifecycle_id);
      const seen: string[] = [];
      let offset = '0';
      for (;;) {
        const { json } = await frames({ ...filter, limit: '7', offset });
        expect(json.items.length).toBeLessThanOrEqual(7);
        expect(typeof json.next_offset).toBe('number');
        seen.push(...json.items.map((item: any) => item.lifecycle_id));
        offset = String(json.next_offset);
        if (!json.has_more) break;
      }
      expect(seen).toEqual(whole);
      expect(await items({ ...filter, offset })).toEqual([]);
    },
  );

  it('go on at the end from an offset that lies beyond it', async () => {
    const { json } = await frames({ offset: '999999999' });
    const cursor = `lce_${String(json.next_offset).padStart(16, '0')}`;
    // Frames of other tenants may have come since; no frame of this one has, and the cursor is not beyond all there are.
    expect(cursor >= (all.at(-1) ?? '')).toBe(true);
    const answer = await frames({ since_lifecycle_id: cursor });
    expect([answer.status, answer.json.items]).toEqual([200, []]);
    expect(await items({ offset: String(json.next_offset) })).toEqual([]);
  });

  it('go on after since_lifecycle_id', async () => {
    const ids = async (parameters: Record<string, string>): Promise<string[]> =>
      (await items(parameters)).map((item) => item.lifecycle_id);
    const middle = all[10] ?? '';
    expect(await ids({ since_lifecycle_id: middle, limit: '1000' })).toEqual(all.slice(11));
    expect(await ids({ since_lifecycle_id: all.at(-1) ?? '' })).toEqual([]);
  });

  it.each(['lce_9999999999999999', 'lce_0000000009999999', 'lce_1', 'lce_', 'evt_1', '', '7', 'LCE_1'])(
    'refuse since_lifecycle_id=%j',
    async (id) => {
      const answer = await frames({ since_lifecycle_id: id });
      expectProblem(answer, { status: 400, code: 'INVALID_QUERY', field: 'since_lifecycle_id' });
    },
  );

  it.each([
    ['offset', '-1'],
    ['offset', 'abc'],
    ['limit', 'abc'],
    ['scope', 'org'],
    ['scope', 'org:p/'],
    ['scope', '*'],
    ['unknown', 'x'],
  ])('refuse %s=%j', async (name, value) => {
    expectProblem(await frames({ [name]: value }), { status: 400, code: 'INVALID_QUERY', field: name });
  });

  it('clamp the limit', async () => {
    expect(await items({ limit: '0' })).toHaveLength(1);
    expect((await items({ limit: '99999' })).length).toBeLessThanOrEqual(1000);
  });
});

describe('derivation status', () => {
  const status = (scope: string): Promise<Answer> => service.get(`/v1/derivation/status?scope=${scope}`);

  it('of a scope whose events are done is caught up', async () => {
    const scope = 'org:s/user:done';
    await consolidated(message(scope, 'one'));
    const { wal_offset: head } = await consolidated(message(scope, 'two'));
    await consolidated(message('org:s', 'elsewhere'));
    const stage = { offset: head, lag_events: 0, lag_ms: 0 };
    expect((await status(scope)).json).toEqual({
      scope,
      caught_up: true,
      dirty: false,
      rebuilding: false,
      idle_seconds: expect.any(Number),
      built: { episodes: 1, beliefs: 0, concepts: 0 },
      head_offset: head,
      stages: { extracted: stage, indexed: stage, consolidated: stage },
      held: 0,
      failed: 0,
      deferred: 0,
      assumed_predicates: { count: 0, names: [] },
      enrichment: { open: false, held: 0, failed: 0 },
      embeddings: { due: 0, lag_ms: 0, refused: 0 },
      lanes: expect.any(Array),
    });
  });

  it('of a scope that nothing was written into is zero', async () => {
    const stage = { offset: 0, lag_events: 0, lag_ms: 0 };
    const answer = await status('org:s/user:nobody');
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        scope: 'org:s/user:nobody',
        caught_up: true,
        dirty: false,
        rebuilding: false,
        idle_seconds: 0,
        built: { episodes: 0, beliefs: 0, concepts: 0 },
        head_offset: 0,
        stages: { extracted: stage, indexed: stage, consolidated: stage },
        held: 0,
        failed: 0,
        deferred: 0,
        assumed_predicates: { count: 0, names: [] },
        enrichment: { open: false, held: 0, failed: 0 },
        embeddings: { due: 0, lag_ms: 0, refused: 0 },
        lanes: expect.any(Array),
      },
    ]);
  });

  it('catches up after a bulk that nobody waited for', async () => {
    const scope = 'org:s/user:later';
    const bulk = { items: Array.from({ length: 200 }, (_, i) => message(scope, `n${i}`)) };
    const { json } = await service.post('/v1/experience/bulk', bulk);
    const done = await eventually('derivation', async () => {
      const answer = (await status(scope)).json;
      expect(answer.dirty).toBe(!answer.caught_up);
      return answer.caught_up && answer;
    });
    expect(done.head_offset).toBe(json.results.at(-1).wal_offset);
  });

  it('needs a scope, and one that is well formed', async () => {
    expectPlainText(await service.get('/v1/derivation/status'), 400, /scope/);
    const expected = { status: 400, code: 'INVALID_QUERY', field: 'scope' };
    expectProblem(await status('org'), expected);
    expectProblem(await status(''), expected);
    expectProblem(await service.get('/v1/derivation/status?scope=org:s&verbose=1'), {
      ...expected,
      field: 'verbose',
    });
  });
});
