import type { ExamplesOf } from '../example.ts';
import type { LegalHoldItem } from '../legal-hold.ts';
import type { LEGAL_HOLD_OPERATIONS } from '../operation/legal-hold.ts';

const hold: LegalHoldItem = {
  id: 'case-2026-17',
  scope: 'org:acme/project:lisbon-office',
  selector: { labels: ['lease'] },
  reason: 'Dispute over the lease; ask legal@acme.example before it ends.',
  until: '2027-12-31T00:00:00.000Z',
  active: true,
  created_at: '2026-11-27T04:46:36.207Z',
  created_by: 'user:local',
};

/** An example of each of the operations on legal holds. */
export const LEGAL_HOLD_EXAMPLES = {
  putLegalHold: {
    body: {
      id: 'case-2026-17',
      scope: 'org:acme/project:lisbon-office',
      selector: { labels: ['lease'] },
      reason: 'Dispute over the lease; ask legal@acme.example before it ends.',
      until: '2027-12-31T00:00:00Z',
    },
    status: 200,
    answer: hold,
  },
  listLegalHolds: {
    query: { scope: 'org:acme/project:lisbon-office' },
    status: 200,
    answer: { items: [hold], has_more: false },
  },
  getLegalHold: { params: { id: 'case-2026-17' }, status: 200, answer: hold },
  removeLegalHold: { query: { id: 'case-2026-17' }, status: 204 },
} satisfies ExamplesOf<typeof LEGAL_HOLD_OPERATIONS>;
