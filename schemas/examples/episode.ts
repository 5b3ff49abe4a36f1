import type { EpisodeItem } from '../episode.ts';
import type { ExamplesOf } from '../example.ts';
import type { EPISODE_OPERATIONS } from '../operation/episode.ts';

const flight: EpisodeItem = {
  id: 'ep_ea7dcec9488d8789f795d411358ac4ae',
  scope: 'org:acme/user:priya',
  name: 'My flight to Lisbon leaves on Thursday at nine. By the window again, please.',
  summary: 'My flight to Lisbon leaves on Thursday at nine. By the window again, please.',
  events: [
    'evt_01a21b534c99704d8fe2af2f0c384123',
    'evt_01a21b534f807234901f64ebffa373fd',
    'evt_01a21b534f807234901f691eb584fa2d',
    'evt_01a21b534f807234901f6ca6744fad1b',
  ],
  started_at: '2026-11-27T04:40:00.000Z',
  ended_at: null,
  valid_from: '2026-11-27T04:40:00.000Z',
  valid_to: null,
  recorded_from: '2026-11-27T04:46:13.695Z',
  centrality_score: 0.6666666666666666,
  _partial: false,
};

/** An example of each of the operations on episodes. */
export const EPISODE_EXAMPLES = {
  listEpisodes: {
    query: { scope: 'org:acme/user:priya' },
    status: 200,
    answer: { items: [flight], episodes: [flight], has_more: false },
  },
  getEpisode: {
    params: { id: 'ep_ea7dcec9488d8789f795d411358ac4ae' },
    status: 200,
    answer: {
      id: 'ep_ea7dcec9488d8789f795d411358ac4ae',
      scope: 'org:acme/user:priya',
      name: 'My flight to Lisbon leaves on Thursday at nine. By the window again, please.',
      summary: 'My flight to Lisbon leaves on Thursday at nine. By the window again, please.',
      events: [
        'evt_01a21b534c99704d8fe2af2f0c384123',
        'evt_01a21b534f807234901f64ebffa373fd',
        'evt_01a21b534f807234901f691eb584fa2d',
        'evt_01a21b534f807234901f6ca6744fad1b',
      ],
      started_at: '2026-11-27T04:40:00.000Z',
      ended_at: null,
      valid_from: '2026-11-27T04:40:00.000Z',
      valid_to: null,
      recorded_from: '2026-11-27T04:46:13.695Z',
      centrality_score: 0.6666666666666666,
      causal_chain: [
        {
          event: 'evt_01a21b534c99704d8fe2af2f0c384123',
          role: 'trigger',
          summary: 'My flight to Lisbon leaves on Thursday at nine. By the window again, please.',
        },
        { event: 'evt_01a21b534f807234901f64ebffa373fd', role: 'follow_up', summary: 'Priya lives in Porto' },
        {
          event: 'evt_01a21b534f807234901f691eb584fa2d',
          role: 'follow_up',
          summary: 'Priya lives in Lisbon',
        },
        { event: 'evt_01a21b534f807234901f6ca6744fad1b', role: 'follow_up', summary: 'Priya works at Acme' },
      ],
      _partial: false,
    },
  },
} satisfies ExamplesOf<typeof EPISODE_OPERATIONS>;
