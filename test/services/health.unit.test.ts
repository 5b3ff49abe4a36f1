import { adminReady, version } from '../../schemas/health.ts';
import { Metrics } from '../../src/metrics.ts';
import { AccessService, type Call } from '../../src/services/access.ts';
import { HealthService } from '../../src/services/health.ts';
import { NO_RULES, OPERATOR } from '../support/principals.ts';

const BUILD = { git_sha: 'a1b2c3', built_at: '2026-11-21T05:41:16Z' };
const access = new AccessService({
  posture: { kind: 'open' },
  preset: 'dev_local',
  tenants: [],
  rules: NO_RULES,
});

/** The readings of a server whose parts work or fail as told. */
function readings(fails: { ping?: true; writes?: true; pipeline?: true } = {}): HealthService {
  return new HealthService({
    access,
    metrics: new Metrics({ version: '1.2.3', ...BUILD }),
    version: '1.2.3',
    build: BUILD,
    pingDatabase: () => (fails.ping ? Promise.reject(new Error('away')) : Promise.resolve()),
    takesWrites: () => fails.writes !== true,
    pipelineHealthy: () => fails.pipeline !== true,
    pingTimeoutMs: 1000,
  });
}

const health = readings();
const operator = (): Call => ({
  principal: OPERATOR,
  requestId: 'req_1',
  signal: new AbortController().signal,
});

describe('readiness', () => {
  it.each([
    ['nothing fails', {}, true, false, []],
    ['the database is away', { ping: true }, false, true, ['database', 'writes']],
    ['reads work and writes fail', { writes: true }, false, true, ['writes']],
    ['derivation pauses', { pipeline: true }, true, true, ['pipeline']],
  ] as const)('while %s', async (_what, fails, ready, degraded, down) => {
    const service = readings(fails);
    if (ready) expect(await service.ready()).toEqual({ ready });
    else await expect(service.ready()).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    const told = adminReady.parse(await service.adminReady(operator()));
    expect(told).toMatchObject({ ready, degraded });
    const lanes = Object.entries(told.checks).filter(([, { status }]) => status === 'down');
    expect(lanes.map(([name]) => name)).toEqual(down);
    for (const [, lane] of lanes) expect(lane).toMatchObject({ ok: false, fix: expect.stringMatching(/\S/) });
    const open = await service.adminReady(null);
    for (const check of Object.values(open.checks)) expect(Object.keys(check)).toEqual(['ok', 'status']);
  });
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
