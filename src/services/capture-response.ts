import type { CaptureResult } from '../../graph/capture.ts';
import type { CaptureResponse } from '../../schemas/experience.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import type { EventRecord } from '../capture/event-record.ts';

/** The acknowledgement of one record, committed as `result` says. */
export function captureResponse(
  result: CaptureResult,
  record: Pick<EventRecord, 'observed_at'>,
): CaptureResponse {
  const warnings = warningsOf(result, record);
  return {
    event_id: result.event_id,
    status: 'captured',
    wal_offset: result.wal_offset,
    recorded_at: toRfc3339(result.recorded_at),
    lifecycle_stream: `/v1/lifecycle/stream?event_id=${result.event_id}`,
    replayed_from_idempotency: result.outcome === 'replayed',
    ...(result.replaces === null ? {} : { replaces: result.replaces }),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

/** What is worth knowing of a capture. Of a repeat, the instant of observation plays no part. */
function warningsOf(
  { outcome, recorded_at, hints_differ }: CaptureResult,
  { observed_at }: Pick<EventRecord, 'observed_at'>,
): string[] {
  const isAhead = outcome !== 'replayed' && observed_at !== null && observed_at > recorded_at;
  return [
    ...(hints_differ ? ['conflicting_hint_on_replay'] : []),
    ...(isAhead ? ['observed_in_the_future'] : []),
  ];
}

/** Why nothing was written for a record. */
export interface CaptureRefusal {
  readonly error_code: 'IDEMPOTENCY_CONFLICT' | 'DESTRUCTIVE_OPERATION_IN_PROGRESS' | 'SUPPRESSED';
  readonly error: string;
  readonly details?: Record<string, unknown>;
}

/** What the refusal of a record is told with; null when it is not refused. */
export function captureRefusal({ outcome, event_id, suppression_id }: CaptureResult): CaptureRefusal | null {
  switch (outcome) {
    case 'conflict':
      return {
        error_code: 'IDEMPOTENCY_CONFLICT',
        error: 'The idempotency key is held in this scope by an event with another body.',
        details: { event_id },
      };
    case 'deleting':
      return {
        error_code: 'DESTRUCTIVE_OPERATION_IN_PROGRESS',
        error: 'The scope is being deleted; nothing was written. Try again.',
      };
    case 'suppressed':
      return {
        error_code: 'SUPPRESSED',
        error:
          'This content was forgotten from the scope and is not to be captured there again; nothing was written.',
        details: { suppression_id },
      };
    case 'captured':
    case 'replaced':
    case 'replayed':
      return null;
  }
}
