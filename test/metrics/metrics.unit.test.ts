import { metricsReading } from '../../schemas/health.ts';
import { METRICS, type MetricDefinition } from '../../src/metrics/catalogue.ts';
import { Metrics } from '../../src/metrics.ts';

const BUILD = { version: '1.2.3', git_sha: 'a1b2c3', built_at: '2026-11-21T05:41:16Z' };
const definitions = Object.entries(METRICS as Record<string, MetricDefinition>);

/** The lines of one metric, without help and type. */
async function linesOf(metrics: Metrics, name: string): Promise<string[]> {
  return (await metrics.text()).split('\n').filter((line) => line.startsWith(name));
}

describe('the metrics of a service', () => {
  it('are apart from those of another service in the process', async () => {
    const [first, second] = [new Metrics(BUILD), new Metrics(BUILD)];
    first.count('strata_captures_total', 'captured', 3);
    expect(await linesOf(first, 'strata_captures_total')).toEqual([
      'strata_captures_total{outcome="captured"} 3',
    ]);
    expect(await linesOf(second, 'strata_captures_total')).toEqual([]);
  });

  it('say what runs, and how the process does under the usual names', async () => {
    const text = await new Metrics(BUILD).text();
    expect(text).toContain(
      'strata_build_info{version="1.2.3",git_sha="a1b2c3",built_at="2026-11-21T05:41:16Z"} 1\n',
    );
    for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes'])
      expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
    expect(text).toContain('# TYPE nodejs_eventloop_lag_p99_seconds gauge');
  });

  it('count requests by operation, transport and class of status', async () => {
    const metrics = new Metrics(BUILD);
    const answered = (operation: string, status: number | null, seconds: number) => {
      metrics.requestAnswered({ operation, transport: 'rest', status, seconds });
    };
    answered('getEvent', 200, 0.004);
    answered('getEvent', 206, 0.2);
    answered('getEvent', 503, 0.004);
    answered('getEvent', null, 0.004);
    const lines = await linesOf(metrics, 'strata_request_seconds');
    const series = (status: string) => `{operation="getEvent",transport="rest",status="${status}"}`;
    expect(lines).toContain(`strata_request_seconds_count${series('2xx')} 2`);
    expect(lines).toContain(`strata_request_seconds_sum${series('2xx')} 0.20400000000000001`);
    expect(lines).toContain(`strata_request_seconds_count${series('5xx')} 1`);
    expect(lines).toContain(`strata_request_seconds_count${series('gone')} 1`);
    expect(lines).toContain(
      'strata_request_seconds_bucket{le="0.005",operation="getEvent",transport="rest",status="2xx"} 1',
    );
  });

  it('have a bounded number of series, whatever the operations are called', async () => {
    const metrics = new Metrics(BUILD);
    const answer = (operation: string) => {
      metrics.requestAnswered({ operation, transport: 'graphql', status: 200, seconds: 1 });
    };
    answer('events,event');
    answer('an operation\nwith "quotes"');
    for (let i = 0; i < 10_000; i += 1) answer(`field${i}`);
    const counts = await linesOf(metrics, 'strata_request_seconds_count');
    expect(counts.length).toBeLessThan(250);
    expect(counts.join('\n')).toContain('operation="several"');
    const total = counts.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    expect(total).toBe(10_002);
  });

  it('read a gauge when they are asked for', async () => {
    const metrics = new Metrics(BUILD);
    let depth = 1;
    metrics.gauge('strata_commit_queue_events', () => depth);
    metrics.gauge('strata_stage_lag_events', () => ({ indexed: depth, consolidated: 2 * depth }));
    depth = 7;
    expect(await linesOf(metrics, 'strata_commit_queue_events')).toEqual(['strata_commit_queue_events 7']);
    expect(await linesOf(metrics, 'strata_stage_lag_events')).toEqual([
      'strata_stage_lag_events{stage="indexed"} 7',
      'strata_stage_lag_events{stage="consolidated"} 14',
    ]);
  });

  it('say the same as JSON, in the shape of the contract', async () => {
    const metrics = new Metrics(BUILD);
    metrics.observe('strata_commit_events', 3);
    metrics.observe('strata_statement_seconds', 0.01, 'capture.group');
    const reading = metricsReading.parse(JSON.parse(JSON.stringify(await metrics.json())));
    const group = reading.metrics.find(({ name }) => name === 'strata_commit_events');
    expect(group?.values).toContainEqual({ name: 'strata_commit_events_sum', labels: {}, value: 3 });
    expect(group?.values).toContainEqual({
      name: 'strata_commit_events_bucket',
      labels: { le: '+Inf' },
      value: 1,
    });
    const names = reading.metrics.map(({ name }) => name);
    const inText = [...(await metrics.text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(names).toEqual(inText);
  });
});

describe('the catalogue of metrics', () => {
  it.each(definitions)('%s has a name with its unit and a help', (name, { type, help }) => {
    expect(name).toMatch(/^strata_[a-z_]+$/);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    expect(help).toMatch(/^[A-Z].*\.$/);
  });

  it('names no label that could tell one tenant from another', () => {
    const labels = definitions.flatMap(([, definition]) => Object.keys(definition.labels ?? {}));
    expect([...new Set(labels)].sort()).toEqual(
      [
        'built_at',
        'cascade',
        'cause',
        'decision',
        'failure',
        'git_sha',
        'job',
        'kind',
        'operation',
        'outcome',
        'pool',
        'reason',
        'role',
        'stage',
        'statement',
        'status',
        'stopped',
        'transport',
        'version',
        'work',
      ].sort(),
    );
  });
});
