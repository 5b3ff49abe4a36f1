import type { CommitterLimits } from './limits.ts';
import type { CaptureInput, CaptureResult } from '../../graph/capture.ts';
import type { Call } from '../access/call.ts';

/** The request behind a submission, and the status that it is answered with when nothing of it is refused. */
export interface AuditedRequest {
  readonly call: Call;
  readonly status: number;
}

/** Records that were handed in together, and whom to answer. */
export interface Submission {
  readonly inputs: readonly CaptureInput[];
  readonly kind: 'single' | 'bulk' | 'all-or-none';
  /** What the audit log is to tell of; null for captures that leave no row. */
  readonly origin: AuditedRequest | null;
  readonly resolve: (results: CaptureResult[]) => void;
  readonly reject: (error: unknown) => void;
}

function bytesOf(inputs: readonly CaptureInput[]): number {
  return inputs.reduce((sum, { record }) => sum + record.bytes, 0);
}

/** The bounded queue before the committer; it forms groups in the order of arrival. */
export class GroupQueue {
  private readonly limits: CommitterLimits;
  private readonly waiting: Submission[] = [];
  /** Events handed in and not answered yet. */
  events = 0;
  /** Bytes of their envelopes. */
  bytes = 0;

  constructor(limits: CommitterLimits) {
    this.limits = limits;
  }

  /** Whether there is room; an empty queue takes anything, so that no single request is too big for ever. */
  accepts(inputs: readonly CaptureInput[]): boolean {
    if (this.events === 0) return true;
    return (
      this.events + inputs.length <= this.limits.queueEvents &&
      this.bytes + bytesOf(inputs) <= this.limits.queueBytes
    );
  }

  push(submission: Submission): void {
    this.waiting.push(submission);
    this.events += submission.inputs.length;
    this.bytes += bytesOf(submission.inputs);
  }

  /** The next group: one bulk alone, or the singles at the head up to the bounds of a group; null when nothing waits. */
  next(): Submission[] | null {
    const [first] = this.waiting;
    if (!first) return null;
    if (first.kind !== 'single') return this.waiting.splice(0, 1);
    let bytes = 0;
    let count = 0;
    for (const submission of this.waiting) {
      bytes += bytesOf(submission.inputs);
      const full = count === this.limits.groupEvents || bytes > this.limits.groupBytes;
      if (submission.kind !== 'single' || (full && count > 0)) break;
      count += 1;
    }
    return this.waiting.splice(0, count);
  }

  /** Gives the room of an answered group back. */
  done(group: readonly Submission[]): void {
    for (const { inputs } of group) {
      this.events -= inputs.length;
      this.bytes -= bytesOf(inputs);
    }
  }
}
