import { message, type Answer } from '../support/client.ts';
import { eventually } from '../support/wait.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { expectPlainText, expectProblem } from './problem.ts';

let service: SharedService;

/** A scope of more events than a page may hold, of which every 97th has a label. */
const MANY = 'org:e/user:many';

beforeAll(async () => {
  service = sharedService();
  const all = Array.from({ length: 1020 }, (_, i) =>
    message(MANY, `s${i}`, i % 97 === 0 ? { context: { labels: ['rare'] } } : {}),
  );
  for (const items of [all.slice(0, 510), all.slice(510)])
    expect((await service.post('/v1/experience/bulk', { items })).status).toBe(202);
});

async function captured(scope: string, text: string, more: object = {}): Promise<any> {
  const answer = await service.post('/v1/experience', { ...message(scope, text), ...more });
  expect(answer.status).toBe(202);
  return answer.json;
}

const list = (parameters: Record<string, string>): Promise<Answer> =>
  service.get(`/v1/events?${new URLSearchParams(parameters).toString()}`);

async function texts(parameters: Record<string, string>): Promise<string[]> {
  const answer = await list(parameters);
  expect({ status: answer.status, body: answer.json }).toMatchObject({ status: 200 });
  return answer.json.items.map((item: any) => item.content.text);
}

describe('pages of a listing', () => {
  const scope = 'org:e/user:pages';
  const expected = Array.from({ length: 60 }, (_, i) => `p${59 - i}`);

  beforeAll(async () => {
    const items = expected.map((_, i) => message(scope, `p${i}`));
    await service.post('/v1/experience/bulk', { items });
  });

  it('are newest first, by offset and by recorded_at', async () => {
    const { items } = (await list({ scope, limit: '1000' })).json;
    expect(items.map((item: any) => item.content.text)).toEqual(expected);
    // What came in one bulk has consecutive numbers.
    const [newest] = items.map((item: any) => item.wal_offset as number);
    expect(items.map((item: any) => item.wal_offset)).toEqual(expected.map((_, i) => newest - i));
    const instants = items.map((item: any) => item.context.recorded_at);
    expect(instants).toEqual([...instants].sort().reverse());
  });

  it.each([
    ['', 50],
    ['0', 1],
    ['-1', 1],
    ['1', 1],
    ['59', 59],
    ['60', 60],
    ['5000', 60],
  ])('with limit %j hold %i events', async (limit, size) => {
    const { json } = await list({ scope, ...(limit === '' ? {} : { limit }) });
    expect(json.items).toHaveLength(size);
    expect(json.has_more).toBe(size < 60);
    expect('next_cursor' in json).toBe(size < 60);
  });

  it.each(['abc', '', '1.5', '1e2', '0x10', ' '])('refuse limit %j', async (limit) => {
    expectProblem(await list({ scope, limit }), { status: 400, code: 'INVALID_QUERY', field: 'limit' });
  });

  it('hold at most 1000 events', async () => {
    const { json } = await list({ scope: MANY, limit: '5000' });
    expect([json.items.length, json.has_more]).toEqual([1000, true]);
    const rest = await list({ scope: MANY, limit: '5000', cursor: json.next_cursor });
    expect([rest.json.items.length, rest.json.has_more]).toEqual([20, false]);
  });

  it.each(['1', '7', '59', '60'])(
    'of %s reach every event exactly once while writes go on',
    async (limit) => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const { json } = await list({ scope, limit, ...(cursor === undefined ? {} : { cursor }) });
        seen.push(...json.items.map((item: any) => item.content.text));
        expect('next_cursor' in json).toBe(json.has_more);
        cursor = json.next_cursor;
        if (limit !== '1') {
          const { event_id: id } = await captured(scope, 'written meanwhile');
          await service.request('POST', `/v1/lifecycle/memory-event/${id}/cancel`);
        }
      } while (cursor !== undefined);
      expect(seen).toEqual(expected);
    },
  );

  it('go on from a decimal cursor as from an offset', async () => {
    expect(await texts({ scope, cursor: '0', limit: '2' })).toEqual(['p59', 'p58']);
    expect(await texts({ scope, cursor: '57', limit: '5' })).toEqual(['p2', 'p1', 'p0']);
    expect(await texts({ scope, cursor: '60' })).toEqual([]);
    const { json } = await list({ scope, cursor: '10', limit: '10' });
    expect(json.items[0].content.text).toBe('p49');
    expect((await texts({ scope, cursor: json.next_cursor, limit: '1' }))[0]).toBe('p39');
  });

  it.each(['', 'e', 'nonsense', 'eYmVmb3JlOi0x', '-1', '1.5', '99999999999'])(
    'refuse the cursor %j',
    async (cursor) => {
      expectProblem(await list({ scope, cursor }), {
        status: 400,
        code: 'INVALID_QUERY',
        field: 'cursor',
      });
    },
  );
});

