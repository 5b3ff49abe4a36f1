import { z } from 'zod';

import { oneOf } from './listing.ts';
import { scopePath } from './scope.ts';
import { answeredInstant } from './time.ts';

/** Call sites of models. */
export const MODEL_ROLES = ['extraction', 'enrichment', 'answer', 'verifier', 'embedding'] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];

/** Stretches of days that usage is asked for. */
export const USAGE_PERIODS = ['day', 'week', 'month', 'all'] as const;
export type UsagePeriod = (typeof USAGE_PERIODS)[number];

/** Query of the usage of models. */
export const usageQuery = z.strictObject({
  period: oneOf(USAGE_PERIODS, { error_code: 'INVALID_PERIOD' })
    .default('month')
    .describe('Today, the last 7 days, the last 30 days (default) or all; days of UTC, today included.'),
  role: oneOf(MODEL_ROLES, { error_code: 'INVALID_ROLE' })
    .optional()
    .describe('One call site only; all when left out.'),
  scope: scopePath
    .optional()
    .describe('What was spent on this scope alone; on the whole tenant when left out.'),
});

const counts = {
  calls: z.int().describe('Requests sent, repeats and failed ones included.'),
  failed_calls: z
    .int()
    .describe('Those of them that no completion came from; one of no use is not among them.'),
  input_tokens: z.int().describe('Tokens sent, as the endpoints counted them.'),
  output_tokens: z.int().describe('Tokens answered, as the endpoints counted them.'),
};

/** What was spent at one call site on one model. */
export const usageItem = z.strictObject({
  role: z.enum(MODEL_ROLES).describe('Call site.'),
  model: z.string().describe('Model that was asked.'),
  ...counts,
});
export type UsageItem = z.infer<typeof usageItem>;

/** What the models of a tenant or of a scope cost. */
export const usage = z.strictObject({
  period: z.enum(USAGE_PERIODS).describe('The period that was asked for.'),
  from: answeredInstant
    .nullable()
    .describe('Beginning of the first day that is counted, RFC 3339 UTC; null for all.'),
  to: answeredInstant.describe('End of the last day that is counted, RFC 3339 UTC.'),
  scope: z.string().nullable().describe('The scope that was asked for; null for the whole tenant.'),
  items: z.array(usageItem).describe('By call site and model, in the order of their names.'),
  totals: z.strictObject(counts).describe('Sums of the items.'),
});
export type Usage = z.infer<typeof usage>;
