import type { LifecycleItem } from '../lifecycle.ts';
import type { ExamplesOf } from '../example.ts';
import type { LIFECYCLE_OPERATIONS } from '../operation/lifecycle.ts';

const captured: LifecycleItem = {
  lifecycle_id: 'lce_0000000000000002',
  ts: '2026-11-27T04:46:13.695Z',
  scope: 'org:acme/user:priya',
  event: 'captured',
  data: {
    event_id: 'evt_01a21b534c99704d8fe2af2f0c384123',
    wal_offset: 1,
    actor: 'user:local',
    modality: 'conversation',
    ts: '2026-11-27T04:46:13.695Z',
  },
};

/** An example of each of the operations on what happens to events. */
export const LIFECYCLE_EXAMPLES = {
  listLifecycle: {
    query: { event_id: 'evt_01a21b534c99704d8fe2af2f0c384123' },
    status: 200,
    answer: {
      items: [
        captured,
        {
          lifecycle_id: 'lce_0000000000000003',
          ts: '2026-11-27T04:46:13.763Z',
          scope: 'org:acme/user:priya',
          event: 'indexed',
          data: { event_id: 'evt_01a21b534c99704d8fe2af2f0c384123', layers_indexed: ['events'] },
        },
        {
          lifecycle_id: 'lce_0000000000000004',
          ts: '2026-11-27T04:46:13.858Z',
          scope: 'org:acme/user:priya',
          event: 'consolidated',
          data: {
            event_id: 'evt_01a21b534c99704d8fe2af2f0c384123',
            derived: { entities: [], facts: [], beliefs: [] },
            beliefs_updated: 0,
            conflicts_resolved: 0,
            episodes_touched: ['ep_ea7dcec9488d8789f795d411358ac4ae'],
          },
        },
      ],
      next_offset: 28,
      has_more: false,
    },
  },
  streamLifecycle: {
    query: { event_id: 'evt_01a21b534c99704d8fe2af2f0c384123', events: 'captured,consolidated' },
    status: 200,
    answer:
      'retry: 2000\n\nid: lce_0000000000000002\nevent: captured\ndata: {"ts":"2026-11-27T04:46:13.695Z","scope":"org:acme/user:priya","event_id":"evt_01a21b534c99704d8fe2af2f0c384123","wal_offset":1,"actor":"user:local","modality":"conversation"}\n\nid: lce_0000000000000004\nevent: consolidated\ndata: {"ts":"2026-11-27T04:46:13.858Z","scope":"org:acme/user:priya","event_id":"evt_01a21b534c99704d8fe2af2f0c384123","derived":{"entities":[],"facts":[],"beliefs":[]},"beliefs_updated":0,"conflicts_resolved":0,"episodes_touched":["ep_ea7dcec9488d8789f795d411358ac4ae"]}\n\n',
  },
  getLifecycle: { params: { id: 'lce_0000000000000002' }, status: 200, answer: captured },
  memoryEventTrace: {
    params: { id: 'evt_01a21b534c99704d8fe2af2f0c384123' },
    status: 200,
    answer: {
      event_id: 'evt_01a21b534c99704d8fe2af2f0c384123',
      stages_completed: ['captured', 'indexed', 'consolidated'],
      lifecycle_event_ids: ['lce_0000000000000002', 'lce_0000000000000003', 'lce_0000000000000004'],
      derived: {
        beliefs: ['belief_79a0e4f02116e1b850c782abf2ffa9a0'],
        episodes: ['ep_ea7dcec9488d8789f795d411358ac4ae'],
      },
    },
  },
} satisfies ExamplesOf<typeof LIFECYCLE_OPERATIONS>;
