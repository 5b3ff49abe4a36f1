import type { Database } from '../../graph/driver.ts';
import type { AuditLog } from '../commit/audit-log.ts';
import type { AuditRetention } from '../commit/audit-retention.ts';
import type { AuditSealer } from '../commit/audit-sealer.ts';
import type { Committer } from '../commit/committer.ts';
import type { FrameRetention } from '../lifecycle/frame-retention.ts';
import type { Outbox } from '../lifecycle/outbox.ts';
import type { Log } from '../log.ts';
import type { Embedder } from '../models/embedding.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { UsageLedger } from '../pipeline/usage-ledger.ts';
import type { ForgetRunner } from '../services/forget-runner.ts';
import type { AccessFeed } from '../services/access-feed.ts';
import type { BlobRemoval } from '../services/blob-removal.ts';
import type { RetentionJob } from '../services/retention-job.ts';
import type { LoadShedder } from '../services/load-shedder.ts';
import type { ExpirySweep } from '../services/expiry-sweep.ts';
import type { ModelArrival } from './model-arrival.ts';
import type { RecallPacks } from '../services/recall-packs.ts';
import type { ScopeRemoval } from '../services/scope-removal.ts';

/**
 * Wait for the committer, and then for the stages, to finish what they are doing at a stop, milliseconds: what they wait for
 * in turn is bounded by the deadlines of statements; nothing acknowledged is lost when it is cut short.
 */
const STOP_WORK_MS = 60_000;

/** Waits for a part of the service to end, so many milliseconds at most; then it is left behind, which is logged. */
export async function endWithin(ms: number, log: Log, part: string, end: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, ms, 'late');
  });
  try {
    const outcome = await Promise.race([end, late]);
    if (outcome === 'late') log.warn('a part of the service did not end in time', { part, waited_ms: ms });
  } finally {
    clearTimeout(timer);
  }
}

/** What is ended at a stop. */
export interface Disposable {
  /** Statements being planned in the background; `stop` leaves out those that are still to come. */
  readonly planning: { stop(): void; readonly over: Promise<void> };
  readonly shedder: Pick<LoadShedder, 'stop'>;
  readonly outbox: Pick<Outbox, 'close'>;
  readonly frameRetention: Pick<FrameRetention, 'stop'>;
  /** Undefined where rows of the audit log are kept for ever. */
  readonly auditRetention: Pick<AuditRetention, 'stop'> | undefined;
  readonly retention: Pick<RetentionJob, 'stop'>;
  readonly deletions: Pick<ScopeRemoval, 'stop'>;
  readonly forgets: Pick<ForgetRunner, 'stop'>;
  readonly removal: Pick<BlobRemoval, 'stop'>;
  /** Of what is over: revocations, packs. */
  readonly sweeps: readonly Pick<ExpirySweep, 'name' | 'stop'>[];
  readonly packs: Pick<RecallPacks, 'stop'>;
  readonly committer: Pick<Committer, 'close'>;
  readonly auditLog: Pick<AuditLog, 'close'>;
  readonly sealer: Pick<AuditSealer, 'close'>;
  readonly pipeline: Pick<Pipeline, 'stop'>;
  /** The model that is being fetched beside the service; undefined where none is. */
  readonly arrival: Pick<ModelArrival, 'stop'> | undefined;
  readonly models: {
    readonly usage: Pick<UsageLedger, 'flush'>;
    readonly embedder: Pick<Embedder, 'close'> | undefined;
  };
  readonly feed: Pick<AccessFeed, 'close'>;
  readonly work: Pick<Database, 'close'>;
  readonly database: Pick<Database, 'close'>;
}

/** Ends one after the other, so that nothing loses what it rests on; what was accepted is finished, in bounded time. */
export async function disposeInOrder(parts: Disposable, log: Log): Promise<void> {
  parts.planning.stop();
  parts.shedder.stop();
  await endWithin(STOP_WORK_MS, log, 'outbox', parts.outbox.close());
  await endWithin(STOP_WORK_MS, log, 'retention of frames', parts.frameRetention.stop());
  if (parts.auditRetention !== undefined) {
    await endWithin(STOP_WORK_MS, log, 'retention of the audit log', parts.auditRetention.stop());
  }
  await endWithin(STOP_WORK_MS, log, 'deletions of scopes', parts.deletions.stop());
  await endWithin(STOP_WORK_MS, log, 'forgets', parts.forgets.stop());
  // A sweep that waits for its erasure ends when nobody carries that out any more.
  await endWithin(STOP_WORK_MS, log, 'retention', parts.retention.stop());
  await endWithin(STOP_WORK_MS, log, 'removal of blobs', parts.removal.stop());
  await Promise.all(parts.sweeps.map((sweep) => endWithin(STOP_WORK_MS, log, sweep.name, sweep.stop())));
  await endWithin(STOP_WORK_MS, log, 'packs', parts.packs.stop());
  await endWithin(STOP_WORK_MS, log, 'committer', parts.committer.close());
  await endWithin(STOP_WORK_MS, log, 'audit log', parts.auditLog.close());
  await endWithin(STOP_WORK_MS, log, 'seals of the audit log', parts.sealer.close());
  await endWithin(STOP_WORK_MS, log, 'pipeline', parts.pipeline.stop());
  const arrived = parts.arrival?.stop() ?? Promise.resolve();
  if (parts.models.embedder) await endWithin(STOP_WORK_MS, log, 'embedder', parts.models.embedder.close());
  await endWithin(STOP_WORK_MS, log, 'embedding model', arrived);
  await endWithin(STOP_WORK_MS, log, 'usage of models', parts.models.usage.flush());
  await endWithin(STOP_WORK_MS, log, 'planning', parts.planning.over);
  await endWithin(STOP_WORK_MS, log, 'access', parts.feed.close());
  await parts.work.close();
  await parts.database.close();
}
