import type { Integer } from 'neo4j-driver';

import type { Reader } from './driver.ts';
import { int, statement, type Params } from './statement.ts';

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

interface ScanParams extends Params {
  tenant: string;
  from: Integer;
  to: Integer;
  scan: Integer;
}

const scanTenant = statement<ScanParams, { frame: StoredFrame }>(
  'lifecycle.scan_tenant',
  'index lifecycle_tenant, walked in order',
  `MATCH (f:LifecycleEvent) USING INDEX SEEK f:LifecycleEvent(tenant, sequence)
   WHERE f.tenant = $tenant AND f.sequence >= $from AND f.sequence <= $to
   WITH f ORDER BY f.tenant, f.sequence LIMIT $scan
   RETURN ${FRAME} AS frame`,
);

const scanScope = statement<ScanParams & { scope_ref: string }, { frame: StoredFrame }>(
  'lifecycle.scan_scope',
  'index lifecycle_scope, walked in order',
  `MATCH (f:LifecycleEvent) USING INDEX SEEK f:LifecycleEvent(scope_ref, sequence)
   WHERE f.scope_ref = $scope_ref AND f.sequence >= $from AND f.sequence <= $to AND f.tenant = $tenant
   WITH f ORDER BY f.scope_ref, f.sequence LIMIT $scan
   RETURN ${FRAME} AS frame`,
);

const scanBatch = statement<ScanParams & { batch_id: string }, { frame: StoredFrame }>(
  'lifecycle.scan_batch',
  'index lifecycle_batch, walked in order',
  `MATCH (f:LifecycleEvent) USING INDEX SEEK f:LifecycleEvent(batch_id, sequence)
   WHERE f.batch_id = $batch_id AND f.sequence >= $from AND f.sequence <= $to AND f.tenant = $tenant
   WITH f ORDER BY f.batch_id, f.sequence LIMIT $scan
   RETURN ${FRAME} AS frame`,
);

const scanEvent = statement<ScanParams & { event_id: string }, { frame: StoredFrame }>(
  'lifecycle.scan_event',
  'index lifecycle_event; an event has a handful of frames',
  `MATCH (f:LifecycleEvent) WHERE f.event_id = $event_id
   WITH f LIMIT 1000
   WITH f WHERE f.tenant = $tenant AND f.sequence >= $from AND f.sequence <= $to
   WITH f ORDER BY f.sequence LIMIT $scan
   RETURN ${FRAME} AS frame`,
);

const scanJob = statement<ScanParams & { job_id: string }, { frame: StoredFrame }>(
  'lifecycle.scan_job',
  'index lifecycle_job, walked in order',
  `MATCH (f:LifecycleEvent) USING INDEX SEEK f:LifecycleEvent(job_id, sequence)
   WHERE f.job_id = $job_id AND f.sequence >= $from AND f.sequence <= $to AND f.tenant = $tenant
   WITH f ORDER BY f.job_id, f.sequence LIMIT $scan
   RETURN ${FRAME} AS frame`,
);

interface ScopesParams extends Params {
  tenant: string;
  id: string;
}

const scopesOfEvent = statement<ScopesParams, { scope: string }>(
  'lifecycle.scopes_of_event',
  'index lifecycle_event; an event has a handful of frames',
  `MATCH (f:LifecycleEvent) WHERE f.event_id = $id
   WITH f LIMIT 1000
   WITH f WHERE f.tenant = $tenant
   RETURN DISTINCT f.scope AS scope`,
);

const scopesOfBatch = statement<ScopesParams, { scope: string }>(
  'lifecycle.scopes_of_batch',
  'index lifecycle_batch; each event of a bulk has a handful of frames',
  `MATCH (f:LifecycleEvent) USING INDEX SEEK f:LifecycleEvent(batch_id, sequence)
   WHERE f.batch_id = $id AND f.sequence > 0 AND f.tenant = $tenant
   WITH f LIMIT 10000
   RETURN DISTINCT f.scope AS scope`,
);

const scopesOfJob = statement<ScopesParams, { scope: string }>(
  'lifecycle.scopes_of_job',
  'index lifecycle_job; a job has a handful of frames',
  `MATCH (f:LifecycleEvent) USING INDEX SEEK f:LifecycleEvent(job_id, sequence)
   WHERE f.job_id = $id AND f.sequence > 0 AND f.tenant = $tenant
   WITH f LIMIT 10000
   RETURN DISTINCT f.scope AS scope`,
);

const tail = statement<{ from: Integer; to: Integer; scan: Integer }, { frame: StoredFrame }>(
  'lifecycle.tail',
  'constraint lifecycle_sequence, walked in order',
  `MATCH (f:LifecycleEvent) USING INDEX SEEK f:LifecycleEvent(sequence)
   WHERE f.sequence >= $from AND f.sequence <= $to
   WITH f ORDER BY f.sequence LIMIT $scan
   RETURN ${FRAME} AS frame`,
);

