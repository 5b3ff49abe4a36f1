import type { ExamplesOf } from '../example.ts';
import type { RETENTION_OPERATIONS } from '../operation/retention.ts';

/** An example of each of the operations on how long records are kept. */
export const RETENTION_EXAMPLES = {
  retentionStatus: {
    status: 200,
    answer: {
      backend: 'neo4j',
      enabled: true,
      scheduler_disabled: false,
      sweep_interval_secs: 3600,
      deployment_default_days: null,
      max_events_per_tick: 10000,
      tick_budget_secs: 60,
      compact_after_sweep: false,
      cursor: 0,
      watermark: 3,
      fingerprint_ok: true,
      running: false,
      native_profile_blocked: false,
      policies: [],
      policies_truncated: false,
      last: null,
    },
  },
  sweepRetention: {
    body: { dry_run: true, scope: 'org:acme' },
    status: 200,
    answer: {
      dry_run: true,
      scope: 'org:acme',
      started_at: '2026-11-27T04:46:12.628Z',
      scanned: 0,
      expired: 0,
      erased: 0,
      kept_forever: 0,
      held: { legal_hold: 0 },
      derived: { facts: 0, beliefs: 0, episodes: 0, understanding: 0 },
      cursor_before: 0,
      cursor_after: 4,
      watermark: 3,
      stopped: 'complete',
      erasures: [],
      errors: [],
      elapsed_ms: 12,
    },
  },
  setRetentionPolicy: {
    body: {
      scope: 'org:acme/project:archive',
      default_retention_days: 3650,
      per_source_days: { 'source:jira': 365 },
    },
    status: 200,
    answer: {
      scope: 'org:acme/project:archive',
      policy: { default_retention_days: 3650, per_source_days: { 'source:jira': 365 } },
      cursor_reset: true,
    },
  },
  getRetentionPolicy: {
    query: { scope: 'org:acme/project:archive' },
    status: 200,
    answer: {
      scope: 'org:acme/project:archive',
      policy: { default_retention_days: 3650, per_source_days: { 'source:jira': 365 } },
      effective_days: 3650,
    },
  },
  deleteRetentionPolicy: { query: { scope: 'org:acme/project:archive' }, status: 204 },
} satisfies ExamplesOf<typeof RETENTION_OPERATIONS>;
