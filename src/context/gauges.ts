import type { Database } from '../../graph/driver.ts';
import { STAGES, type Stage } from '../../graph/shard.ts';
import type { Clock } from '../clock.ts';
import type { Committer } from '../commit/committer.ts';
import type { LogHead } from '../commit/log-head.ts';
import type { Outbox } from '../lifecycle/outbox.ts';
import * as limits from '../limits.ts';
import type { Metrics } from '../metrics.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';

/** What is looked at when somebody asks for the metrics. */
export interface Measured {
  readonly committer: Committer;
  readonly head: LogHead;
  readonly pipeline: Pipeline;
  readonly outbox: Outbox;
  readonly clock: Clock;
  /** The driver of requests. */
  readonly database: Database;
  /** The driver of the committer and the stages. */
  readonly work: Database;
}

/** Registers the gauges of the parts of a service; all are read from memory. */
export function registerGauges(
  metrics: Metrics,
  { committer, head, pipeline, outbox, database, work, clock }: Measured,
): void {
  metrics.gauge('strata_commit_queue_events', () => committer.depth);
  metrics.gauge('strata_commit_queue_bytes', () => committer.depthBytes);
  metrics.gauge('strata_log_head_offset', () => head.settled);
  metrics.gauge('strata_leases', () => pipeline.heldShards);
  metrics.gauge('strata_stage_lag_events', () => byStage((stage) => pipeline.lag(stage).events));
  metrics.gauge('strata_stage_lag_seconds', () =>
    byStage((stage) => head.ageBeyond(pipeline.lag(stage).place) / 1000),
  );
  metrics.gauge('strata_stage_waiting_shards', () => byStage((stage) => pipeline.lag(stage).shards));
  metrics.gauge('strata_embedding_due_passages', () => pipeline.embedding?.lag.due ?? 0);
  metrics.gauge('strata_embedding_oldest_seconds', () => {
    const oldest = pipeline.embedding?.lag.oldest ?? null;
    return oldest === null ? 0 : Math.max(0, clock.now() - oldest) / 1000;
  });
  metrics.gauge('strata_lifecycle_readers', () => outbox.readers);
  metrics.gauge('strata_lifecycle_stalled_readers', () => outbox.stalledReaders);
  metrics.gauge('strata_lifecycle_lag_frames', () => outbox.lagFrames);
  const most = { requests: limits.DATABASE_CONNECTIONS, work: limits.DATABASE_WORK_CONNECTIONS };
  metrics.gauge('strata_database_sessions', () => ({ requests: database.sessions, work: work.sessions }));
  metrics.gauge('strata_database_connections_max', () => most);
  metrics.gauge('strata_database_waiting', () => ({
    requests: Math.max(0, database.sessions - most.requests),
    work: Math.max(0, work.sessions - most.work),
  }));
}

function byStage(value: (stage: Stage) => number): Record<string, number> {
  return Object.fromEntries(STAGES.map((stage) => [stage, value(stage)]));
}
