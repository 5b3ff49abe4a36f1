import type { ExamplesOf } from '../example.ts';
import type { EXPERIENCE_OPERATIONS } from '../operation/experience.ts';

/** An example of each of the operations of capture. */
export const EXPERIENCE_EXAMPLES = {
  captureExperience: {
    query: { wait: 'consolidated' },
    body: {
      scope: 'org:acme/user:priya',
      modality: 'conversation',
      observed_actor: { id: 'user:priya', session: 'chat-42' },
      content: {
        role: 'user',
        text: 'My flight to Lisbon leaves on Thursday at nine. By the window again, please.',
      },
      context: { observed_at: '2026-11-27T04:40:00Z', labels: ['travel'] },
      idempotency_key: 'chat-42-turn-7',
    },
    status: 202,
    answer: {
      event_id: 'evt_01a21b534c99704d8fe2af2f0c384123',
      status: 'captured',
      wal_offset: 1,
      recorded_at: '2026-11-27T04:46:13.695Z',
      lifecycle_stream: '/v1/lifecycle/stream?event_id=evt_01a21b534c99704d8fe2af2f0c384123',
      replayed_from_idempotency: false,
    },
  },
  captureExperienceBulk: {
    query: { wait: 'consolidated' },
    body: {
      scope: 'org:acme/user:priya',
      items: [
        {
          modality: 'observation',
          content: {
            kind: 'triple',
            triple: {
              subject: { type: 'entity', id: 'ent_priya', name: 'Priya' },
              predicate: 'lives_in',
              object: { type: 'entity', id: 'ent_porto', name: 'Porto' },
              valid_from: '2024-01-01',
            },
          },
        },
        {
          modality: 'observation',
          content: {
            kind: 'triple',
            triple: {
              subject: { type: 'entity', id: 'ent_priya', name: 'Priya' },
              predicate: 'lives_in',
              object: { type: 'entity', id: 'ent_lisbon', name: 'Lisbon' },
              valid_from: '2026-03-01',
            },
          },
        },
        {
          modality: 'observation',
          content: {
            kind: 'triple',
            triple: {
              subject: { type: 'entity', id: 'ent_priya', name: 'Priya' },
              predicate: 'works_at',
              object: { type: 'entity', id: 'ent_acme', name: 'Acme' },
              valid_from: '2024-02-01',
            },
          },
        },
      ],
    },
    status: 202,
    answer: {
      accepted: 3,
      batch_id: 'batch_01a21b534f7e701e94580dc68a84b0b2',
      results: [
        {
          index: 0,
          event_id: 'evt_01a21b534f807234901f64ebffa373fd',
          status: 'captured',
          wal_offset: 2,
          replayed_from_idempotency: false,
        },
        {
          index: 1,
          event_id: 'evt_01a21b534f807234901f691eb584fa2d',
          status: 'captured',
          wal_offset: 3,
          replayed_from_idempotency: false,
        },
        {
          index: 2,
          event_id: 'evt_01a21b534f807234901f6ca6744fad1b',
          status: 'captured',
          wal_offset: 4,
          replayed_from_idempotency: false,
        },
      ],
      lifecycle_stream: '/v1/lifecycle/stream?batch_id=batch_01a21b534f7e701e94580dc68a84b0b2',
    },
  },
  experienceStatus: {
    query: { idempotency_key: 'chat-42-turn-7', scope: 'org:acme/user:priya' },
    status: 200,
    answer: {
      found: true,
      event_id: 'evt_01a21b534c99704d8fe2af2f0c384123',
      scope: 'org:acme/user:priya',
      idempotency_key: 'chat-42-turn-7',
      status: 'indexed',
      stage: 'consolidated',
      stages_completed: ['captured', 'indexed', 'consolidated'],
      wal_offset: 1,
      recorded_at: '2026-11-27T04:46:13.695Z',
      note: 'The event is durable.',
      lifecycle_stream: '/v1/lifecycle/stream?event_id=evt_01a21b534c99704d8fe2af2f0c384123',
    },
  },
} satisfies ExamplesOf<typeof EXPERIENCE_OPERATIONS>;
