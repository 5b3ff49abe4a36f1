import { MAX_JSON_VALUES, MAX_BULK_JSON_VALUES } from '../../src/capture/json-scan.ts';
import { gzipSync } from 'node:zlib';

import { StrataError } from '../../src/errors.ts';
import { GZIP_FREE_BYTES, MAX_GZIP_RATIO } from '../../src/limits/bodies.ts';
import { BodyBudget, JSON_VALUE_BYTES } from '../../src/services/body-budget.ts';
import { startRig, until, type Rig, type RigOptions } from './harness.ts';

const PACKED = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
const KIB = 1024;
const MIB = 1024 * KIB;

async function withRig(options: RigOptions, work: (rig: Rig) => Promise<void>): Promise<void> {
  const rig = await startRig(options);
  try {
    await work(rig);
  } finally {
    await rig.stop();
  }
}

/** JSON of so many bytes that packs well. */
const blank = (bytes: number): string => `{${' '.repeat(bytes - 2)}}`;

/** Blanks of all kinds in no order, more than gzip looks back upon: they pack no better than words do, however often they come. */
const BLANKS = Buffer.alloc(64 * KIB);
for (let i = 0, state = 1; i < BLANKS.length; i += 1) {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  BLANKS[i] = ' \t\n\r'.charCodeAt(Math.floor(state / 65_536) % 4);
}

/** JSON filled up to so many bytes with blanks. */
function filled(json: string, bytes: number): Buffer {
  const body = Buffer.alloc(bytes, BLANKS);
  body.write(json);
  return body;
}

describe('the room of all bodies together', () => {
  it('is held until each is answered, and one more is asked to come again', async () => {
    const bodies = new BodyBudget({ actor: 2 * MIB + KIB });
    const waiting: (() => void)[] = [];
    const slow = () =>
      new Promise((resolve) =>
        waiting.push(() => {
          resolve({});
        }),
      );
    await withRig({ bodies, answers: { 'experience.captureBulk': slow } }, async (rig) => {
      const body = gzipSync(blank(MIB));
      const bulk = (tenant = 'default') =>
        rig.send('POST', '/v1/experience/bulk', { body, headers: { ...PACKED, 'X-Strata-Tenant': tenant } });
      const held = [bulk(), bulk()];
      await until(() => waiting.length === 2);
      expect(bodies.bytes).toBe(2 * (MIB + JSON_VALUE_BYTES));
      const refused = await bulk();
      expect(refused.status).toBe(503);
      expect(refused.headers['retry-after']).toBe('1');
      expect(refused.json).toMatchObject({
        error_code: 'SERVER_BUSY',
        retriable: true,
        details: { reason: 'actor_bodies', limit_bytes: 2 * MIB + KIB },
      });
      const other = bulk('acme');
      await until(() => waiting.length === 3);
      for (const answer of waiting) answer();
      const answered = await Promise.all([...held, other]);
      expect(answered.map(({ status }) => status)).toEqual([202, 202, 202]);
      expect(bodies.bytes).toBe(0);
    });
  });

  it('takes no more than its bytes from small packed bodies that come at once', async () => {
    const bodies = new BodyBudget({ actor: 2 * MIB });
    let most = 0;
    const look = setInterval(() => (most = Math.max(most, bodies.bytes)), 1);
    await withRig({ bodies }, async (rig) => {
      const body = gzipSync(filled('{}', 2 * MIB - KIB));
      const sent = Array.from({ length: 20 }, () =>
        rig.send('POST', '/v1/experience/bulk', { body, headers: PACKED }),
      );
      const statuses = (await Promise.all(sent)).map(({ status }) => status);
      expect(statuses.filter((status) => status !== 202 && status !== 503)).toEqual([]);
      expect(statuses).toContain(503);
      expect((await rig.send('POST', '/v1/experience/bulk', { body, headers: PACKED })).status).toBe(202);
    });
    clearInterval(look);
    expect(most).toBeLessThanOrEqual(2 * MIB);
    expect(bodies.bytes).toBe(0);
  });

  it('is given back when a body is refused or its service fails', async () => {
    const bodies = new BodyBudget();
    const failing = () => {
      throw new Error('broken');
    };
    await withRig({ bodies, answers: { 'experience.capture': failing } }, async (rig) => {
      for (const [body, status] of [
        ['{}', 500],
        ['{', 422],
        [' '.repeat(4 * MIB + 1), 413],
      ] as const) {
        const headers = { 'Content-Type': 'application/json' };
        expect((await rig.send('POST', '/v1/experience', { body, headers })).status).toBe(status);
        expect(bodies.bytes).toBe(0);
      }
    });
  });

  it('holds for GraphQL too', async () => {
    const bodies = new BodyBudget({ actor: KIB });
    await withRig({ bodies }, async (rig) => {
      const query = (padding: number) =>
        rig.send('POST', '/graphql', {
          body: gzipSync(JSON.stringify({ query: '{ health { status } }' }) + ' '.repeat(padding)),
          headers: PACKED,
        });
      expect((await query(0)).status).toBe(200);
      const refused = await query(KIB);
      expect(refused.status).toBe(503);
      expect(refused.json.errors[0].extensions.code).toBe('SERVER_BUSY');
      expect(bodies.bytes).toBe(0);
    });
  });
});

