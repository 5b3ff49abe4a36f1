import type { ConflictEvidence } from '../../graph/conflict.ts';
import type { ResolveConflictBody } from '../../schemas/conflict.ts';
import type { ConflictResolution } from '../../schemas/content.ts';
import { OPEN_END, toEpochMs, toRfc3339 } from '../../schemas/time.ts';
import type { Term } from '../../schemas/triple.ts';
import type { Evidence } from '../derive/conflict.ts';
import { displacedBy, valueOf, type Settling, type Unsettled } from '../derive/resolution.ts';
import { calledBy, entityOf, termKey } from '../derive/statement.ts';
import { spelt } from '../derive/vocabulary.ts';
import { StrataError } from '../errors.ts';
import type { Interval } from '../time/interval.ts';

/** The name by which alone new information names what it is about; null where it names it by its id, or not at all. */
export function subjectNameIn({ record }: ResolveConflictBody): string | null {
  return record?.subject?.type === 'literal' ? (entityOf(record.subject).name ?? null) : null;
}

/** A record of new information, with what the conflict says of it filled in. */
function recordOf(
  sent: NonNullable<ResolveConflictBody['record']>,
  { subject_id, predicate, cardinality, evidence }: ConflictEvidence,
  idOf: (name: string) => string,
): { record: NonNullable<ConflictResolution['record']>; valid: Interval | null } {
  const isExclusive = cardinality === 'exclusive';
  const [first] = [...evidence].sort((a, b) => a.valid_from - b.valid_from);
  if (first === undefined) throw new Error('a conflict without evidence');
  const refuse = (field: string, reason: string): never => {
    throw unfit({ field: `record.${field}`, reason });
  };
  const same = JSON.parse(first.object) as Term;
  if (sent.predicate !== undefined && spelt(sent.predicate) !== predicate)
    refuse('predicate', `is not ${predicate}`);
  const subject =
    sent.subject?.type === 'literal'
      ? calledBy(sent.subject, idOf)
      : entityOf(sent.subject ?? { type: 'entity', id: subject_id });
  const object = sent.object ?? same;
  if (isExclusive && sent.subject === undefined) refuse('subject', 'is required');
  if (isExclusive && termKey(object) !== termKey(same)) refuse('object', 'is not that of the conflict');
  if (!isExclusive && sent.object === undefined) refuse('object', 'is required');
  if (!isExclusive && subject.id !== subject_id) refuse('subject', 'is not that of the conflict');
  const from = sent.valid_from === undefined ? first.valid_from : toEpochMs(sent.valid_from);
  const to = sent.valid_to === undefined ? OPEN_END : toEpochMs(sent.valid_to);
  if (to < from) refuse('valid_to', 'lies before it begins');
  const isTimed = sent.valid_from !== undefined || sent.valid_to !== undefined;
  const { confidence, valid_to } = sent;
  return {
    record: {
      subject,
      object,
      valid_from: sent.valid_from ?? toRfc3339(from),
      ...(valid_to === undefined ? {} : { valid_to }),
      ...(confidence === undefined ? {} : { confidence }),
    },
    valid: isTimed ? { from, to } : null,
  };
}

/**
 * What is stored of a resolution; `idOf` says which entity a name stands for. Throws `INVALID_BODY` where the conflict cannot be settled
 * so.
 */
export function resolutionOf(
  id: string,
  body: ResolveConflictBody,
  found: ConflictEvidence,
  idOf: (name: string) => string,
): ConflictResolution {
  const { record: sent, reason, ...rest } = body;
  const said = reason === undefined || reason === '' ? rest : { ...rest, reason };
  const news = sent === undefined ? null : recordOf(sent, found, idOf);
  const evidence = found.evidence.map(toEvidence);
  const displaces = displacedBy(settlingOf(said, news, found.cardinality), evidence);
  if (!Array.isArray(displaces)) throw unfit(displaces);
  const between = [...new Map(evidence.map((one) => [one.value, one.id])).values()];
  return {
    conflict_id: id,
    ...said,
    between,
    displaces: displaces.sort(),
    ...(news === null ? {} : { record: news.record }),
  };
}

function settlingOf(
  { action, winner = '', boundary = '', earlier = '', later = '' }: Omit<ResolveConflictBody, 'record'>,
  news: ReturnType<typeof recordOf> | null,
  cardinality: string,
): Settling {
  if (action === 'pick') return { action, winner };
  if (action === 'split') return { action, boundary: toEpochMs(boundary), earlier, later };
  if (action === 'dismiss' || news === null) return { action: 'dismiss' };
  return { action, value: valueOf(news.record, cardinality), valid: news.valid };
}

function toEvidence(one: ConflictEvidence['evidence'][number]): Evidence {
  const { valid_from: from, valid_to: to } = one;
  return { ...one, kind: 'asserted', valid: { from, to }, settles: null };
}

function unfit({ field, reason }: Unsettled): StrataError {
  return new StrataError('INVALID_BODY', `${field}: ${reason}`, { details: { field_path: field, reason } });
}
