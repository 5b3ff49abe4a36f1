import type { OpenDoor } from '../../rest/origin.ts';
import { startRig, type Answered, type Rig } from './harness.ts';

const LOCAL: OpenDoor = { host: '127.0.0.1', anyHost: false };
const PAGE = 'https://app.example.com';

async function openRig(open: OpenDoor | null, corsOrigins: string[] = []): Promise<Rig> {
  return startRig({
    posture: open === null ? { kind: 'keyed', key: 'key-of-the-test' } : { kind: 'open' },
    app: { open, corsOrigins },
  });
}

/** What a page can send without asking: no label, or one that forms have. */
function write(rig: Rig, headers: Record<string, string>): Promise<Answered> {
  return rig.send('POST', '/v1/experience', { anonymous: true, headers, body: '{}' });
}

describe('a service that asks for no key', () => {
  let rig: Rig;
  beforeAll(async () => (rig = await openRig(LOCAL, [PAGE])));
  afterAll(() => rig.stop());

  it.each([
    ['POST', '/v1/experience'],
    ['POST', '/v1/experience/bulk'],
    ['POST', '/v1/blobs'],
    ['POST', '/v1/lifecycle/memory-event/evt_1/cancel'],
    ['POST', '/v1/scopes/prune'],
    ['POST', '/v1/auth/tokens'],
    ['POST', '/v1/auth/signup'],
    ['POST', '/graphql'],
    ['GET', '/v1/events?scope=org:a'],
    ['OPTIONS', '/v1/experience'],
  ])('refuses a page of a foreign origin: %s %s', async (method, path) => {
    const before = rig.asked.length;
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1', `${PAGE}.evil`]) {
      const headers = { Origin: origin, 'Access-Control-Request-Method': 'POST' };
      const body = method === 'POST' ? { body: '{}' } : {};
      const answer = await rig.send(method, path, { anonymous: true, headers, ...body });
      expect(answer.status).toBe(403);
      const told = path === '/graphql' ? answer.json.errors[0].extensions : answer.json;
      expect(told).toMatchObject({ details: { reason: 'origin', setting: 'STRATA_CORS_ORIGINS' } });
      expect(told.error_code ?? told.code).toBe('POLICY_DENIED');
    }
    expect(rig.asked).toHaveLength(before);
  });

  it('lets in its own pages, configured ones, and who is no page', async () => {
    for (const origin of [`http://127.0.0.1:${rig.port}`, PAGE, undefined]) {
      expect((await write(rig, origin === undefined ? {} : { Origin: origin })).status).toBe(202);
    }
    const asked = { Origin: PAGE, 'Access-Control-Request-Method': 'POST' };
    expect((await rig.send('OPTIONS', '/v1/experience', { anonymous: true, headers: asked })).status).toBe(
      204,
    );
  });

  it.each(['cross-site', 'same-site'])(
    'refuses what a page embeds or sends from elsewhere: %s',
    async (site) => {
      const before = rig.asked.length;
      const embedded = ['object', 'image', 'script', 'iframe', 'empty'].map((dest) => ({
        'Sec-Fetch-Site': site,
        'Sec-Fetch-Mode': dest === 'iframe' ? 'navigate' : 'no-cors',
        'Sec-Fetch-Dest': dest,
      }));
      const opened = { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
      for (const [method, path, headers] of [
        ...embedded.map((headers) => ['GET', '/v1/entities/ent_zed', headers] as const),
        ...embedded.map((headers) => ['GET', '/graphql', headers] as const),
        ['GET', '/v1/entities/ent_zed', opened],
        ['GET', '/graphql?query={__typename}', opened],
        ['POST', '/v1/experience', opened],
      ] as const) {
        const answer = await rig.send(method, path, { anonymous: true, headers });
        expect([method, path, answer.status]).toEqual([method, path, 403]);
        const told = path.startsWith('/graphql') ? answer.json.errors[0].extensions : answer.json;
        expect(told).toMatchObject({ details: { reason: 'site', setting: 'STRATA_CORS_ORIGINS' } });
      }
      expect(rig.asked).toHaveLength(before);
    },
  );

  it('lets in what a browser sends for a configured page, for its own, and for a person who opens the IDE', async () => {
    const named = { Origin: PAGE, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' };
    expect((await write(rig, named)).status).toBe(202);
    for (const site of ['same-origin', 'none'])
      expect((await write(rig, { 'Sec-Fetch-Site': site })).status).toBe(202);
    const opened = {
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
    };
    const page = await rig.send('GET', '/graphql', {
      anonymous: true,
      headers: { ...opened, Accept: 'text/html' },
    });
    expect(page.status).not.toBe(403);
  });

  it.each(['evil.example', '10.0.0.1', 'localhost.evil.example', '127.0.0.1.evil.example', 'x:y', '[::2]'])(
    'refuses to be called %s',
    async (name) => {
      const headers = { Host: `${name}:${rig.port}`, Origin: `http://${name}:${rig.port}` };
      const answer = await write(rig, headers);
      expect(answer.status).toBe(403);
      expect(answer.json).toMatchObject({ error_code: 'POLICY_DENIED', details: { reason: 'host' } });
    },
  );

  it.each(['localhost', 'LocalHost', '127.0.0.1', '127.8.9.10', '[::1]'])(
    'may be called %s',
    async (name) => {
      const headers = { Host: `${name}:${rig.port}`, Origin: `http://${name}:${rig.port}`.toLowerCase() };
      expect((await write(rig, headers)).status).toBe(202);
    },
  );

  it('may be called by the host that it listens on, and by any where it serves other machines', async () => {
    const headers = { Host: 'box.example:3141' };
    for (const [door, status] of [
      [{ host: 'box.example', anyHost: false }, 202],
      [{ host: '::1', anyHost: false }, 403],
      [{ host: '0.0.0.0', anyHost: true }, 202],
    ] as const) {
      const other = await openRig(door);
      expect((await write(other, headers)).status).toBe(status);
      expect((await write(other, { ...headers, Origin: 'https://evil.example' })).status).toBe(403);
      await other.stop();
    }
  });
});

describe('a service that asks for a key', () => {
  it('looks at neither', async () => {
    const rig = await openRig(null);
    const headers = { Host: 'evil.example', Origin: 'https://evil.example' };
    expect((await rig.send('POST', '/v1/experience', { headers, body: '{}' })).status).toBe(202);
    await rig.stop();
  });
});
