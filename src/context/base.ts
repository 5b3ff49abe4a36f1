import type { RequestHash } from '../audit/request-hash.ts';
import type { ContentHash } from '../capture/content-hash.ts';
import type { UploadKeyHash } from '../capture/upload-key.ts';
import type { Metrics } from '../metrics.ts';
import type { KeyedIds } from '../derive/keyed-ids.ts';
import type { Ids } from '../ids.ts';
import type { Clock } from '../clock.ts';
import type { JobRunner } from '../jobs/runner.ts';
import type { Log } from '../log.ts';
import type { Config } from '../config.ts';

/** What every part of a context is given. */
export interface Base {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Makes the ids of beliefs and concepts, by the secret of the store. */
  readonly keyedIds: KeyedIds;
  /** Hashes contents that are not to be captured again, by the key of the deployment. */
  readonly contentHash: ContentHash;
  /** Hashes bodies of requests for the audit log, by the same key. */
  readonly requestHash: RequestHash;
  /** Hashes the keys of uploads, by the same key. */
  readonly uploadKeyHash: UploadKeyHash;
  readonly metrics: Metrics;
  /** Runs what is done in the background. */
  readonly jobs: JobRunner;
}
