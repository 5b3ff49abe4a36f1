import { z } from 'zod';

import { ambiguousAsked } from './ambiguous-entity.ts';
import { asOfParameters } from './as-of.ts';
import { beliefItem } from './belief.ts';
import { conceptItem } from './concept.ts';
import { languageTag, scriptList } from './envelope.ts';
import { episodeItem } from './episode.ts';
import { eventItem } from './event.ts';
import { factItem } from './fact.ts';
import { exceedsBytes } from './json.ts';
import { recallFilters } from './recall-filter.ts';
import { scopePath, VIEWS } from './scope.ts';
import { MAX_PHRASE_LENGTH } from './temporal-phrase.ts';
import { answeredInstant, instantOrDate, interval, partialInstant, timezone } from './time.ts';

/** The layers that a recall may draw on, in the order in which they are funded where nothing else is asked for. */
export const LAYERS = ['facts', 'beliefs', 'episodes', 'understanding', 'events'] as const;
/** A layer of a recall pack. */
export type Layer = (typeof LAYERS)[number];

/** What a hit was found by, in the order in which an answer lists it. */
export const SIGNALS = ['keyword', 'vector', 'graph', 'recency'] as const;
export type Signal = (typeof SIGNALS)[number];

/** Bytes of a query at most: some ten thousand words. */
export const MAX_QUERY_BYTES = 128 * 1024;
/** Bytes of a variant of a query at most. */
export const MAX_VARIANT_BYTES = 4096;
/** Variants of a query at most. */
export const MAX_VARIANTS = 4;
/** Tokens of a context block where nothing else is asked for. */
export const DEFAULT_MAX_TOKENS = 4000;
/** Tokens of a context block at most. */
export const MAX_TOKENS = 8_000_000;
/** Records of one layer at most. */
export const MAX_LAYER_RECORDS = 1000;

const within = (bytes: number) => (text: string) => !exceedsBytes(text, bytes);

const query = z
  .string()
  .refine(within(MAX_QUERY_BYTES), `is longer than ${MAX_QUERY_BYTES} bytes`)
  .meta({ maxLength: MAX_QUERY_BYTES })
  .describe(
    'What is looked for, in words, at most 128 KiB; never parsed as search syntax. Without it, or with none but words that ask, the newest is recalled; where it names a date and has no other words, also what was observed then, in `temporal.timezone` (default UTC).',
  );

const variant = z.strictObject({
  text: z
    .string()
    .trim()
    .min(1, 'is blank')
    .refine(within(MAX_VARIANT_BYTES), `is longer than ${MAX_VARIANT_BYTES} bytes`)
    .meta({ maxLength: MAX_VARIANT_BYTES, pattern: '\\S' })
    .describe('Another formulation, 1 to 4096 bytes.'),
  language: languageTag.optional().describe('BCP-47 language tag of it.'),
  script: z
    .string()
    .regex(/^[A-Za-z]{4}$/, 'is not an ISO 15924 code such as Latn')
    .optional()
    .describe('ISO 15924 code of its script.'),
});

const refersDuring = z
  .strictObject({
    from: partialInstant.describe('First instant or date.'),
    to: partialInstant.optional().describe('Last one, taken in whole where it is a date; default from.'),
    zone: timezone.optional().describe('Time zone of dates; default the one of temporal, else UTC.'),
  })
  .describe('Only events whose content speaks of a time within this stretch (context.refers_to).');

