import type { ConflictView } from '../conflict.ts';
import type { ExamplesOf } from '../example.ts';
import type { CONFLICT_OPERATIONS } from '../operation/conflict.ts';

const records: ConflictView['records'] = [
  {
    id: 'fact_55c2d90d1863f255e3f56c1a28b69f9b',
    event_id: 'evt_01a21b53556875c0b20588d8ed192aec',
    subject: 'ent_harbour',
    predicate: 'led_by',
    object: 'Priya',
    redacted: false,
    valid_from: '2026-10-01T00:00:00.000Z',
    valid_from_basis: 'stated',
    valid_to: null,
    valid_to_basis: null,
    recorded_from: '2026-11-27T04:46:15.949Z',
    recorded_to: '2026-11-27T04:46:15.949Z',
    status: 'displaced',
    source_authority: 'user:local',
    extractor: 'triple',
    confidence: 1,
  },
  {
    id: 'fact_8e91a9c74487fbeaa19b846082762cd1',
    event_id: 'evt_01a21b53556875c0b2058f0682941631',
    subject: 'ent_harbour',
    predicate: 'led_by',
    object: 'Leo',
    redacted: false,
    valid_from: '2026-10-01T00:00:00.000Z',
    valid_from_basis: 'stated',
    valid_to: null,
    valid_to_basis: null,
    recorded_from: '2026-11-27T04:46:15.949Z',
    recorded_to: null,
    status: 'active',
    source_authority: 'user:local',
    extractor: 'triple',
    confidence: 1,
  },
];

const open: ConflictView = {
  id: '4d4bcf80-3912-84b7-b393-42642f6035b2',
  scope: 'org:acme/project:harbour',
  subject: 'ent_harbour',
  predicate: 'led_by',
  kind: 'value_disagreement',
  status: 'open',
  records,
  detected_at: '2026-11-27T04:46:15.949Z',
  resolved_at: null,
  resolved_by: null,
  resolution: null,
  confidence: 1,
};

/** An example of each of the operations on conflicts. */
export const CONFLICT_EXAMPLES = {
  listConflicts: {
    query: { scope: 'org:acme/project:harbour' },
    status: 200,
    answer: { items: [open], conflicts: [open], total: 1, has_more: false, next_cursor: null },
  },
  getConflict: { params: { id: '4d4bcf80-3912-84b7-b393-42642f6035b2' }, status: 200, answer: open },
  resolveConflict: {
    params: { id: '4d4bcf80-3912-84b7-b393-42642f6035b2' },
    body: {
      action: 'pick',
      winner: 'fact_8e91a9c74487fbeaa19b846082762cd1',
      reason: 'Leo took over in October.',
    },
    status: 200,
    answer: {
      id: '4d4bcf80-3912-84b7-b393-42642f6035b2',
      scope: 'org:acme/project:harbour',
      subject: 'ent_harbour',
      predicate: 'led_by',
      kind: 'value_disagreement',
      status: 'manually_resolved',
      records,
      detected_at: '2026-11-27T04:46:15.949Z',
      resolved_at: '2026-11-27T04:46:34.729Z',
      resolved_by: 'evt_01a21b539ee8727ca97c4bf3395a45ca',
      resolution: {
        action: 'pick',
        winner: 'fact_8e91a9c74487fbeaa19b846082762cd1',
        reason: 'Leo took over in October.',
      },
      confidence: 1,
    },
  },
} satisfies ExamplesOf<typeof CONFLICT_OPERATIONS>;
