import { ConceptLoader } from '../../graph/concept/load.ts';
import { SupportStore, type WantedSupports } from '../../graph/concept/support.ts';
import type { Transaction } from '../../graph/driver.ts';
import { FIRST_INSTANT } from '../../schemas/time.ts';
import { hasChanged, type ClaimChange } from '../derive/claim/change.ts';
import {
  staleConcepts,
  supportChange,
  supportKey,
  supportsNeeded,
  type StaleConcept,
  type SupportChange,
  type SupportRow,
} from '../derive/concept/support.ts';
import type { KeyedIds } from '../derive/keyed-ids.ts';
import type { LatestVersion } from '../derive/concept/evolve.ts';
import { seenBy } from '../derive/claim/max-layer.ts';
import { Prefetch } from './prefetch.ts';

/** What changes of claims come to for concepts, as far as it can be known from what is stored of these. */
export interface ConceptOutlook {
  readonly supports: readonly SupportChange[];
  /** The concepts that may have to be replayed, each once, from the earliest of its instants on. */
  readonly concepts: readonly StaleConcept[];
  /** How they were told last: asked for, but not waited for. */
  readonly heads: Promise<ReadonlyMap<string, LatestVersion>>;
}

/**
 * Looks at the concepts that changes of claims concern, before facts, beliefs and episodes are written: the database writes those while
 * concepts are thought about. Nothing is read here that any of them is written to.
 */
export class ConceptPrefetch {
  private readonly transaction: Transaction;
  private readonly ids: KeyedIds;
  private readonly found: Prefetch<readonly SupportRow[]>;
  /** What was found of claims so far, by claim and key: nothing of it is written to before concepts are, but it goes with its fact. */
  private readonly known = new Map<string, Map<string, SupportRow>>();
  private prefetched: {
    readonly changed: readonly ClaimChange[];
    readonly outlook: Promise<ConceptOutlook>;
  } | null = null;

  constructor(transaction: Transaction, ids: KeyedIds) {
    this.transaction = transaction;
    this.ids = ids;
    this.found = new Prefetch((changes) => this.supports(changes));
  }

  /** Reads all supports of claims of which facts are erased next, with the edges that are the supports. */
  async keep(claims: readonly string[]): Promise<void> {
    await this.read(claims.map((claim) => ({ claim, since: FIRST_INSTANT })));
  }

  /**
   * Looks ahead at what these changes concern. Resolves when everything is asked for, so that what is sent from then on comes behind it; a
   * failure shows where the outlook is waited for.
   */
  async ask(changes: readonly ClaimChange[]): Promise<void> {
    const changed = changes.filter(hasChanged);
    if (changed.length === 0) return;
    const outlook = this.outlook(changed);
    this.prefetched = { changed, outlook };
    await Promise.allSettled([outlook]);
  }

  /** What the changes come to, each claim once; what was not asked for as a whole is looked at now. */
  of(changes: readonly ClaimChange[]): Promise<ConceptOutlook> {
    const changed = changes.filter(hasChanged);
    const { prefetched } = this;
    const known =
      prefetched?.changed.length === changed.length &&
      changed.every((one, i) => one === prefetched.changed[i]);
    return known ? prefetched.outlook : this.outlook(changed);
  }

  private async supports(
    changes: readonly ClaimChange[],
  ): Promise<ReadonlyMap<string, readonly SupportRow[]>> {
    const wanted = changes.map((change) => ({ claim: change.claim, since: supportsNeeded(change) }));
    await this.read(wanted);
    return new Map(
      wanted.map(({ claim, since }) => [
        claim,
        [...(this.known.get(claim)?.values() ?? [])].filter(({ recorded }) => recorded.to >= since),
      ]),
    );
  }

  private async read(wanted: readonly WantedSupports[]): Promise<void> {
    for (const [claim, rows] of await new SupportStore(this.transaction).load(wanted)) {
      const known = this.known.get(claim) ?? new Map<string, SupportRow>();
      for (const row of rows) known.set(supportKey(row), row);
      this.known.set(claim, known);
    }
  }

  private async outlook(changed: readonly ClaimChange[]): Promise<ConceptOutlook> {
    const found = await this.found.of(changed);
    const outcomes = changed.map((change) => {
      const before = found.get(change.claim) ?? [];
      const supports = supportChange(seenBy('understanding', change), before, this.ids);
      return { supports, stale: staleConcepts(supports, before) };
    });
    const concepts = earliest(outcomes.flatMap((outcome) => outcome.stale));
    const heads = new ConceptLoader(this.transaction).heads(concepts);
    void Promise.allSettled([heads]);
    return { supports: outcomes.map(({ supports }) => supports), concepts, heads };
  }
}

/** Each concept once, from the earliest of its instants on. */
function earliest(all: readonly StaleConcept[]): StaleConcept[] {
  const found = new Map<string, StaleConcept>();
  for (const one of all) {
    const other = found.get(one.concept_id);
    if (other === undefined || one.since < other.since) found.set(one.concept_id, one);
  }
  return [...found.values()];
}
