import type { CaptureResult } from '../../graph/capture.ts';
import type { CaptureResponse } from '../../schemas/experience.ts';
import { toRfc3339 } from '../../schemas/time.ts';

/** The acknowledgement of one committed record. */
export function captureResponse(result: CaptureResult): CaptureResponse {
  return {
    event_id: result.event_id,
    status: 'captured',
    wal_offset: result.wal_offset,
    recorded_at: toRfc3339(result.recorded_at),
    lifecycle_stream: `/v1/lifecycle/stream?event_id=${result.event_id}`,
    replayed_from_idempotency: result.outcome === 'replayed',
    ...(result.replaces === null ? {} : { replaces: result.replaces }),
    ...(result.hints_differ ? { warnings: ['conflicting_hint_on_replay'] } : {}),
  };
}
