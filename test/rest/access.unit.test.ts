import { isServed, OPERATION_IDS, operationOf } from '../../schemas/operation.ts';
import { MAX_AUTHORIZATION_LENGTH } from '../../src/limits.ts';
import { KEY, startRig, type Rig } from './harness.ts';

/** Operations that ask for no credentials; adding one here needs the reason in the table to hold. */
const REVIEWED_OPEN = [
  'health',
  'ready',
  'adminHealth',
  'adminReady',
  'adminVersion',
  'openapi',
  'schema',
  'signup',
];

const CREDENTIALS = [
  ['no bearer', {}, 'MISSING_TOKEN'],
  ['only an actor', { 'X-Strata-Actor': 'user:a' }, 'MISSING_TOKEN'],
  ['a wrong key', { Authorization: `Bearer ${KEY}x` }, 'INVALID_TOKEN_SIGNATURE'],
  ['a prefix of the key', { Authorization: `Bearer ${KEY.slice(0, -1)}` }, 'INVALID_TOKEN_SIGNATURE'],
  ['another scheme', { Authorization: `Basic ${KEY}` }, 'MISSING_TOKEN'],
  ['the bare key', { Authorization: KEY }, 'MISSING_TOKEN'],
  ['an empty authorization', { Authorization: '' }, 'MISSING_TOKEN'],
  ['an empty bearer', { Authorization: 'Bearer ' }, 'MISSING_TOKEN'],
  ['two words', { Authorization: `Bearer ${KEY} ${KEY}` }, 'INVALID_TOKEN_SIGNATURE'],
  ['two bearers', { Authorization: [`Bearer ${KEY}`, `Bearer ${KEY}`] }, 'INVALID_TOKEN_SIGNATURE'],
  ['an actor with a space', { Authorization: `Bearer ${KEY}`, 'X-Strata-Actor': 'user a' }, 'ACTOR_MISMATCH'],
  ['an unknown tenant', { Authorization: `Bearer ${KEY}`, 'X-Strata-Tenant': 'nobody' }, 'WRONG_TENANT'],
] as const;

describe('credentials', () => {
  let rig: Rig;
  let open: Rig;
  beforeAll(async () => {
    rig = await startRig();
    open = await startRig({ posture: { kind: 'open' } });
  });
  afterAll(async () => {
    await rig.stop();
    await open.stop();
  });

  const isOpen = (id: (typeof OPERATION_IDS)[number]) => 'open' in operationOf(id).access;
  const ask = (on: Rig, id: (typeof OPERATION_IDS)[number], headers: Record<string, string | string[]>) => {
    const { method, path, body } = operationOf(id);
    const filled = path.replace('{name}', 'error').replaceAll(/\{\w+\}/g, 'evt_1');
    return on.send(method, filled, { anonymous: true, headers, ...(body ? { body: '{}' } : {}) });
  };

  it('are asked for by every operation that is not on the reviewed list', () => {
    expect(OPERATION_IDS.filter(isOpen).sort()).toEqual([...REVIEWED_OPEN].sort());
  });

  const closed = OPERATION_IDS.filter((id) => !isOpen(id));
  const table = closed.flatMap((id) => CREDENTIALS.map((row) => [id, ...row] as const));
  it.each(table)('%s with %s is refused', async (id, _, headers, code) => {
    const asked = rig.asked.length;
    const answer = await ask(rig, id, headers as Record<string, string | string[]>);
    expect(answer.status).toBe(401);
    expect(answer.json).toMatchObject({ error_code: code, retriable: false });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(rig.asked).toHaveLength(asked);
  });

  it.each(OPERATION_IDS.filter(isOpen))('%s answers whatever the credentials', async (id) => {
    for (const [, headers] of CREDENTIALS) {
      const { status } = await ask(rig, id, headers as Record<string, string | string[]>);
      expect(Object.keys(operationOf(id).answers)).toContain(String(status));
    }
  });

  it('name the header that is at fault', async () => {
    const headers = { Authorization: `Bearer ${KEY}`, 'X-Cortex-Actor': '' };
    const actor = await rig.send('GET', '/v1/derivation/status', { headers });
    expect(actor.json.message).toContain('X-Strata-Actor');
    const tenant = await rig.send('GET', '/v1/derivation/status', { headers: { 'X-Strata-Tenant': 'x' } });
    expect(tenant.json.message).toContain('X-Strata-Tenant');
  });

  it.each([20, 17_000])('are one word, however many blanks (%i) stand before it', async (blanks) => {
    const latin1 = Buffer.from('\u2028x').toString('latin1');
    const headers = { Authorization: `Bearer${' '.repeat(blanks)}${latin1}` };
    const refused = await rig.send('GET', '/v1/derivation/status', { anonymous: true, headers });
    expect([refused.status, refused.json.error_code]).toEqual([401, 'INVALID_TOKEN_SIGNATURE']);
  });

  it('are no longer than any token is, whatever they are', async () => {
    const blanks = MAX_AUTHORIZATION_LENGTH - `Bearer${KEY}`.length;
    for (const [more, status] of [
      [0, 200],
      [1, 401],
    ] as const) {
      const headers = { Authorization: `Bearer${' '.repeat(blanks + more)}${KEY}` };
      expect((await rig.send('GET', '/v1/derivation/status', { headers })).status).toBe(status);
    }
  });

  it('are told to be one bearer when there are several', async () => {
    const bearer = `Bearer ${KEY}`;
    for (const authorization of [[bearer, bearer], [bearer, 'Basic x'], `${bearer} ${KEY}`, `${bearer}, x`]) {
      const headers = { Authorization: authorization };
      const { json } = await rig.send('GET', '/v1/derivation/status', { headers });
      expect(json).toMatchObject({
        error_code: 'INVALID_TOKEN_SIGNATURE',
        message: expect.stringContaining('exactly one bearer'),
      });
    }
    const good = await rig.send('GET', '/v1/derivation/status');
    expect(good.headers).not.toHaveProperty('www-authenticate');
  });

  it('may spell the scheme as they like', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  ']) {
      const headers = { Authorization: `${scheme} ${KEY}` };
      expect((await rig.send('GET', '/v1/derivation/status', { headers })).status).toBe(200);
    }
  });

  it('make the caller of the lane report, if they are good', async () => {
    await ask(rig, 'adminReady', { Authorization: `Bearer ${KEY}`, 'X-Strata-Actor': 'user:a' });
    expect(rig.asked.at(-1)?.call?.principal.actor).toBe('user:a');
    await ask(rig, 'adminReady', { Authorization: 'Bearer wrong' });
    expect(rig.asked.at(-1)).toMatchObject({ method: 'health.adminReady', call: null });
  });

  it.each(closed.filter(isServed))('%s needs none in the open posture', async (id) => {
    const ignored = ['Bearer whatever', 'Basic x', ['Bearer a', 'Bearer b']].map((Authorization) => ({
      Authorization,
    }));
    for (const headers of [{}, ...ignored]) {
      expect((await ask(open, id, headers)).status).toBeLessThan(300);
      expect(open.asked.at(-1)?.call?.principal).toMatchObject({ posture: 'open', actor: 'user:local' });
    }
    const bad = await ask(open, id, { 'X-Strata-Tenant': 'nobody' });
    expect(bad.json.error_code).toBe('WRONG_TENANT');
  });
});
