import { message, type Answer } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { ask } from './graphql/ask.ts';
import { expectProblem } from './problem.ts';

async function withService(
  environment: Record<string, string>,
  work: (service: TestService) => Promise<void>,
) {
  const service = await startTestService(environment);
  try {
    await work(service);
  } finally {
    await service.stop();
  }
}

const limitOf = ({ headers }: Answer): string | null => headers.get('x-ratelimit-limit');

describe('rates', () => {
  it('are those of the settings, over both transports together', async () => {
    await withService({ STRATA_RATE_LIMIT_WRITE: '3', STRATA_RATE_LIMIT_READ: '50' }, async (service) => {
      const first = await service.post('/v1/experience', message('org:rates', 'one'));
      expect([first.status, limitOf(first), first.headers.get('x-ratelimit-remaining')]).toEqual([
        202,
        '3/min',
        '2',
      ]);
      const id = first.json.event_id as string;
      const twice = `mutation { a: cancelEvent(id: "${id}") { eventId } b: cancelEvent(id: "${id}") { eventId } }`;
      expect((await ask(service, twice)).errors).toBeUndefined();
      const refused = await service.post('/v1/experience', message('org:rates', 'two'));
      expectProblem(refused, { status: 429, code: 'RATE_LIMITED', retriable: true });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      const { status, errors } = await ask(service, twice);
      expect([status, errors?.[0].extensions.code]).toEqual([429, 'RATE_LIMITED']);
      expect(limitOf(await service.get('/v1/events?scope=org:rates'))).toBe('50/min');
      const metrics = await service.get('/v1/admin/metrics');
      expect(metrics.text).toContain('strata_rate_limited_total{kind="write"} 2');
    });
  });

  it('are there by themselves under the presets for strangers', async () => {
    await withService({ STRATA_DEPLOYMENT_PRESET: 'cloud_shared_saas' }, async (service) => {
      expect(limitOf(await service.get('/v1/events?scope=org:rates'))).toBe('1200/min');
      expect(limitOf(await service.post('/v1/experience', {}))).toBe('600/min');
    });
  });

  it('are not there under the others; sign-ups have one', async () => {
    await withService({}, async (service) => {
      const { headers } = await service.get('/v1/events?scope=org:rates');
      const names = ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
      expect(names).toEqual(['unlimited', null, null]);
      const { rates } = service.context;
      for (let i = 0; i < 20; i += 1) await rates.signupGate('192.0.2.1');
      await expect(rates.signupGate('192.0.2.1')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    });
  });
});
