import type { ExamplesOf } from '../example.ts';
import type { RECALL_OPERATIONS } from '../operation/recall.ts';

/** An example of each of the operations that bring memory back by relevance. */
export const RECALL_EXAMPLES = {
  recall: {
    body: {
      scope: 'org:acme/user:priya',
      query: 'When does the flight to Lisbon leave?',
      include: ['events'],
      budgets: { max_tokens: 500 },
    },
    status: 200,
    answer: {
      pack_id: 'pack_01a21b53a2f671b9b2c815e607d04712',
      context_block:
        '[2026-11-27 04:40 UTC] [1] priya: My flight to Lisbon leaves on Thursday at nine. By the window again, please.\n---\n[2026-03-01 00:00 UTC] [2] Priya lives in Lisbon',
      layers: {
        events: [
          {
            id: 'evt_01a21b534c99704d8fe2af2f0c384123',
            scope: 'org:acme/user:priya',
            caller: 'user:local',
            observed_actor: { id: 'user:priya', session: 'chat-42', type: 'user' },
            subject: { id: 'user:local', type: 'user' },
            scope_key: 'default',
            modality: 'conversation',
            context: {
              observed_at: '2026-11-27T04:40:00Z',
              recorded_at: '2026-11-27T04:46:13.695Z',
              intent: null,
              labels: ['travel'],
            },
            wal_offset: 1,
            derives: ['belief_79a0e4f02116e1b850c782abf2ffa9a0', 'ep_ea7dcec9488d8789f795d411358ac4ae'],
            content: {
              kind: 'message',
              role: 'user',
              text: 'My flight to Lisbon leaves on Thursday at nine. By the window again, please.',
            },
            score: 1,
            matched_by: ['keyword'],
          },
          {
            id: 'evt_01a21b534f807234901f691eb584fa2d',
            scope: 'org:acme/user:priya',
            caller: 'user:local',
            observed_actor: { id: 'user:local', type: 'user' },
            subject: { id: 'user:local', type: 'user' },
            scope_key: 'default',
            modality: 'observation',
            context: {
              observed_at: '2026-11-27T04:46:14.466Z',
              recorded_at: '2026-11-27T04:46:14.466Z',
              intent: null,
              labels: [],
            },
            wal_offset: 3,
            derives: [
              'belief_c9cb10e05754e21ec3dd5b3e6e6053f0',
              'belief_d51a7f57be1ace73a234532b943b17af',
              'ep_ea7dcec9488d8789f795d411358ac4ae',
              'fact_2dbc1dd1120931f0265ff919e03f32af',
            ],
            content: {
              kind: 'triple',
              triple: {
                subject: { type: 'entity', id: 'ent_priya', name: 'Priya' },
                predicate: 'lives_in',
                valid_from: '2026-03-01',
                object: { type: 'entity', id: 'ent_lisbon', name: 'Lisbon' },
              },
            },
            score: 0.05,
            matched_by: ['keyword'],
          },
        ],
        facts: [],
        beliefs: [],
        episodes: [],
        understanding: [],
      },
      provenance: {
        trail: [
          { phase: 'scopes', view: 'holistic', scopes: 1, subtrees: 1, withheld: 0, elapsed_ms: 0.3 },
          { phase: 'temporal', elapsed_ms: 0.09 },
          { phase: 'retrieval', candidates: 2, signals: ['keyword', 'graph'], elapsed_ms: 63.23 },
          {
            phase: 'expansion',
            facts: 0,
            beliefs: 0,
            episodes: 0,
            understanding: 0,
            events: 2,
            elapsed_ms: 10.63,
          },
          { phase: 'funding', budget: 500, used: 58, evicted: { events: 0 }, elapsed_ms: 5.52 },
        ],
        citations: {
          '[1]': { layer: 'events', id: 'evt_01a21b534c99704d8fe2af2f0c384123' },
          '[2]': { layer: 'events', id: 'evt_01a21b534f807234901f691eb584fa2d' },
        },
      },
      diagnostics: {
        scopes_traversed: ['org:acme', 'org:acme/user:priya/*'],
        scopes_withheld: 0,
        signals: ['keyword', 'graph'],
        time_ms: { recall: 78.62, render_context_block: 5.52, total: 84.14 },
        tokens: { budget: 500, used: 58 },
        evicted: { events: 0 },
      },
      warnings: [],
      as_of: { valid: '2026-11-27T04:46:35.682Z', recorded: null },
    },
  },
} satisfies ExamplesOf<typeof RECALL_OPERATIONS>;