describe('filters of a listing', () => {
  const scope = 'org:e/user:filters';
  let third: any;

  beforeAll(async () => {
    const context = (...labels: string[]): object => ({ context: { labels } });
    await captured(scope, 'one', { ...context('red', 'a,b'), observed_actor: { id: 'user:x' } });
    const two = await captured(scope, 'two', { ...context('blue'), modality: 'document' });
    await eventually('a later millisecond', () => new Date().toISOString() > two.recorded_at);
    third = await captured(scope, 'three', { ...context('red', 'blue'), modality: 'odd thing' });
    await captured(scope, 'four', { observed_actor: { id: 'user:y' }, modality: 'tool_result' });
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['a label', { labels: 'red' }, ['three', 'one']],
    ['any of two labels', { labels: 'red,blue' }, ['three', 'two', 'one']],
    ['blanks around labels', { labels: ' red , green ' }, ['three', 'one']],
    ['a label with a comma', { labels: 'a,b' }, ['one']],
    ['a label in another case', { labels: 'RED' }, []],
    ['an empty list of labels', { labels: '' }, ['four', 'three', 'two', 'one']],
    ['an observed actor', { observed_actor: 'user:x' }, ['one']],
    ['two observed actors', { observed_actor: 'user:x,user:y' }, ['four', 'one']],
    ['the caller as observed actor', { observed_actor: 'user:local' }, ['three', 'two']],
    ['a modality', { modality: 'document' }, ['two']],
    ['a modality with a blank', { modality: 'odd thing' }, ['three']],
    ['two modalities', { modality: 'document,tool_result' }, ['four', 'two']],
    ['all together', { labels: 'red', modality: 'conversation', observed_actor: 'user:x' }, ['one']],
    ['what nothing has', { labels: 'red', modality: 'document' }, []],
    ['since long ago', { since: '0001-01-01T00:00:00Z' }, ['four', 'three', 'two', 'one']],
    ['since the far future', { since: '9999-01-01T00:00:00Z' }, []],
  ])('%s', async (_what, parameters, expected) => {
    expect(await texts({ scope, ...parameters })).toEqual(expected);
  });

  it('take since as the first instant of recording that is wanted', async () => {
    const at = third.recorded_at as string;
    expect(await texts({ scope, since: at })).toEqual(['four', 'three']);
    expect(await texts({ scope, since: at.replace('Z', '+00:00') })).toEqual(['four', 'three']);
    expect(await texts({ scope, since: at, labels: 'red,blue' })).toEqual(['three']);
  });

  it('page through sparse matches exactly once', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { json } = await list({
        scope: MANY,
        labels: 'rare',
        limit: '3',
        ...(cursor === undefined ? {} : { cursor }),
      });
      seen.push(...json.items.map((item: any) => item.content.text));
      cursor = json.next_cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: 11 }, (_, i) => `s${(10 - i) * 97}`));
  });

  it.each(['yesterday', '2026-01-01', '2026-01-01T00:00:00', '', '10000-01-01T00:00:00Z'])(
    'refuse since %j',
    async (since) => {
      expectProblem(await list({ scope, since }), { status: 400, code: 'INVALID_QUERY', field: 'since' });
    },
  );
});

const DEEP = Array.from({ length: 12 }, (_, i) => `${i === 0 ? 'org' : 'ws'}:d${i}`);
const level = (count: number): string => DEEP.slice(0, count).join('/');

