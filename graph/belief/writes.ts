import { OPEN_END } from '../../schemas/time.ts';
import { shardOf } from '../../src/capture/scope-key.ts';
import { beliefDifference, type RevisedBelief } from '../../src/derive/belief/change.ts';
import type { BeliefRow } from '../../src/derive/belief/revise.ts';
import type { Evidence } from '../../src/derive/belief/weight.ts';
import { captionOf } from '../../src/derive/caption.ts';
import type { ClaimChange, ScopeKey, ValueTerms } from '../../src/derive/claim/change.ts';
import {
  drawnContradictions,
  drawnSupports,
  evidenceKey,
  FreshEvidence,
  supportersOf,
  type Supporters,
} from './drawn.ts';
import { heldOf } from './held.ts';
import { linksOf } from './changed-links.ts';
import { REVISION_PROPS } from './revision.ts';
import {
  BELIEF,
  BELIEF_PROPS,
  EDGE,
  KEY,
  MOVED,
  NAMED,
  newlyLost,
  newlyResolved,
  OPENED,
  write,
} from './write.ts';
import { levelsOf } from '../columns.ts';
import type { Transaction } from '../driver.ts';
import { entityKey } from '../entity/link.ts';
import { instant } from '../instant.ts';
import { int, real, type Param } from '../statement.ts';

/** A belief that conclusions name, and its claim. */
export interface NamedBelief {
  readonly id: string;
  readonly claim: string;
}

/** What conclusions that name beliefs have to follow. */
export interface WrittenBeliefs {
  /** The claims of beliefs that began and that conclusions had named before. */
  readonly newlyResolved: readonly string[];
  /** The beliefs that are gone and that conclusions name. */
  readonly lost: readonly NamedBelief[];
}

/** What has to be written of beliefs, gathered claim by claim. */
export class BeliefWrites {
  private readonly removed: Param[] = [];
  private readonly deleted: NamedBelief[] = [];
  private readonly moved: Param[] = [];
  private readonly beliefs: Param[] = [];
  private readonly begun: Param[] = [];
  private readonly unsure: string[] = [];
  private readonly places: ScopeKey[] = [];
  private readonly links = {
    cited_facts: [] as Param[],
    cited_events: [] as Param[],
    contested: [] as Param[],
    contradicting: [] as Param[],
  };

  /** Adds what became of the beliefs about a claim with a change of it. */
  add(change: ClaimChange, beliefs: readonly RevisedBelief[]): void {
    const fresh = new FreshEvidence(change);
    const supporters = supportersOf(beliefs);
    for (const belief of beliefs) this.addOne(change, belief, { fresh, supporters });
  }

  /** Sends it; answers what conclusions have to follow. */
  async send(transaction: Transaction): Promise<WrittenBeliefs> {
    const { removed, moved, beliefs, begun, unsure, places, links } = this;
    if ([removed, moved, beliefs, this.deleted].every(({ length }) => length === 0))
      return { newlyResolved: [], lost: [] };
    const waiting = begun.length === 0 ? [] : transaction.run(newlyResolved, { begun });
    const gone = this.deleted.map((belief) => NAMED.row({ ...belief }));
    const missed = gone.length === 0 ? [] : transaction.run(newlyLost, { deleted: gone });
    const deleted = this.deleted.map(({ id }) => id);
    const rows = { removed, deleted, moved, beliefs, begun, levels: levelsOf(places) };
    transaction.send(write, { ...rows, ...links, unsure, open_end: instant(OPEN_END) });
    return { newlyResolved: (await waiting).map(({ claim }) => claim), lost: await missed };
  }

  private addOne(
    change: ClaimChange,
    belief: RevisedBelief,
    { fresh, supporters }: { readonly fresh: FreshEvidence; readonly supporters: Supporters },
  ): void {
    const { id, begins } = belief;
    const rows = beliefDifference(belief, change.replayed);
    this.removed.push(...rows.removed.map((row) => keyOf(id, row)));
    this.moved.push(
      ...rows.moved.map((row) => MOVED.row({ key: keyOf(id, row), recorded_to: int(row.recorded.to) })),
    );
    if (!begins && isGone(belief, change.replayed)) {
      this.deleted.push({ id, claim: change.claim });
      return;
    }
    if (begins) {
      this.begun.push(NAMED.row({ id, claim: change.claim }));
      this.places.push(change.place);
    }
    if (!begins && [rows.removed, rows.moved, rows.opened].every(({ length }) => length === 0)) return;
    const isDrawn = fresh.of(belief);
    const { drawn, unsure } = drawnContradictions(belief, supporters, isDrawn);
    const isContradictionDrawn = (one: Evidence): boolean =>
      isDrawn(one) && fresh.isNew(one) && !unsure.has(evidenceKey(one));
    this.links.contradicting.push(...drawn);
    const links = linksOf(belief, rows, change.replayed, { isDrawn, isContradictionDrawn });
    for (const name of ['cited_facts', 'cited_events', 'contested'] as const)
      this.links[name].push(...links[name]);
    const held = heldOf(belief, rows);
    if (held === null) this.unsure.push(id);
    const sent = BELIEF.row({
      id,
      begun: begins === null ? [] : [beginningOf(belief, termsOf(change, belief), change, begins)],
      held: held === null ? [] : [held],
      about: begins === null ? [] : aboutOf(belief, change),
      opened: rows.opened.map((row) => openedRow(id, change.claim, row)),
      facts: drawnSupports(belief.rows, 'fact', isDrawn),
      events: drawnSupports(belief.rows, 'event', isDrawn),
    });
    this.beliefs.push(sent);
  }
}

/** The keys of the entities that a belief is about. */
function aboutOf(belief: RevisedBelief, change: ClaimChange): string[] {
  const { subject, object, of_itself } = termsOf(change, belief);
  const terms = of_itself ? [] : [subject, object];
  const entities = new Set(terms.flatMap((term) => (term.type === 'entity' ? [term.id] : [])));
  return [...entities].map((entity) => entityKey(change.place.scope_ref, entity));
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
  return OPENED.row({ props, facts: edges('fact'), events: edges('event') });
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
