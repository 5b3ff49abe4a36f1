import type { ExamplesOf } from '../example.ts';
import type { HEALTH_OPERATIONS } from '../operation/health.ts';

/** An example of each of the operations on the state of the server. */
export const HEALTH_EXAMPLES = {
  health: { status: 200, answer: { status: 'ok', version: '0.1.0' } },
  ready: { status: 200, answer: { ready: true } },
  adminHealth: { status: 200, answer: { status: 'ok', version: '0.1.0' } },
  adminReady: {
    status: 200,
    answer: {
      ready: true,
      degraded: false,
      embedding_provider: 'none',
      checks: {
        database: { ok: true, status: 'up' },
        writes: { ok: true, status: 'up' },
        pipeline: { ok: true, status: 'up' },
        consolidation: { ok: true, status: 'up' },
        content_processors: { ok: true, status: 'off' },
        extraction: { ok: true, status: 'off' },
        enrichment: { ok: true, status: 'off' },
        answer: { ok: true, status: 'up' },
        verifier: { ok: true, status: 'up' },
        embeddings: { ok: true, status: 'off' },
      },
    },
  },
  adminMetrics: {
    query: { format: 'json' },
    status: 200,
    answer: {
      metrics: [
        {
          name: 'strata_build_info',
          help: 'Always 1; the labels say what runs.',
          type: 'gauge',
          values: [
            {
              name: 'strata_build_info',
              labels: { version: '0.1.0', git_sha: 'unknown', built_at: 'unknown' },
              value: 1,
            },
          ],
        },
        {
          name: 'strata_commit_queue_events',
          help: 'Events accepted for capture and not answered yet.',
          type: 'gauge',
          values: [{ name: 'strata_commit_queue_events', labels: {}, value: 0 }],
        },
      ],
    },
    excerpt: true,
  },
  adminVersion: {
    status: 200,
    answer: {
      version: '0.1.0',
      crate_version: '0.1.0',
      git_sha: 'unknown',
      built_at: 'unknown',
      capabilities: [
        'capture_language_v1',
        'recall_language_v1',
        'query_variants_v1',
        'temporal_lenient_v1',
        'refers_to_v1',
        'recall_diagnostics_v1',
        'matched_fragments_v1',
        'budget_excerpt_v1',
        'event_scope_filter_v1',
        'on_conflict_replace_v1',
        'metadata_v1',
        'scores_v1',
        'as_of_axes_v1',
        'graphql_v1',
      ],
      stability: { rest: 'stable', graphql: 'stable' },
    },
  },
} satisfies ExamplesOf<typeof HEALTH_OPERATIONS>;