const temporal = z
  .strictObject({
    natural: z
      .string()
      .min(1)
      .max(MAX_PHRASE_LENGTH)
      .optional()
      .describe(
        'Time phrase in English, or an own phrase, that events have to have been observed in: last week, yesterday, between May 1 and May 10, 2025.',
      ),
    natural_mode: z
      .enum(['strict', 'lenient'])
      .optional()
      .describe(
        'strict (default) answers 422 UNPARSEABLE_TEMPORAL for a phrase that is not understood; lenient leaves it out with a warning.',
      ),
    as_of: asOfParameters.as_of,
    as_of_valid: asOfParameters.as_of_valid,
    as_of_recorded: asOfParameters.as_of_recorded,
    valid_during: interval('Only events observed, and records that hold, in this stretch.').optional(),
    recorded_during: interval('Only what was recorded in this stretch.').optional(),
    refers_during: refersDuring.optional(),
    reference_date: instantOrDate.optional().describe('What stands for now in a time phrase; default now.'),
    timezone: timezone
      .optional()
      .describe(
        'In which days of a time phrase begin, default UTC; all stamps of context_block are told in it, by default those of events in their own zone or offset, others in UTC.',
      ),
  })
  .superRefine((given, context) => {
    if (given.as_of === undefined) return;
    if (given.as_of_valid === undefined && given.as_of_recorded === undefined) return;
    const message = 'names both axes and does not go with as_of_valid or as_of_recorded';
    context.addIssue({ code: 'custom', path: ['as_of'], message });
  })
  .describe('When.');

const layerLimit = z.int().min(0).max(MAX_LAYER_RECORDS).optional();
const perLayerLimits = z
  .strictObject({
    events: layerLimit.describe('Events.'),
    episodes: layerLimit.describe('Episodes.'),
    facts: layerLimit.describe('Facts.'),
    beliefs: layerLimit.describe('Beliefs.'),
    understanding: layerLimit.describe('Concepts.'),
  })
  .describe(
    'Records of each layer at most, 0 to 1000; default 200 events, 30 of each other layer. Of other layers only what the best 60 events lead to is found, 300 at most, and facts of entities that the query names.',
  );

const budgets = z
  .strictObject({
    max_tokens: z
      .int()
      .min(0)
      .max(MAX_TOKENS)
      .optional()
      .describe('Tokens (o200k) of the context block at most, 0 to 8,000,000; default 4000.'),
    per_layer_limits: perLayerLimits.optional(),
    max_events: layerLimit.describe('The same as per_layer_limits.events, which goes before it.'),
  })
  .describe('How much to bring.');

/** What a reading of memory by relevance has in common, whatever is made of it. */
export const retrievalFields = {
  scope: scopePath,
  view: z
    .enum(VIEWS)
    .optional()
    .describe(
      'How much of the scope tree to look at; default what the scope states as `default_view`, else holistic: the scope, those above and those below; local for callers who may not.',
    ),
  include: z
    .array(z.enum(LAYERS))
    .max(16)
    .optional()
    .describe(
      'Layers to bring, the first funded first; default facts, beliefs, episodes, understanding, events.',
    ),
  temporal: temporal.optional(),
  filters: recallFilters.optional(),
  budgets: budgets.optional(),
  citation_mode: z
    .enum(['inline_with_markers', 'none'])
    .optional()
    .describe('Whether entries of the context block carry markers [1], [2] …; default inline_with_markers.'),
  diagnostics: z
    .enum(['none', 'summary', 'full'])
    .optional()
    .describe('full tells of every candidate how it was ranked; default summary.'),
  include_superseded: z
    .boolean()
    .optional()
    .describe('Whether values that do not hold at the valid instant compete too; default false.'),
  language: languageTag.optional().describe('BCP-47 language tag of the query; a hint.'),
  scripts: scriptList.optional(),
};

/** Body of a recall. */
export const recallRequest = z.strictObject({
  ...retrievalFields,
  query: query.optional(),
  query_variants: z
    .array(variant)
    .max(MAX_VARIANTS)
    .optional()
    .describe('At most 4 further formulations, fused with the query; repetitions are dropped.'),
  order: z
    .enum(['relevance', 'recency', 'chronological'])
    .optional()
    .describe(
      'Order of the records of each layer and of the context block: best first (default), newest first, oldest first. recency also ranks by it.',
    ),
  exclude_content: z
    .boolean()
    .optional()
    .describe('Leaves the content of events out of layers; default false.'),
  stream: z
    .boolean()
    .optional()
    .describe(
      'Answers as server-sent events: recall (pack id, counts), delta (an entry of the context block), citations, done (the whole pack), or error (as JSON errors are); default false.',
    ),
});
export type RecallRequest = z.output<typeof recallRequest>;

