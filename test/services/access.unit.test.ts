import type { StrataError } from '../../src/errors.ts';
import { RequestRecord } from '../../src/access/request-record.ts';
import { AccessService, type AccessOptions, type Credentials } from '../../src/services/access.ts';
import { holder, NO_RULES, OPERATOR } from '../support/principals.ts';

const keyed: AccessOptions = {
  posture: { kind: 'keyed', key: 'k-1' },
  preset: 'dev_local',
  tenants: ['acme'],
  rules: NO_RULES,
};

const callOf = (principal = OPERATOR) => ({
  principal,
  requestId: 'req_1',
  signal: new AbortController().signal,
});

/** The error of a refused call. */
async function refusal(answer: Promise<unknown>): Promise<StrataError> {
  const error: unknown = await answer.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error === null) throw new Error('it was not refused');
  return error as StrataError;
}

describe('recognising callers', () => {
  const access = new AccessService(keyed);
  const open = new AccessService({ ...keyed, posture: { kind: 'open' }, preset: 'auth_disabled' });

  it('knows the operator by the key', async () => {
    expect(await access.authenticate({ bearer: 'k-1' })).toEqual(OPERATOR);
    const named = { bearer: 'k-1', actor: 'user:+15551234567', tenant: 'acme' };
    expect(await access.authenticate(named)).toMatchObject({ actor: 'user:+15551234567', tenant: 'acme' });
  });

  it.each<[Credentials, string]>([
    [{}, 'MISSING_TOKEN'],
    [{ actor: 'user:a' }, 'MISSING_TOKEN'],
    [{ bearer: '' }, 'INVALID_TOKEN_SIGNATURE'],
    [{ bearer: 'k-2' }, 'INVALID_TOKEN_SIGNATURE'],
    [{ bearer: 'k-1', actor: '' }, 'ACTOR_MISMATCH'],
    [{ bearer: 'k-1', actor: 'a b' }, 'ACTOR_MISMATCH'],
    [{ bearer: 'k-1', actor: 'x'.repeat(257) }, 'ACTOR_MISMATCH'],
    [{ bearer: 'k-1', tenant: 'Acme' }, 'WRONG_TENANT'],
    [{ bearer: 'k-1', tenant: '' }, 'WRONG_TENANT'],
  ])('refuses %j with %s', async (credentials, code) => {
    const error = await refusal(access.authenticate(credentials));
    expect([error.code, error.status]).toEqual([code, 401]);
    expect(error.message).not.toContain('k-1');
  });

  it('takes everybody in the open posture, and looks at no bearer that is no token', async () => {
    for (const bearer of [{}, { bearer: '' }, { bearer: 'whatever' }]) {
      expect(await open.authenticate({ ...bearer, actor: 'agent:x' })).toMatchObject({
        posture: 'open',
        issuer: 'auth-disabled',
        actor: 'agent:x',
        tenant: 'default',
      });
    }
    expect((await refusal(open.authenticate({ tenant: 'nobody' }))).code).toBe('WRONG_TENANT');
  });

  it('lets only a token name an actor where actors have to be signed', async () => {
    const strict = new AccessService({ ...keyed, preset: 'cloud_strict' });
    expect(await strict.authenticate({ bearer: 'k-1' })).toEqual(OPERATOR);
    expect((await refusal(strict.authenticate({ bearer: 'k-1', actor: 'user:b' }))).code).toBe(
      'ACTOR_MISMATCH',
    );
  });
});