describe('the caps of bodies', () => {
  it.each(['/v1/auth/signup', '/v1/auth/tokens', '/v1/auth/revoke'])('let 64 KiB into %s', async (path) => {
    await withRig({}, async (rig) => {
      const headers = { 'Content-Type': 'application/json' };
      expect((await rig.send('POST', path, { body: blank(64 * KIB), headers })).status).toBeLessThan(300);
      const over = await rig.send('POST', path, { body: gzipSync(blank(64 * KIB + 1)), headers: PACKED });
      expect(over.status).toBe(413);
      expect(over.json.details).toEqual({ limit_bytes: 64 * KIB });
    });
  });

  it.each([
    ['{ health { status } }', MIB],
    ['mutation ($input: CaptureInput!) { capture(input: $input) { eventId } }', 4 * MIB],
  ])('let no more into GraphQL than the field needs: %s', async (query, limit) => {
    await withRig({}, async (rig) => {
      const send = (bytes: number) =>
        rig.send('POST', '/graphql', {
          body: gzipSync(filled(JSON.stringify({ query }), bytes)),
          headers: PACKED,
        });
      expect((await send(limit)).status).not.toBe(413);
      const over = await send(limit + 1);
      expect(over.status).toBe(413);
      expect(over.json.errors[0].extensions).toMatchObject({
        code: 'PAYLOAD_TOO_LARGE',
        details: { limit_bytes: limit },
      });
    });
  });

  it('let what REST takes in bulk into GraphQL too', async () => {
    await withRig({}, async (rig) => {
      const query = 'mutation ($input: CaptureManyInput!) { captureMany(input: $input) { accepted } }';
      const body = gzipSync(filled(JSON.stringify({ query }), 5 * MIB));
      expect((await rig.send('POST', '/graphql', { body, headers: PACKED })).status).not.toBe(413);
    });
  });
});

describe('a packed body', () => {
  it('may unpack to a MiB, and to so many times its size beyond', async () => {
    await withRig({}, async (rig) => {
      const bulk = (body: Buffer) => rig.send('POST', '/v1/experience/bulk', { body, headers: PACKED });
      expect((await bulk(gzipSync(blank(GZIP_FREE_BYTES)))).status).toBe(202);
      const refused = await bulk(gzipSync(blank(8 * MIB)));
      expect(refused.status).toBe(413);
      expect(refused.json).toMatchObject({
        error_code: 'PAYLOAD_TOO_LARGE',
        message: expect.stringContaining(String(MAX_GZIP_RATIO)),
        details: { reason: 'gzip_ratio', limit: MAX_GZIP_RATIO },
      });
      const graphql = await rig.send('POST', '/graphql', { body: gzipSync(blank(8 * MIB)), headers: PACKED });
      expect(graphql.status).toBe(413);
      const items = Array.from({ length: 1000 }, (_, i) => ({
        scope: 'app:log',
        content: {
          kind: 'json',
          json: { trace: Array(40).fill('at com.example.Handler.run(Handler.java:40)'), i },
        },
      }));
      expect((await bulk(gzipSync(JSON.stringify({ items })))).status).toBe(202);
    });
  });
});

