import type { TemporalPhraseItem } from '../temporal-phrase.ts';
import type { ExamplesOf } from '../example.ts';
import type { TEMPORAL_PHRASE_OPERATIONS } from '../operation/temporal-phrase.ts';

const lastSprint: TemporalPhraseItem = {
  name: 'the last sprint',
  anchor: 'today',
  expression: '-P14D..P0D',
  created_at: '2026-11-27T04:46:36.207Z',
  created_by: 'user:local',
  updated_at: '2026-11-27T04:46:36.207Z',
  updated_by: 'user:local',
  current: { from: '2026-11-13T00:00:00.000Z', to: '2026-11-27T00:00:00.000Z' },
};

/** An example of each of the operations on own time phrases. */
export const TEMPORAL_PHRASE_EXAMPLES = {
  defineTemporalPhrase: {
    body: { name: 'the last sprint', anchor: 'today', expression: '-P14D..P0D' },
    status: 201,
    answer: lastSprint,
  },
  listTemporalPhrases: { status: 200, answer: { items: [lastSprint], has_more: false } },
  removeTemporalPhrase: { params: { name: 'the last sprint' }, status: 204 },
} satisfies ExamplesOf<typeof TEMPORAL_PHRASE_OPERATIONS>;
