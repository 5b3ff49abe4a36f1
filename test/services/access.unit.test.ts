import type { StrataError } from '../../src/errors.ts';
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