describe('asking the policy', () => {
  const access = new AccessService({ ...keyed, preset: 'cloud_strict' });

  it('refuses with the capability and the tier that decided', async () => {
    await access.authorize(callOf(), 'scope.write', 'org:a');
    const error = await refusal(access.authorize(callOf(), 'forget.gdpr.cross_workspace', null));
    expect(error.code).toBe('POLICY_DENIED');
    expect(error.details).toEqual({
      capability: 'forget.gdpr.cross_workspace',
      decided_by_tier: 'deployment',
    });
  });

  it('tells a writer that he is no member, and shows a reader nothing', async () => {
    const stranger = callOf(holder('user:s'));
    expect((await refusal(access.authorize(stranger, 'scope.write', 'org:a'))).code).toBe('NOT_A_MEMBER');
    expect(await access.sees(stranger, 'scope.read', 'org:a')).toBe(false);
    expect(await access.sees(stranger, 'scope.read', 'user:s/app:x')).toBe(true);
    const mayRead = await access.readableNow(stranger, [
      { tenant: 'default', path: 'org:a' },
      { tenant: 'default', path: 'user:s' },
    ]);
    expect([
      mayRead({ tenant: 'default', path: 'org:a' }),
      mayRead({ tenant: 'default', path: 'user:s' }),
    ]).toEqual([false, true]);
    expect(mayRead({ tenant: 'acme', path: 'user:s' })).toBe(false);
  });
});

describe('the gate of an operation that asks for one of several capabilities', () => {
  const either = ['forget.cascade.derived_only', 'forget.cascade.redact_events'] as const;
  const access = new AccessService(keyed);
  const record = () =>
    new RequestRecord({
      endpoint: 'POST /v1/forget',
      capability: null,
      audited: true,
      status: 200,
      bodySha256: () => null,
      began: 0,
    });

  it.each(either)('lets in who has %s alone, and leaves open which one is used', async (cap) => {
    const call = { ...callOf(holder('user:a', { caps: [cap] })), request: record() };
    await access.admit(call, ...either);
    expect([call.request.allowed, call.request.refused]).toEqual([null, null]);
  });

  it('refuses who has none of them, and names the first', async () => {
    const call = { ...callOf(holder('user:a', { caps: ['scope.*'] })), request: record() };
    expect((await refusal(access.admit(call, ...either))).details).toMatchObject({ capability: either[0] });
    expect(call.request.refused?.capability).toBe(either[0]);
  });
});

describe('working on the whole of a scope', () => {
  const request = () =>
    new RequestRecord({
      endpoint: 'POST /v1/beliefs/build',
      capability: 'scope.write',
      audited: true,
      status: 200,
      bodySha256: () => null,
      began: 0,
    });
  const open = new AccessService(keyed);

  it.each(['user:anna', 'user:anna/project:x', 'agent:anna', 'service:anna'])(
    'lets another write into %s, and not work on all of it',
    async (scope) => {
      const call = { ...callOf(holder('user:bert')), request: request() };
      await open.authorize(call, 'scope.write', scope);
      const error = await refusal(open.authorizeWhole(call, 'scope.write', scope));
      expect([error.code, error.details]).toEqual([
        'POLICY_DENIED',
        { capability: 'scope.write', decided_by_tier: 'deployment' },
      ]);
      expect(call.request.refused).toEqual({ capability: 'scope.write', scope, decidedBy: 'deployment' });
    },
  );

  it('lets the actor of the scope, the operator, and whoever may write where it belongs to nobody', async () => {
    const letIn = [
      [holder('user:anna'), 'user:anna/project:x'],
      [OPERATOR, 'user:anna'],
      [holder('user:bert'), 'org:anna'],
    ] as const;
    for (const [principal, scope] of letIn) {
      const call = { ...callOf(principal), request: request() };
      await open.authorizeWhole(call, 'scope.write', scope);
      expect([call.request.allowed?.scope, call.request.refused]).toEqual([scope, null]);
    }
  });

  it('refuses first what is refused of a part already', async () => {
    const strict = new AccessService({ ...keyed, preset: 'cloud_strict' });
    const stranger = callOf(holder('user:bert'));
    expect((await refusal(strict.authorizeWhole(stranger, 'scope.write', 'user:anna'))).code).toBe(
      'NOT_A_MEMBER',
    );
    const narrowed = callOf(holder('user:anna', { caps: ['scope.read'] }));
    const error = await refusal(open.authorizeWhole(narrowed, 'scope.write', 'user:anna'));
    expect(error.details).toEqual({ capability: 'scope.write', decided_by_tier: 'actor' });
  });
});
