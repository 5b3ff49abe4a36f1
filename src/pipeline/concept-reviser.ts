import { ConceptLoader, type StoredReplayInput } from '../../graph/concept/load.ts';
import { ConceptStore } from '../../graph/concept/write.ts';
import { SupportStore } from '../../graph/concept/support.ts';
import { hasNewVersions, type ReplayedConcept } from '../../graph/concept/replayed.ts';
import type { Transaction } from '../../graph/driver.ts';
import type { ClaimChange, ScopeKey } from '../derive/claim/change.ts';
import type { StaleConcept, SupportChange, SupportRow } from '../derive/concept/support.ts';
import { leaving, supportCount, replayInputAfter } from '../derive/concept/replay-input.ts';
import {
  CONCEPT_BOUNDS,
  isUnchangedSince,
  replayedConcept,
  type ConceptBounds,
} from '../derive/concept/evolve.ts';
import type { ConceptPrefetch } from './concept-prefetch.ts';

/** That a concept was replayed from some instant on, as frames tell it. */
export interface ConceptTouched {
  readonly id: string;
  /** The event, or the synthesis, that brought a version of it about; null where the concept, or what it said, is gone. */
  readonly caused_by: string | null;
}

/** What becomes of concepts, before any of it is written; what is read for it is asked for. */
export interface ConceptPlan {
  readonly supports: readonly SupportChange[];
  /** What is told of those that may be replayed, in parts that are written one after the other. */
  readonly replays: readonly Promise<readonly ReplayedConcept[]>[];
  /** All of them, in the order of the changes. */
  readonly concepts: readonly StaleConcept[];
}

/**
 * Concepts that are read and written at once: the database does one part while the next is thought about. It has to be less than the rows
 * that are fetched at once (`DATABASE_FETCH_ROWS`): what is fetched later comes behind what was sent meanwhile, and sees it.
 */
const PART_CONCEPTS = 150;

/** Brings concepts up to what supports them, in the transaction that changes it: planned first, and written. */
export class ConceptReviser {
  private readonly bounds: ConceptBounds;
  private readonly partConcepts: number;

  /** @param partConcepts concepts of a part at most; less than the rows that are fetched at once */
  constructor(bounds: ConceptBounds = CONCEPT_BOUNDS, partConcepts = PART_CONCEPTS) {
    this.bounds = bounds;
    this.partConcepts = partConcepts;
  }

  /**
   * Finds out what becomes of the concepts of what changed claims are about, each claim once. Three round trips, the first two of which may
   * have been made `ahead`; the third, which goes in parts, is not waited for here. It writes nothing, and reads nothing that facts, beliefs
   * or episodes are written to: those may be written meanwhile.
   */
  async plan(
    transaction: Transaction,
    changes: readonly ClaimChange[],
    prefetched: ConceptPrefetch,
  ): Promise<ConceptPlan> {
    const { supports, concepts, heads: asked } = await prefetched.of(changes);
    const byConcept = supportsByConcept(supports);
    const heads = await asked;
    const places = new Map(changes.map(({ place }) => [place.scope_ref, place]));
    const isUnchanged = ({ concept_id, since }: StaleConcept): boolean =>
      isUnchangedSince(heads.get(concept_id), since);
    const loader = new ConceptLoader(transaction);
    const inParts = (those: readonly StaleConcept[], load: Load): Promise<ReplayedConcept[]>[] =>
      partsOf(those, this.partConcepts).map((part) =>
        this.replayed(part, { places, changes: byConcept }, load),
      );
    const replays = [
      ...inParts(concepts.filter(isUnchanged), (part, most) => loader.loadUnchanged(part, heads, most)),
      ...inParts(
        concepts.filter((one) => !isUnchanged(one)),
        (part, most) => loader.load(part, most),
      ),
    ];
    void Promise.allSettled(replays);
    return { supports, replays, concepts };
  }

