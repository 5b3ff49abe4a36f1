import { gzipSync } from 'node:zlib';

import { BodyBudget } from '../../src/services/body-budget.ts';
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

describe('the room of all bodies together', () => {
  it('is held until each is answered, and one more is asked to come again', async () => {
    const bodies = new BodyBudget(8 * MIB, 2 * MIB);
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
      expect(bodies.bytes).toBe(2 * MIB);
      const refused = await bulk();
      expect(refused.status).toBe(503);
      expect(refused.headers['retry-after']).toBe('1');
      expect(refused.json).toMatchObject({
        error_code: 'SERVER_BUSY',
        retriable: true,
        details: { reason: 'tenant_bodies', limit_bytes: 2 * MIB },
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
    const bodies = new BodyBudget(4 * MIB, 2 * MIB);
    let most = 0;
    const look = setInterval(() => (most = Math.max(most, bodies.bytes)), 1);
    await withRig({ bodies }, async (rig) => {
      const body = gzipSync(blank(2 * MIB - KIB));
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
    const bodies = new BodyBudget(KIB, KIB);
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
          body: gzipSync(JSON.stringify({ query }).padEnd(bytes)),
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
      const body = gzipSync(JSON.stringify({ query }).padEnd(5 * MIB));
      expect((await rig.send('POST', '/graphql', { body, headers: PACKED })).status).not.toBe(413);
    });
  });
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
