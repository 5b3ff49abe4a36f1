import { OPEN_END } from '../../schemas/time.ts';
import { shardOf } from '../../src/capture/scope-key.ts';
import { beliefDifference, type RevisedBelief } from '../../src/derive/belief/change.ts';
import type { BeliefRow } from '../../src/derive/belief/revise.ts';
import type { Evidence } from '../../src/derive/belief/weight.ts';
import { captionOf } from '../../src/derive/caption.ts';
import type { ClaimChange, ScopeKey, ValueTerms } from '../../src/derive/claim/change.ts';
import { linksOf } from './links.ts';
import { REVISION_PROPS } from './revision.ts';
import { ABOUT, BELIEF_PROPS, EDGE, KEY, MOVED, NAMED, newlyResolved, write } from './write.ts';
import { levelsOf } from '../columns.ts';
import type { Transaction } from '../driver.ts';
import { entityKey } from '../entity/link.ts';
import { instant } from '../instant.ts';
import { int, real, type Param } from '../statement.ts';

/** What has to be written of beliefs, gathered belief by belief. */
export class BeliefWrites {
  private readonly removed: Param[] = [];
  private readonly deleted: string[] = [];
  private readonly moved: Param[] = [];
  private readonly opened: Param[] = [];
  private readonly begun: Param[] = [];
  private readonly about: Param[] = [];
  private readonly named: Param[] = [];
  private readonly revised: string[] = [];
  private readonly places: ScopeKey[] = [];
  private readonly links = {
    cited_facts: [] as Param[],
    cited_events: [] as Param[],
    contested: [] as Param[],
  };

  /** Adds what became of a belief with a change of its claim. */
  add(change: ClaimChange, belief: RevisedBelief): void {
    const { id, begins } = belief;
    const rows = beliefDifference(belief, change.replayed);
    this.removed.push(...rows.removed.map((row) => keyOf(id, row)));
    this.moved.push(
      ...rows.moved.map((row) => MOVED.row({ key: keyOf(id, row), recorded_to: int(row.recorded.to) })),
    );
    this.opened.push(...rows.opened.map((row) => openedRow(id, change.claim, row)));
    if (!begins && isGone(belief, change.replayed)) {
      this.deleted.push(id);
      return;
    }
    if (begins) this.begin(change, belief, begins);
    if ([rows.removed, rows.moved, rows.opened].every(({ length }) => length === 0)) return;
    this.revised.push(id);
    const { cited_facts, cited_events, contested } = linksOf(belief, rows, change.replayed);
    this.links.cited_facts.push(...cited_facts);
    this.links.cited_events.push(...cited_events);
    this.links.contested.push(...contested);
  }

  /** Sends it; answers the claims of beliefs that began and that conclusions had named before. */
  async send(transaction: Transaction): Promise<readonly string[]> {
    const { removed, deleted, moved, opened, begun, about, named, revised, places, links } = this;
    if ([removed, moved, opened, begun, deleted].every(({ length }) => length === 0)) return [];
    const waiting = named.length === 0 ? [] : transaction.run(newlyResolved, { begun: named });
    const rows = { removed, deleted, moved, opened, begun, about, levels: levelsOf(places) };
    transaction.send(write, { ...rows, ...links, revised, open_end: instant(OPEN_END) });
    return (await waiting).map(({ claim }) => claim);
  }

  private begin(
    change: ClaimChange,
    belief: RevisedBelief,
    begins: NonNullable<RevisedBelief['begins']>,
  ): void {
    const { id } = belief;
    const terms = termsOf(change, belief);
    this.begun.push(beginningOf(belief, terms, change, begins));
    this.named.push(NAMED.row({ id, claim: change.claim }));
    this.places.push(change.place);
    const { subject, object, of_itself } = terms;
    const entities = of_itself
      ? []
      : [subject, object].flatMap((term) => (term.type === 'entity' ? [term.id] : []));
    for (const entity of new Set(entities))
      this.about.push(ABOUT.row({ belief_id: id, key: entityKey(change.place.scope_ref, entity) }));
  }
}

/** Whether nothing is left of a belief; of one that goes on rows may be left that were not asked for. */
function isGone({ rows, stored }: RevisedBelief, replayed: boolean): boolean {
  return stored !== null && rows.length === 0 && (replayed || stored.revisions === 0);
}

function termsOf({ terms }: ClaimChange, { value }: RevisedBelief): ValueTerms {
  const said = terms.get(value);
  if (said === undefined) throw new Error('a claim does not say what one of its values means');
  return said;
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
  terms: ValueTerms,
  { claim, place }: ClaimChange,
  { position, recorded_at }: NonNullable<RevisedBelief['begins']>,
): Param {
  const { subject, predicate, object, cardinality_assumed } = terms;
  return BELIEF_PROPS.row({
    id,
    text: captionOf(terms),
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
