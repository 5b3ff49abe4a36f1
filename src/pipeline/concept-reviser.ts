import { ConceptStore, type ToldConcept } from '../../graph/concept-store.ts';
import { SupportStore } from '../../graph/concept-support.ts';
import type { Transaction } from '../../graph/driver.ts';
import { hasChanged, type ClaimChange, type ClaimPlace } from '../derive/claim-change.ts';
import {
  disturbed,
  supportChange,
  type Disturbed,
  type SupportChange,
  type SupportRow,
} from '../derive/concept-support.ts';
import { leaving, supportCount, tellingAfter } from '../derive/concept-telling.ts';
import { conceptVersions, supportsUntold, type ConceptBounds } from '../derive/concept.ts';
import { seenBy } from '../derive/reach.ts';
import { MAX_CITED_FACTS, MAX_CONCEPT_EDGES } from '../limits.ts';
import { ReadAhead } from './read-ahead.ts';

/** That a concept was told anew from some instant on, as a frame tells it. */
export interface ConceptTouched {
  readonly id: string;
  /** The event, or the synthesis, that brought its newest version about; null where the concept, or what it said, is gone. */
  readonly caused_by: string | null;
}

/** What becomes of concepts, before any of it is written. */
export interface ConceptPlan {
  readonly supports: readonly SupportChange[];
  readonly told: readonly ToldConcept[];
  /** How many supports those have that go on as told, by id. */
  readonly untold: ReadonlyMap<string, number>;
}

/** What the service keeps to. */
export const CONCEPT_BOUNDS: ConceptBounds = { facts: MAX_CITED_FACTS, edges: MAX_CONCEPT_EDGES };

/** Brings concepts up to what supports them, in the transaction that changes it: planned first, and written. */
export class ConceptReviser {
  private readonly bounds: ConceptBounds;

  constructor(bounds: ConceptBounds = CONCEPT_BOUNDS) {
    this.bounds = bounds;
  }

  /** The supports that changed claims give; they may be asked for before the facts are written. */
  ahead(transaction: Transaction): ReadAhead<readonly SupportRow[]> {
    return new ReadAhead((changes) => new SupportStore(transaction).load(changes.filter(hasChanged)));
  }

  /**
   * Finds out what becomes of the concepts of what changed claims are about, each claim once. Three round trips, whatever the number of
   * changes, the first of which may have been made ahead. It writes nothing, and reads nothing that facts, beliefs or episodes are
   * written to: those may be written meanwhile. Of most concepts that gain a fact there is nothing new to tell: those are only counted.
   */
  async plan(
    transaction: Transaction,
    changes: readonly ClaimChange[],
    ahead = this.ahead(transaction),
  ): Promise<ConceptPlan> {
    const changed = changes.filter(hasChanged);
    if (changed.length === 0) return { supports: [], told: [], untold: new Map() };
    const found = await ahead.of(changed);
    const due = changed.map((change) => seenBy('understanding', change));
    const outcomes = due.map((change) => {
      const before = found.get(change.claim) ?? [];
      const supports = supportChange(change, before);
      return { supports, disturbed: disturbed(supports, before) };
    });
    const supports = outcomes.map((outcome) => outcome.supports);
    const concepts = earliest(outcomes.flatMap((outcome) => outcome.disturbed));
    const byConcept = supportsByConcept(supports);
    const heads = await new ConceptStore(transaction).heads(concepts);
    const untold = new Map(
      concepts.flatMap(({ concept_id: id, since }) => {
        const head = heads.get(id);
        const change = byConcept.get(id);
        const count = head && change ? supportsUntold(head, since, change) : null;
        return count === null ? [] : [[id, count] as const];
      }),
    );
    const places = new Map(due.map(({ place }) => [place.scope_ref, place]));
    const disturbing = concepts.filter(({ concept_id }) => !untold.has(concept_id));
    return { supports, told: await this.toldOf(transaction, disturbing, places, byConcept), untold };
  }

  /** Writes what was planned; the facts have to be written before. Answers which concepts have another version than before. */
  write(transaction: Transaction, { supports, told, untold }: ConceptPlan): ConceptTouched[] {
    new SupportStore(transaction).write(supports);
    new ConceptStore(transaction).write(told, untold);
    return told.filter(isToldAnew).map(({ concept, versions }) => ({
      id: concept.concept_id,
      caused_by: versions.at(-1)?.caused_by ?? null,
    }));
  }

  /** Tells concepts from an instant on, each once, where no support changes; answers those that have other versions since. */
  async tell(
    transaction: Transaction,
    concepts: readonly Disturbed[],
    places: ReadonlyMap<string, ClaimPlace>,
  ): Promise<ToldConcept[]> {
    const told = await this.toldOf(transaction, concepts, places, new Map());
    new ConceptStore(transaction).write(told);
    return told.filter(isToldAnew);
  }

  /** Concepts as they are told from an instant on, with what becomes of the supports of each. */
  private async toldOf(
    transaction: Transaction,
    concepts: readonly Disturbed[],
    places: ReadonlyMap<string, ClaimPlace>,
    changes: ReadonlyMap<string, SupportChange>,
  ): Promise<ToldConcept[]> {
    const { facts } = this.bounds;
    // All concepts are read with the largest number of them.
    const gone = concepts.map(({ concept_id, since }) =>
      leaving(since, changes.get(concept_id) ?? NO_CHANGE),
    );
    const most = facts + gone.reduce((a, b) => Math.max(a, b), 0);
    const loaded = await new ConceptStore(transaction).load(concepts, most);
    return concepts.map((concept): ToldConcept => {
      const found = loaded.get(concept.concept_id);
      if (found === undefined) throw new Error('a concept was asked for and not answered');
      const telling = tellingAfter(found, changes.get(concept.concept_id) ?? NO_CHANGE, facts);
      const versions = conceptVersions(telling, this.bounds);
      const place = places.get(concept.scope_ref) ?? null;
      const { last, stored } = found;
      return { concept, place, last, versions, supports: supportCount(telling), stored };
    });
  }
}

const NO_CHANGE: SupportChange = { opened: [], moved: [], lost: [] };

function isToldAnew({ versions, stored }: ToldConcept): boolean {
  return versions.length > 0 || stored > 0;
}

/** What becomes of the supports of each concept. */
function supportsByConcept(changes: readonly SupportChange[]): Map<string, SupportChange> {
  const found = new Map<string, Record<keyof SupportChange, SupportRow[]>>();
  for (const change of changes)
    for (const kind of ['opened', 'moved', 'lost'] as const)
      for (const row of change[kind]) {
        const one = found.get(row.concept_id) ?? { opened: [], moved: [], lost: [] };
        found.set(row.concept_id, one);
        one[kind].push(row);
      }
  return found;
}

/** Each concept once, from the earliest of its instants on. */
function earliest(all: readonly Disturbed[]): Disturbed[] {
  const found = new Map<string, Disturbed>();
  for (const one of all) {
    const other = found.get(one.concept_id);
    if (other === undefined || one.since < other.since) found.set(one.concept_id, one);
  }
  return [...found.values()];
}
