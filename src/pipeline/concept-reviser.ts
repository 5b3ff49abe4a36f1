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

/** What the service keeps to. */
export const CONCEPT_BOUNDS: ConceptBounds = { facts: MAX_CITED_FACTS, edges: MAX_CONCEPT_EDGES };

/** Brings concepts up to what supports them, in the transaction that changes it. */
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
   * Brings the concepts of what changed claims are about up to the changes, each claim once, and says which have another version
   * than before. Five round trips, whatever the number of changes, the first of which may have been made ahead. The facts have to be
   * written before. Of most concepts that gain a fact there is nothing new to tell: those are only counted.
   */
  async revise(
    transaction: Transaction,
    changes: readonly ClaimChange[],
    ahead = this.ahead(transaction),
  ): Promise<ConceptTouched[]> {
    const changed = changes.filter(hasChanged);
    if (changed.length === 0) return [];
    const store = new SupportStore(transaction);
    const found = await ahead.of(changed);
    const due = changed.map((change) => seenBy('understanding', change));
    const outcomes = due.map((change) => {
      const before = found.get(change.claim) ?? [];
      const supports = supportChange(change, before);
      return { supports, disturbed: disturbed(supports, before) };
    });
    const concepts = earliest(outcomes.flatMap((outcome) => outcome.disturbed));
    const supports = byConcept(outcomes.map((outcome) => outcome.supports));
    const heads = await new ConceptStore(transaction).heads(concepts);
    store.write(outcomes.map((outcome) => outcome.supports));
    const untold = new Map(
      concepts.flatMap(({ concept_id: id, since }) => {
        const head = heads.get(id);
        const change = supports.get(id);
        const count = head && change ? supportsUntold(head, since, change) : null;
        return count === null ? [] : [[id, count] as const];
      }),
    );
    const places = new Map(due.map(({ place }) => [place.scope_ref, place]));
    const disturbing = concepts.filter(({ concept_id }) => !untold.has(concept_id));
    const told = await this.tell(transaction, disturbing, places, untold);
    return told.map(({ concept, versions }) => ({
      id: concept.concept_id,
      caused_by: versions.at(-1)?.caused_by ?? null,
    }));
  }

  /**
   * Tells concepts from an instant on, each once, and answers those that have other versions since; their supports have to be written
   * before. Of those in `untold`, which go on as told, it is noted how many supports they have.
   */
  async tell(
    transaction: Transaction,
    concepts: readonly Disturbed[],
    places: ReadonlyMap<string, ClaimPlace>,
    untold: ReadonlyMap<string, number> = new Map(),
  ): Promise<ToldConcept[]> {
    const store = new ConceptStore(transaction);
    const tellings = await store.load(concepts, this.bounds.facts);
    const told = concepts.flatMap((concept): ToldConcept[] => {
      const telling = tellings.get(concept.concept_id);
      if (telling === undefined) throw new Error('a concept was asked for and not answered');
      const versions = conceptVersions(telling, this.bounds);
      const place = places.get(concept.scope_ref) ?? null;
      return [
        { concept, place, last: telling.last, versions, supports: telling.supports, stored: telling.stored },
      ];
    });
    store.write(told, untold);
    return told.filter(({ versions, stored }) => versions.length > 0 || stored > 0);
  }
}

/** What becomes of the supports of each concept. */
function byConcept(changes: readonly SupportChange[]): Map<string, SupportChange> {
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