const oldest = statement<Record<string, never>, { sequence: number }>(
  'lifecycle.oldest',
  'constraint lifecycle_sequence, its first entry',
  `MATCH (f:LifecycleEvent) USING INDEX SEEK f:LifecycleEvent(sequence)
   WHERE f.sequence > 0
   WITH f ORDER BY f.sequence LIMIT 1
   RETURN f.sequence AS sequence`,
);

const bySequence = statement<{ sequence: Integer; tenant: string | null }, { frame: StoredFrame }>(
  'lifecycle.by_sequence',
  'constraint lifecycle_sequence',
  `MATCH (f:LifecycleEvent {sequence: $sequence}) WHERE $tenant IS NULL OR f.tenant = $tenant
   RETURN ${FRAME} AS frame`,
);

/** The narrowest thing that a walk over frames can be confined to; the rest of a filter is the caller's. */
export interface FrameRange {
  readonly tenant: string;
  readonly event_id?: string | undefined;
  readonly batch_id?: string | undefined;
  readonly job_id?: string | undefined;
  readonly scope_ref?: string | undefined;
}

const framesOfEvents = statement<
  { event_ids: readonly string[]; tenant: string | null },
  { event_id: string; sequences: number[] }
>(
  'lifecycle.of_events',
  'index lifecycle_event; an event has a handful of frames',
  `UNWIND $event_ids AS event_id
   CALL (event_id) {
     MATCH (f:LifecycleEvent) WHERE f.event_id = event_id AND ($tenant IS NULL OR f.tenant = $tenant)
     WITH f LIMIT 100
     WITH f ORDER BY f.sequence
     RETURN collect(f.sequence) AS sequences
   }
   RETURN event_id, sequences`,
);

/** Reads lifecycle frames in the order of their commits. */
export class LifecycleReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** At most `scan` frames of a range between two frame numbers (both included), oldest first; `to` is a settled head. */
  async scan(range: FrameRange, from: number, to: number, scan: number): Promise<StoredFrame[]> {
    const rows = await this.rows(range, {
      tenant: range.tenant,
      from: int(from),
      to: int(to),
      scan: int(scan),
    });
    return rows.map((row) => row.frame);
  }

  /** The scopes in which something happened to the event, bulk or job of a range, and nothing of what; of a range without one, none. */
  async scopesOf({ tenant, event_id, batch_id, job_id }: FrameRange): Promise<string[]> {
    const scopes = (asked: typeof scopesOfEvent, id: string) => this.reader.read(asked, { tenant, id });
    let rows: readonly { scope: string }[] = [];
    if (event_id !== undefined) rows = await scopes(scopesOfEvent, event_id);
    else if (batch_id !== undefined) rows = await scopes(scopesOfBatch, batch_id);
    else if (job_id !== undefined) rows = await scopes(scopesOfJob, job_id);
    return rows.map(({ scope }) => scope);
  }

  /** At most `scan` frames of every tenant between two frame numbers (both included), oldest first; `to` is a settled head. */
  async tail(from: number, to: number, scan: number): Promise<StoredFrame[]> {
    const rows = await this.reader.read(tail, { from: int(from), to: int(to), scan: int(scan) });
    return rows.map((row) => row.frame);
  }

  /** The number of the oldest frame that is kept, of whatever tenant; null when there is none. */
  async oldest(): Promise<number | null> {
    return (await this.reader.read(oldest, {}))[0]?.sequence ?? null;
  }

  /** One frame by number, of one tenant or (null) of any; null when there is none. */
  async bySequence(sequence: number, tenant: string | null): Promise<StoredFrame | null> {
    const rows = await this.reader.read(bySequence, { sequence: int(sequence), tenant });
    return rows[0]?.frame ?? null;
  }

  /** The numbers of the frames of events, oldest first, by event; of one tenant or (null) of any. */
  async sequencesOfEvents(
    eventIds: readonly string[],
    tenant: string | null,
  ): Promise<Map<string, number[]>> {
    const rows = await this.reader.read(framesOfEvents, { event_ids: eventIds, tenant });
    return new Map(rows.map(({ event_id, sequences }) => [event_id, sequences]));
  }

  private rows(
    { event_id, batch_id, job_id, scope_ref }: FrameRange,
    params: ScanParams,
  ): Promise<{ frame: StoredFrame }[]> {
    if (event_id !== undefined) return this.reader.read(scanEvent, { ...params, event_id });
    if (batch_id !== undefined) return this.reader.read(scanBatch, { ...params, batch_id });
    if (job_id !== undefined) return this.reader.read(scanJob, { ...params, job_id });
    if (scope_ref !== undefined) return this.reader.read(scanScope, { ...params, scope_ref });
    return this.reader.read(scanTenant, params);
  }
}
