import { usage, usageQuery } from '../usage.ts';
import type { Operation } from './definition.ts';

/** Operations on the usage of models. */
export const USAGE_OPERATIONS = {
  adminUsage: {
    method: 'GET',
    path: '/v1/admin/usage',
    noun: 'usage',
    summary: 'What models cost',
    description:
      "Requests and tokens of the caller's tenant, or of one scope of it, by call site and model. Tokens are those that the endpoints counted; failed requests and repeats are in it.",
    access: { capability: 'diagnostics.read' },
    query: usageQuery,
    answers: { 200: { description: 'Sums by call site and model.', schema: usage } },
    errors: ['INVALID_PERIOD', 'INVALID_ROLE'],
    graphql: { kind: 'query', field: 'usage' },
  },
} as const satisfies Record<string, Operation>;
