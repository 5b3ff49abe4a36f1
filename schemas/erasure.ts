import { z } from 'zod';

import {
  FORGET_LAYERS,
  forgetSelector,
  layerCounts,
  notes,
  previewId,
  requireNoSelector,
  requireOneNote,
  requireSelection,
  selectionScope,
} from './forget.ts';
import { characters } from './text.ts';
import { answeredInstant } from './time.ts';

/** How an erasure is. */
export const ERASURE_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export type ErasureStatus = (typeof ERASURE_STATUSES)[number];

/** What an erasure does, in this order. */
export const ERASURE_PHASES = ['queued', 'removing', 'taking_out', 'sealing', 'verifying', 'done'] as const;
export type ErasurePhase = (typeof ERASURE_PHASES)[number];

/** What becomes of a record, as a manifest says it. */
export const MANIFEST_ACTIONS = ['delete', 'redact', 'remove', 'revise', 'hold'] as const;
export type ManifestAction = (typeof MANIFEST_ACTIONS)[number];

const suppressionId = z
  .string()
  .nullable()
  .describe('Id of what keeps the contents from being captured again; null where that was not asked for.');

const target = {
  scope: selectionScope,
  selector: forgetSelector.optional(),
  confirm_all: z
    .boolean()
    .optional()
    .describe('True to erase everything in the scope; needed without a selector, refused beside one.'),
  suppress: z
    .boolean()
    .optional()
    .describe(
      'True to refuse what the erased events say when it is captured into the scope again, until that is lifted. Of each content a keyed hash is kept.',
    ),
  ...notes,
};

/** Body of a preview of an erasure. */
export const erasurePreviewRequest = z.strictObject(target).superRefine((given, context) => {
  requireOneNote(given, context);
  requireSelection(given, context, 'AMBIGUOUS_SELECTOR');
});

/** Body of an erasure. */
export const erasureRequest = z
  .strictObject({
    ...target,
    from_preview_id: previewId
      .optional()
      .describe(
        'Id of a preview of this scope by the same caller, of an erasure (`ervw_`) or of a forget with `redact_events` (`fpvw_`): exactly what it showed is erased. `confirm_all` beside it is ignored; `selector` is refused.',
      ),
    idempotency_key: characters(1, 256)
      .optional()
      .describe(
        'Key of the caller for this scope: the same request with the same key is answered with the same erasure, another one with 409.',
      ),
  })
  .superRefine((given, context) => {
    requireOneNote(given, context);
    if (given.from_preview_id === undefined) requireSelection(given, context, 'AMBIGUOUS_SELECTOR');
    else requireNoSelector(given, context);
  });
export type ErasureRequest = z.output<typeof erasureRequest>;
export type ErasurePreviewRequest = z.output<typeof erasurePreviewRequest>;

/** Answer of a preview of an erasure. */
export const erasurePreviewResponse = z.strictObject({
  preview_id: z.string().describe('Id of the preview, prefix ervw_.'),
  scope: z.string().describe('The scope.'),
  expires_at: answeredInstant.describe('Until when it can be executed, RFC 3339 UTC: 15 minutes.'),
  estimated_affected: z.strictObject(layerCounts).describe('Records that would go, by layer.'),
  estimated_revised: z
    .strictObject(layerCounts)
    .describe('Records that would stay and say something else, or rest on less, by layer.'),
  refcount_breakdown: z
    .strictObject({
      in_scope_events: z.int().describe('Events that are meant: the sum of the other three.'),
      events_to_delete: z.int().describe('Events of which place in the log and instant alone would stay.'),
      events_to_redact: z
        .int()
        .describe('Events whose id would stay too, because an event of another scope names them.'),
      events_under_legal_hold: z.int().describe('Events that would stay as they are, because they are held.'),
    })
    .describe('What would become of events.'),
  cross_scope_propagation: z
    .strictObject({
      affected_workspaces: z
        .array(z.string())
        .describe(
          'Other scopes with records that were concluded from what would go, as far as the caller may read there.',
        ),
      requires_capability: z
        .string()
        .nullable()
        .describe('The capability that the erasure needs because of them; null where it needs none.'),
    })
    .describe('What would go in other scopes.'),
  legal_holds: z.array(z.string()).describe('Ids of the holds that keep events.'),
  estimated_duration_ms: z.int().describe('How long it would take, milliseconds; a guess.'),
  manifest_url: z.string().describe('Where the list of all these records is, for 24 hours.'),
});
export type ErasurePreviewResponse = z.output<typeof erasurePreviewResponse>;

