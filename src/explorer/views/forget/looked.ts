import { ask } from '../../api/ask.ts';
import { ServiceError } from '../../api/errors.ts';
import type { Layer } from '../../records/record.ts';
import {
  PREVIEW_ERASURE,
  PREVIEW_FORGET,
  type Counts,
  type ErasurePreview,
  type ForgetPreview,
  type Selected,
} from './queries.ts';
import type { How } from './selection.ts';

/** What somebody looked at before he confirms it. */
export interface Looked {
  readonly how: How;
  readonly selected: Selected;
  /** What is executed. */
  readonly previewId: string;
  readonly expiresAt: string;
  readonly goes: Counts;
  readonly revised: Counts;
  /** The records by their ids; null where the caller may not see them. */
  readonly records: ForgetPreview | null;
  /** Of an erasure. */
  readonly erasure: ErasurePreview | null;
}

/** Has it told what would go. Throws what the service refuses. */
export async function look(
  {
    how,
    selected,
    layers,
  }: { readonly how: How; readonly selected: Selected; readonly layers: readonly Layer[] },
  signal: AbortSignal,
): Promise<Looked> {
  if (how !== 'erase') {
    const { previewForget: records } = await ask(
      PREVIEW_FORGET,
      { input: { ...selected, layers, cascade: how } },
      signal,
    );
    if (records === null) throw new Error('a preview without an answer');
    const { previewId, expiresAt, estimatedDeleted: goes, estimatedRevised: revised } = records;
    return { how, selected, previewId, expiresAt, goes, revised, records, erasure: null };
  }
  const { previewErasure: erasure } = await ask(PREVIEW_ERASURE, { input: selected }, signal);
  if (erasure === null) throw new Error('a preview without an answer');
  const { previewId, expiresAt, estimatedAffected: goes, estimatedRevised: revised } = erasure;
  return {
    how,
    selected,
    previewId,
    expiresAt,
    goes,
    revised,
    records: await recordsOf(selected, signal),
    erasure,
  };
}

/** A preview of an erasure counts; which records they are is told by one of the forget that comes to the same. */
async function recordsOf(selected: Selected, signal: AbortSignal): Promise<ForgetPreview | null> {
  try {
    const input = { ...selected, cascade: 'redact_events' } as const;
    return (await ask(PREVIEW_FORGET, { input }, signal)).previewForget;
  } catch (error) {
    if (error instanceof ServiceError && error.refusal.code === 'POLICY_DENIED') return null;
    throw error;
  }
}
