import type { ConflictRecord, ConflictView } from '../../schemas/conflict.ts';
import { OPEN_END, toRfc3339 } from '../../schemas/time.ts';
import type { Term } from '../../schemas/triple.ts';

/** A statement of a conflict as it is read. Instants are epoch milliseconds. */
export interface RecordSource {
  readonly id: string;
  readonly event_id: string;
  readonly position: number;
  readonly subject_id: string;
  readonly predicate: string;
  /** JSON text of the term. */
  readonly object: string;
  /** What the object was called; null where it is no entity or had no name. */
  readonly object_name: string | null;
  readonly valid_from: number;
  readonly valid_to: number;
  readonly has_explicit_valid_from: boolean;
  readonly recorded_at: number;
  readonly extractor: string;
  readonly confidence: number;
  readonly observed_actor: string;
  /** The newest row of its fact; null when it belongs to none. */
  readonly row: {
    readonly valid_from: number;
    readonly valid_to: number;
    readonly ended_at: number | null;
  } | null;
}

/** A conflict as it is read. */
export interface ConflictSource {
  readonly id: string;
  readonly scope: string;
  readonly subject_id: string;
  readonly predicate: string;
  readonly status: string;
  readonly detected_at: number;
  readonly resolved_at: number | null;
  readonly resolved_by: string | null;
  readonly confidence: number;
  /** JSON text; null where nobody settled it. */
  readonly resolution: string | null;
  readonly records: readonly RecordSource[];
}

/** The wire form of a conflict. */
export function toConflictView(conflict: ConflictSource): ConflictView {
  const { id, scope, subject_id, predicate, status, confidence, resolved_by } = conflict;
  return {
    id,
    scope,
    subject: subject_id,
    predicate,
    kind: 'value_disagreement',
    status: status as ConflictView['status'],
    records: [...conflict.records].sort((a, b) => a.position - b.position).map(toRecord),
    detected_at: toRfc3339(conflict.detected_at),
    resolved_at: instantOrNull(conflict.resolved_at),
    resolved_by,
    resolution:
      conflict.resolution === null ? null : (JSON.parse(conflict.resolution) as ConflictView['resolution']),
    confidence,
  };
}

function toRecord(record: RecordSource): ConflictRecord {
  const { id, event_id, subject_id, predicate, extractor, confidence, valid_to } = record;
  const isBounded = valid_to < OPEN_END;
  return {
    id,
    event_id,
    subject: subject_id,
    predicate,
    object: record.object_name ?? termText(JSON.parse(record.object) as Term),
    redacted: false,
    valid_from: toRfc3339(record.valid_from),
    valid_from_basis: record.has_explicit_valid_from ? 'stated' : 'observed',
    valid_to: isBounded ? toRfc3339(valid_to) : null,
    valid_to_basis: isBounded ? 'stated' : null,
    recorded_from: toRfc3339(record.recorded_at),
    recorded_to: instantOrNull(record.row?.ended_at ?? null),
    status: statusOf(record),
    source_authority: record.observed_actor,
    extractor,
    confidence,
  };
}

function statusOf({ row }: RecordSource): ConflictRecord['status'] {
  if (row === null || row.valid_from >= row.valid_to) return 'displaced';
  return row.ended_at === null ? 'active' : 'superseded';
}

/** A term as people read it: the name of an entity, else its id; a text as it is, any other value as JSON. */
export function termText(term: Term): string {
  if (term.type === 'entity') return term.name ?? term.id;
  return typeof term.value === 'string' ? term.value : JSON.stringify(term.value);
}

function instantOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : toRfc3339(epochMs);
}
