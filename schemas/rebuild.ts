import { z } from 'zod';

import { beliefItem } from './belief.ts';
import { episodeItem } from './episode.ts';
import { scopePath } from './scope.ts';
import { answeredInstant } from './time.ts';

/** Events that one job derives again by their ids, at most. */
export const MAX_REDERIVED_EVENTS = 1000;
/** Records that the answer to a build shows, at most: the first page of their listing. */
export const MAX_BUILT_ITEMS = 50;

/** How much beyond one scope is derived again. */
export const EVERYTHING = ['tenant', 'store'] as const;

/** Body of a re-derivation. */
export const rederiveRequest = z.strictObject({
  scope: scopePath.optional().describe('Scope whose derived records are dropped and derived again.'),
  event_ids: z
    .array(z.string().max(256))
    .max(MAX_REDERIVED_EVENTS, `names more than ${MAX_REDERIVED_EVENTS} events`)
    .optional()
    .describe(
      'Only these events of the scope are derived again, where they are, or all of it, where one is of a claim with more than 1,000 statements; at most 1000.',
    ),
  everything: z
    .enum(EVERYTHING)
    .optional()
    .describe(
      'In place of a scope: every scope of the tenant, or of all tenants (store). For the operator key.',
    ),
  dry_run: z
    .boolean()
    .default(false)
    .describe('True to be told what there is to do, and to do nothing; default false.'),
});

/** Answer to a re-derivation. */
export const rederiveAccepted = z.strictObject({
  job_id: z.string().nullable().describe('Id of the job; null for a dry run.'),
  status: z
    .enum(['planned', 'queued', 'running', 'completed'])
    .describe(
      'planned: a dry run; queued, running: of a job about the same that was asked for before, how that is; completed: that one ended just now.',
    ),
  eligible_events: z
    .int()
    .nullable()
    .describe('Events that are derived again; null where they are not counted beforehand: of everything.'),
});
export type RederiveAccepted = z.output<typeof rederiveAccepted>;

/** How far a job is. */
export const rederiveJob = z.strictObject({
  job_id: z.string().describe('Id of the job.'),
  status: z
    .enum(['queued', 'running', 'completed'])
    .describe('queued: nobody works at it yet; running: also while it rests and is tried again.'),
  phase: z
    .enum(['waiting', 'dropping', 'deriving', 'done'])
    .describe('What is done at the scope that it is at: drop what was derived, or derive it again.'),
  scope: z.string().nullable().describe('The scope; null for everything.'),
  everything: z.enum(EVERYTHING).nullable().describe('How much beyond one scope; null for one.'),
  scopes_done: z.int().describe('Scopes that are through.'),
  scopes_total: z.int().describe('Scopes that there were when it began; 0 before.'),
  events_done: z.int().describe('Events that were derived again.'),
  events_total: z
    .int()
    .nullable()
    .describe(
      'Events that there were when it began; null before, and for everything. More may have come since.',
    ),
  events_stating: z.int().describe('Of those done, the ones that state something.'),
  events_taken_out: z.int().describe('Of those done, the ones that were cancelled or replaced.'),
  events_held: z
    .int()
    .describe(
      'Of those done, the ones that were passed over because an earlier stage holds them or gave them up.',
    ),
  requested_at: answeredInstant.describe('When it was asked for, RFC 3339 UTC.'),
  started_at: answeredInstant.nullable().describe('When it was begun; null before.'),
  finished_at: answeredInstant.nullable().describe('When it ended; null before.'),
  error: z
    .string()
    .nullable()
    .describe('Code of what the last try failed with, where it is tried again; null while all is well.'),
});
export type RederiveJob = z.output<typeof rederiveJob>;

/** Body of a build. */
export const buildRequest = z.strictObject({
  scope: scopePath.describe('Scope whose derived records are dropped and derived again.'),
});

const counted = {
  built: z.int().describe('Records that the scope has now.'),
  events_scanned: z.int().describe('Events of the scope that were gone through.'),
  reasons: z
    .record(z.string(), z.int())
    .describe(
      'Why events brought about none, with how many: taken_out (cancelled or replaced), held (an earlier stage holds them or gave them up), states_nothing.',
    ),
  job_id: z.string().describe('Id of the job that did it.'),
};

/** What a build of beliefs came to. */
export const builtBeliefs = z.strictObject({
  ...counted,
  items: z.array(beliefItem).describe('The newest of them, at most 50; GET /v1/beliefs has all.'),
  facts_scanned: z.int().describe('Facts of the scope, from which beliefs are formed.'),
  groups_considered: z.int().describe('Values of claims that there is evidence for: each has a belief.'),
  groups_rejected: z.int().describe('Always 0: what is doubtful is believed as uncertain, not left out.'),
  belief_events_found: z.int().describe('Events that state something.'),
});
export type BuiltBeliefs = z.output<typeof builtBeliefs>;

/** What a build of episodes came to. */
export const builtEpisodes = z.strictObject({
  ...counted,
  items: z.array(episodeItem).describe('The newest of them, at most 50; GET /v1/episodes has all.'),
});
export type BuiltEpisodes = z.output<typeof builtEpisodes>;
