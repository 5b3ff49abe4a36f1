import type { ExamplesOf } from '../example.ts';
import type { DERIVATION_OPERATIONS } from '../operation/derivation.ts';

/** An example of each of the operations on the progress of derivation. */
export const DERIVATION_EXAMPLES = {
  derivationStatus: {
    query: { scope: 'org:acme/user:priya' },
    status: 200,
    answer: {
      scope: 'org:acme/user:priya',
      caught_up: true,
      dirty: false,
      rebuilding: false,
      idle_seconds: 4,
      built: { episodes: 1, beliefs: 4, concepts: 3 },
      head_offset: 7,
      stages: {
        extracted: { offset: 7, lag_events: 0, lag_ms: 0 },
        indexed: { offset: 7, lag_events: 0, lag_ms: 0 },
        consolidated: { offset: 7, lag_events: 0, lag_ms: 0 },
      },
      held: 0,
      deferred: 0,
      lanes: [
        {
          name: 'extraction',
          status: 'off',
          fix: 'Set OPENAI_API_KEY (or STRATA_LLM_API_KEY, STRATA_ENTITY_API_KEY), or STRATA_LLM_URL for an endpoint without a key; STRATA_LLM_MODEL names the model.',
        },
        {
          name: 'enrichment',
          status: 'off',
          fix: 'Set STRATA_ENRICHMENT_MODEL and STRATA_ENRICHMENT_DELAY_SECONDS.',
        },
        {
          name: 'embeddings',
          status: 'off',
          fix: 'Set STRATA_EMBEDDING_PROVIDER to auto or local, or STRATA_EMBEDDING_URL (with STRATA_EMBEDDING_API_KEY unless it is on this machine).',
        },
      ],
      enrichment: { open: false, held: 0, failed: 0 },
      embeddings: { due: 0, lag_ms: 0, refused: 0 },
      assumed_predicates: { count: 1, names: ['prefers_seat'] },
      failed: 0,
    },
  },
  layerStats: {
    status: 200,
    answer: {
      layers: {
        events: { count: 7, lag: 0 },
        episodes: { count: 1, lag: 0 },
        facts: { count: 4, lag: 0 },
        beliefs: { count: 4, lag: 0 },
        understanding: { count: 3, lag: 0 },
      },
    },
  },
} satisfies ExamplesOf<typeof DERIVATION_OPERATIONS>;
