import type { VisibleHighWatermark } from '../../graph/high-watermark.ts';
import type { LogHead } from '../commit/log-head.ts';
import type { LifecycleReader } from '../../graph/lifecycle.ts';
import type { LogOffsets } from '../../graph/log-offset.ts';
import type { EventReader } from '../../graph/event.ts';
import type { PassageReader } from '../../graph/passage/write.ts';
import type { DerivationReader } from '../../graph/derivation.ts';
import type { ShardReader } from '../../graph/shard.ts';

/** What is read of the log. */
export interface Ledger {
  readonly shards: ShardReader;
  readonly derivation: DerivationReader;
  readonly passages: PassageReader;
  readonly events: EventReader;
  readonly places: LogOffsets;
  readonly frames: LifecycleReader;
  readonly head: LogHead;
  readonly frameHead: VisibleHighWatermark;
}
