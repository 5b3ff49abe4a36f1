import { z } from 'zod';

import { MAX_RETENTION_DAYS, MAX_RETENTION_ENTRIES, RETENTION_LAYERS, SOURCE_KEY } from './scope-policy.ts';
import { scopePath } from './scope.ts';

/** Sources that one rule names at most; a retention policy holds the layers beside them. */
const MAX_RULE_SOURCES = MAX_RETENTION_ENTRIES - RETENTION_LAYERS.length;

const wholeDays = z.int().min(1).max(MAX_RETENTION_DAYS);

const sourceDays = z.record(z.string(), wholeDays).superRefine((sources, context) => {
  const refuse = (message: string, path: string[] = []): void => {
    context.addIssue({ code: 'custom', message, path });
  };
  const names = Object.keys(sources);
  if (names.length > MAX_RULE_SOURCES) refuse(`may have at most ${MAX_RULE_SOURCES} entries`);
  for (const name of names.slice(0, MAX_RULE_SOURCES))
    if (!SOURCE_KEY.test(name)) refuse('is not of the form source:<system>', [name.slice(0, 200)]);
});

/** Body that states how long a scope keeps events. */
export const retentionPolicyInput = z
  .strictObject({
    scope: scopePath.describe('The scope that states it, for itself and for what lies below it.'),
    default_retention_days: wholeDays
      .nullable()
      .optional()
      .describe(
        'Days that events are kept from the instant at which they were recorded, 1 to 36500; null keeps them. It is `retention.events` among the policies of the scope. Left out, nothing is said of events whose source is not named.',
      ),
    per_source_days: sourceDays
      .optional()
      .describe(
        'Days by source, `source:<system>`, for events that carry the label; in place of the default of the same scope. At most 59.',
      ),
  })
  .superRefine(({ default_retention_days, per_source_days = {} }, context) => {
    if (default_retention_days !== undefined || Object.keys(per_source_days).length > 0) return;
    const message = 'is required where per_source_days names none: a number of days, or null';
    context.addIssue({ code: 'custom', path: ['default_retention_days'], message });
  });

/** Query that names the scope of a rule. */
export const retentionPolicyQuery = z.strictObject({ scope: scopePath });

const days = z.number().nullable();

/** How long a scope keeps events by what it states itself. */
export const retentionPolicy = z.strictObject({
  default_retention_days: days
    .optional()
    .describe('Days that events are kept; null: they are; absent where the scope states sources alone.'),
  per_source_days: z.record(z.string(), z.number()).describe('Days by source, `source:<system>`.'),
});
export type RetentionPolicy = z.output<typeof retentionPolicy>;

/** What a scope states, and what holds there. */
export const retentionPolicyRecord = z.strictObject({
  scope: z.string().describe('The scope.'),
  policy: retentionPolicy.describe('What it states itself.'),
  effective_days: days.describe(
    'Days that events of no named source are kept there, with what those above it and the deployment say; null for ever.',
  ),
});
export type RetentionPolicyRecord = z.output<typeof retentionPolicyRecord>;

/** Answer to a rule that was stated. */
export const retentionPolicySet = z.strictObject({
  scope: z.string().describe('The scope.'),
  policy: retentionPolicy.describe('What it states from now on.'),
  cursor_reset: z
    .boolean()
    .describe(
      'Whether the sweep looks at the tenant from its beginning; false where the same was stated before.',
    ),
});
export type RetentionPolicySet = z.output<typeof retentionPolicySet>;
