import { mutation, query, subscription, type Page } from '../../../api/document.ts';
import type { Counts } from '../queries.ts';

/** How an erasure is, and how far. */
export interface Erasure {
  readonly id: string;
  readonly scope: string;
  readonly status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  readonly phase: 'queued' | 'removing' | 'taking_out' | 'sealing' | 'verifying' | 'done';
  readonly counts: Counts & {
    readonly eventsTotal: number;
    readonly eventsDone: number;
    readonly eventsUnderLegalHold: number;
  };
  readonly startedAt: string;
  readonly completedAt: string | null;
  readonly error: { readonly errorCode: string; readonly message: string } | null;
  readonly auditId: string;
  readonly suppressionId: string | null;
}

export const ERASURE = query<{ readonly erasure: Erasure | null }, { readonly id: string }>(`
  query Erasure($id: ID!) {
    erasure(id: $id) {
      id scope status phase startedAt completedAt auditId suppressionId
      counts { events episodes facts beliefs understanding eventsTotal eventsDone eventsUnderLegalHold }
      error { errorCode message }
    }
  }
`);

/** A signed receipt. */
export interface Receipt {
  readonly erasureId: string;
  readonly receipt: string;
  readonly kid: string;
  readonly publicKey: string;
  readonly claims: unknown;
}

export const RECEIPT = query<{ readonly erasureReceipt: Receipt | null }, { readonly id: string }>(`
  query Receipt($id: ID!) {
    erasureReceipt(id: $id) { erasureId receipt kid publicKey claims }
  }
`);

/** What was found when it was looked again. */
export interface Verification {
  readonly verified: boolean;
  readonly checkedAt: string;
  readonly signatureValid: boolean;
  readonly eventsChecked: number;
  readonly placesChecked: readonly string[];
  readonly findings: readonly { readonly place: string; readonly count: number }[];
}

export const VERIFY_ERASURE = mutation<
  { readonly verifyErasure: Verification | null },
  { readonly id: string }
>(`
  mutation VerifyErasure($id: ID!) {
    verifyErasure(id: $id) {
      verified checkedAt signatureValid eventsChecked placesChecked
      findings { place count }
    }
  }
`);

export const CANCEL_ERASURE = mutation<
  { readonly cancelErasure: { readonly id: string } | null },
  { readonly id: string }
>(`
  mutation CancelErasure($id: ID!) {
    cancelErasure(id: $id) { id }
  }
`);

/** That an erasure is over, as the lifecycle tells it. */
export interface ErasureFrame {
  readonly lifecycleId: string;
  readonly ts: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const ERASURE_FRAMES = subscription<
  { readonly lifecycle: ErasureFrame },
  { readonly job: string; readonly since: string | null }
>(`
  subscription ErasureFrames($job: ID!, $since: ID) {
    lifecycle(jobId: $job, sinceLifecycleId: $since) { lifecycleId ts event data }
  }
`);

export const ERASURES = query<
  { readonly lifecycle: Page<ErasureFrame> | null },
  { readonly scope: string; readonly after: string | null }
>(`
  query Erasures($scope: String!, $after: String) {
    lifecycle(scope: $scope, events: ["erasure_complete"], first: 50, after: $after) {
      nodes { lifecycleId ts event data }
      pageInfo { hasNextPage endCursor }
    }
  }
`);