/** One line of a manifest. */
export const manifestLine = z.strictObject({
  layer: z.enum(FORGET_LAYERS).describe('The layer.'),
  id: z.string().describe('Id of the record.'),
  action: z
    .enum(MANIFEST_ACTIONS)
    .describe(
      'delete: of the event place and instant alone stay; redact: its id too; remove: the derived record goes; revise: it is derived anew; hold: a legal hold keeps it.',
    ),
});
export type ManifestLine = z.output<typeof manifestLine>;

/** Answer of a start. */
export const erasureAccepted = z.strictObject({
  erasure_id: z.string().describe('Id of the erasure, prefix ers_.'),
  scope: z.string().describe('The scope.'),
  status: z.enum(ERASURE_STATUSES).describe('How it is: a small one is over already.'),
  manifest_url: z
    .string()
    .describe('Where the list of what is erased is, until 24 hours after its beginning.'),
  receipt_url: z.string().describe('Where the receipt is, once it is over.'),
  verify_url: z.string().describe('Where it is looked again whether anything is left.'),
  lifecycle_stream: z.string().describe('Stream of its frames.'),
  suppression_id: suppressionId,
});
export type ErasureAccepted = z.output<typeof erasureAccepted>;

/** How an erasure is. */
export const erasureRecord = z.strictObject({
  id: z.string().describe('Id of the erasure, prefix ers_.'),
  scope: z.string().describe('The scope.'),
  status: z
    .enum(ERASURE_STATUSES)
    .describe(
      'queued: begun, and nothing done yet; running: also while it rests and is tried again; completed: nothing was found that is left; failed: something was, or the database refused it; cancelled: stopped, what was erased before stays erased.',
    ),
  phase: z
    .enum(ERASURE_PHASES)
    .describe(
      'removing: content and keys; taking_out: what was derived; sealing: ids; verifying: it is looked for whatever is left.',
    ),
  counts: z
    .strictObject({
      ...layerCounts,
      events_total: z.int().describe('Events that are meant.'),
      events_done: z.int().describe('Events whose content is gone.'),
      events_under_legal_hold: z.int().describe('Events that stay because they are held.'),
    })
    .describe('Records of the scope that were to go when it began, by layer, and how far it is.'),
  started_at: answeredInstant.describe('When it was begun, RFC 3339 UTC.'),
  completed_at: answeredInstant.nullable().describe('When it was over; null before.'),
  error: z
    .strictObject({
      error_code: z.string().describe('Code of what went wrong.'),
      message: z.string().describe('What went wrong.'),
    })
    .nullable()
    .describe('Of a failed one, or while it is tried again; null while all is well.'),
  audit_id: z.string().describe('Id of the row of the audit log that tells of it, prefix audit_.'),
  suppression_id: suppressionId,
  receipt_url: z.string().nullable().describe('Where the receipt is; null before it is over.'),
});
export type ErasureRecord = z.output<typeof erasureRecord>;

/** A place where bytes of what was erased may be. */
const residuePlace = z.strictObject({
  place: z.string().describe('Which place.'),
  what: z.string().describe('What of it.'),
  until: z.string().describe('How long.'),
  purge: z.string().describe('What takes it away.'),
});

