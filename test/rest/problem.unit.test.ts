import { ERROR_CODES, type ErrorCode } from '../../schemas/error.ts';
import { problem } from '../../schemas/problem.ts';
import { StrataError } from '../../src/errors.ts';
import { startRig, until, type Rig } from './harness.ts';

describe('errors as answers', () => {
  let rig: Rig;
  let thrown: unknown;
  beforeAll(async () => {
    rig = await startRig({
      answers: {
        'derivation.status': () => {
          throw thrown;
        },
      },
    });
  });
  afterAll(() => rig.stop());

  const ask = (error: unknown, path = '/v1/derivation/status') => {
    thrown = error;
    return rig.send('GET', path);
  };

  it.each(Object.keys(ERROR_CODES) as ErrorCode[])('%s has the status and body of the list', async (code) => {
    const { status, retriable } = ERROR_CODES[code];
    const answer = await ask(new StrataError(code, 'what is wrong', { details: { reason: 'a' } }));
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(problem.parse(answer.json)).toEqual({
      error_code: code,
      message: 'what is wrong',
      retriable,
      request_id: answer.headers['x-strata-request-id'],
      details: { reason: 'a' },
    });
  });

  it('sends Retry-After for codes that carry it, and the value of the error where it has its own', async () => {
    const shutting = await ask(new StrataError('SERVER_SHUTTING_DOWN', 'x'));
    expect(shutting.headers['retry-after']).toBe('5');
    const busy = await ask(new StrataError('SERVER_BUSY', 'x', { retryAfterSeconds: 7 }));
    expect(busy.headers['retry-after']).toBe('7');
    const found = await ask(new StrataError('NOT_FOUND', 'x'));
    expect(found.headers).not.toHaveProperty('retry-after');
    expect(found.json).not.toHaveProperty('details');
  });

  it('answers in plain text where the error says so', async () => {
    const answer = await ask(new StrataError('INVALID_QUERY', 'missing: scope', { plainText: true }));
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.text).toBe('missing: scope');
    expect(answer.headers['x-strata-request-id']).toMatch(/^req_/);
  });

  it('names the refused capability in the policy header', async () => {
    const details = { capability: 'scope.read.holistic', decided_by_tier: 'deployment' };
    const answer = await ask(new StrataError('POLICY_DENIED', 'no', { details }));
    expect(answer.status).toBe(403);
    expect(answer.json.details).toEqual(details);
    expect(answer.headers['x-strata-policy']).toBe(
      'tier=operator; decision=deny; capability=scope.read.holistic',
    );
    const member = await ask(new StrataError('NOT_A_MEMBER', 'no'));
    expect(member.headers['x-cortex-policy']).toBe('tier=operator; decision=deny; capability=scope.read');
  });

  it.each([[new Error('the password is hunter2')], ['hunter2'], [undefined], [{ status: 200, hunter2: 1 }]])(
    'shows nothing of a fault, and logs it under the request id',
    async (fault) => {
      const answer = await ask(fault, '/v1/derivation/status?scope=org:secret');
      expect(answer.status).toBe(500);
      expect(answer.json).toMatchObject({ error_code: 'INTERNAL', retriable: false });
      expect(answer.text).not.toContain('hunter2');
      const id = answer.headers['x-strata-request-id'];
      await until(() => rig.logged.some(({ fields }) => fields.request_id === id));
      const line = rig.logged.find(
        ({ message, fields }) => message === 'request failed' && fields.request_id === id,
      );
      expect(line?.fields).toMatchObject({ error_code: 'INTERNAL', route: '/v1/derivation/status' });
    },
  );

  it('logs why the database is away, and shows it to nobody', async () => {
    const cause = new Error('connect ECONNREFUSED bolt');
    const answer = await ask(new StrataError('DATABASE_UNAVAILABLE', 'the database is away', { cause }));
    expect(answer.text).not.toContain('ECONNREFUSED');
    expect(rig.logged.some(({ fields }) => String(fields.error).includes('ECONNREFUSED'))).toBe(true);
  });
});

describe('the access log', () => {
  it('has one line a request with ids and pattern, and nothing that was sent', async () => {
    const rig = await startRig();
    const answer = await rig.send('POST', '/v1/lifecycle/memory-event/evt_secret/cancel', {
      headers: {
        'X-Strata-Actor': 'user:priya',
        'X-Strata-Tenant': 'acme',
        'Content-Type': 'application/json',
      },
      body: '{"secret":"secret"}',
    });
    expect(answer.status).toBe(200);
    await rig.send('GET', '/v1/nowhere/secret?scope=secret', { headers: { Authorization: 'Bearer secret' } });
    await until(() => rig.logged.length === 2);
    expect(rig.logged.map(({ fields }) => fields)).toEqual([
      {
        method: 'POST',
        route: '/v1/lifecycle/memory-event/{id}/cancel',
        status: 200,
        ms: expect.any(Number),
        request_id: answer.headers['x-strata-request-id'],
        tenant: 'acme',
        actor: 'user:priya',
        address: '127.0.0.1',
      },
      expect.objectContaining({ route: null, status: 404, tenant: null, actor: null }),
    ]);
    expect(JSON.stringify(rig.logged)).not.toContain('secret');
    await rig.stop();
  });
});
