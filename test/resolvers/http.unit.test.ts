import { serverAudits } from 'graphql-http';

import { KEY, startRig, type Rig, type SendOptions } from '../rest/harness.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({
    answers: {
      'event.get': () => {
        throw new Error('a fault with a secret');
      },
    },
  });
});
afterAll(() => rig.stop());

const withKey: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${KEY}`);
  // Node labels a text body as text/plain; the suite means a request without a label.
  return fetch(input, { ...init, headers });
};

const post = (body: unknown, options: SendOptions = {}) =>
  rig.send('POST', '/graphql', {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...options,
    headers: { 'content-type': 'application/json', ...options.headers },
  });

describe('the audit suite of GraphQL over HTTP', () => {
  const audits = serverAudits({ url: () => `http://127.0.0.1:${rig.port}/graphql`, fetchFn: withKey });

  it.each(audits.map((audit) => [audit.id, audit.name, audit] as const))(
    '%s: %s',
    async (_id, _name, audit) => {
      const result = await audit.fn();
      expect({ status: result.status, reason: 'reason' in result ? result.reason : null }).toEqual({
        status: 'ok',
        reason: null,
      });
    },
  );

  it('gets 401 without a key, whatever it asks', async () => {
    const anonymous = serverAudits({ url: `http://127.0.0.1:${rig.port}/graphql`, fetchFn: fetch });
    expect(anonymous.length).toBe(audits.length);
    for (const { fn } of anonymous) {
      const result = await fn();
      if ('response' in result) expect(result.response.status).toBe(401);
    }
  });
});

describe('POST /graphql', () => {
  it('refuses who has no key in the shape of GraphQL', async () => {
    const { status, headers, json } = await post({ query: '{ __typename }' }, { anonymous: true });
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(json.errors[0].extensions).toEqual({
      code: 'MISSING_TOKEN',
      retriable: false,
      request_id: headers['x-strata-request-id'],
    });
  });

  it('carries the headers of every answer', async () => {
    const { headers } = await post({ query: '{ __typename }' });
    expect(headers['x-cortex-request-id']).toBe(headers['x-strata-request-id']);
    expect(headers['x-strata-token-expires-in']).toMatch(/^\d+$/);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('never shows what failed inside, and logs it', async () => {
    const { status, text, json } = await post({ query: '{ event(id: "a", scope: "org:a") { id } }' });
    expect(status).toBe(200);
    expect(json.errors[0].extensions).toMatchObject({ code: 'INTERNAL', retriable: false });
    expect(text).not.toMatch(/secret|\.ts|stack/);
    expect(rig.logged.some(({ fields }) => String(fields.error).includes('a fault with a secret'))).toBe(
      true,
    );
  });

  it('takes no batches', async () => {
    const { status, json } = await post([{ query: '{ __typename }' }, { query: '{ __typename }' }]);
    expect([status, json.errors[0].extensions.code]).toEqual([400, 'INVALID_BODY']);
  });

  it.each([
    ['text/plain', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['application/x-www-form-urlencoded', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['multipart/form-data; boundary=x', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['application/graphql', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('refuses a body labelled %s', async (type, status, code) => {
    const answer = await post('{ __typename }', { headers: { 'content-type': type } });
    expect([answer.status, answer.json.errors[0].extensions.code]).toEqual([status, code]);
  });

  it('answers nobody who accepts neither media type, and does nothing', async () => {
    const before = rig.asked.length;
    const query = 'mutation { cancelEvent(id: "evt_1") { eventId } }';
    const { status, json } = await post({ query }, { headers: { accept: 'text/html' } });
    expect([status, json.errors[0].extensions.code]).toEqual([406, 'INVALID_HEADER']);
    expect(rig.asked.length).toBe(before);
  });

  it('answers an unknown operation and a method that it has not', async () => {
    const unknown = await post({ query: 'query A { __typename }', operationName: 'B' });
    expect([unknown.status, unknown.json.errors[0].extensions.code]).toEqual([400, 'INVALID_QUERY']);
    const other = await rig.send('PUT', '/graphql', {});
    expect([other.status, other.json.errors[0].extensions.code, other.headers.allow]).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      'GET, HEAD, POST',
    ]);
  });
});

describe('GET /graphql', () => {
  it('reads, and does not write', async () => {
    const read = await rig.send('GET', `/graphql?query=${encodeURIComponent('{ health { status } }')}`);
    expect(read.json).toEqual({ data: { health: { status: 'ok' } } });
    const query = 'mutation { cancelEvent(id: "evt_1") { eventId } }';
    const before = rig.asked.length;
    const write = await rig.send('GET', `/graphql?query=${encodeURIComponent(query)}`);
    expect([write.status, write.headers.allow]).toEqual([405, 'POST']);
    expect(write.json.errors[0].extensions.code).toBe('METHOD_NOT_ALLOWED');
    expect(rig.asked.length).toBe(before);
  });

  it('refuses variables that are no JSON', async () => {
    const query = encodeURIComponent(
      'query ($a: [String!]) { events(scope: "org:a", labels: $a) { nodes { id } } }',
    );
    for (const variables of ['{', '[1,]']) {
      const { status, json } = await rig.send(
        'GET',
        `/graphql?query=${query}&variables=${encodeURIComponent(variables)}`,
      );
      expect([variables, status, json.errors[0].extensions.code]).toEqual([variables, 400, 'INVALID_QUERY']);
    }
  });

  it('reads variables behind a byte order mark as every reader does', async () => {
    const query = encodeURIComponent('query ($a: ID = "evt_1") { lifecycleFrame(id: $a) { event } }');
    const { status } = await rig.send('GET', `/graphql?query=${query}&variables=%EF%BB%BF{}`);
    expect(status).toBe(200);
    expect(rig.asked.at(-1)).toMatchObject({ method: 'lifecycle.get', input: ['evt_1'] });
  });

  it('shows the IDE to browsers, without a key', async () => {
    const shown = await startRig({ ide: (path) => ({ contentType: 'text/html', body: `page ${path}` }) });
    const page = await shown.send('GET', '/graphql', {
      anonymous: true,
      headers: { accept: 'text/html,*/*' },
    });
    expect([page.status, page.text]).toEqual([200, 'page /graphql']);
    const file = await shown.send('GET', '/graphql/main.js', { anonymous: true });
    expect(file.text).toBe('page /graphql/main.js');
    const asked = await shown.send('GET', '/graphql?query=%7B__typename%7D', {
      headers: { accept: 'text/html,application/json' },
    });
    expect(asked.json).toEqual({ data: { __typename: 'Query' } });
    await shown.stop();
  });
});