/** Somebody whom something was handed to before. */
const residueHolder = z.strictObject({
  holder: z.string().describe('To whom.'),
  what: z.string().describe('What.'),
  from: answeredInstant.nullable().describe('Since when, RFC 3339 UTC; null where that is not known.'),
  until: answeredInstant.nullable().describe('Until when, RFC 3339 UTC; null where that is not known.'),
});

/** What a receipt says, under its signature. */
export const erasureReceipt = z.strictObject({
  type: z.literal('strata-erasure-receipt-1').describe('What it is.'),
  erasure_id: z.string().describe('Id of the erasure.'),
  tenant: z.string().describe('The tenant.'),
  scope: z.string().describe('The scope.'),
  requested_by: z.string().describe('Actor that asked for it.'),
  status: z.enum(['completed', 'failed', 'cancelled']).describe('How it ended.'),
  started_at: answeredInstant.describe('When it was begun, RFC 3339 UTC.'),
  completed_at: answeredInstant.describe('When it was over, RFC 3339 UTC.'),
  removed: z
    .strictObject(layerCounts)
    .describe('Records of the scope that went, by layer; of a cancelled one events alone are counted.'),
  stores: z
    .record(z.string(), z.int())
    .describe(
      'What was removed by store: passages of the search index, idempotency keys, uses of blobs, answers of models, statements; and frames that were emptied.',
    ),
  events_under_legal_hold: z.int().describe('Events that stayed because they were held.'),
  commitments: z
    .strictObject({
      algorithm: z.string().describe('How a commitment and the root are made.'),
      count: z.int().describe('Events that were erased.'),
      root: z.string().describe('Root over the commitments in their order, base64url.'),
    })
    .describe(
      'Commitments to what the events held. Their salts were deleted with them, so nobody can open one, or try what it might be of.',
    ),
  audit: z
    .strictObject({
      audit_id: z.string().describe('Id of the row of the audit log that tells of it.'),
      sequence: z
        .int()
        .nullable()
        .describe('Its place in the chain of the tenant, from 0; null where it left no row.'),
      hash: z.string().nullable().describe('The hash of the chain there; null where it left no row.'),
    })
    .describe('Where it is in the audit log.'),
  residue: z
    .strictObject({
      purged: z.array(z.string()).describe('Places that were looked at, and where nothing is left.'),
      controlled: z.array(residuePlace).describe('Places of ours where bytes may lie for a while.'),
      uncontrollable: z
        .array(residueHolder)
        .describe('Who was handed something before, and was not ours to call back.'),
      undeclared: z.int().describe('Finds in places that are none of these: 0 of a completed erasure.'),
    })
    .describe('Where bytes of it may still be.'),
});
export type ErasureReceipt = z.output<typeof erasureReceipt>;

/** Answer with a receipt. */
export const erasureReceiptResponse = z.strictObject({
  erasure_id: z.string().describe('Id of the erasure.'),
  receipt: z.string().describe('The receipt, signed: PASETO v4.public.'),
  kid: z.string().describe('Name of the key that it is signed with.'),
  public_key: z.string().describe('Public half of that key, `k4.public.…`.'),
  claims: erasureReceipt.describe('What it says.'),
});
export type ErasureReceiptResponse = z.output<typeof erasureReceiptResponse>;

/** Answer of a verification. */
export const erasureVerification = z.strictObject({
  erasure_id: z.string().describe('Id of the erasure.'),
  verified: z.boolean().describe('Whether nothing is left.'),
  checked_at: answeredInstant.describe('When it was looked, RFC 3339 UTC.'),
  signature_valid: z.boolean().describe('Whether the kept receipt is signed by a key of the deployment.'),
  events_checked: z.int().describe('Events that were looked at in the log.'),
  places_checked: z.array(z.string()).describe('Places where references were looked for.'),
  findings: z
    .array(
      z.strictObject({
        place: z.string().describe('Where.'),
        count: z.int().describe('How many.'),
      }),
    )
    .describe('What is left; empty where nothing is.'),
});
export type ErasureVerification = z.output<typeof erasureVerification>;
