import { version } from '../../schemas/health.ts';
import { Metrics } from '../../src/metrics.ts';
import { AccessService } from '../../src/services/access.ts';
import { HealthService } from '../../src/services/health.ts';

const health = new HealthService({
  access: new AccessService({ posture: { kind: 'open' }, preset: 'dev_local', tenants: [] }),
  metrics: new Metrics({ version: '1.2.3', git_sha: 'a1b2c3', built_at: 'unknown' }),
  version: '1.2.3',
  build: { git_sha: 'a1b2c3', built_at: '2026-11-21T05:41:16Z' },
  pingDatabase: () => Promise.resolve(),
  pipelineHealthy: () => true,
  pingTimeoutMs: 1000,
});

describe('the version', () => {
  it('says what was built and when', () => {
    expect(version.parse(health.version())).toMatchObject({
      version: '1.2.3',
      crate_version: '1.2.3',
      git_sha: 'a1b2c3',
      built_at: '2026-11-21T05:41:16Z',
    });
  });
});