describe('views of a listing', () => {
  const others = ['org:d0/ws:d10', 'org:d0/ws:sibling', `${level(9)}/ws:sibling`, 'org:d', 'org:d00'];

  beforeAll(async () => {
    const items = [
      ...DEEP.map((_, i) => message(level(i + 1), `level ${i + 1}`)),
      ...others.map((scope) => message(scope, `beside ${scope}`)),
    ];
    expect((await service.post('/v1/experience/bulk', { items })).status).toBe(202);
  });

  const levels = (from: number, to: number): string[] =>
    Array.from({ length: Math.max(0, from - to + 1) }, (_, i) => `level ${from - i}`);

  it.each([1, 2, 6, 7, 8, 9, 10, 12])('of level %i', async (depth) => {
    const scope = level(depth);
    const below =
      depth === 1
        ? others.slice(0, 3).map((other) => `beside ${other}`)
        : depth <= 9
          ? [`beside ${others[2] ?? ''}`]
          : [];
    const views: Record<string, string[]> = {
      local: levels(depth, depth),
      granular: levels(depth, depth),
      raw: levels(depth, depth),
      structured: levels(depth, depth),
      lineage: levels(depth - 1, 1),
      descend: [...below.reverse(), ...levels(12, depth)],
      holistic: [...below, ...levels(12, 1)],
    };
    const found: Record<string, string[]> = {};
    for (const view of Object.keys(views)) found[view] = await texts({ scope, view, limit: '100' });
    expect(found).toEqual(views);
    expect(await texts({ scope })).toEqual(levels(depth, depth));
  });

  it.each(['descend', 'holistic'])('%s pages exactly once', async (view) => {
    const whole = await texts({ scope: level(8), view, limit: '100' });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { json } = await list({
        scope: level(8),
        view,
        limit: '2',
        ...(cursor === undefined ? {} : { cursor }),
      });
      seen.push(...json.items.map((item: any) => item.content.text));
      cursor = json.next_cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(whole);
  });

  it('filter the whole of what they look at', async () => {
    await captured(level(12), 'labelled', { context: { labels: ['deepest'] } });
    expect(await texts({ scope: level(2), view: 'descend', labels: 'deepest' })).toEqual(['labelled']);
    expect(await texts({ scope: level(2), view: 'lineage', labels: 'deepest' })).toEqual([]);
  });

  it('of a scope that nothing was written into are empty, below a written one', async () => {
    expect(await texts({ scope: 'org:d0/ws:nobody' })).toEqual([]);
    expect(await texts({ scope: 'org:d0/ws:nobody', view: 'descend' })).toEqual([]);
    expect(await texts({ scope: 'org:d0/ws:nobody', view: 'lineage' })).toEqual(['level 1']);
  });

  it.each(['everything', '', 'LOCAL', 'local,raw'])('refuse view %j with 422', async (view) => {
    const answer = await list({ scope: level(1), view });
    expectProblem(answer, { status: 422, code: 'INVALID_QUERY', field: 'view' });
    expect(answer.json.message).toMatch(/local, granular, raw, structured, holistic, lineage, descend/);
  });
});

describe('the query of a listing', () => {
  it('refuses an unknown parameter with the names that it has', async () => {
    const answer = await list({ scope: 'org:e', curser: 'x' });
    expectProblem(answer, { status: 400, code: 'INVALID_QUERY', field: 'curser' });
    expect(answer.json.details.allowed.sort()).toEqual(
      [
        'scope',
        'limit',
        'cursor',
        'labels',
        'observed_actor',
        'modality',
        'since',
        'view',
        'as_of',
        'as_of_valid',
        'as_of_recorded',
      ].sort(),
    );
  });

  it('needs a scope, and says so in plain text', async () => {
    expectPlainText(await service.get('/v1/events'), 400, /scope/);
    expectPlainText(await service.get('/v1/events?limit=5'), 400, /scope/);
  });

  it.each(['', ' ', 'org', 'org:', ':x', 'Org:x', 'org:a/', '/org:a', 'org:a//ws:b', 'org:a b', 'org:ä'])(
    'refuses the scope %j',
    async (scope) => {
      const answer = await list({ scope });
      expectProblem(answer, { status: 400, code: 'INVALID_QUERY', field: 'scope' });
      expect(answer.json.details.reason).toMatch(/segment/);
    },
  );

  it.each(['scope', 'limit', 'view', 'cursor', 'since'])('refuses %s given twice', async (name) => {
    const answer = await service.get(`/v1/events?scope=org:e&${name}=1&${name}=1`);
    expectProblem(answer, { status: 400, code: 'INVALID_QUERY', field: name });
  });
});
