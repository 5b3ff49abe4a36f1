import type { ExamplesOf } from '../example.ts';
import type { SUPPRESSION_OPERATIONS } from '../operation/suppression.ts';

/** An example of each of the operations on suppressions. */
export const SUPPRESSION_EXAMPLES = {
  listSuppressions: {
    query: { scope: 'org:acme/user:priya' },
    status: 200,
    answer: {
      items: [
        {
          id: 'supp_01a21b53d2b27d1e8c40b95a7e6f0001',
          scope: 'org:acme/user:priya',
          created_at: '2026-11-27T04:46:46.218Z',
          created_by: 'user:local',
          contents: 1,
          refused: 0,
        },
      ],
      has_more: false,
    },
  },
  liftSuppression: { params: { id: 'supp_01a21b53d2b27d1e8c40b95a7e6f0001' }, status: 204 },
} satisfies ExamplesOf<typeof SUPPRESSION_OPERATIONS>;
