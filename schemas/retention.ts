import { z } from 'zod';

import { MAX_RETENTION_DAYS, MAX_RETENTION_ENTRIES, RETENTION_LAYERS, SOURCE_KEY } from './scope-policy.ts';
import { scopePath } from './scope.ts';
import { answeredInstant } from './time.ts';

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

/** Events that one request may have erased at most. */
export const MAX_SWEEP_EVENTS = 1_000_000;

/** Seconds of a hundred years. */
const MAX_OLDER_THAN_S = MAX_RETENTION_DAYS * 86_400;

/** Body of a request for a sweep. */
export const retentionSweepRequest = z
  .strictObject({
    dry_run: z
      .boolean()
      .default(true)
      .describe(
        'True (default): says what a sweep would erase, and erases nothing; for diagnostics.read. It is answered when it ends, is no `last`, and neither waits for a sweep that runs nor keeps one waiting. False: erases, for good; for forget.gdpr.',
      ),
    scope: scopePath
      .optional()
      .describe(
        'Only this scope and those below it, from their beginning; the cursor is neither read nor moved. Without it all scopes of the tenant, for the operator key alone.',
      ),
    older_than_secs: z
      .int()
      .min(1)
      .max(MAX_OLDER_THAN_S)
      .optional()
      .describe(
        'In place of all rules, for this sweep alone: events go that were recorded longer ago, whatever their scopes state, and nothing else does. Needs `scope`.',
      ),
    max_events: z
      .int()
      .min(1)
      .max(MAX_SWEEP_EVENTS)
      .optional()
      .describe('Events that it erases at most; default `retention.max_events_per_tick`.'),
    rescan: z
      .boolean()
      .default(false)
      .describe(
        'Begins another pass, which looks at everything again, whatever the cursor says and sweeps before have gone by; further sweeps go on with it. Without `scope`.',
      ),
  })
  .superRefine(({ older_than_secs, scope }, context) => {
    if (older_than_secs === undefined || scope !== undefined) return;
    const message = 'needs scope: it is not to be applied to everything by mistake';
    context.addIssue({ code: 'custom', path: ['older_than_secs'], message });
  });
export type RetentionSweepRequest = z.output<typeof retentionSweepRequest>;

/** Why a sweep ended. */
export const SWEEP_STOPS = [
  'complete',
  'max_events',
  'tick_budget',
  'rules_changed',
  'lease_lost',
  'shutdown',
] as const;
export type SweepStop = (typeof SWEEP_STOPS)[number];

const count = (what: string) => z.int().describe(what);

/** What a sweep came to. */
export const retentionSweepReport = z.strictObject({
  dry_run: z.boolean().describe('Whether nothing was erased.'),
  scope: z
    .string()
    .nullable()
    .describe('The scope that it was confined to, with those below it; null for none.'),
  started_at: answeredInstant.describe('When it began, RFC 3339 UTC.'),
  scanned: count('Events that were looked at; one for which several rules are asked counts once for each.'),
  expired: count('Events that were kept long enough, those that are held among them.'),
  erased: count(
    'Events that were erased, or are being erased by an erasure that is on record; 0 of a dry run. Of one that is cancelled, which stands in `errors`, some stay.',
  ),
  kept_forever: count('Events that were looked at of which no rule lets any go.'),
  held: z
    .strictObject({
      legal_hold: count('Under legal hold: they stay, and are asked about again by the next pass.'),
    })
    .describe('Events that were kept long enough and stay, by why.'),
  derived: z
    .strictObject({
      facts: count('Layer facts.'),
      beliefs: count('Layer beliefs.'),
      episodes: count('Layer episodes.'),
      understanding: count('Layer understanding.'),
    })
    .describe('Events of which nothing is derived any more in a layer, or would not be.'),
  cursor_before: count('Scopes that the pass had gone through before.'),
  cursor_after: count('Scopes that the pass has gone through now; 0 when it is over.'),
  watermark: count('Newest offset of the log that was looked at.'),
  stopped: z
    .enum(SWEEP_STOPS)
    .describe(
      'Why it ended: complete (all scopes were gone through), max_events, tick_budget, rules_changed (while it ran; the next sweep goes by them), lease_lost (another sweep took the tenant over), shutdown.',
    ),
  erasures: z.array(z.string()).describe('Ids of the erasures that it began, at most 100.'),
  errors: z
    .array(
      z.strictObject({
        scope: z.string().describe('The scope; it is tried again by the next pass.'),
        error_code: z.string().describe('Code of the error.'),
        message: z.string().describe('What went wrong.'),
      }),
    )
    .describe('Scopes in which something went wrong, at most 100.'),
  elapsed_ms: count('Milliseconds that it took.'),
});
export type RetentionSweepReport = z.output<typeof retentionSweepReport>;

/** Answer where a sweep takes longer than its request waits. */
export const retentionSweepRunning = z.strictObject({
  running: z.literal(true).describe('It goes on beside the request.'),
  poll: z.string().describe('Where its report is found as `last`.'),
});
export type RetentionSweepRunning = z.output<typeof retentionSweepRunning>;

/** A sweep, whether or not it is over. */
export const retentionSweepAnswer = z.strictObject({
  running: z.boolean().describe('Whether it goes on beside the request.'),
  poll: z.string().nullable().describe('Where its report is found as `last`; null where it is over.'),
  report: retentionSweepReport.nullable().describe('What it came to; null while it goes on.'),
});

/** How retention stands. */
export const retentionStatus = z.strictObject({
  backend: z.string().describe('What the log is kept in: neo4j.'),
  enabled: z.boolean().describe('Whether sweeps run by themselves.'),
  scheduler_disabled: z.boolean().describe('True where `retention.sweep_interval_seconds` is 0.'),
  sweep_interval_secs: count('Seconds between two sweeps; 0: only when somebody asks.'),
  deployment_default_days: z
    .int()
    .nullable()
    .describe('Days that events are kept of which no scope says anything; null for ever.'),
  max_events_per_tick: count('Events of a tenant that one sweep erases at most.'),
  tick_budget_secs: count('Seconds after which a sweep of a tenant begins no further erasure.'),
  compact_after_sweep: z.boolean().describe('False: an erasure leaves nothing to compact.'),
  cursor: z
    .int()
    .nullable()
    .describe(
      'Scopes of the tenant that the pass under way has gone through; 0 at its beginning; null to whom rosters bind.',
    ),
  watermark: count('Newest offset of the log.'),
  fingerprint_ok: z
    .boolean()
    .describe(
      'Whether the pass under way began with the rules that hold now; if not, the next sweep begins another.',
    ),
  running: z.boolean().describe('Whether a sweep of the tenant is under way, in whatever process.'),
  native_profile_blocked: z.boolean().describe('False: there is no profile that takes no retention.'),
  policies: z
    .array(
      z.strictObject({
        scope: z.string().describe('The scope.'),
        policy: retentionPolicy.describe('What it states of events itself.'),
      }),
    )
    .describe(
      'What scopes of the tenant state that the caller may read, at most 1000, in the order of their paths.',
    ),
  policies_truncated: z.boolean().describe('Whether there may be more: at most 10000 scopes are looked at.'),
  last: retentionSweepReport
    .nullable()
    .describe(
      'Report of the last sweep of the tenant that ended, dry runs apart; to whom rosters bind only one that he asked for himself, of scopes that he may read.',
    ),
});
export type RetentionStatus = z.output<typeof retentionStatus>;
