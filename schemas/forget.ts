import { z } from 'zod';

import type { ErrorCode } from './error.ts';
import { oneOf } from './listing.ts';
import type { Capability } from './policy.ts';
import { scopePath } from './scope.ts';
import { characters, nameText } from './text.ts';
import { answeredInstant, interval } from './time.ts';

/** Ids that one selector names at most. */
export const MAX_FORGET_IDS = 100;
/** Labels that one selector names at most. */
export const MAX_FORGET_LABELS = 100;
/** Characters of the note of a forget at most. */
export const MAX_AUDIT_NOTE = 4096;
/** Ids of each layer that a preview shows at most; its counts are of all. */
export const MAX_PREVIEW_IDS = 1000;

/** The layers of memory in the order in which a forget counts them. */
export const FORGET_LAYERS = ['events', 'episodes', 'facts', 'beliefs', 'understanding'] as const;
export type ForgetLayer = (typeof FORGET_LAYERS)[number];

/** How far a forget goes beyond the derived records that it selects. */
export const CASCADES = ['derived_only', 'redact_events', 'none'] as const;
export type Cascade = (typeof CASCADES)[number];

/** What it takes to forget, by the cascade. */
export const CASCADE_CAPABILITY = {
  derived_only: 'forget.cascade.derived_only',
  redact_events: 'forget.cascade.redact_events',
  none: 'forget.cascade.derived_only',
} as const satisfies Record<Cascade, Capability>;

/** The code of what is wrong at a place of a forget; null for that of any body. */
export function forgetCode(path: readonly PropertyKey[]): ErrorCode | null {
  return path.length === 1 && path[0] === 'cascade' ? 'INVALID_CASCADE' : null;
}

const cascade = oneOf(CASCADES, {})
  .default('derived_only')
  .describe(
    'How far it goes. derived_only (default): derived records go, and selected events yield none any more; events stay. redact_events: selected events, and those that selected derived records rest on, lose their content. none: selected derived records go, selected events stay as they are.',
  );

/** Which records are meant: by a forget, by an erasure, and by a legal hold. */
export const forgetSelector = z
  .strictObject({
    memory_ids: z
      .array(z.string().min(1).max(256))
      .max(MAX_FORGET_IDS, `names more than ${MAX_FORGET_IDS} ids`)
      .optional()
      .describe(
        'Ids of records of any layer, at most 100. Those of another scope, and those that there are not, match nothing.',
      ),
    about_subject: nameText(256)
      .optional()
      .describe(
        'Id, name or other name of an entity, whatever its case: facts and beliefs with this subject, events that state such a fact or have this subject themselves, the concept of the entity.',
      ),
    about_entity: nameText(1024)
      .optional()
      .describe(
        'The same with this entity as subject or object, and events with a label that equals the text or ends in a colon and the text.',
      ),
    predicate: nameText(256)
      .optional()
      .describe('Predicate in any spelling: facts and beliefs with it, and events that state such a fact.'),
    labels: z
      .array(z.string().min(1).max(1024))
      .max(MAX_FORGET_LABELS, `names more than ${MAX_FORGET_LABELS} labels`)
      .optional()
      .describe('Labels, at most 100: events that carry all of them.'),
    valid_during: interval(
      'Events observed, facts and beliefs that begin to hold, and episodes that begin in this interval.',
    ).optional(),
    recorded_during: interval('What was recorded in this interval.').optional(),
  })
  .describe(
    'Which records: every condition has to hold. A derived record meets one that its layer knows nothing of where each event that it rests on does. A key with an empty list matches nothing.',
  );
export type ForgetSelector = z.output<typeof forgetSelector>;

/** The scope of which records are selected. */
export const selectionScope = scopePath.describe('Scope path: exactly this scope, not those below it.');

/** Why, under its two names. */
export const notes = {
  audit_note: characters(0, MAX_AUDIT_NOTE)
    .optional()
    .describe('Why it is forgotten, for people; at most 4096 characters.'),
  reason: characters(0, MAX_AUDIT_NOTE)
    .optional()
    .describe('Another name of `audit_note`; give one of the two.'),
};

const target = {
  scope: selectionScope,
  layers: z
    .array(z.enum(FORGET_LAYERS))
    .max(16)
    .optional()
    .describe('Layers in which records are selected; default, and with an empty list, all five.'),
  selector: forgetSelector.optional(),
  cascade,
  confirm_all: z
    .boolean()
    .optional()
    .describe('True to forget everything in the layers; needed without a selector, refused beside one.'),
  suppress: z
    .boolean()
    .optional()
    .describe(
      'True to refuse what the redacted events say when it is captured into the scope again, until that is lifted; with the cascade redact_events only. Of each content a keyed hash is kept.',
    ),
  ...notes,
};

/** What says which records are meant. */
interface Selecting {
  readonly selector?: ForgetSelector | undefined;
  readonly confirm_all?: boolean | undefined;
}

/** Why a forget that redacts nothing suppresses nothing. */
export const NOTHING_TO_SUPPRESS = 'goes with the cascade redact_events only';

/** Whether a selector says nothing; one with a key that holds an empty list says: nothing. */
function isEmpty(given: ForgetSelector | undefined): boolean {
  return given === undefined || Object.values(given).every((condition) => condition === undefined);
}

function refuse(
  context: z.core.$RefinementCtx,
  path: 'confirm_all' | 'selector' | 'layers' | 'suppress' | 'reason',
  { reason, error_code }: { reason: string; error_code?: ErrorCode },
): void {
  context.addIssue({ code: 'custom', path: [path], message: reason, params: { error_code } });
}

