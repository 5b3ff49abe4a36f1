import { OPERATION_IDS, operationOf, rateOf } from '../../schemas/operation.ts';
import { startRig, type Rig, type RigOptions } from './harness.ts';

/** Operations that count as something else than their method says, reviewed. */
const REVIEWED: Readonly<Record<string, 'read' | 'write'>> = {
  recall: 'read',
  answer: 'read',
  compose: 'read',
  verifyAudit: 'read',
  verifyAuditChain: 'read',
  queryCodeGraph: 'read',
  codeInventory: 'read',
  codeContext: 'read',
  workspaceContext: 'read',
  certifyCode: 'read',
};

describe('what an operation counts as', () => {
  it('follows from its method, but for what is reviewed', () => {
    const own = OPERATION_IDS.flatMap((id) => {
      const { rate } = operationOf(id);
      return rate === undefined ? [] : [[id, rate]];
    });
    expect(Object.fromEntries(own)).toEqual(REVIEWED);
    expect(rateOf(operationOf('captureExperience'))).toBe('write');
    expect(rateOf(operationOf('deleteBlob'))).toBe('write');
    expect(rateOf(operationOf('listEvents'))).toBe('read');
    expect(rateOf(operationOf('streamLifecycle'))).toBe('read');
  });
});

async function withRig(options: RigOptions, work: (rig: Rig) => Promise<void>): Promise<void> {
  const rig = await startRig(options);
  try {
    await work(rig);
  } finally {
    await rig.stop();
  }
}

const NAMES = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'];
const ratesOf = ({ headers }: { headers: Record<string, unknown> }): unknown[] =>
  NAMES.map((name) => headers[name]);
const RESET = expect.stringMatching(/^(60|5\d)$/);

describe('REST with a rate', () => {
  it('says what is left, and refuses before it reads a body or asks a service', async () => {
    await withRig({ rates: { write: 2, read: 5 } }, async (rig) => {
      const capture = () => rig.send('POST', '/v1/experience', { body: 'no JSON' });
      expect(ratesOf(await rig.send('POST', '/v1/experience', { body: '{}' }))).toEqual([
        '2/min',
        '1',
        RESET,
        undefined,
      ]);
      const wrong = await capture();
      expect([wrong.status, ...ratesOf(wrong)]).toEqual([422, '2/min', '0', RESET, undefined]);
      const asked = rig.asked.length;
      const refused = await capture();
      expect([refused.status, ...ratesOf(refused)]).toEqual([429, '2/min', '0', RESET, RESET]);
      expect(refused.json).toMatchObject({ error_code: 'RATE_LIMITED', retriable: true });
      expect(refused.headers['x-strata-token-expires-in']).toBeDefined();
      expect(rig.asked.length).toBe(asked);
      expect(ratesOf(await rig.send('GET', '/v1/events?scope=org:a'))).toEqual([
        '5/min',
        '4',
        RESET,
        undefined,
      ]);
    });
  });

  it('counts each actor of the key by itself', async () => {
    await withRig({ rates: { read: 1 } }, async (rig) => {
      const read = (actor: string) =>
        rig.send('GET', '/v1/events?scope=org:a', { headers: { 'X-Strata-Actor': actor } });
      const statuses = [await read('user:a'), await read('user:a'), await read('user:b')].map(
        ({ status }) => status,
      );
      expect(statuses).toEqual([200, 429, 200]);
    });
  });

  it('counts neither strangers nor probes', async () => {
    await withRig({ rates: { read: 1 } }, async (rig) => {
      for (let i = 0; i < 3; i += 1) {
        expect((await rig.send('GET', '/v1/events', { anonymous: true })).status).toBe(401);
        const probe = await rig.send('GET', '/v1/admin/ready');
        expect([probe.status, ...ratesOf(probe)]).toEqual([200, undefined, undefined, undefined, undefined]);
      }
      expect((await rig.send('GET', '/v1/events?scope=org:a')).status).toBe(200);
    });
  });
});

