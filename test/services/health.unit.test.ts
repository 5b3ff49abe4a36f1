import { HEALTH_EXAMPLES } from '../../schemas/examples/health.ts';
import { adminReady, version } from '../../schemas/health.ts';
import { Metrics } from '../../src/metrics.ts';
import { AccessService, type Call } from '../../src/services/access.ts';
import { HealthService } from '../../src/services/health.ts';
import { eventually } from '../support/wait.ts';
import { NO_RULES, OPERATOR } from '../support/principals.ts';

const BUILD = { git_sha: 'a1b2c3', built_at: '2026-11-21T05:41:16Z' };
const access = new AccessService({
  posture: { kind: 'open' },
  preset: 'dev_local',
  tenants: [],
  rules: NO_RULES,
});

/** The readings of a server whose parts work or fail as told. */
function readings(
  fails: { ping?: true; writes?: true; pipeline?: true; consolidation?: true; extraction?: true } = {},
  ping = () => (fails.ping ? Promise.reject(new Error('away')) : Promise.resolve()),
): HealthService {
  return new HealthService({
    access,
    metrics: new Metrics({ version: '1.2.3', ...BUILD }),
    version: '1.2.3',
    build: BUILD,
    pingDatabase: ping,
    takesWrites: () => fails.writes !== true,
    pipelineHealthy: () => fails.pipeline !== true,
    consolidation: () => ({ works: fails.consolidation !== true, waiting: 7 }),
    modelCallSites: () => ({
      extraction:
        fails.extraction === true
          ? { ok: false, status: 'down', detail: 'does not answer', fix: 'look' }
          : { ok: true, status: 'up' },
    }),
    embeddingProvider: () => 'none',
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
    [
      'consolidation pauses',
      { pipeline: true, consolidation: true },
      true,
      true,
      ['pipeline', 'consolidation'],
    ],
    ['a model does not answer', { extraction: true }, true, true, ['extraction']],
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

it('says how consolidation is, and what waits for it', async () => {
  const { checks } = await health.adminReady(operator());
  expect(checks.consolidation).toMatchObject({
    ok: true,
    status: 'up',
    detail: expect.stringContaining('7 events'),
  });
});

describe('the question whether the database answers', () => {
  it('is shared by all who ask while it is asked, and asked anew for who comes later', async () => {
    let asked = 0;
    const answers: (() => void)[] = [];
    const shared = readings({}, () => {
      asked += 1;
      return new Promise<void>((resolve) => answers.push(resolve));
    });
    const told = [shared.ready(), ...Array.from({ length: 50 }, () => shared.adminReady(null))];
    expect(asked).toBe(1);
    answers.shift()?.();
    await told[0];
    await eventually('the next question', () => answers.length === 1);
    answers.shift()?.();
    await Promise.all(told);
    expect(asked).toBe(2);
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

  it('lists the capabilities that the example of the reference shows', () => {
    expect(health.version().capabilities).toEqual(HEALTH_EXAMPLES.adminVersion.answer.capabilities);
  });
});
