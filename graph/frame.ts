import { LOCK_LIFECYCLE } from './counter.ts';

/** A frame about an event, to be written. */
export interface NewFrame {
  readonly event_id: string;
  readonly type: string;
  /** JSON text of what it says beyond the fields that it has of the event. */
  readonly data: string;
}

/**
 * Part of a statement: writes frames, `framed`: a list of `{event, type, data}`, under the next numbers, and goes on with `newest_frame`, the
 * last of these. It takes the lock of the numbers, so it comes last.
 */
export const WRITE_FRAMES = `${LOCK_LIFECYCLE}
   WITH *, lifecycle.value + size(framed) AS newest_frame
   SET lifecycle.value = newest_frame
   WITH *
   CALL (framed, newest_frame) {
     UNWIND range(0, size(framed) - 1) AS i
     WITH framed[i] AS frame, framed[i].event AS e, newest_frame - size(framed) + 1 + i AS sequence
     CREATE (:LifecycleEvent {sequence: sequence, type: frame.type, tenant: e.tenant, scope: e.scope, scope_ref: e.scope_ref,
       event_id: e.id, wal_offset: e.wal_offset, actor: e.caller, modality: e.modality, batch_id: e.batch_id,
       ts: $now, data: frame.data})
   }`;
