import type { NewStatement } from '../../graph/claim/new-statement.ts';
import {
  ConflictWriter,
  type ConflictRow,
  type EvidenceSpan,
  type StoredConflict,
  type StoredDisputes,
  type StoredEvidence,
} from '../../graph/conflict-writer.ts';
import type { Transaction } from '../../graph/driver.ts';
import { OPEN_END } from '../../schemas/time.ts';
import type { Term } from '../../schemas/triple.ts';
import { levelRefs } from '../capture/scope-key.ts';
import { termText } from '../derive/conflict-view.ts';
import {
  conflictConfidence,
  disputedBy,
  settlementOf,
  undisputed,
  type Conflict,
  type ConflictStatus,
  type Disputes,
  type Evidence,
} from '../derive/conflict.ts';
import type { ClaimChange } from '../derive/claim/change.ts';
import { DECLARED } from '../derive/belief/declared.ts';
import { decisionOf } from './stored-claims.ts';

/** What a consolidation did, as far as conflicts depend on it. */
export interface StatedNow {
  readonly statements: readonly NewStatement[];
  readonly changes: readonly Pick<ClaimChange, 'claim' | 'replayed'>[];
}

/** A claim whose disputes are derived, with what is new of it. */
interface Dispute {
  readonly claim: string;
  readonly fresh: readonly NewStatement[];
}

/**
 * Keeps the conflicts of claims, in the transaction of their consolidation. A claim goes on where its disputes stand; one of which
 * something was taken out, or to which something came late, is told from its beginning.
 */
export class DisputeKeeper {
  private readonly writer: ConflictWriter;
  private readonly touched: ReadonlySet<string>;

  private constructor(writer: ConflictWriter, touched: ReadonlySet<string>) {
    this.writer = writer;
    this.touched = touched;
  }

  /** Begins before the statements of the events named are taken out. */
  static async before(transaction: Transaction, gone: readonly string[]): Promise<DisputeKeeper> {
    const writer = new ConflictWriter(transaction);
    return new DisputeKeeper(writer, new Set(await writer.claimsOf(gone)));
  }

  /** Brings conflicts up to what is stated now; answers those that were ended by it. */
  async after({ statements, changes }: StatedNow): Promise<readonly Conflict[]> {
    const evidence = statements.filter(isEvidence);
    const fresh = evidence.filter(staysThere);
    const byClaim = new Map<string, NewStatement[]>([...this.touched].map((claim) => [claim, []]));
    for (const one of fresh) byClaim.set(one.claim, [...(byClaim.get(one.claim) ?? []), one]);
    if (evidence.length > 0) await this.writer.mark(idsOf(evidence, true), idsOf(evidence, false));
    if (byClaim.size === 0) return [];
    const replayed = new Set([
      ...this.touched,
      ...changes.flatMap((one) => (one.replayed ? [one.claim] : [])),
    ]);
    const disputes = [...byClaim].map(([claim, of]): Dispute => ({ claim, fresh: of }));
    const replayedClaims = disputes.filter(({ claim }) => replayed.has(claim)).map(({ claim }) => claim);
    const goingOn = disputes.filter(({ claim }) => !replayed.has(claim));
    const changed = [...(await this.retell(replayedClaims)), ...(await this.goOn(goingOn))];
    const rows = changed.map(rowOf);
    await this.writer.write(replayedClaims, rows);
    return changed.filter(({ status }) => status !== 'open');
  }

  private async retell(claims: readonly string[]): Promise<Conflict[]> {
    const evidence = (await this.writer.whole(claims)).map(toEvidence).sort(byPosition);
    return claims.flatMap((claim) => {
      const own = evidence.filter(({ about }) => about.claim === claim);
      return own.reduce(disputedBy, undisputed(claim)).conflicts;
    });
  }

  private async goOn(disputes: readonly Dispute[]): Promise<Conflict[]> {
    const spans = disputes.flatMap(({ fresh }) => fresh.flatMap(spanOf));
    const stored = await this.writer.near(
      disputes.map(({ claim }) => claim),
      spans,
    );
    return disputes.flatMap(({ claim, fresh }) => {
      const before = disputesOf(claim, stored, new Set(fresh.map(({ id }) => id)));
      const after = fresh.map(toEvidence).sort(byPosition).reduce(disputedBy, before);
      return after.conflicts.filter((conflict) => !before.conflicts.includes(conflict));
    });
  }
}

/** Whether it is still about its claim, as far as the links of its entities go. */
function staysThere({ moved }: NewStatement): boolean {
  return moved === undefined || moved.assigned_during.at(-1)?.to === OPEN_END;
}

