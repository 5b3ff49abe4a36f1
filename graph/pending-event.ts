import { TAKEN_OUT } from './visible.ts';

/** An event that a stage still has to do. */
export interface PendingEvent {
  readonly event_id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
  readonly shard: number;
  readonly wal_offset: number;
  readonly content_kind: string;
  /** UTF-8 length of the envelope. */
  readonly bytes: number;
  /** Actor id of the principal. */
  readonly caller: string;
  /** Epoch milliseconds, as is when it was recorded. */
  readonly observed_at: number;
  readonly recorded_at: number;
  /** Cancelled or replaced: it passes without an effect of its own. */
  readonly excluded: boolean;
  /** The hold that this run is to lift, when the stage is repeated for one event. */
  readonly retry_id: string | null;
}

/** The columns of a {@link PendingEvent} `e`, but for the hold. */
export const PENDING_EVENT = `e.id AS event_id, e.tenant AS tenant, e.scope AS scope, e.scope_ref AS scope_ref, e.shard AS shard,
     e.wal_offset AS wal_offset, e.content_kind AS content_kind, e.bytes AS bytes, e.caller AS caller,
     e.observed_at.epochMillis AS observed_at, e.recorded_at.epochMillis AS recorded_at, ${TAKEN_OUT} AS excluded`;

/** The same as the entries of a map. */
export const PENDING_FIELDS = `event_id: e.id, tenant: e.tenant, scope: e.scope, scope_ref: e.scope_ref, shard: e.shard, wal_offset: e.wal_offset,
       content_kind: e.content_kind, bytes: e.bytes, caller: e.caller, observed_at: e.observed_at.epochMillis,
       recorded_at: e.recorded_at.epochMillis, excluded: ${TAKEN_OUT}`;
