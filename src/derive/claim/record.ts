import type { ClaimRecord } from '../../../schemas/claim.ts';
import type { FactItem } from '../../../schemas/fact.ts';
import { OPEN_END, toEpochMs } from '../../../schemas/time.ts';
import { termText } from '../conflict-view.ts';

/** What a record of a claim says beside what its fact does. */
export interface RecordSource {
  readonly event_id: string;
  readonly observed_actor: string;
  readonly has_explicit_valid_from: boolean;
  /** Until when it holds by itself, epoch milliseconds. */
  readonly stated_to: number;
  readonly supersedes: string | null;
}

/** The wire form of a fact as a record of its claim. */
export function toClaimRecord(fact: FactItem, source: RecordSource): ClaimRecord {
  const { id, subject, predicate, object, valid_from, valid_to, recorded_from, recorded_to } = fact;
  const { event_id, observed_actor, has_explicit_valid_from, stated_to, supersedes } = source;
  const isStated = valid_to !== null && stated_to < OPEN_END && toEpochMs(valid_to) === stated_to;
  return {
    id,
    event_id,
    subject: subject.id,
    predicate,
    object: termText(object),
    redacted: false,
    valid_from,
    valid_from_basis: has_explicit_valid_from ? 'stated' : 'observed',
    valid_to,
    valid_to_basis: valid_to === null ? null : isStated ? 'stated' : 'observed',
    recorded_from,
    recorded_to,
    status: statusOf(fact),
    supersedes,
    source_authority: observed_actor,
    extractor: fact.extractor ?? '',
    confidence: fact.confidence,
  };
}

function statusOf({ valid_from, valid_to, recorded_to }: FactItem): ClaimRecord['status'] {
  if (valid_to !== null && valid_to <= valid_from) return 'displaced';
  return recorded_to === null ? 'active' : 'superseded';
}