/** A selector, or the word that everything is meant, and never both: that has the code `ambiguous`. */
export function requireSelection(
  { selector: given, confirm_all }: Selecting,
  context: z.core.$RefinementCtx,
  ambiguous: ErrorCode,
): void {
  if (isEmpty(given) && confirm_all !== true)
    refuse(context, 'confirm_all', {
      reason: 'has to be true where no selector says what is forgotten',
      error_code: 'EMPTY_SELECTOR_WITHOUT_CONFIRMATION',
    });
  if (!isEmpty(given) && confirm_all === true)
    refuse(context, 'selector', {
      reason: 'does not go with confirm_all, which means everything',
      error_code: ambiguous,
    });
}

function requireRedaction(
  { suppress, cascade }: { readonly suppress?: boolean | undefined; readonly cascade: Cascade },
  context: z.core.$RefinementCtx,
): void {
  if (suppress === true && cascade !== 'redact_events')
    refuse(context, 'suppress', { reason: NOTHING_TO_SUPPRESS });
}

/** One of the two names of the note at most. */
export function requireOneNote(
  { audit_note, reason }: { readonly audit_note?: string | undefined; readonly reason?: string | undefined },
  context: z.core.$RefinementCtx,
): void {
  if (audit_note !== undefined && reason !== undefined)
    refuse(context, 'reason', { reason: 'is another name of audit_note; give one of the two' });
}

/** No selector beside a preview. */
export function requireNoSelector({ selector: given }: Selecting, context: z.core.$RefinementCtx): void {
  if (!isEmpty(given)) refuse(context, 'selector', { reason: BESIDE_PREVIEW });
}

const BESIDE_PREVIEW = 'does not go with from_preview_id, which says what is forgotten';

/** Id of a preview that is executed. */
export const previewId = z.string().min(1).max(256);

/** Body of a forget. */
export const forgetRequest = z
  .strictObject({
    ...target,
    from_preview_id: previewId
      .optional()
      .describe(
        'Id of a preview of this scope: exactly what it showed is forgotten. `cascade` and `confirm_all` beside it are ignored, since those of the preview count; `selector` and `layers` are refused.',
      ),
  })
  .superRefine((given, context) => {
    requireOneNote(given, context);
    if (given.from_preview_id === undefined) {
      requireSelection(given, context, 'AMBIGUOUS_SELECTOR_CONFIRM_ALL');
      requireRedaction(given, context);
      return;
    }
    requireNoSelector(given, context);
    if (given.layers !== undefined && given.layers.length > 0)
      refuse(context, 'layers', { reason: BESIDE_PREVIEW });
  });
export type ForgetRequest = z.output<typeof forgetRequest>;

/** Body of a preview. */
export const forgetPreviewRequest = z.strictObject(target).superRefine((given, context) => {
  requireOneNote(given, context);
  requireSelection(given, context, 'AMBIGUOUS_SELECTOR_CONFIRM_ALL');
  requireRedaction(given, context);
});

/** A number of records for each layer. */
export const layerCounts = {
  events: z.int().describe('Events.'),
  episodes: z.int().describe('Episodes.'),
  facts: z.int().describe('Facts.'),
  beliefs: z.int().describe('Beliefs.'),
  understanding: z.int().describe('Concepts.'),
};

const ids = (what: string) => z.array(z.string()).describe(`Ids of ${what}.`);

const layerIds = {
  events: ids('events'),
  episodes: ids('episodes'),
  facts: ids('facts'),
  beliefs: ids('beliefs'),
  understanding: ids('concepts'),
};

const selected = {
  requested: z.int().describe('How many ids `memory_ids` named; without it the same as matched.'),
  matched: z.int().describe('How many records were selected, before the cascade.'),
};

/** Answer of a forget. */
export const forgetResponse = z.strictObject({
  deleted: z
    .strictObject(layerCounts)
    .describe('Records that are gone, by layer; events that are redacted count as events.'),
  ...selected,
  audit_id: z.string().describe('Id of the row of the audit log that tells of it, prefix audit_.'),
  suppression_id: z
    .string()
    .nullable()
    .describe('What refuses the forgotten contents from now on, prefix supp_; null where nothing does.'),
});
export type ForgetResponse = z.output<typeof forgetResponse>;

/** Answer of a preview. */
export const forgetPreviewResponse = z.strictObject({
  preview_id: z.string().describe('Id of the preview, prefix fpvw_.'),
  scope: z.string().describe('The scope.'),
  expires_at: answeredInstant.describe('Until when it can be executed, RFC 3339 UTC: 15 minutes.'),
  estimated_deleted: z.strictObject(layerCounts).describe('Records that would go, by layer.'),
  estimated_revised: z
    .strictObject(layerCounts)
    .describe('Records that would stay and say something else, or rest on less, by layer.'),
  ids: z.strictObject(layerIds).describe('Ids of the records that would go, at most 1000 of each layer.'),
  revised_ids: z
    .strictObject(layerIds)
    .describe(
      'Ids of the records that would stay and say something else, or rest on less, at most 1000 of each layer.',
    ),
  ids_truncated: z.boolean().describe('Whether a layer has more of either than are shown.'),
  ...selected,
  events_under_legal_hold: z
    .int()
    .describe(
      'Events among those that would be redacted, or that `memory_ids` names, that are under legal hold: with any the forget is refused.',
    ),
});
export type ForgetPreviewResponse = z.output<typeof forgetPreviewResponse>;
