import { EVENT_LOOP_SAMPLE_MS, EVENT_LOOP_LATE_SAMPLES } from '../../src/services/load-shedder.ts';
import { loadConfig } from '../../src/config.ts';
import { createDoors } from '../../src/context/doors.ts';
import { Metrics } from '../../src/metrics.ts';

/** Holds the event loop for so long, milliseconds. */
function hold(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it('refuse new work beyond the delay of the event loop that is set, and publish the delay', async () => {
  const config = loadConfig({
    directory: '/nowhere',
    environment: { STRATA_HTTP_MAX_EVENT_LOOP_DELAY_MS: '7' },
  });
  const metrics = new Metrics({ version: '0', git_sha: '0', built_at: '0' });
  const parts = { access: {}, auditing: {}, open: true } as Parameters<typeof createDoors>[0];
  const { shedder } = createDoors(parts, { config, metrics, clock: { now: () => 0 } });
  for (let i = 0; i < EVENT_LOOP_LATE_SAMPLES; i += 1) {
    expect(shedder.refusalOf('rest')).toBeNull();
    hold(EVENT_LOOP_SAMPLE_MS + 20);
    shedder.measure();
  }
  shedder.stop();
  expect(shedder.refusalOf('rest')).toMatchObject({
    status: 503,
    details: { reason: 'event_loop_delay', limit_ms: 7 },
  });
  const text = await metrics.text();
  expect(Number(/^strata_event_loop_delay_seconds (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(0.007);
  expect(text).toContain('strata_shed_requests_total{transport="rest"} 1');
});