const ranked = {
  score: z.number().describe('How well it matches, 0 to 1; comparable within the pack.'),
  matched_by: z.array(z.enum(SIGNALS)).describe('What it was found by.'),
};

const byteRange = z.strictObject({
  start: z.int().describe('First byte of the UTF-8 text.'),
  end: z.int().describe('Behind the last one.'),
});

const fragment = z.strictObject({
  chunk_id: z.string().describe('Id of the chunk: the event and its number.'),
  text_source: z.literal('event_text').describe('Whose text it is.'),
  byte_range: byteRange.describe('Where it stands in the stored text.'),
  matched_via: z.literal('bm25').describe('How it was found.'),
});

/** An event of a pack. */
export const recalledEvent = eventItem.omit({ content: true }).extend({
  content: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'The content. Of an event that is cut to the budget its text is an excerpt, with _partial, _partial_reason, _original_bytes and _excerpt_ranges [{start, end}] in bytes beside it. Absent with exclude_content.',
    ),
  ...ranked,
  matched_fragments: z
    .array(fragment)
    .optional()
    .describe(
      'Chunks of a long text that hold words of the query, best first; absent for an event of one chunk.',
    ),
});
export type RecalledEvent = z.output<typeof recalledEvent>;
/** A fact of a pack. */
export const recalledFact = z.strictObject({
  ...factItem.shape,
  ...ranked,
  polarity: z
    .enum(['positive', 'negative'])
    .optional()
    .describe('negative where it was said later never to be true; absent where it went meanwhile.'),
  date_basis: z
    .enum(['stated', 'observed'])
    .optional()
    .describe('Whether its beginning is stated, or when it was observed; absent like polarity.'),
  quote: z
    .string()
    .optional()
    .describe('Words of an event on which it rests: of a fact that a model found in a text.'),
});
export type RecalledFact = z.output<typeof recalledFact>;
/** A belief of a pack. */
export const recalledBelief = z.strictObject({ ...beliefItem.shape, ...ranked });
export type RecalledBelief = z.output<typeof recalledBelief>;
/** An episode of a pack. */
export const recalledEpisode = z.strictObject({ ...episodeItem.shape, ...ranked });
export type RecalledEpisode = z.output<typeof recalledEpisode>;
/** A concept of a pack. */
export const recalledConcept = z.strictObject({ ...conceptItem.shape, ...ranked });
export type RecalledConcept = z.output<typeof recalledConcept>;

const cited = z.strictObject({
  layer: z.enum(LAYERS).describe('Its layer.'),
  id: z.string().describe('Id of the record.'),
});

const phase = z
  .looseObject({
    phase: z.string().describe('What was done: scopes, temporal, retrieval, expansion, funding.'),
    elapsed_ms: z.number().describe('How long it took, milliseconds.'),
  })
  .describe('A step, with what it found.');
export type RecallPhase = z.output<typeof phase>;

/** How a pack came about. */
export const recallProvenance = z.strictObject({
  trail: z.array(phase).describe('The steps in order.'),
  citations: z
    .record(z.string(), cited)
    .describe('What each marker of the context block stands for; empty without markers.'),
});

const placeInList = z.strictObject({
  rank: z.int().describe('Place from 0.'),
  score: z.number().describe('Score in this list; comparable within it only.'),
});

const diagnosed = z.strictObject({
  event_id: z.string().describe('Id of the event.'),
  final_rank: z.int().nullable().describe('Place in layers.events from 0; null where it is not there.'),
  fused_rank: z.int().describe('Place after fusion from 0.'),
  variant_fused_rank: z
    .int()
    .nullable()
    .describe('Best place among the variants from 0; null where only the query found it.'),
  channels: z.record(z.string(), placeInList).describe('Place in each list of the query itself.'),
  variants: z
    .array(
      z.strictObject({
        index: z.int().describe('Number of the variant from 0.'),
        vector_rank: z.int().nullable().describe('Place by vectors from 0.'),
        bm25_rank: z.int().nullable().describe('Place by words from 0.'),
        fused_rank: z.int().describe('Place after fusion from 0.'),
      }),
    )
    .describe('The same of each variant that found it.'),
  matched_via: z.array(z.string()).describe('primary, variant:N, graph, recency.'),
});

