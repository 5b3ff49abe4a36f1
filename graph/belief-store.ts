import type { Integer } from 'neo4j-driver';

import type { BeliefPlan, RevisedBelief, StoredBelief } from '../src/derive/belief-change.ts';
import { beliefDifference } from '../src/derive/belief-change.ts';
import type { BeliefRow } from '../src/derive/belief.ts';
import type { Evidence } from '../src/derive/belief-weight.ts';
import type { ClaimChange, ClaimPlace } from '../src/derive/claim-change.ts';
import { shardOf } from '../src/capture/scope-key.ts';
import { OPEN_END } from '../schemas/time.ts';
import { REVISION, REVISION_PROPS, revisionOf, type StoredRevision } from './belief-revision.ts';
import { Columns, levelsOf, type Levels } from './columns.ts';
import type { Transaction } from './driver.ts';
import { int, real, statement, type Param, type Params } from './statement.ts';

/** What is sent of a change of a claim, and of a belief of it that is needed. */
const CHANGE = new Columns(['claim', 'since', 'from', 'to', 'needs']);
const NEED = new Columns(['id', 'from']);

const load = statement<
  { changes: readonly Param[]; open: Integer },
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

const BELIEF_PROPS = new Columns([
  'id',
  'tenant',
  'scope',
  'scope_ref',
  'shard',
  'claim',
  'value',
  'subject_id',
  'subject_name',
  'predicate',
  'object',
  'object_id',
  'cardinality_assumed',
  'position',
  'recorded_at',
]);

/** What a row is found by: those of one belief that are open together lie apart in valid time. */
const KEY = new Columns(['belief_id', 'recorded_from', 'valid_from']);

/** What is sent of a row that ends. */
const MOVED = new Columns(['key', 'recorded_to']);

const EDGE = new Columns(['id', 'weight', 'polarity', 'place']);

interface WriteParams extends Params {
  lost: readonly Param[];
  moved: readonly Param[];
  begun: readonly Param[];
  levels: Levels;
  gone: readonly string[];
  opened: readonly Param[];
}

const NAMED = new Columns(['id', 'claim']);

const woken = statement<{ begun: readonly Param[] }, { claim: string }>(
  'belief.woken',
  'constraint premise_id',
  `UNWIND $begun AS belief
   MATCH (p:Premise {id: ${NAMED.cell('belief', 'id')}}) WHERE p.claim <> ${NAMED.cell('belief', 'claim')}
   RETURN DISTINCT ${NAMED.cell('belief', 'claim')} AS claim`,
);

// A conclusion may name a belief that is only now derived (again), or that is gone: its premise stands for the claim, or for nothing.
const write = statement<WriteParams, { done: boolean }>(
  'belief.write',
  'constraints belief_revision_row, belief_id, statement_id, event_id, premise_id',
  `CALL () {
     UNWIND $lost AS key
     MATCH (x:BeliefRevision ${KEY.map('key')})
     DETACH DELETE x
   }
   CALL () {
     UNWIND $gone AS id
     MATCH (b:Belief {id: id})
     DETACH DELETE b
     WITH id
     MATCH (p:Premise {id: id})
     SET p.claim = ''
   }
   CALL () {
     UNWIND $moved AS row
     WITH row, ${MOVED.cell('row', 'key')} AS key
     MATCH (x:BeliefRevision ${KEY.map('key')})
     SET x.recorded_to = ${MOVED.cell('row', 'recorded_to')}
   }
   CALL () {
     UNWIND $begun AS sent
     MERGE (b:Belief {id: ${BELIEF_PROPS.cell('sent', 'id')}})
     SET ${BELIEF_PROPS.set('b', 'sent')}
     SET b += $levels[b.scope_ref]
   }
   CALL () {
     UNWIND $begun AS sent
     WITH ${BELIEF_PROPS.cell('sent', 'id')} AS id, ${BELIEF_PROPS.cell('sent', 'claim')} AS claim
     MATCH (p:Premise {id: id}) WHERE p.claim <> claim
     SET p.claim = claim
   }
   CALL () {
     UNWIND $opened AS row
     WITH row[0] AS props, row[1] AS facts, row[2] AS events
     MATCH (b:Belief {id: ${REVISION_PROPS.cell('props', 'belief_id')}})
     CREATE (b)-[:HAS_REVISION]->(x:BeliefRevision)
     SET ${REVISION_PROPS.set('x', 'props')}
     WITH x, facts, events
     CALL (x, facts) {
       UNWIND facts AS sent
       WITH x, ${EDGE.map('sent')} AS fact
       MATCH (f:Statement {id: fact.id})
       CREATE (x)-[:SUPPORTED_BY {weight: fact.weight, polarity: fact.polarity, place: fact.place}]->(f)
     }
     CALL (x, events) {
       UNWIND events AS sent
       WITH x, ${EDGE.map('sent')} AS event
       MATCH (e:Event {id: event.id})
       CREATE (x)-[:SUPPORTED_BY {weight: event.weight, polarity: event.polarity, place: event.place}]->(e)
     }
   }
   RETURN true AS done`,
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
    const rows = await this.transaction.run(load, { changes, open: int(OPEN_END) });
    const found = new Map<string, StoredBelief[]>();
    for (const { claim, id, value, revisions, rows: of } of rows) {
      const beliefs = found.get(claim) ?? [];
      beliefs.push({ id, value, revisions: revisions ?? 0, rows: of.map(rowOf) });
      found.set(claim, beliefs);
    }
    return found;
  }

  /**
   * Stores what became of beliefs; the facts that they rest on have to be stored before. Answers the claims of beliefs that began and
   * that conclusions had named before.
   */
  async write(
    outcomes: readonly { change: ClaimChange; beliefs: readonly RevisedBelief[] }[],
  ): Promise<readonly string[]> {
    const lost: Param[] = [];
    const gone: string[] = [];
    const moved: Param[] = [];
    const opened: Param[] = [];
    const begun: Param[] = [];
    const named: Param[] = [];
    const places: ClaimPlace[] = [];
    for (const { change, beliefs } of outcomes)
      for (const belief of beliefs) {
        const { id, begins } = belief;
        const rows = beliefDifference(belief, change.anew);
        lost.push(...rows.lost.map((row) => keyOf(id, row)));
        moved.push(
          ...rows.moved.map((row) => MOVED.row({ key: keyOf(id, row), recorded_to: int(row.recorded.to) })),
        );
        opened.push(...rows.opened.map((row) => openedRow(id, change.claim, row)));
        if (begins) {
          begun.push(beginningOf(belief, change, begins));
          named.push(NAMED.row({ id, claim: change.claim }));
          places.push(change.place);
        } else if (isGone(belief, change.anew)) gone.push(id);
      }
    if ([lost, moved, opened, begun, gone].every(({ length }) => length === 0)) return [];
    const waiting = named.length === 0 ? [] : this.transaction.run(woken, { begun: named });
    this.transaction.send(write, { lost, moved, begun, levels: levelsOf(places), gone, opened });
    return (await waiting).map(({ claim }) => claim);
  }
}

