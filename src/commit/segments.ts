import type { CaptureInput } from '../../graph/capture.ts';

/**
 * Cuts records into runs within which no idempotency key stands twice in one scope. A run is one statement, and a later run
 * sees the keys of the earlier ones, so that a repeated key means the same within a batch as across requests.
 */
export function segmentsOf(inputs: readonly CaptureInput[]): CaptureInput[][] {
  const segments: CaptureInput[][] = [];
  let current: CaptureInput[] = [];
  let seen = new Set<string>();
  for (const input of inputs) {
    const { scope_ref, idempotency_key } = input.record;
    const key = idempotency_key === null ? null : `${scope_ref} ${idempotency_key}`;
    if (key !== null && seen.has(key)) {
      segments.push(current);
      current = [];
      seen = new Set();
    }
    if (key !== null) seen.add(key);
    current.push(input);
  }
  if (current.length > 0) segments.push(current);
  return segments;
}
