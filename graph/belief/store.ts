import type { BeliefPlan, RevisedBelief, StoredBelief } from '../../src/derive/belief/change.ts';
import type { BeliefRow } from '../../src/derive/belief/revise.ts';
import type { ClaimChange } from '../../src/derive/claim/change.ts';
import { FIRST_INSTANT, OPEN_END } from '../../schemas/time.ts';
import { REVISION, revisionOf, type StoredRevision } from './revision.ts';
import { planBeliefWrites } from './write.ts';
import { BeliefWrites, type WrittenBeliefs } from './writes.ts';
import { Columns } from '../columns.ts';
import type { Transaction } from '../driver.ts';
import { instant, type Instant } from '../instant.ts';
import { int, statement, type Param } from '../statement.ts';

/** What is sent of a change of a claim, and of a belief of it that is needed. */
const CHANGE = new Columns(['claim', 'since', 'from', 'to', 'needs'], ['since', 'from', 'to']);
const NEED = new Columns(['id', 'from'], ['from']);

const load = statement<
  { changes: readonly Param[]; open: Instant },
  { claim: string; id: string; value: string; revisions: number | null; rows: StoredRevision[] }
>(
  'belief.load',
  'indexes belief_revision_claim, belief_revision_closed, belief_revision_open, belief_revision_made; constraint belief_id',
  `UNWIND $changes AS sent
   WITH ${CHANGE.map('sent')} AS change
   CALL (change) {
     UNWIND change.needs AS need
     MATCH (x:BeliefRevision) USING INDEX SEEK x:BeliefRevision(belief_id, recorded_to, valid_to)
     WHERE x.belief_id = ${NEED.cell('need', 'id')} AND x.recorded_to = $open AND x.valid_to > ${NEED.cell('need', 'from')}
     RETURN x
     UNION
     MATCH (x:BeliefRevision) USING INDEX SEEK x:BeliefRevision(claim, recorded_from)
     WHERE x.claim = change.claim AND x.recorded_from >= change.from AND x.recorded_from <= change.to
     RETURN x
     UNION
     MATCH (x:BeliefRevision) USING INDEX SEEK x:BeliefRevision(claim, recorded_to)
     WHERE x.claim = change.claim AND x.recorded_to = change.since
     RETURN x
   }
   WITH change, x.belief_id AS id, ${REVISION} AS row
   WITH change, id, collect(row) AS rows
   MATCH (b:Belief {id: id})
   OPTIONAL CALL (change, id) {
     MATCH (made:BeliefRevision) USING INDEX SEEK made:BeliefRevision(belief_id, revised_at)
     WHERE made.belief_id = id AND made.revised_at < change.since
     WITH made ORDER BY made.belief_id DESC, made.revised_at DESC LIMIT 1
     RETURN made.revision AS revisions
   }
   RETURN change.claim AS claim, id, b.value AS value, revisions, rows`,
);

/** The beliefs that a change of a claim found. */
export type FoundBeliefs = ReadonlyMap<string, readonly StoredBelief[]>;

/** Reads and writes beliefs within the transaction that derives them; a round trip each, whatever the number of claims. */
export class BeliefStore {
  private readonly transaction: Transaction;

  constructor(transaction: Transaction) {
    this.transaction = transaction;
  }

  /** What the store has of the beliefs that plans need, by claim. */
  async load(plans: readonly BeliefPlan[]): Promise<FoundBeliefs> {
    if (plans.length === 0) return new Map();
    const changes = plans.map(neededRows);
    const rows = await this.transaction.run(load, { changes, open: instant(OPEN_END) });
    const found = new Map<string, StoredBelief[]>();
    for (const { claim, id, value, revisions, rows: of } of rows) {
      const beliefs = found.get(claim) ?? [];
      beliefs.push({ id, value, revisions: revisions ?? 0, rows: of.map(rowOf) });
      found.set(claim, beliefs);
    }
    return found;
  }

  /**
   * Stores what became of beliefs; the facts that they rest on have to be stored before. Answers what conclusions that name beliefs have
   * to follow.
   */
  write(
    outcomes: readonly { change: ClaimChange; beliefs: readonly RevisedBelief[] }[],
  ): Promise<WrittenBeliefs> {
    const writes = new BeliefWrites();
    for (const { change, beliefs } of outcomes) writes.add(change, beliefs);
    return writes.send(this.transaction);
  }
}

/** Has the server plan the statements of beliefs by running them on nothing. */
export async function planBeliefs(transaction: Transaction): Promise<void> {
  await transaction.run(load, { changes: [], open: instant(OPEN_END) });
  await planBeliefWrites(transaction);
}

function neededRows({ change: { claim, replayed, snapshots }, needs }: BeliefPlan): Param {
  const since = snapshots[0]?.recorded_at ?? OPEN_END;
  return CHANGE.row({
    claim,
    since: int(replayed ? OPEN_END : since),
    // Of a claim that is replayed all rows, else those of the very instant.
    from: int(replayed ? FIRST_INSTANT : since),
    to: int(replayed ? OPEN_END : since),
    needs: replayed ? [] : needs.map(({ id, from }) => NEED.row({ id, from: int(from) })),
  });
}

function rowOf(stored: StoredRevision): BeliefRow {
  const { stance, confidence, lower, upper, evidence, ...row } = revisionOf(stored);
  return {
    valid: { from: row.valid_from, to: row.valid_to },
    recorded: { from: row.recorded_from, to: row.recorded_to },
    opinion: {
      stance,
      confidence,
      lower,
      upper,
      holds: { from: row.holds_from, to: row.holds_to },
      evidence,
    },
    revised_at: row.revised_at,
    caused_by: row.caused_by,
    revision: row.revision,
  };
}