/**
 * Conclusions are no evidence, nor is what was taken out, nor what says nothing of its validity and denies nothing. What is declared stands
 * without the reasons that it names.
 */
function isEvidence(one: NewStatement): boolean {
  if (one.retracted || one.continuation_of !== null) return false;
  if (one.premises.length > 0 && one.extractor !== DECLARED) return false;
  return one.kind !== 'asserted' || one.has_explicit_valid_from || one.valid_to < OPEN_END;
}

function idsOf(statements: readonly NewStatement[], asserted: boolean): string[] {
  return statements.filter(({ kind }) => (kind === 'asserted') === asserted).map(({ id }) => id);
}

function spanOf({ claim, value, kind, valid_from: from, valid_to }: NewStatement): EvidenceSpan[] {
  if (kind !== 'asserted') return [];
  return [{ claim, value, from, to: valid_to === OPEN_END ? from + 1 : valid_to }];
}

/** Where evidence lies, and what it says in words. */
interface About extends Pick<
  StoredEvidence,
  'claim' | 'tenant' | 'scope' | 'scope_ref' | 'cardinality' | 'subject_id' | 'predicate'
> {
  readonly subject_name: string | null;
  /** JSON text of the term. */
  readonly object: string;
}

type EvidenceAbout = Evidence & { readonly about: About };

function toEvidence(one: StoredEvidence | NewStatement): EvidenceAbout {
  const { id, claim, event_id, position, value, kind, has_explicit_valid_from, confidence } = one;
  const recorded_at = knownAt(one);
  const { tenant, scope, scope_ref, cardinality, predicate, object } = one;
  const [subject_id, subject_name] =
    'subject' in one ? [one.subject.id, one.subject.name] : [one.subject_id, one.subject_name];
  return {
    id,
    event_id,
    position,
    recorded_at,
    value,
    kind,
    has_explicit_valid_from,
    confidence,
    valid: { from: one.valid_from, to: one.valid_to },
    settles: one.settles ?? null,
    ...decisionOf(one),
    about: { claim, tenant, scope, scope_ref, cardinality, subject_id, subject_name, predicate, object },
  };
}

/** Since when a statement is known to be about its claim. */
function knownAt(one: StoredEvidence | NewStatement): number {
  const since = 'moved' in one ? one.moved.assigned_during[0]?.from : undefined;
  return since ?? one.recorded_at;
}

function byPosition(a: Evidence, b: Evidence): number {
  return a.position - b.position || (a.id < b.id ? -1 : 1);
}

/** The disputes of a claim as they are stored, without what is new. */
function disputesOf(claim: string, stored: StoredDisputes, fresh: ReadonlySet<string>): Disputes {
  const statements = stored.evidence
    .filter((one) => one.claim === claim && !fresh.has(one.id))
    .map(toEvidence)
    .sort(byPosition);
  const conflicts = stored.conflicts
    .filter((one) => one.claim === claim)
    .map((one) => conflictOf(one, statements))
    .sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
  return { claim, statements, conflicts };
}

function conflictOf(stored: StoredConflict, statements: readonly Evidence[]): Conflict {
  const { evidence, status, values, ...row } = stored;
  const own = statements.filter(({ id }) => evidence.includes(id));
  const [a, b] = values.map((value) => own.filter((one) => one.value === value));
  const settling = statements.find(
    ({ decision, event_id }) => decision?.conflict_id === stored.id && event_id === stored.resolved_by,
  );
  const settlement = settling === undefined ? null : settlementOf(settling);
  return { ...row, values, sides: [a ?? [], b ?? []], status: status as ConflictStatus, settlement };
}

function rowOf({ sides, settlement: _none, ...conflict }: Conflict): ConflictRow {
  const [one, other] = sides.map(([first]) => (first as EvidenceAbout).about);
  const evidence = sides.flat();
  if (one === undefined || other === undefined) throw new Error('a conflict with nothing on a side');
  const { tenant, scope, scope_ref, cardinality, subject_id, predicate } = one;
  return {
    ...conflict,
    tenant,
    scope,
    scope_ref,
    levels: levelRefs(tenant, scope),
    cardinality,
    subject_id,
    predicate,
    confidence: conflictConfidence(valueText(one), valueText(other)),
    evidence: evidence.map(({ id }) => id),
  };
}

/** The value of a claim as people read it: of an exclusive one the subject. */
function valueText({ cardinality, subject_id, subject_name, object }: About): string {
  return cardinality === 'exclusive' ? (subject_name ?? subject_id) : termText(JSON.parse(object) as Term);
}
