import { z } from 'zod';

import { asOfParameters } from './as-of.ts';
import { flagParameter, oneOf, pageCursor, pageLimit } from './listing.ts';
import { scopePath, VIEWS } from './scope.ts';
import { shortText } from './json.ts';
import { answeredInstant, instantOrDate, toEpochMs } from './time.ts';

/** What an event may be in its episode. */
export const EPISODE_ROLES = [
  'trigger',
  'follow_up',
  'complication',
  'decision',
  'outcome',
  'current_state',
] as const;
export type EpisodeRole = (typeof EPISODE_ROLES)[number];

/** Events that an episode names at most. */
export const MAX_EPISODE_EVENTS = 1000;

const link = z.strictObject({
  event: z.string().describe('Id of the event.'),
  role: z
    .enum(EPISODE_ROLES)
    .describe(
      'trigger: the first. decision, outcome, complication: what its intent or modality says. current_state: the last of an episode that is over. follow_up: any other.',
    ),
  summary: z.string().describe('The beginning of what it says.'),
});
export type EpisodeLink = z.output<typeof link>;

/** An episode as it is read: as it was known at the recorded instant of the reading. */
export const episodeItem = z.strictObject({
  id: z.string().describe('Id of the episode, prefix ep_.'),
  scope: z.string().describe('Scope that its events were written into.'),
  name: z.string().describe('The beginning of what its first event says, at most 80 characters.'),
  summary: z
    .string()
    .describe('What its first event says and, once it is over, its last one; each cut to 240 characters.'),
  events: z
    .array(z.string())
    .describe('Ids of its events in the order in which they were observed; at most the first 1000.'),
  started_at: answeredInstant.describe('When its first event was observed, RFC 3339 UTC.'),
  ended_at: answeredInstant
    .nullable()
    .describe(
      'When its last event was observed; null while it is open, or where it was at the valid instant asked for.',
    ),
  valid_from: answeredInstant.describe('The same as started_at.'),
  valid_to: answeredInstant.nullable().describe('The same as ended_at.'),
  recorded_from: answeredInstant.describe('When the event was recorded that opened it.'),
  centrality_score: z
    .number()
    .describe('How much runs through it, 0 to 1: k / (1 + k) with k = floor(log2 n) for n events.'),
  follows: z
    .string()
    .optional()
    .describe('Id of the episode that it goes on from; absent where there is none.'),
  causal_chain: z
    .array(link)
    .optional()
    .describe('Its events with what each is in it, in the same order; absent where it was not asked for.'),
  _partial: z.boolean().describe('Whether it has more events than are named here.'),
});
export type EpisodeItem = z.output<typeof episodeItem>;

/** Half-open stretch of time: either side may be left out. */
const overlapping = z
  .string()
  .max(128)
  .superRefine((text, context) => {
    const fault = overlapFault(text);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault, params: { reason: fault } });
  })
  .describe(
    'Only episodes that go on within `<from>..<to>`: RFC 3339 instants or dates, the end excluded, one side may be left out.',
  );

function overlapFault(text: string): string | null {
  const sides = text.split('..');
  if (sides.length !== 2 || sides.every((side) => side === ''))
    return 'is not <from>..<to> with at least one of its sides';
  const wrong = sides.find((side) => side !== '' && !instantOrDate.safeParse(side).success);
  if (wrong !== undefined)
    return `${JSON.stringify(wrong.slice(0, 100))} is neither an RFC 3339 instant nor a date YYYY-MM-DD of the years 1 to 9999`;
  const [from = '', to = ''] = sides;
  return from !== '' && to !== '' && toEpochMs(from) >= toEpochMs(to)
    ? 'its end is not after its beginning'
    : null;
}

/** Query of the listing of episodes. */
export const episodeListQuery = z.strictObject({
  scope: scopePath,
  overlapping: overlapping.optional(),
  with_causal_chain: flagParameter.describe(
    'True adds to each episode what its events are in it. Default false.',
  ),
  view: oneOf(VIEWS, { status: 422 })
    .optional()
    .describe(
      'How much of the scope tree to look at; default what the scope states as `default_view`, else local, the scope alone. raw has no episodes.',
    ),
  as_of: asOfParameters.as_of.describe(
    'Both axes at this RFC 3339 instant: what was known then of what had begun by then. Not together with the other two.',
  ),
  as_of_valid: asOfParameters.as_of_valid.describe(
    'Only what had been observed by this RFC 3339 instant; without it, all that is known.',
  ),
  as_of_recorded: asOfParameters.as_of_recorded,
  limit: pageLimit,
  cursor: pageCursor,
  offset: z
    .preprocess(
      (input) => (typeof input === 'string' && /^\d{1,9}$/.test(input) ? Number(input) : input),
      z.int('is not a whole number').min(0),
    )
    .optional()
    .describe('Episodes to pass over, as a decimal cursor does; not together with cursor.'),
  source: shortText(256)
    .optional()
    .describe(
      'Taken from clients that send it, and without effect: an episode may have events of several sources.',
    ),
  episode_type: shortText(256)
    .optional()
    .describe('Taken from clients that send it, and without effect: episodes are of one type.'),
});
export type EpisodeListQuery = z.output<typeof episodeListQuery>;

/** A page of episodes. */
export const episodePage = z.strictObject({
  items: z.array(episodeItem).describe('Episodes, newest first by the place in the log of what opened them.'),
  episodes: z.array(episodeItem).describe('The same as items, for clients that look for them here.'),
  has_more: z
    .boolean()
    .describe(
      'Whether a further page may hold more; a page may be short or empty and still have more after it.',
    ),
  next_cursor: z.string().optional().describe('Cursor of the next page; absent at the end.'),
  withheld_scopes: z
    .int()
    .optional()
    .describe(
      'Scopes of the view that the caller may not read, a scope with all that lies below it counted once; absent when none is withheld, or when the caller may not read the scope itself.',
    ),
});
export type EpisodePage = z.output<typeof episodePage>;

/** Query of the reading of one episode. */
export const episodeGetQuery = z.strictObject({
  as_of: asOfParameters.as_of.describe(
    'The episode as it was known at this RFC 3339 instant, if it had begun by then. Not together with the other two.',
  ),
  as_of_valid: asOfParameters.as_of_valid.describe(
    'Only what had been observed of it by this RFC 3339 instant; without it, all that is known.',
  ),
  as_of_recorded: asOfParameters.as_of_recorded.describe(
    'As it was known at this RFC 3339 instant; default as it is known now.',
  ),
});
