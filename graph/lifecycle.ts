import type { Reader } from './driver.ts';
import { int, statement } from './statement.ts';

/** A lifecycle frame as it is stored. */
export interface StoredFrame {
  readonly sequence: number;
  readonly type: string;
  readonly tenant: string;
  readonly scope: string;
  readonly event_id: string | null;
  readonly wal_offset: number | null;
  readonly actor: string | null;
  readonly modality: string | null;
  readonly batch_id: string | null;
  readonly job_id: string | null;
  /** Epoch milliseconds. */
  readonly ts: number;
  /** JSON text of what the frame says beyond the fields above, or null. */
  readonly data: string | null;
}

const FRAME = `f {.sequence, .type, .tenant, .scope, .event_id, .wal_offset, .actor, .modality, .batch_id, .job_id, .ts, .data}`;

const scanFrames = statement<
  { tenant: string; from: bigint; to: bigint; scan: bigint },
  { frame: StoredFrame }
>(
  'lifecycle.scan',
  'index lifecycle_tenant, walked in order',
  `MATCH (f:LifecycleEvent) WHERE f.tenant = $tenant AND f.sequence >= $from AND f.sequence <= $to
   WITH f ORDER BY f.tenant, f.sequence LIMIT $scan
   RETURN ${FRAME} AS frame`,
);

const framesOfEvent = statement<{ event_id: string; tenant: string | null }, { frame: StoredFrame }>(
  'lifecycle.of_event',
  'index lifecycle_event; an event has a handful of frames',
  `MATCH (f:LifecycleEvent) WHERE f.event_id = $event_id AND ($tenant IS NULL OR f.tenant = $tenant)
   WITH f LIMIT 100
   WITH f ORDER BY f.sequence
   RETURN ${FRAME} AS frame`,
);

/** Reads lifecycle frames in the order of their commits. */
export class LifecycleReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** At most `scan` frames of a tenant between two frame numbers (both included), oldest first; `to` is a settled head. */
  async scan(tenant: string, from: number, to: number, scan: number): Promise<StoredFrame[]> {
    const rows = await this.reader.read(scanFrames, {
      tenant,
      from: int(from),
      to: int(to),
      scan: int(scan),
    });
    return rows.map((row) => row.frame);
  }

  /** The frames of one event, oldest first, of one tenant or (null) of any. */
  async ofEvent(eventId: string, tenant: string | null): Promise<StoredFrame[]> {
    const rows = await this.reader.read(framesOfEvent, { event_id: eventId, tenant });
    return rows.map((row) => row.frame);
  }
}