describe('the values of a body', () => {
  const list = (values: number) => `[${'{},'.repeat(values - 2)}{}]`;

  it('are bounded on every route, before they are taken apart', async () => {
    await withRig({}, async (rig) => {
      const send = (path: string, body: string) =>
        rig.send('POST', path, { body, headers: { 'Content-Type': 'application/json' } });
      const routes: [string, string][] = [
        ['/v1/experience', list(MAX_JSON_VALUES + 1)],
        ['/v1/recall', list(MAX_JSON_VALUES + 1)],
        ['/v1/experience/bulk', `{"items":${list(MAX_BULK_JSON_VALUES)}}`],
      ];
      for (const [path, body] of routes) {
        const refused = await send(path, body);
        expect([path, refused.status]).toEqual([path, 413]);
        expect(refused.json).toMatchObject({ details: { reason: 'json_values' } });
      }
      const variables = `{"query":"{__typename}","variables":{"captureMany":${list(MAX_BULK_JSON_VALUES)}}}`;
      const refused = await send('/graphql', variables);
      expect(refused.status).toBe(413);
      expect(refused.json.errors[0].extensions).toMatchObject({
        code: 'PAYLOAD_TOO_LARGE',
        details: { reason: 'json_values', limit: MAX_BULK_JSON_VALUES },
      });
      expect(rig.asked).toEqual([]);
      const item = list(MAX_JSON_VALUES / 2);
      expect((await send('/v1/experience/bulk', `{"items":[${item},${item},${item}]}`)).status).toBe(202);
    });
  });

  it('are those of a bulk over GraphQL too, and its items are as many', async () => {
    await withRig({ answers: { 'experience.captureBulk': () => ({ accepted: 2 }) } }, async (rig) => {
      const query = 'mutation ($input: BulkInput!) { captureMany(input: $input) { accepted } }';
      const send = (items: string) =>
        rig.send('POST', '/graphql', {
          body: `{"query":${JSON.stringify(query)},"variables":{"input":{"items":[${items}]}}}`,
          headers: { 'Content-Type': 'application/json' },
        });
      const fields = '"modality":"MESSAGE","content":{"text":{"text":"a"}}';
      const item = `{${fields},"metadata":{"a":${list(MAX_JSON_VALUES / 2)}}}`;
      expect((await send(`${item},${item}`)).json.errors).toBeUndefined();
      const many = await send(`${`{${fields}},`.repeat(87_000)}{}`);
      expect(many.json.errors.map(({ extensions }: any) => [extensions.code, extensions.details])).toEqual([
        ['INVALID_BODY', { field_path: 'items', reason: 'has more than 1000 items' }],
      ]);
      expect(rig.asked.map(({ method }) => method)).toEqual(['experience.captureBulk']);
    });
  });

  it('take room beside their text', async () => {
    const bodies = new BodyBudget({ actor: 100_000 });
    await withRig({ bodies }, async (rig) => {
      const send = (values: number) =>
        rig.send('POST', '/v1/experience', {
          body: list(values),
          headers: { 'Content-Type': 'application/json' },
        });
      expect((await send(1000)).status).toBe(202);
      expect((await send(100_000 / JSON_VALUE_BYTES)).status).toBe(503);
      expect(bodies.bytes).toBe(0);
    });
  });
});

describe('what a caller may do', () => {
  const forbidden = () => {
    throw new StrataError('POLICY_DENIED', 'not you');
  };

  it.each(['POST /v1/experience/bulk', 'POST /graphql'])(
    'is decided before a large body is read: %s',
    async (route) => {
      const bodies = new BodyBudget();
      let most = 0;
      const enter: BodyBudget['enter'] = (...caller) => {
        const room = BodyBudget.prototype.enter.apply(bodies, caller);
        const grow = (bytes: number) => {
          room.grow(bytes);
          most = Math.max(most, bodies.bytes);
        };
        return { ...room, grow };
      };
      await withRig(
        { bodies: Object.assign(Object.create(bodies), { enter }), admit: forbidden },
        async (rig) => {
          const query = 'mutation ($input: CaptureManyInput!) { captureMany(input: $input) { accepted } }';
          const body = gzipSync(filled(JSON.stringify({ query }), 5 * MIB));
          const [method = '', path = ''] = route.split(' ');
          const refused = await rig.send(method, path, { body, headers: PACKED });
          expect(refused.status).toBe(path === '/graphql' ? 413 : 403);
          expect(most).toBeLessThanOrEqual(MIB + 64 * KIB);
          const wrong = { body, headers: { ...PACKED, Authorization: 'Bearer wrong' } };
          expect((await rig.send(method, path, wrong)).status).toBe(401);
          expect(most).toBeLessThanOrEqual(MIB + 64 * KIB);
        },
      );
    },
  );
});

describe('the rate of sign-ups', () => {
  it('is asked before a body is read', async () => {
    await withRig({ rates: { signup: 1 } }, async (rig) => {
      const signup = (body: string) => rig.send('POST', '/v1/auth/signup', { anonymous: true, body });
      expect((await signup('no JSON')).status).toBe(422);
      const refused = await signup('no JSON');
      expect(refused.status).toBe(429);
      expect(refused.json.error_code).toBe('RATE_LIMITED');
      expect(rig.asked).toEqual([]);
    });
  });
});
