import { CAPABILITIES, DEPLOYMENT_PRESETS, type Capability } from '../../schemas/policy.ts';
import { decide, presetPolicy, rulesUnder, type Policy, type TierPolicy } from '../../src/access/decide.ts';
import { parseGrant, type Grant } from '../../src/access/grant.ts';
import type { Principal } from '../../src/access/principal.ts';
import type { ScopeWithRules, ScopeRules } from '../../src/access/rules.ts';
import { holder, OPERATOR } from '../support/principals.ts';

const under = (preset: (typeof DEPLOYMENT_PRESETS)[number], ...inner: TierPolicy[]): Policy => ({
  tiers: [presetPolicy(preset), ...inner],
  ...rulesUnder(preset),
});

const rules = (
  members: Record<string, 'reader' | 'writer' | 'owner'> | null,
  deny: Capability[] = [],
): ScopeRules => ({
  members: members === null ? null : new Map(Object.entries(members)),
  allow: ['*'],
  deny,
});

const at = (path: string, ...levels: (ScopeRules | null)[]): ScopeWithRules => ({
  path,
  levels: path.split('/').map((_, i) => levels[i] ?? null),
});

const outcome = (
  principal: Principal,
  capability: Capability,
  place: ScopeWithRules | null,
  policy = under('dev_local'),
): string => decide(principal, capability, place, policy).outcome;

const grant = (text: string): Grant => {
  const parsed = parseGrant(text);
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
};

describe('the tiers', () => {
  it.each(['dev_local', 'auth_disabled'] as const)('%s allows everything', (preset) => {
    for (const capability of CAPABILITIES)
      expect(outcome(OPERATOR, capability, at('org:a'), under(preset))).toBe('allowed');
  });

  it.each(DEPLOYMENT_PRESETS)('%s denies what it names', (preset) => {
    const denied = CAPABILITIES.filter((name) => outcome(OPERATOR, name, null, under(preset)) !== 'allowed');
    expect(denied).toEqual(preset === 'cloud_strict' ? ['forget.gdpr.cross_workspace'] : []);
  });

  it.each([
    ['tenant', under('dev_local', { tier: 'tenant', allow: ['*'], deny: ['scope.write'] }), at('org:a')],
    ['actor', under('dev_local', { tier: 'actor', allow: ['scope.read'], deny: [] }), at('org:a')],
    ['scope', under('dev_local'), at('org:a/app:b', rules(null, ['scope.write']))],
  ] as const)('names the tier that refuses: %s', (tier, policy, place) => {
    expect(decide(holder('user:a'), 'scope.write.on_behalf_of', place, policy)).toMatchObject({
      outcome: 'refused',
      decidedBy: tier,
    });
  });

  it('lets an inner tier narrow and never widen', () => {
    const outer: TierPolicy = { tier: 'deployment', allow: ['scope.read'], deny: [] };
    const inner: TierPolicy = { tier: 'actor', allow: ['*'], deny: ['scope.read.holistic'] };
    const policy: Policy = { ...rulesUnder('dev_local'), tiers: [outer, inner] };
    expect(outcome(OPERATOR, 'scope.read.local', at('org:a'), policy)).toBe('allowed');
    expect(outcome(OPERATOR, 'scope.read.holistic', at('org:a'), policy)).toBe('refused');
    expect(outcome(OPERATOR, 'scope.write', at('org:a'), policy)).toBe('refused');
  });

  it('allows nothing without a policy', () => {
    expect(outcome(OPERATOR, 'scope.read', null, { ...rulesUnder('dev_local'), tiers: [] })).toBe('refused');
  });
});

describe('a token', () => {
  it('is narrowed by its capabilities, and a signed-up one by its tier', () => {
    const reader = holder('user:a', { caps: ['scope.read'] });
    expect(outcome(reader, 'scope.read.descend', at('org:a'))).toBe('allowed');
    expect(outcome(reader, 'scope.write', at('org:a'))).toBe('refused');
    expect(outcome(holder('user:a', { tier: 'free' }), 'auth.mint', null)).toBe('refused');
    expect(outcome(holder('user:a', { tier: 'free' }), 'scope.write', at('org:a'))).toBe('allowed');
  });

  it('with scopes may be used where an entry covers capability and path, and nowhere else', () => {
    const confined = holder('user:a', { grants: [grant('scope.write:user:1/*'), grant('scope.*:org:a')] });
    const write = (path: string): string => outcome(confined, 'scope.write', at(path));
    expect(['user:1', 'user:1/app:x', 'org:a'].map(write)).toEqual(['allowed', 'allowed', 'allowed']);
    expect(['user:10', 'user:10/app:x', 'org:a/app:x', 'org:b'].map(write)).toEqual([
      'refused',
      'refused',
      'refused',
      'refused',
    ]);
    expect(outcome(confined, 'scope.read', at('user:1'))).toBe('refused');
    expect(outcome(confined, 'auth.mint', null)).toBe('refused');
  });

  it.each([
    'scope.write',
    'org:a',
    ':org:a',
    'scope.write:',
    'scope.write:org',
    'nothing:org:a',
    'scope.writ*:org:a',
    'scope.write:org:a/**',
  ])('knows no entry %j', (text) => {
    expect(typeof parseGrant(text)).toBe('string');
  });
});