  /**
   * Writes what was planned; the facts have to be written before. Supports are written while it is thought out how concepts are told, and
   * one part while the next is. Answers which concepts have other versions than before, and what of each.
   */
  async write(transaction: Transaction, plan: ConceptPlan): Promise<ConceptTouched[]> {
    new SupportStore(transaction).write(plan.supports);
    const store = new ConceptStore(transaction);
    const touched = new Map<string, readonly ConceptTouched[]>();
    for (const asked of plan.replays) {
      const part = await asked;
      store.write(part);
      for (const one of part) if (hasNewVersions(one)) touched.set(one.concept.concept_id, touchedOf(one));
    }
    return plan.concepts.flatMap(({ concept_id }) => touched.get(concept_id) ?? []);
  }

  /** Tells concepts from an instant on, each once, where no support changes; answers those that have other versions since. */
  async tell(
    transaction: Transaction,
    concepts: readonly StaleConcept[],
    places: ReadonlyMap<string, ScopeKey>,
  ): Promise<ReplayedConcept[]> {
    const loader = new ConceptLoader(transaction);
    const replays = await this.replayed(concepts, { places, changes: new Map() }, (those, most) =>
      loader.load(those, most),
    );
    new ConceptStore(transaction).write(replays);
    return replays.filter(hasNewVersions);
  }

  /** Concepts as they are told from an instant on, with what becomes of the supports of each. */
  private async replayed(
    concepts: readonly StaleConcept[],
    { places, changes }: ReplaySources,
    load: Load,
  ): Promise<ReplayedConcept[]> {
    const { facts } = this.bounds;
    // All concepts are read with the largest number of them.
    const deleted = concepts.map(({ concept_id, since }) =>
      leaving(since, changes.get(concept_id) ?? NO_CHANGE),
    );
    const loaded = await load(concepts, facts + deleted.reduce((a, b) => Math.max(a, b), 0));
    return concepts.map((concept): ReplayedConcept => {
      const found = loaded.get(concept.concept_id);
      if (found === undefined) throw new Error('a concept was asked for and not answered');
      const change = changes.get(concept.concept_id) ?? NO_CHANGE;
      const telling = replayInputAfter(found, change, facts);
      const replay = replayedConcept(telling, this.bounds);
      const place = places.get(concept.scope_ref) ?? null;
      const { last, stored } = found;
      return {
        ...{ concept, place, last, ...replay, supports: supportCount(telling), stored },
        others: othersIn(found, change),
      };
    });
  }
}

/** Asks at once for what concepts are told from; of supports that stay the newest, `most` of each. */
type Load = (
  concepts: readonly StaleConcept[],
  most: number,
) => Promise<ReadonlyMap<string, StoredReplayInput>>;

/** What concepts are told by, besides what is stored of them. */
interface ReplaySources {
  /** Where what changed lies, by reference of its scope. */
  readonly places: ReadonlyMap<string, ScopeKey>;
  /** What becomes of the supports of each concept. */
  readonly changes: ReadonlyMap<string, SupportChange>;
}

const NO_CHANGE: SupportChange = { opened: [], moved: [], removed: [] };

/** Concepts in parts of so many at most, about as many in each. */
function partsOf(concepts: readonly StaleConcept[], most: number): readonly (readonly StaleConcept[])[] {
  const parts = Math.ceil(concepts.length / most);
  const size = Math.ceil(concepts.length / parts);
  return Array.from({ length: parts }, (_, part) => concepts.slice(part * size, (part + 1) * size));
}

/** The other concepts that the stored versions of one may name: what these cite is among what was found. */
function othersIn({ newest, changing }: StoredReplayInput, { removed }: SupportChange): string[] {
  return [...newest, ...changing, ...removed].flatMap(({ other_id }) => other_id ?? []);
}

function touchedOf({ concept: { concept_id: id }, versions }: ReplayedConcept): ConceptTouched[] {
  if (versions.length === 0) return [{ id, caused_by: null }];
  return versions.map(({ caused_by }) => ({ id, caused_by }));
}

/** What becomes of the supports of each concept. */
function supportsByConcept(changes: readonly SupportChange[]): Map<string, SupportChange> {
  const found = new Map<string, Record<keyof SupportChange, SupportRow[]>>();
  for (const change of changes)
    for (const kind of ['opened', 'moved', 'removed'] as const)
      for (const row of change[kind]) {
        const one = found.get(row.concept_id) ?? { opened: [], moved: [], removed: [] };
        found.set(row.concept_id, one);
        one[kind].push(row);
      }
  return found;
}
