import { JobRunner } from '../../src/jobs/runner.ts';
import { silentLog, type Log } from '../../src/log.ts';
import { Metrics } from '../../src/metrics.ts';

/** A runner of background jobs apart from any service. */
export function testJobs(log: Log = silentLog): JobRunner {
  return new JobRunner({
    log,
    metrics: new Metrics({ version: '0.0.0', git_sha: 'unknown', built_at: 'unknown' }),
  });
}
