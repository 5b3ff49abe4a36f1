import { KEY, NOW, startRig, type Rig } from './harness.ts';

describe('header families', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.stop());

  it('reads the actor from either family', async () => {
    for (const header of ['X-Strata-Actor', 'X-Cortex-Actor', 'x-cortex-actor']) {
      await rig.send('GET', '/v1/derivation/status', { headers: { [header]: 'user:priya@acme.com' } });
      expect(rig.asked.at(-1)?.call?.principal.actor).toBe('user:priya@acme.com');
    }
  });

  it('takes two families that agree and refuses two that do not, whatever the header', async () => {
    const agreed = await rig.send('GET', '/v1/derivation/status', {
      headers: { 'X-Strata-Actor': 'user:a', 'X-Cortex-Actor': 'user:a' },
    });
    expect(agreed.status).toBe(200);
    for (const name of ['Actor', 'Tenant', 'Idempotency-Key']) {
      const headers = { [`X-Strata-${name}`]: 'acme', [`X-Cortex-${name}`]: 'other' };
      const answer = await rig.send('GET', '/v1/health', { headers });
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({
        error_code: 'INVALID_HEADER',
        retriable: false,
        details: { header: `x-strata-${name.toLowerCase()}` },
      });
    }
  });

  it('refuses one family given twice with different values', async () => {
    const answer = await rig.send('GET', '/v1/health', {
      headers: { 'X-Strata-Actor': ['user:a', 'user:b'] },
    });
    expect(answer.json.error_code).toBe('INVALID_HEADER');
  });

  it('reads UTF-8 in header values', async () => {
    const sent = Buffer.from('user:josé', 'utf8').toString('latin1');
    await rig.send('GET', '/v1/derivation/status', { headers: { 'X-Strata-Actor': sent } });
    expect(rig.asked.at(-1)?.call?.principal.actor).toBe('user:josé');
  });

  it('sends every header of ours in both families, on success and on refusal', async () => {
    const good = await rig.send('GET', '/v1/derivation/status');
    const bad = await rig.send('GET', '/v1/derivation/status', { anonymous: true });
    for (const answer of [good, bad]) {
      expect(answer.headers['x-strata-request-id']).toMatch(/^req_[0-9a-f]{32}$/);
      for (const [name, value] of Object.entries(answer.headers)) {
        if (name.startsWith('x-strata-')) {
          expect([name, answer.headers[name.replace('strata', 'cortex')]]).toEqual([name, value]);
        }
      }
      expect(answer.headers['x-strata-stability']).toBe('stable');
    }
    expect(bad.json.request_id).toBe(bad.headers['x-strata-request-id']);
  });

  it('says tier, decision and capability, and that the operator key never ends', async () => {
    const { headers } = await rig.send('GET', '/v1/derivation/status');
    expect(headers['x-strata-policy']).toBe('tier=operator; decision=allow; capability=scope.read');
    expect(headers['x-strata-token-expires-in']).toBe(String(253_402_300_799 - Math.floor(NOW / 1000)));
    expect(headers['x-cortex-token-expires-at']).toBe('');
  });

  it('says nothing of a caller where none is recognised', async () => {
    const open = await rig.send('GET', '/v1/health');
    const refused = await rig.send('GET', '/v1/events?scope=org:a', { anonymous: true });
    for (const { headers } of [open, refused]) {
      expect(Object.keys(headers).filter((name) => /^x-.*-(policy|token-expires)/.test(name))).toEqual([]);
    }
  });

  it('sends the caller its own request id back when it is visible ASCII of at most 128 characters', async () => {
    for (const id of ['abc-1', '~'.repeat(128)]) {
      const answer = await rig.send('GET', '/v1/events', {
        anonymous: true,
        headers: { 'X-Request-Id': id },
      });
      expect(answer.status).toBe(401);
      expect(answer.headers['x-request-id']).toBe(id);
      expect(answer.headers['x-strata-request-id']).not.toBe(id);
    }
    for (const id of ['a b', 'x'.repeat(129), '\u00e9']) {
      const answer = await rig.send('GET', '/v1/health', { headers: { 'X-Request-Id': id } });
      expect(answer.headers['x-request-id']).toBeUndefined();
    }
  });

  it('tells caches and browsers to leave answers alone', async () => {
    const { headers } = await rig.send('GET', '/v1/health');
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('etag');
  });

  it.each([
    ['GET', '/v1/health'],
    ['GET', '/v1/events?scope=org:a'],
    ['GET', '/v1/nothing'],
    ['GET', '/%zz'],
    ['PATCH', '/v1/experience'],
    ['POST', '/graphql'],
  ])('lets no other origin embed or frame what is answered to %s %s', async (method, path) => {
    const { headers } = await rig.send(method, path, { anonymous: true });
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  it('speaks only its own family when no alias is configured', async () => {
    const plain = await startRig({ app: { headerAliases: [] } });
    const headers = { Authorization: `Bearer ${KEY}`, 'X-Cortex-Actor': 'user:other' };
    const answer = await plain.send('GET', '/v1/derivation/status', { headers });
    expect(Object.keys(answer.headers).filter((name) => name.includes('cortex'))).toEqual([]);
    expect(plain.asked.at(-1)?.call?.principal.actor).toBe('user:local');
    await plain.stop();
  });
});
