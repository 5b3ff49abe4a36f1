import { query } from '../support/database.ts';
import { openRaw } from '../support/raw-http.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { LONG } from '../support/depth.ts';
import { BAD_BODIES } from './bad-input/bodies.ts';
import { GOOD, picked, type BadCase } from './bad-input/case.ts';
import { BAD_FORGETS } from './bad-input/forgets.ts';
import { AT_THE_CAP, BAD_ENVELOPES } from './bad-input/envelopes.ts';
import { BAD_REQUESTS } from './bad-input/requests.ts';
import { BAD_RETENTION } from './bad-input/retention.ts';
import { BAD_VOCABULARIES } from './bad-input/vocabularies.ts';
import { expectPlainText, expectProblem } from './problem.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const envelopeCase = ([
  what,
  patch,
  field,
  code = 'INVALID_BODY',
]: (typeof BAD_ENVELOPES)[number]): BadCase => ({
  what,
  method: 'POST',
  path: '/v1/experience',
  options: () => ({ body: { ...GOOD, ...patch } }),
  status: 422,
  code,
  field,
});

/**
 * One of each code for each kind of field. All of them are judged by `test/capture/bad-envelopes.unit.test.ts`, through what every
 * transport asks, and go through a bulk below.
 */
const ENVELOPES = picked(BAD_ENVELOPES, ([what]) => what, [
  'the scope "org"',
  'an unregistered type',
  'an unknown field',
  '__proto__ as a field',
  'a modality of 129 bytes',
  'an actor with a space',
  'a floor above 1',
  'metadata of 16 KiB and a byte',
  'an empty key',
  'the language "e"',
  'scripts that are none',
  'an unknown kind',
  'an unknown role',
  'a blank text',
  'a media id that is none',
  'json of 1 MiB and a byte',
  'a blob id that is none',
  'a transcript of 1 MiB and a byte',
  'an unknown field of a term',
  'the integer 1.5',
  'a validity that ended before now',
  'a premise that is unknown',
  'an empty label',
  'context.observed_at 2026-02-30T00:00:00Z',
  'the time zone Mars/Olympus',
]);

const TABLE: BadCase[] = [
  ...BAD_REQUESTS,
  ...BAD_BODIES,
  ...BAD_FORGETS,
  ...BAD_RETENTION,
  ...BAD_VOCABULARIES,
  ...(LONG ? BAD_ENVELOPES : ENVELOPES).map(envelopeCase),
];

describe('bad input', () => {
  it.each(TABLE.map((row) => [row.what, row.status, row.code ?? 'plain text', row] as const))(
    '%s: %i %s',
    async (_what, status, _code, { method, path, options, code, field }) => {
      const answer = await service.request(method, path, options?.());
      if (code === null) expectPlainText(answer, status, /\S/);
      else expectProblem(answer, { status, code, ...(field === undefined ? {} : { field }) });
      if (status === 405) expect(answer.headers.get('allow')).toMatch(/^[A-Z, ]+$/);
    },
  );

  it('is told the same of items of a bulk', async () => {
    for (let start = 0; start < BAD_ENVELOPES.length; start += 25) {
      const rows = BAD_ENVELOPES.slice(start, start + 25);
      const items = rows.map(([, patch]) => ({ ...GOOD, ...patch }));
      const answer = await service.post('/v1/experience/bulk', { items });
      expect([answer.status, answer.json.accepted]).toEqual([207, 0]);
      const found = answer.json.failures.map(({ error_code: code, details }: any, i: number) => [
        rows[i]?.[0],
        code,
        details.field_path,
      ]);
      expect(found).toEqual(rows.map(([what, , field, code = 'INVALID_BODY']) => [what, code, field]));
    }
  });

  it.each([
    ['no HTTP', 'HELO strata\r\n\r\n'],
    ['a broken header', 'GET /v1/health HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n'],
    ['headers of 40 KiB', `GET /v1/health HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(40_000)}\r\n\r\n`],
    [
      'two lengths',
      'POST /v1/experience HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ],
  ])('as a connection with %s is told so and closed', async (_what, bytes) => {
    const connection = await openRaw(service.url);
    connection.write(bytes);
    const answer = await connection.answer;
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
      error_code: 'INVALID_HEADER',
      retriable: false,
    });
  });

  it('that breaks off is no more than a broken connection', async () => {
    const connection = await openRaw(service.url);
    connection.write('POST /v1/experience HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"scope":');
    connection.destroy();
    await connection.answer;
    expect((await service.get('/v1/ready')).status).toBe(200);
  });

  it('leaves nothing behind, and the service alive', async () => {
    const driver = service.driver();
    try {
      const stored = await query(
        driver,
        `MATCH (n:Event|Scope|IdempotencyKey|ReleasedKey|LifecycleEvent|Passage|LogEntry|StageRetry)
         WHERE n.tenant = $tenant RETURN labels(n) AS labels, count(*) AS count`,
        { tenant: service.tenant },
      );
      expect(stored).toEqual([]);
    } finally {
      await driver.close();
    }
    const answer = await service.post('/v1/experience?wait=consolidated', GOOD);
    expect(answer.status).toBe(202);
    const [first] = (await service.get('/v1/lifecycle')).json.items;
    expect([first.event, first.data.event_id]).toEqual(['captured', answer.json.event_id]);
  });
});

describe('what is exactly at a bound', () => {
  it.each(AT_THE_CAP)('is accepted: %s', async (_what, patch) => {
    const sent = { ...GOOD, ...patch };
    const answer = await service.post('/v1/experience', sent);
    expect({ status: answer.status, problem: answer.json.message }).toMatchObject({ status: 202 });
    const { json } = await service.get(`/v1/events/${answer.json.event_id as string}`);
    expect(json.scope).toBe(sent.scope);
    expect(json.content).toEqual(sent.content);
  });

  it('is accepted: 64 levels', async () => {
    const good = JSON.stringify(GOOD);
    const lists = '['.repeat(62) + ']'.repeat(62);
    const raw = `${good.slice(0, -1)},"metadata":{"a":${lists}}}`;
    expect((await service.request('POST', '/v1/experience', { raw })).status).toBe(202);
  });

  it('is accepted: a body of 4 MiB', async () => {
    const raw = JSON.stringify(GOOD).padEnd(4 * 1024 * 1024, ' ');
    expect((await service.request('POST', '/v1/experience', { raw })).status).toBe(202);
  });
});
