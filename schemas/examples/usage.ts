import type { ExamplesOf } from '../example.ts';
import type { USAGE_OPERATIONS } from '../operation/usage.ts';

/** An example of each of the operations on the usage of models. */
export const USAGE_EXAMPLES = {
  adminUsage: {
    query: { period: 'day' },
    status: 200,
    answer: {
      period: 'day',
      from: '2026-11-27T00:00:00.000Z',
      to: '2026-11-28T00:00:00.000Z',
      scope: null,
      items: [
        {
          role: 'answer',
          model: 'writer-1',
          calls: 2,
          failed_calls: 0,
          input_tokens: 200,
          output_tokens: 20,
        },
        {
          role: 'verifier',
          model: 'checker-1',
          calls: 2,
          failed_calls: 0,
          input_tokens: 200,
          output_tokens: 20,
        },
      ],
      totals: { calls: 4, failed_calls: 0, input_tokens: 400, output_tokens: 40 },
    },
  },
} satisfies ExamplesOf<typeof USAGE_OPERATIONS>;
