import type { StrataError } from '../../src/errors.ts';
import { AccessService, type AccessOptions, type Credentials } from '../../src/services/access.ts';

const keyed: AccessOptions = {
  posture: { kind: 'keyed', key: 'k-1' },
  preset: 'dev_local',
  tenants: ['acme'],
};

/** The error of a refused call. */
function refusal(action: () => unknown): StrataError {
  try {
    action();
  } catch (error) {
    return error as StrataError;
  }
  throw new Error('it was not refused');
}

describe('recognising callers', () => {
  const access = new AccessService(keyed);
  const open = new AccessService({ ...keyed, posture: { kind: 'open' }, preset: 'auth_disabled' });

  it('knows the operator by the key', () => {
    expect(access.authenticate({ bearer: 'k-1' })).toEqual({
      tenant: 'default',
      actor: 'user:local',
      posture: 'operator_key',
      tier: 'operator',
      expires_at: 253_402_300_799,
      crossTenantById: true,
    });
    expect(access.authenticate({ bearer: 'k-1', actor: 'user:+15551234567', tenant: 'acme' })).toMatchObject({
      actor: 'user:+15551234567',
      tenant: 'acme',
    });
  });

  it.each<[Credentials, string]>([
    [{}, 'MISSING_TOKEN'],
    [{ actor: 'user:a' }, 'MISSING_TOKEN'],
    [{ bearer: '' }, 'INVALID_TOKEN'],
    [{ bearer: 'k-2' }, 'INVALID_TOKEN'],
    [{ bearer: 'k-1', actor: '' }, 'ACTOR_MISMATCH'],
    [{ bearer: 'k-1', actor: 'a b' }, 'ACTOR_MISMATCH'],
    [{ bearer: 'k-1', actor: 'x'.repeat(257) }, 'ACTOR_MISMATCH'],
    [{ bearer: 'k-1', tenant: 'Acme' }, 'WRONG_TENANT'],
    [{ bearer: 'k-1', tenant: '' }, 'WRONG_TENANT'],
  ])('refuses %j with %s', (credentials, code) => {
    const error = refusal(() => access.authenticate(credentials));
    expect([error.code, error.status]).toEqual([code, 401]);
    expect(error.message).not.toContain('k-1');
  });

  it('takes everybody in the open posture, and looks at no bearer', () => {
    for (const bearer of [{}, { bearer: '' }, { bearer: 'whatever' }]) {
      expect(open.authenticate({ ...bearer, actor: 'agent:x' })).toMatchObject({
        posture: 'open',
        actor: 'agent:x',
        tenant: 'default',
      });
    }
    expect(refusal(() => open.authenticate({ tenant: 'nobody' })).code).toBe('WRONG_TENANT');
  });
});

describe('asking the policy', () => {
  it('refuses with the capability and the tier that decided', () => {
    const access = new AccessService({ ...keyed, preset: 'cloud_strict' });
    const principal = access.authenticate({ bearer: 'k-1' });
    const call = { principal, requestId: 'req_1', signal: new AbortController().signal };
    expect(() => {
      access.authorize(call, 'scope.write', 'org:a');
    }).not.toThrow();
    const error = refusal(() => {
      access.authorize(call, 'forget.gdpr.cross_workspace', null);
    });
    expect(error.code).toBe('POLICY_DENIED');
    expect(error.details).toEqual({
      capability: 'forget.gdpr.cross_workspace',
      decided_by_tier: 'deployment',
    });
  });
});
