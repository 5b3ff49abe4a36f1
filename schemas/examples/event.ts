import type { EventItem } from '../event.ts';
import type { ExamplesOf } from '../example.ts';
import type { EVENT_OPERATIONS } from '../operation/event.ts';

/** The first event of the story. */
export const flight: EventItem = {
  id: 'evt_01a21b534c99704d8fe2af2f0c384123',
  scope: 'org:acme/user:priya',
  caller: 'user:local',
  observed_actor: { id: 'user:priya', session: 'chat-42', type: 'user' },
  subject: { id: 'user:local', type: 'user' },
  scope_key: 'default',
  modality: 'conversation',
  content: {
    kind: 'message',
    role: 'user',
    text: 'My flight to Lisbon leaves on Thursday at nine. By the window again, please.',
  },
  context: {
    observed_at: '2026-11-27T04:40:00Z',
    recorded_at: '2026-11-27T04:46:13.695Z',
    intent: null,
    labels: ['travel'],
  },
  wal_offset: 1,
  derives: ['belief_79a0e4f02116e1b850c782abf2ffa9a0', 'ep_ea7dcec9488d8789f795d411358ac4ae'],
};

/** An example of each of the operations on events. */
export const EVENT_EXAMPLES = {
  listEvents: {
    query: { scope: 'org:acme/user:priya', labels: 'travel', limit: '10' },
    status: 200,
    answer: { items: [flight], has_more: false },
  },
  getEvent: { params: { id: 'evt_01a21b534c99704d8fe2af2f0c384123' }, status: 200, answer: flight },
  cancelEvent: {
    params: { id: 'evt_01a21b534c99704d8fe2af2f0c384123' },
    body: {},
    status: 200,
    answer: {
      event_id: 'evt_01a21b534c99704d8fe2af2f0c384123',
      stages_cancelled: [],
      stages_already_completed: ['captured', 'indexed', 'consolidated'],
      excluded_from_recall: true,
    },
  },
} satisfies ExamplesOf<typeof EVENT_OPERATIONS>;
