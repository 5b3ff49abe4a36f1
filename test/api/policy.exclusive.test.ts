import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadConfig } from '../../src/config.ts';
import { startService, type RunningService } from '../../src/main.ts';
import { callBy } from '../support/calls.ts';
import { databaseSettings, wipe } from '../support/database.ts';
import { message, send, TEST_KEY, type Answer, type RequestOptions } from '../support/client.ts';

const FILE = `
tenants = ["acme"]

[policy.tenant.acme]
deny = ["export", "forget.*"]

[policy.actor."user:intern@acme.com"]
allow = ["scope.*", "understanding.read"]
deny = ["scope.manage"]
`;

let service: RunningService;
let directory: string;

async function start(preset: string): Promise<RunningService> {
  await wipe();
  const config = loadConfig({
    directory,
    environment: {
      ...databaseSettings(),
      STRATA_PORT: '0',
      STRATA_DATA_DIR: directory,
      STRATA_API_KEY: TEST_KEY,
      STRATA_LOG_LEVEL: 'error',
      STRATA_DEPLOYMENT_PRESET: preset,
      STRATA_EMBEDDING_PROVIDER: 'none',
    },
  });
  return startService(config, { environment: {}, say: () => undefined });
}

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'strata-policy-'));
  writeFileSync(join(directory, 'strata.toml'), FILE);
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

const request = (method: string, path: string, options?: RequestOptions): Promise<Answer> =>
  send(service.url, method, path, options);
const get = (path: string): Promise<Answer> => request('GET', path);
const effective = (query: string): Promise<Answer> => get(`/v1/policy/effective?${query}`);

describe('the four tiers', () => {
  beforeAll(async () => {
    service = await start('cloud_strict');
  });
  afterAll(() => service.stop());

  it('each refuse, and are named with the capability', async () => {
    await request('POST', '/v1/scopes', {
      body: { path: 'org:t', owner: 'user:a', policies: { capabilities: { deny: ['scope.write'] } } },
    });
    const { policy, experience, scope } = service.context.services;
    const decisions = async (actor: string, tenant: string): Promise<Record<string, unknown>> =>
      (await policy.effective(callBy(actor, { tenant }), { scope: 'org:t' })).decisions;
    const by = await decisions('user:a', 'default');
    expect(by['forget.gdpr.cross_workspace']).toEqual({ decision: 'deny', decided_by_tier: 'deployment' });
    expect(by['scope.write']).toEqual({ decision: 'deny', decided_by_tier: 'scope' });
    expect(by['scope.read']).toEqual({ decision: 'allow', decided_by_tier: 'actor' });
    expect((await decisions('user:a', 'acme')).export).toEqual({
      decision: 'deny',
      decided_by_tier: 'tenant',
    });
    const intern = callBy('user:intern@acme.com', {});
    const told = async (work: Promise<unknown>): Promise<unknown> => {
      try {
        return await work;
      } catch (error) {
        const { code, details } = error as { code: string; details: object };
        return { code, ...details };
      }
    };
    expect(await told(scope.prune(intern))).toEqual({
      code: 'POLICY_DENIED',
      capability: 'scope.manage',
      decided_by_tier: 'actor',
    });
    expect(await told(experience.capture(callBy('user:a'), message('org:t/user:a', 'x'), {}))).toEqual({
      code: 'POLICY_DENIED',
      capability: 'scope.write',
      decided_by_tier: 'scope',
    });
    const wipeOut = scope.delete(callBy('user:a', { tenant: 'acme' }), { path: 'user:a', records: 'forget' });
    expect(await told(wipeOut)).toEqual({
      code: 'POLICY_DENIED',
      capability: 'forget.cascade.redact_events',
      decided_by_tier: 'tenant',
    });
  });

  it('leave nobody in where no roster governs and nothing was granted', async () => {
    const { policy } = service.context.services;
    const told = async (actor: string, scope: string) => {
      const { natural_level, allowed } = await policy.effective(callBy(actor), { scope });
      return [natural_level, allowed.includes('scope.read')];
    };
    expect(await told('user:a', 'org:open')).toEqual(['none', false]);
    expect(await told('user:a', 'user:a/app:x')).toEqual(['owner', true]);
    expect(await told('user:ab', 'user:a/app:x')).toEqual(['none', false]);
    expect(await told('user:a', 'org:t/app:x')).toEqual(['owner', true]);
  });

  it('tell the limits of tokens', async () => {
    const own = await service.context.services.policy.effective(callBy('user:a'), {});
    expect(own.rate_limits).toEqual({ read: '1200/min', write: '600/min' });
    const { json } = await get('/v1/policy/deployment');
    expect(json).toMatchObject({
      preset: 'cloud_strict',
      allow: ['*'],
      deny: ['forget.gdpr.cross_workspace'],
    });
    expect(json.defaults).toMatchObject({ 'actor.require_signed': true, 'rate_limit.write': '600/min' });
    expect(json.defaults.allowed_scope_types).not.toContain('repo');
  });
});

describe('the effective policy', () => {
  beforeAll(async () => {
    service = await start('dev_local');
  });
  afterAll(() => service.stop());

  it('of another actor is what the tiers of the file make of him', async () => {
    expect((await effective('actor=user:intern@acme.com')).json.decisions['scope.manage']).toEqual({
      decision: 'deny',
      decided_by_tier: 'actor',
    });
    expect((await effective('actor=constructor&scope=org:x')).json.denied).toEqual([]);
  });
});
