import type { ClaimRecord } from '../claim.ts';
import type { ExamplesOf } from '../example.ts';
import type { CLAIM_OPERATIONS } from '../operation/claim.ts';

const inLisbon: ClaimRecord = {
  id: 'fact_2dbc1dd1120931f0265ff919e03f32af',
  event_id: 'evt_01a21b534f807234901f691eb584fa2d',
  subject: 'ent_priya',
  predicate: 'lives_in',
  object: 'Lisbon',
  redacted: false,
  valid_from: '2026-03-01T00:00:00.000Z',
  valid_from_basis: 'stated',
  valid_to: null,
  valid_to_basis: null,
  recorded_from: '2026-11-27T04:46:14.466Z',
  recorded_to: null,
  status: 'active',
  supersedes: 'fact_c3972454a35aece9465419f752466572',
  source_authority: 'user:local',
  extractor: 'triple',
  confidence: 1,
};

const inPorto: ClaimRecord = {
  id: 'fact_c3972454a35aece9465419f752466572',
  event_id: 'evt_01a21b534f807234901f64ebffa373fd',
  subject: 'ent_priya',
  predicate: 'lives_in',
  object: 'Porto',
  redacted: false,
  valid_from: '2024-01-01T00:00:00.000Z',
  valid_from_basis: 'stated',
  valid_to: '2026-03-01T00:00:00.000Z',
  valid_to_basis: 'observed',
  recorded_from: '2026-11-27T04:46:14.466Z',
  recorded_to: '2026-11-27T04:46:14.466Z',
  status: 'superseded',
  supersedes: null,
  source_authority: 'user:local',
  extractor: 'triple',
  confidence: 1,
};

const seat: ClaimRecord = {
  id: 'fact_4fbb82aa8c58b893f46512817d75e040',
  event_id: 'evt_01a21b5387bb72768c2ea46b273514a2',
  subject: 'ent_priya',
  predicate: 'prefers_seat',
  object: 'by the window',
  redacted: false,
  valid_from: '2026-11-27T04:46:28.939Z',
  valid_from_basis: 'observed',
  valid_to: null,
  valid_to_basis: null,
  recorded_from: '2026-11-27T04:46:28.939Z',
  recorded_to: null,
  status: 'active',
  supersedes: null,
  source_authority: 'user:local',
  extractor: 'declared',
  confidence: 0.8,
};

/** An example of each of the operations on claims. */
export const CLAIM_EXAMPLES = {
  listClaims: {
    query: { scope: 'org:acme/user:priya', limit: '1' },
    status: 200,
    answer: {
      items: [seat],
      records: [seat],
      has_more: true,
      next_cursor: 'eZmFjdHM6NzowOmZhY3RfNGZiYjgyYWE4YzU4Yjg5M2Y0NjUxMjgxN2Q3NWUwNDA',
    },
  },
  claimHistory: {
    query: { scope: 'org:acme/user:priya', subject: 'ent_priya', predicate: 'lives_in' },
    status: 200,
    answer: {
      claim: { scope: 'org:acme/user:priya', subject: 'ent_priya', predicate: 'lives_in' },
      items: [inLisbon, inPorto],
      history: [inLisbon, inPorto],
      conflicts: [],
      has_more: false,
    },
  },
} satisfies ExamplesOf<typeof CLAIM_OPERATIONS>;