/** How a recall went. */
export const recallDiagnostics = z.strictObject({
  scopes_traversed: z
    .array(z.string())
    .describe('Scopes that were looked at; one with all that lies below it ends in /*. At most 100.'),
  scopes_withheld: z
    .int()
    .describe(
      'Scopes of the view that the caller may not read, one with all that lies below it counted once; where a model writes from the pack, also those of whose records it is shown none, because llm.invoke is refused there.',
    ),
  signals: z.array(z.enum(SIGNALS)).describe('Signals that were active.'),
  time_ms: z.strictObject({
    recall: z.number().describe('Finding and reading, milliseconds.'),
    render_context_block: z.number().describe('Funding and rendering, milliseconds.'),
    total: z.number().describe('All, milliseconds.'),
  }),
  tokens: z.strictObject({
    budget: z.int().describe('Tokens asked for.'),
    used: z.int().describe('Tokens of the context block.'),
  }),
  evicted: z
    .partialRecord(z.enum(LAYERS), z.int())
    .describe(
      'Records of each layer that were found and did not fit, with events that were not read because hardly any tokens were left, and episodes that only say what an event did that does not fit.',
    ),
  items: z
    .array(diagnosed)
    .optional()
    .describe('Every candidate event, best first; with full diagnostics only.'),
  drops: z
    .array(
      z.strictObject({
        event_id: z.string().describe('Id of the event.'),
        reason: z.enum(['time_range', 'metadata']).describe('Why it was left out.'),
      }),
    )
    .optional()
    .describe(
      'Candidates that the index brought and a check left out; with full diagnostics only. As of a recorded instant none for their time.',
    ),
  channel_lists: z
    .array(
      z.strictObject({
        channel: z.string().describe('Name of the list.'),
        variant: z.int().optional().describe('Number of the variant from 0; absent for the query itself.'),
        len: z.int().describe('Its length.'),
      }),
    )
    .optional()
    .describe('The lists that were fused; with full diagnostics only.'),
  items_truncated: z.boolean().optional().describe('Whether there were more candidates than are shown.'),
});
export type RecallDiagnostics = z.output<typeof recallDiagnostics>;

/** What a recall brings. */
export const recallPack = z.strictObject({
  pack_id: z.string().describe('Id of the pack, prefix pack_; kept for 60 s.'),
  context_block: z
    .string()
    .describe(
      'The records as text: a line [YYYY-MM-DD HH:MM UTC] [n] text for each, with an offset such as +08:00 for UTC where other clocks are known, lines --- between them; empty where nothing was found.',
    ),
  layers: z.strictObject({
    events: z.array(recalledEvent).describe('Events.'),
    episodes: z
      .array(recalledEpisode)
      .describe(
        'Episodes, each with the first 50 of its events; without those of a single event that was found itself.',
      ),
    facts: z.array(recalledFact).describe('Facts.'),
    beliefs: z.array(recalledBelief).describe('Beliefs.'),
    understanding: z.array(recalledConcept).describe('Concepts.'),
  }),
  provenance: recallProvenance,
  diagnostics: recallDiagnostics,
  warnings: z
    .array(z.string())
    .describe(
      'What was not as asked, such as a time phrase that was left out; `words_only` where little was found and only words were looked for, because the embedding model is not there.',
    ),
  ambiguous_entity: ambiguousAsked,
  as_of: z
    .strictObject({
      valid: answeredInstant.describe('What is true at this instant.'),
      recorded: answeredInstant.nullable().describe('As known at this instant; null for now.'),
    })
    .describe('The instants that were read at.'),
});
export type RecallPack = z.output<typeof recallPack>;
