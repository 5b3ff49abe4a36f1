import type { BeliefItem, BeliefVersion } from '../../../schemas/belief.ts';
import { OPEN_END, toRfc3339 } from '../../../schemas/time.ts';
import { objectOf } from '../fact-item.ts';
import { LEVEL, type Evidence, type Stance } from './weight.ts';

/** Bytes that a piece of evidence takes in an answer, about. */
const EVIDENCE_BYTES = 128;

/** What is believed in some interval of valid and recorded time, as it is stored; instants are epoch milliseconds. */
export interface StoredOpinion {
  readonly valid_from: number;
  readonly valid_to: number;
  readonly recorded_from: number;
  readonly recorded_to: number;
  readonly stance: Stance;
  readonly confidence: number;
  readonly lower: number;
  readonly upper: number;
  readonly holds_from: number;
  readonly holds_to: number;
  readonly evidence: readonly Evidence[];
  readonly revised_at: number;
  readonly caused_by: string;
  readonly revision: number;
}

/** A belief as it was at a pair of instants. */
export interface StoredBeliefItem {
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  /** Place in the log of the statement that began it. */
  readonly position: number;
  readonly subject_id: string;
  /** What it was called; null where nothing gave it a name. */
  readonly subject_name: string | null;
  readonly predicate: string;
  /** That it is only assumed that the predicate has one value at once; null where that is known. */
  readonly cardinality_assumed: true | null;
  /** JSON text of the object as a term; null where it is large and has to be read by itself. */
  readonly object: string | null;
  /** Characters of what is shown of it. */
  readonly bytes: number;
  readonly object_id: string | null;
  /** What the object was called; null where it is no entity or had no name. */
  readonly object_name: string | null;
  readonly row: StoredOpinion;
  /** Its last revision by the recorded instant. */
  readonly last: { readonly revision: number; readonly revised_at: number };
}

/** A belief whose object was read. */
export type WholeBelief = Omit<StoredBeliefItem, 'object'> & { readonly object: string };

/** The wire form of a belief. */
export function toBeliefItem(belief: WholeBelief): BeliefItem {
  const { id, scope, predicate, row, last } = belief;
  const object = objectOf(belief);
  const subject = {
    type: 'entity' as const,
    id: belief.subject_id,
    ...(belief.subject_name === null ? {} : { name: belief.subject_name }),
  };
  const opinion = toOpinion(row);
  return {
    id,
    scope,
    claim: { subject, predicate, object },
    predicate,
    ...(belief.cardinality_assumed === null ? {} : { cardinality_assumed: true as const }),
    object,
    ...opinion,
    support_count: opinion.supports.length,
    recorded_from: toRfc3339(row.recorded_from),
    recorded_to: endOf(row.recorded_to),
    last_revised_at: toRfc3339(last.revised_at),
    revision_count: last.revision,
    why_url: `/v1/beliefs/why?belief_id=${id}`,
  };
}

/** A revision of a belief, in wire form. */
export function toBeliefVersion(row: StoredOpinion): BeliefVersion {
  return {
    revision: row.revision,
    ...toOpinion(row),
    revised_at: toRfc3339(row.revised_at),
    caused_by: row.caused_by,
  };
}

/** About how many bytes an opinion makes of an answer. */
export function opinionBytes({ evidence }: Pick<StoredOpinion, 'evidence'>): number {
  return evidence.length * EVIDENCE_BYTES;
}

function toOpinion(row: StoredOpinion) {
  const { stance, confidence, lower, upper } = row;
  return {
    stance,
    confidence,
    confidence_interval: { lower, upper, method: 'beta_posterior' as const, level: LEVEL },
    supports: row.evidence.map(({ type, id, weight, polarity }) => ({
      type,
      kind: type,
      id,
      weight,
      polarity,
    })),
    valid_from: toRfc3339(row.holds_from),
    valid_to: endOf(row.holds_to),
  };
}

function endOf(instant: number): string | null {
  return instant === OPEN_END ? null : toRfc3339(instant);
}
