import { ConceptLoader } from '../../graph/concept-load.ts';
import { ConceptStore, type ToldConcept } from '../../graph/concept-store.ts';
import { SupportStore } from '../../graph/concept-support.ts';
import type { Transaction } from '../../graph/driver.ts';
import { hasChanged, type ClaimChange, type ClaimPlace } from '../derive/claim-change.ts';
import type { Disturbed, SupportChange, SupportRow } from '../derive/concept-support.ts';
import { leaving, supportCount, tellingAfter } from '../derive/concept-telling.ts';
import { conceptVersions, supportsUntold, type ConceptBounds, type ToldHead } from '../derive/concept.ts';
import { MAX_CITED_FACTS, MAX_CONCEPT_EDGES } from '../limits.ts';
import { ConceptsAhead } from './concepts-ahead.ts';

/** That a concept was told anew from some instant on, as a frame tells it. */
export interface ConceptTouched {
  readonly id: string;
  /** The event, or the synthesis, that brought its newest version about; null where the concept, or what it said, is gone. */
  readonly caused_by: string | null;
}

/** What becomes of concepts, before any of it is written; what is read for it is asked for. */
export interface ConceptPlan {
  readonly supports: readonly SupportChange[];
  readonly told: Promise<readonly ToldConcept[]>;
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

  /**
   * Finds out what becomes of the concepts of what changed claims are about, each claim once. Three round trips, whatever the number of
   * changes, the first two of which may have been made `ahead`. It writes nothing, and reads nothing that facts, beliefs or episodes are
   * written to: those may be written meanwhile. Of most concepts that gain a fact there is nothing new to tell: those are only counted.
   */
  async plan(
    transaction: Transaction,
    changes: readonly ClaimChange[],
    ahead = new ConceptsAhead(transaction),
  ): Promise<ConceptPlan> {
    if (!changes.some(hasChanged)) return NOTHING_PLANNED;
    const { supports, concepts, heads: asked } = await ahead.of(changes);
    const byConcept = supportsByConcept(supports);
    const heads = await asked;
    const untold = new Map(
      concepts.flatMap(({ concept_id: id, since }) => {
        const head = heads.get(id);
        const change = byConcept.get(id);
        const count = head && change ? supportsUntold(head, since, change) : null;
        return count === null ? [] : [[id, count] as const];
      }),
    );
    const places = new Map(changes.map(({ place }) => [place.scope_ref, place]));
    const disturbing = concepts.filter(({ concept_id }) => !untold.has(concept_id));
    const told = this.toldOf(transaction, disturbing, places, { changes: byConcept, heads });
    void Promise.allSettled([told]);
    return { supports, told, untold };
  }

  /**
   * Writes what was planned; the facts have to be written before. Supports are written while it is thought out how concepts are told.
   * Answers which concepts have another version than before.
   */
  async write(
    transaction: Transaction,
    { supports, told: asked, untold }: ConceptPlan,
  ): Promise<ConceptTouched[]> {
    new SupportStore(transaction).write(supports);
    const told = await asked;
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
    const told = await this.toldOf(transaction, concepts, places, { changes: new Map(), heads: new Map() });
    new ConceptStore(transaction).write(told);
    return told.filter(isToldAnew);
  }

  /** Concepts as they are told from an instant on, with what becomes of the supports of each; `heads` is what is known of them already. */
  private async toldOf(
    transaction: Transaction,
    concepts: readonly Disturbed[],
    places: ReadonlyMap<string, ClaimPlace>,
    { changes, heads }: { changes: ReadonlyMap<string, SupportChange>; heads: ReadonlyMap<string, ToldHead> },
  ): Promise<ToldConcept[]> {
    const { facts } = this.bounds;
    // All concepts are read with the largest number of them.
    const gone = concepts.map(({ concept_id, since }) =>
      leaving(since, changes.get(concept_id) ?? NO_CHANGE),
    );
    const most = facts + gone.reduce((a, b) => Math.max(a, b), 0);
    const loaded = await new ConceptLoader(transaction).load(concepts, most, heads);
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

const NOTHING_PLANNED: ConceptPlan = { supports: [], told: Promise.resolve([]), untold: new Map() };

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