describe('under the presets of a cloud', () => {
  it.each(['cloud_shared_saas', 'cloud_strict'] as const)('%s, no token sees all tenants', (preset) => {
    const admin = holder('user:a', { caps: ['*'] });
    for (const capability of ['diagnostics.read', 'admin.compact', 'admin.layers.stats'] as const) {
      expect(outcome(admin, capability, null, under(preset))).toBe('refused');
      expect(outcome(OPERATOR, capability, null, under(preset))).toBe('allowed');
      expect(outcome(admin, capability, null, under('dev_local'))).toBe('allowed');
    }
    expect(outcome(admin, 'auth.mint', null, under(preset))).toBe('allowed');
  });
});

describe('personal scopes', () => {
  const governing = ['scope.create', 'scope.manage'] as const;
  const seized = rules({ 'user:bert': 'owner' });

  it.each(DEPLOYMENT_PRESETS)(
    'are registered, changed and deleted by their actor and the operator alone: %s',
    (preset) => {
      for (const path of ['user:anna', 'user:anna/project:x', 'agent:anna', 'service:anna/app:y']) {
        const [own = ''] = path.split('/');
        for (const place of [at(path), at(path, seized)])
          for (const capability of governing) {
            const told = decide(holder('user:bert'), capability, place, under(preset));
            expect(told).toMatchObject({ outcome: 'refused', decidedBy: 'deployment' });
            expect(outcome(holder(own), capability, place, under(preset))).toBe('allowed');
            expect(outcome(OPERATOR, capability, place, under(preset))).toBe('allowed');
          }
      }
    },
  );

  it('are written and read as any other while nobody registered them', () => {
    for (const capability of ['scope.write', 'scope.read'] as const)
      expect(outcome(holder('user:app'), capability, at('user:default'))).toBe('allowed');
  });

  it('are those whose first segment names an actor, as a whole', () => {
    for (const path of ['org:a/user:anna', 'users:anna', 'agents:a', 'ws:user'])
      expect(outcome(holder('user:bert'), 'scope.manage', at(path))).toBe('allowed');
    expect(outcome(holder('user:ann'), 'scope.manage', at('user:anna'))).toBe('refused');
    expect(outcome(holder('user:Anna'), 'scope.manage', at('user:anna'))).toBe('refused');
  });

  it('are not opened to a token of their actor that is narrowed', () => {
    const narrowed = holder('user:anna', { caps: ['scope.read'] });
    expect(outcome(narrowed, 'scope.manage', at('user:anna'))).toBe('refused');
    const elsewhere = holder('user:anna', { grants: [grant('*:org:a/*')] });
    expect(outcome(elsewhere, 'scope.create', at('user:anna'))).toBe('refused');
    expect(outcome(holder('user:anna'), 'scope.manage', at('user:anna', rules(null, ['scope.manage'])))).toBe(
      'refused',
    );
  });
});

describe('rosters', () => {
  const place = at(
    'org:a/app:b/user:c',
    rules({ 'user:r': 'reader', 'user:w': 'writer', 'user:o': 'owner' }),
  );

  it.each([
    ['user:r', 'allowed', 'not_a_member', 'not_a_member'],
    ['user:w', 'allowed', 'allowed', 'not_a_member'],
    ['user:o', 'allowed', 'allowed', 'allowed'],
    ['user:x', 'not_a_member', 'not_a_member', 'not_a_member'],
  ])('let %s read, write and manage: %s, %s, %s', (actor, ...expected) => {
    const asked = (['scope.read', 'scope.write', 'scope.manage'] as const).map((name) =>
      outcome(holder(actor), name, place),
    );
    expect(asked).toEqual(expected);
  });

  it('of the nearest ancestor govern', () => {
    const own = at('org:a/app:b/user:c', rules({ 'user:r': 'owner' }), rules({ 'user:x': 'reader' }));
    expect(outcome(holder('user:r'), 'scope.read', own)).toBe('not_a_member');
    expect(outcome(holder('user:x'), 'scope.read', own)).toBe('allowed');
    expect(outcome(OPERATOR, 'scope.manage', own)).toBe('allowed');
  });

  it('that are nowhere let in every actor of the tenant, or under a cloud preset those whose own the scope is', () => {
    const cloud = under('cloud_shared_saas');
    expect(outcome(holder('user:x'), 'scope.manage', at('org:a'))).toBe('allowed');
    expect(outcome(holder('user:x'), 'scope.read', at('org:a'), cloud)).toBe('not_a_member');
    expect(outcome(holder('user:x'), 'scope.write', at('user:x/app:y'), cloud)).toBe('allowed');
    expect(outcome(holder('user:x'), 'scope.write', at('user:xy'), cloud)).toBe('not_a_member');
    const granted = holder('user:x', { grants: [grant('scope.*:org:a/*')] });
    expect(outcome(granted, 'scope.write', at('org:a/app:b'), cloud)).toBe('allowed');
    expect(outcome(granted, 'scope.write', at('org:a', rules({ 'user:o': 'owner' })), cloud)).toBe(
      'not_a_member',
    );
  });

  it('are asked before what the scope denies, so that a stranger learns nothing of it', () => {
    const denying = at('org:a', rules({ 'user:r': 'reader' }, ['scope.read']));
    expect(outcome(holder('user:x'), 'scope.read', denying)).toBe('not_a_member');
    expect(outcome(holder('user:r'), 'scope.read', denying)).toBe('refused');
  });

  it('that no roster decides is refused by a scope to those alone who may read there', () => {
    const denying = at('org:a', rules({ 'user:r': 'reader' }, ['admin']));
    expect(outcome(holder('user:x'), 'admin', denying)).toBe('allowed');
    expect(outcome(holder('user:r'), 'admin', denying)).toBe('refused');
  });
});
