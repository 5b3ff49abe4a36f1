import type { ExamplesOf } from '../example.ts';
import type { FORGET_OPERATIONS } from '../operation/forget.ts';

/** An example of each of the operations that forget. */
export const FORGET_EXAMPLES = {
  forget: {
    body: {
      scope: 'org:acme/user:priya',
      from_preview_id: 'fpvw_01a21b53d2aa7c0f9a51e84b09c3d6f2',
      audit_note: 'Asked for by Priya.',
    },
    status: 200,
    answer: {
      deleted: { events: 0, episodes: 0, facts: 1, beliefs: 1, understanding: 1 },
      requested: 2,
      matched: 2,
      audit_id: 'audit_01a21b53d2b17d1e8c40b95a7e6f0000',
      suppression_id: null,
    },
  },
  previewForget: {
    body: {
      scope: 'org:acme/user:priya',
      layers: ['facts', 'beliefs'],
      selector: { about_subject: 'Priya', predicate: 'works_at' },
      cascade: 'derived_only',
    },
    status: 200,
    answer: {
      preview_id: 'fpvw_01a21b53d2aa7c0f9a51e84b09c3d6f2',
      scope: 'org:acme/user:priya',
      expires_at: '2026-11-27T05:01:46.218Z',
      estimated_deleted: { events: 0, episodes: 0, facts: 1, beliefs: 1, understanding: 1 },
      estimated_revised: { events: 0, episodes: 0, facts: 0, beliefs: 0, understanding: 1 },
      ids: {
        events: [],
        episodes: [],
        facts: ['fact_f05da9a6ef9672a8397a2c2f9253af63'],
        beliefs: ['belief_07c7a1bf4339166d697d6a3b5ebaa574'],
        understanding: ['concept_5a36b2a54cc6b6f75487bcfd9deb3707'],
      },
      revised_ids: {
        events: [],
        episodes: [],
        facts: [],
        beliefs: [],
        understanding: ['concept_d1f6a0b79c3e4825b0a7e6c51f2d9384'],
      },
      ids_truncated: false,
      requested: 2,
      matched: 2,
      events_under_legal_hold: 0,
    },
  },
} satisfies ExamplesOf<typeof FORGET_OPERATIONS>;
