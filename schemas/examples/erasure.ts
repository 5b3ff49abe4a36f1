import type { ExamplesOf } from '../example.ts';
import type { ERASURE_OPERATIONS } from '../operation/erasure.ts';

const SCOPE = 'org:acme/user:priya';
const ERASURE = 'ers_01a21b53d3107c0f9a51e84b09c3d6f2';
/** One that is under way. */
const LARGE = 'ers_01a21b5410a27c0f9a51e84b09c3d6f2';
const PREVIEW = 'ervw_01a21b53d2aa7c0f9a51e84b09c3d6f2';
const AUDIT = 'audit_01a21b53d2b17d1e8c40b95a7e6f0000';

const RECORD = {
  id: ERASURE,
  scope: SCOPE,
  status: 'completed',
  phase: 'done',
  counts: {
    events: 2,
    episodes: 1,
    facts: 2,
    beliefs: 2,
    understanding: 1,
    events_total: 2,
    events_done: 2,
    events_under_legal_hold: 0,
  },
  started_at: '2026-11-27T04:46:46.218Z',
  completed_at: '2026-11-27T04:46:46.731Z',
  error: null,
  audit_id: AUDIT,
  suppression_id: null,
  receipt_url: `/v1/erasures/${ERASURE}/receipt`,
} as const;

const MANIFEST = [
  '{"layer":"events","id":"evt_01a21b53cfe07a0b9a1f27f6c8d5e4b3","action":"delete"}',
  '{"layer":"facts","id":"fact_f05da9a6ef9672a8397a2c2f9253af63","action":"remove"}',
  '',
].join('\n');

/** An example of each of the operations that erase. */
export const ERASURE_EXAMPLES = {
  previewErasure: {
    body: { scope: SCOPE, confirm_all: true },
    status: 200,
    answer: {
      preview_id: PREVIEW,
      scope: SCOPE,
      expires_at: '2026-11-27T05:01:46.218Z',
      estimated_affected: { events: 2, episodes: 1, facts: 2, beliefs: 2, understanding: 1 },
      estimated_revised: { events: 0, episodes: 0, facts: 0, beliefs: 0, understanding: 0 },
      refcount_breakdown: {
        in_scope_events: 2,
        events_to_delete: 2,
        events_to_redact: 0,
        events_under_legal_hold: 0,
      },
      cross_scope_propagation: { affected_workspaces: [], requires_capability: null },
      legal_holds: [],
      estimated_duration_ms: 240,
      manifest_url: `/v1/erasures/preview/${PREVIEW}/manifest`,
    },
  },
  getErasurePreviewManifest: { params: { id: PREVIEW }, status: 200, answer: MANIFEST },
  startErasure: {
    body: { scope: SCOPE, from_preview_id: PREVIEW, audit_note: 'Asked for by Priya.' },
    status: 202,
    answer: {
      erasure_id: ERASURE,
      scope: SCOPE,
      status: 'completed',
      manifest_url: `/v1/erasures/${ERASURE}/manifest`,
      receipt_url: `/v1/erasures/${ERASURE}/receipt`,
      verify_url: `/v1/erasures/${ERASURE}/verify`,
      lifecycle_stream: `/v1/lifecycle/stream?job_id=${ERASURE}`,
      suppression_id: null,
    },
  },
  getErasure: { params: { id: ERASURE }, status: 200, answer: RECORD },
  getErasureManifest: { params: { id: ERASURE }, status: 200, answer: MANIFEST },
  cancelErasure: {
    params: { id: LARGE },
    body: {},
    status: 200,
    answer: {
      ...RECORD,
      id: LARGE,
      status: 'cancelled',
      phase: 'removing',
      counts: { ...RECORD.counts, events_done: 1 },
      completed_at: null,
      receipt_url: null,
    },
  },
  getErasureReceipt: {
    params: { id: ERASURE },
    excerpt: true,
    status: 200,
    answer: {
      erasure_id: ERASURE,
      receipt:
        'v4.public.eyJ0eXBlIjoic3RyYXRhLWVyYXN1cmUtcmVjZWlwdC0xIn0XO7sQ4oT1rDvF5v1yq3f0t0m5b8l2q9m7c4t1y2s3d4f5g6h7j8k9l0.eyJraWQiOiJza180ZjY5YzI3YTFkM2I1ZTdmOTBhMWIyYzMifQ',
      kid: 'sk_4f69c27a1d3b5e7f90a1b2c3',
      public_key: 'k4.public.Hc-ZjY8G1yJ4W0Xx3mBqg3oG9pX5uF2kQx7s1rN0tLw',
      claims: {
        type: 'strata-erasure-receipt-1',
        erasure_id: ERASURE,
        tenant: 'default',
        scope: SCOPE,
        requested_by: 'user:dpo',
        status: 'completed',
        started_at: RECORD.started_at,
        completed_at: RECORD.completed_at,
        removed: { events: 2, episodes: 1, facts: 2, beliefs: 2, understanding: 1 },
        stores: { passages: 2, keys: 0, blob_uses: 0, answers: 0, frames: 8, statements: 2 },
        events_under_legal_hold: 0,
        commitments: {
          algorithm:
            'commitment: SHA-256 of 32 random bytes and the event as it was kept; root: SHA-256 of the commitments in order, each with a line feed behind it; base64url',
          count: 2,
          root: 'q3mJ0xk1b7Z5v9WcY2tD4fG6hJ8kL0nP3rS5uX7zA1c',
        },
        audit: {
          audit_id: AUDIT,
          sequence: 412,
          hash: '5d0a2f1c9b8e7d6a5f4c3b2a1908f7e6d5c4b3a29180f7e6d5c4b3a291807f6e',
        },
        residue: {
          purged: [':Event(id)', ':Event(wal_offset)', ':Passage(event_id)'],
          controlled: [
            {
              place: 'transaction logs of the database',
              what: 'writes of what was erased',
              until: 'two days, or until 512 MB of newer log, and the next checkpoint',
              purge: 'strata erasure purge',
            },
          ],
          uncontrollable: [],
          undeclared: 0,
        },
      },
    },
  },
  verifyErasure: {
    params: { id: ERASURE },
    status: 200,
    answer: {
      erasure_id: ERASURE,
      verified: true,
      checked_at: '2026-11-27T09:12:03.114Z',
      signature_valid: true,
      events_checked: 2,
      places_checked: [':Event(wal_offset)', ':Belief without evidence'],
      findings: [],
    },
  },
} satisfies ExamplesOf<typeof ERASURE_OPERATIONS>;