/** Has the server plan the statements of this file by running them on nothing. */
export async function planBeliefs(transaction: Transaction): Promise<void> {
  await transaction.run(load, { changes: [], open: int(OPEN_END) });
  await transaction.run(woken, { begun: [] });
  await transaction.run(write, { lost: [], moved: [], begun: [], levels: {}, gone: [], opened: [] });
}

/** Whether nothing is left of a belief; of one that goes on rows may be left that were not asked for. */
function isGone({ rows, stored }: RevisedBelief, anew: boolean): boolean {
  return stored !== null && rows.length === 0 && (anew || stored.revisions === 0);
}

function neededRows({ change: { claim, anew, moments }, needs }: BeliefPlan): Param {
  const since = moments[0]?.recorded_at ?? OPEN_END;
  return CHANGE.row({
    claim,
    since: int(anew ? OPEN_END : since),
    // Of a claim that is told anew all rows, else those of the very instant.
    from: int(anew ? Number.MIN_SAFE_INTEGER : since),
    to: int(anew ? OPEN_END : since),
    needs: anew ? [] : needs.map(({ id, from }) => NEED.row({ id, from: int(from) })),
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

function keyOf(belief_id: string, { recorded, valid }: BeliefRow): Param {
  return KEY.row({ belief_id, recorded_from: int(recorded.from), valid_from: int(valid.from) });
}

function openedRow(belief_id: string, claim: string, row: BeliefRow): Param {
  const { valid, recorded, opinion, revised_at, caused_by, revision } = row;
  const { stance, confidence, lower, upper, holds, evidence } = opinion;
  const edges = (type: Evidence['type']) =>
    evidence.flatMap((one, place) => (one.type === type ? [edgeOf(one, place)] : []));
  const props = REVISION_PROPS.row({
    belief_id,
    claim,
    valid_from: int(valid.from),
    valid_to: int(valid.to),
    recorded_from: int(recorded.from),
    recorded_to: int(recorded.to),
    stance,
    confidence: real(confidence),
    lower: real(lower),
    upper: real(upper),
    holds_from: int(holds.from),
    holds_to: int(holds.to),
    revised_at: int(revised_at),
    caused_by,
    revision: int(revision),
  });
  return [props, edges('fact'), edges('event')];
}

function edgeOf({ id, weight, polarity }: Evidence, place: number): Param {
  return EDGE.row({ id, weight: real(weight), polarity, place: place === 0 ? null : int(place) });
}

function beginningOf(
  { id, value }: RevisedBelief,
  { claim, place, terms }: ClaimChange,
  { position, recorded_at }: NonNullable<RevisedBelief['begins']>,
): Param {
  const said = terms.get(value);
  if (said === undefined) throw new Error('a claim does not say what one of its values means');
  const { subject, predicate, object, cardinality_assumed } = said;
  return BELIEF_PROPS.row({
    id,
    tenant: place.tenant,
    scope: place.scope,
    scope_ref: place.scope_ref,
    shard: int(shardOf(place.scope_ref)),
    claim,
    value,
    subject_id: subject.id,
    subject_name: subject.name ?? null,
    predicate,
    object: JSON.stringify(object),
    object_id: object.type === 'entity' ? object.id : null,
    cardinality_assumed: cardinality_assumed ?? null,
    position: int(position),
    recorded_at: int(recorded_at),
  });
}
