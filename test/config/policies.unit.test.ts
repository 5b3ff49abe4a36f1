import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadConfig, loadSettings, type Config } from '../../src/config.ts';
import { printSettings } from '../../src/config/print.ts';

const directory = mkdtempSync(join(tmpdir(), 'strata-policies-'));
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

function withFile(text: string): Config {
  writeFileSync(join(directory, 'strata.toml'), text);
  return loadConfig({ directory, environment: {} });
}

describe('policies of the file', () => {
  const FILE = `
    [policy.tenant.acme]
    deny = ["export", "forget.*"]
    [policy.actor."user:priya@acme.com"]
    allow = ["scope.read"]
  `;

  it('are read by tenant and by actor, with everything allowed that is not said', () => {
    const { policies } = withFile(FILE).access;
    expect(policies.tenant.acme).toEqual({ tier: 'tenant', allow: ['*'], deny: ['export', 'forget.*'] });
    expect(policies.actor['user:priya@acme.com']).toEqual({ tier: 'actor', allow: ['scope.read'], deny: [] });
  });

  it('say nothing of names that every object has', () => {
    const { policies } = withFile(FILE).access;
    for (const id of ['constructor', '__proto__', 'toString']) {
      expect(policies.tenant[id]).toBeUndefined();
      expect(policies.actor[id]).toBeUndefined();
    }
  });

  it('are printed so that they read the same', () => {
    withFile(FILE);
    const printed = printSettings(loadSettings({ directory, environment: {} }));
    const block = printed.slice(printed.indexOf('[policy.'));
    expect(withFile(block).access.policies).toEqual(withFile(FILE).access.policies);
  });

  it.each([
    ['[policy.tenant.acme]\ndeny = ["scope.fly"]', 'policy.tenant."acme".deny[0]'],
    ['[policy.tenant.acme]\nallow = ["scope.read", 7]', 'policy.tenant."acme".allow[1]'],
    ['[policy.tenant.acme]\ndeny = "export"', 'policy.tenant."acme".deny in strata.toml must be a list'],
    ['[policy.tenant.acme]\nforbid = []', 'policy.tenant."acme".forbid'],
    ['[policy.tenant]\nacme = 1', 'policy.tenant."acme" in strata.toml must be a table'],
    ['[policy.tenant."a b"]\ndeny = []', 'policy.tenant."a b" in strata.toml does not name a tenant'],
    ['[policy.actor."a b"]\ndeny = []', 'policy.actor."a b" in strata.toml does not name an actor'],
    ['[policy.scope."org:a"]\ndeny = []', 'policy.scope in strata.toml is not known'],
    ['policy = 1', 'policy in strata.toml must be a table'],
  ])('that are wrong refuse to start, naming the key: %s', (text, named) => {
    expect(() => withFile(text)).toThrow(named);
  });
});
