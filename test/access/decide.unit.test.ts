import { CAPABILITIES, DEPLOYMENT_PRESETS } from '../../schemas/policy.ts';
import { decide, presetPolicy, type TierPolicy } from '../../src/access/decide.ts';
import type { Principal } from '../../src/access/principal.ts';

const principal: Principal = {
  tenant: 'default',
  actor: 'user:local',
  posture: 'operator_key',
  tier: 'operator',
  expires_at: 1,
  crossTenantById: true,
};

const deployment = presetPolicy('dev_local');

describe('the policy stack', () => {
  it.each(['dev_local', 'auth_disabled'] as const)('%s allows everything', (preset) => {
    for (const capability of CAPABILITIES) {
      expect(decide(principal, capability, 'org:a', [presetPolicy(preset)])).toEqual({
        allowed: true,
        tier: 'operator',
        capability,
        decidedBy: 'deployment',
      });
    }
  });

  it.each(DEPLOYMENT_PRESETS)('%s denies what it names', (preset) => {
    const denied = CAPABILITIES.filter(
      (capability) => !decide(principal, capability, null, [presetPolicy(preset)]).allowed,
    );
    expect(denied).toEqual(preset === 'cloud_strict' ? ['forget.gdpr.cross_workspace'] : []);
  });

  it('lets an inner tier narrow and never widen', () => {
    const outer: TierPolicy = { tier: 'deployment', allow: ['scope.read'], deny: [] };
    const inner: TierPolicy = { tier: 'actor', allow: ['*'], deny: ['scope.read.holistic'] };
    const asked = (capability: 'scope.read.local' | 'scope.read.holistic' | 'scope.write') =>
      decide(principal, capability, 'org:a', [outer, inner]);
    expect(asked('scope.read.local')).toMatchObject({ allowed: true, decidedBy: 'actor' });
    expect(asked('scope.read.holistic')).toMatchObject({ allowed: false, decidedBy: 'actor' });
    expect(asked('scope.write')).toMatchObject({ allowed: false, decidedBy: 'deployment' });
  });

  it('takes a denial with everything that the denied capability implies', () => {
    const tenant: TierPolicy = { tier: 'tenant', allow: ['*'], deny: ['scope.write'] };
    const decision = decide(principal, 'scope.write.on_behalf_of', null, [deployment, tenant]);
    expect(decision).toMatchObject({ allowed: false, decidedBy: 'tenant' });
  });

  it('allows nothing without a policy', () => {
    expect(decide(principal, 'scope.read', null, []).allowed).toBe(false);
  });
});