describe('without a rate', () => {
  it('a caller is told so, and nobody else anything', async () => {
    await withRig({}, async (rig) => {
      const asked = await rig.send('POST', '/graphql', {
        body: JSON.stringify({ query: '{ __typename }' }),
        headers: { 'Content-Type': 'application/json' },
      });
      for (const answer of [asked, await rig.send('GET', '/v1/events?scope=org:a')]) {
        expect(ratesOf(answer)).toEqual(['unlimited', undefined, undefined, undefined]);
      }
      const nowhere = await rig.send('GET', '/v1/nothing');
      expect(ratesOf(nowhere)).toEqual([undefined, undefined, undefined, undefined]);
    });
  });
});

describe('GraphQL with a rate', () => {
  const ask = (rig: Rig, query: string, headers: Record<string, string> = {}) =>
    rig.send('POST', '/graphql', {
      body: JSON.stringify({ query }),
      headers: { 'Content-Type': 'application/json', ...headers },
    });
  const cancels = (count: number): string =>
    `mutation { ${Array.from({ length: count }, (_, i) => `c${i}: cancelEvent(id: "evt_${i}") { eventId }`).join(' ')} }`;

  it('counts each mutation field as a write, and tells a refusal as GraphQL does', async () => {
    await withRig({ rates: { write: 4, read: 9 } }, async (rig) => {
      const first = await ask(rig, cancels(3));
      expect([first.status, ...ratesOf(first)]).toEqual([200, '4/min', '1', RESET, undefined]);
      const asked = rig.asked.length;
      for (const headers of [{}, { Accept: 'application/graphql-response+json' }]) {
        const refused = await ask(rig, cancels(2), headers);
        expect([refused.status, ...ratesOf(refused)]).toEqual([429, '4/min', '0', RESET, RESET]);
        expect(refused.json.errors[0].extensions).toMatchObject({
          code: 'RATE_LIMITED',
          retriable: true,
          retry_after_seconds: Number(refused.headers['retry-after']),
          request_id: refused.headers['x-strata-request-id'],
        });
        expect(refused.json.data).toBeUndefined();
      }
      expect(rig.asked.length).toBe(asked);
    });
  });

  it('counts fields of fragments', async () => {
    await withRig({ rates: { write: 5 } }, async (rig) => {
      const query = `mutation { ...C ... { c: cancelEvent(id: "c") { eventId } } }
        fragment C on Mutation { a: cancelEvent(id: "a") { eventId } b: cancelEvent(id: "b") { eventId } }`;
      expect(ratesOf(await ask(rig, query)).slice(0, 2)).toEqual(['5/min', '2']);
    });
  });

  it('counts each field of a query as a read, as REST counts the requests that it stands for', async () => {
    await withRig({ rates: { write: 1, read: 40 } }, async (rig) => {
      const aliases = Array.from({ length: 30 }, (_, i) => `h${i}: health { status }`).join(' ');
      expect(ratesOf(await ask(rig, `{ ${aliases} }`)).slice(0, 2)).toEqual(['40/min', '10']);
      const spread = '{ ...H a: version { version } } fragment H on Query { health { status } }';
      expect(ratesOf(await ask(rig, spread)).slice(0, 2)).toEqual(['40/min', '8']);
      expect((await ask(rig, `{ ${aliases} }`)).status).toBe(429);
    });
  });

  it('counts what cannot be read as one read', async () => {
    await withRig({ rates: { read: 6 } }, async (rig) => {
      const left = async (answer: Promise<{ headers: Record<string, unknown> }>) => ratesOf(await answer)[1];
      expect(await left(ask(rig, '{ health { status } version { version } }'))).toBe('4');
      expect(await left(ask(rig, '{ nonsense'))).toBe('3');
      expect(
        await left(rig.send('POST', '/graphql', { body: 'x', headers: { 'Content-Type': 'text/plain' } })),
      ).toBe('2');
      expect(await left(ask(rig, '{ health { status } }', { Accept: 'image/png' }))).toBe('1');
      expect(await left(rig.send('GET', '/graphql?query=%7Bhealth%7Bstatus%7D%7D'))).toBe('0');
      const refused = await ask(rig, '{ nonsense');
      expect([refused.status, refused.json.errors[0].extensions.code]).toEqual([429, 'RATE_LIMITED']);
    });
  });
});
