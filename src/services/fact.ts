import type { ClaimReader } from '../../graph/fact/claim.ts';
import type { FactReader } from '../../graph/fact/read.ts';
import type { FactWalker } from '../../graph/fact/walk.ts';
import {
  factGetQuery,
  factListQuery,
  type FactItem,
  type FactPage,
  type FactTimeline,
  factWhyQuery,
  type FactWhy,
} from '../../schemas/fact.ts';
import type { Clock } from '../clock.ts';
import { toFactItem } from '../derive/fact-item.ts';
import { nodeOfFact } from '../derive/provenance.ts';
import { factNarrative } from '../derive/why.ts';
import { StrataError } from '../errors.ts';
import { knownAt, namedInstants, readingInstants, type NamedInstants } from '../time/as-of.ts';
import type { Call } from './access.ts';
import type { EntityLookup } from './entity-lookup.ts';
import { FactListing } from './fact-listing.ts';
import type { NamedEntities } from './named-entities.ts';
import { FactTimelineReading } from './fact-timeline.ts';
import { FactHydrator } from './fact-hydrator.ts';
import type { PredicateSpellings } from './predicate-spellings.ts';
import type { ProvenanceWalk } from './provenance-walk.ts';
import { parseQuery } from './query-input.ts';
import type { RecordGate } from './record-gate.ts';
import { PageCursors } from './record-page.ts';
import type { SelectionService } from './scope-selection.ts';

/** What the service needs. */
export interface FactParts {
  readonly gate: RecordGate;
  readonly selection: SelectionService;
  readonly lookup: EntityLookup;
  readonly reader: FactReader;
  readonly walker: FactWalker;
  readonly claims: ClaimReader;
  readonly named: NamedEntities;
  readonly predicates: PredicateSpellings;
  readonly walk: ProvenanceWalk;
  readonly clock: Clock;
}

/** Tells what is true, was true, and was known to be. */
export class FactService {
  private readonly parts: FactParts;
  private readonly whole: FactHydrator;
  private readonly listing: FactListing;
  private readonly timelines: FactTimelineReading;
  private readonly places = new PageCursors<FactItem>('facts');

  constructor(parts: FactParts) {
    this.parts = parts;
    this.whole = new FactHydrator(parts.reader);
    this.listing = new FactListing({ ...parts, facts: this.whole });
    this.timelines = new FactTimelineReading({ ...parts, facts: this.whole });
  }

  /**
   * A page of facts, newest first: what is true at the instants of the query. Sparse filters may end a page early: `has_more` and
   * `next_cursor` then go on. Throws `INVALID_QUERY`, `POLICY_DENIED`.
   */
  async list(call: Call, query: unknown): Promise<FactPage> {
    const parsed = parseQuery(factListQuery, query);
    const at = readingInstants(parsed, this.parts.clock.now());
    const { view, selection } = await this.parts.selection.choose(call, parsed.scope, parsed.view);
    if (view === 'raw') return { items: [], has_more: false };
    const { page, positions } = await this.listing.page(call, selection, parsed, at);
    this.places.note(positions);
    return page;
  }

  /** The cursor that continues a listing, of whatever scopes, behind a fact of a page. */
  cursorOf(fact: FactItem): string {
    return this.places.cursorOf(fact);
  }

  /** One fact, or the one that a statement joined. Throws `NOT_FOUND`, `INVALID_QUERY`. */
  async get(call: Call, id: string, query: unknown): Promise<FactItem> {
    const [fact] = await this.getMany(call, [id], query);
    if (fact) return fact;
    throw new StrataError('NOT_FOUND', 'fact not found');
  }

  /**
   * Facts by id in the order of the ids, null where there is none that the caller may read, or none at the instants of the query.
   * Of a fact that others interrupted, the interval at the valid instant is shown (default: now). One round trip, and one more for large
   * ones. Throws `INVALID_QUERY`.
   */
  async getMany(call: Call, ids: readonly string[], query: unknown): Promise<(FactItem | null)[]> {
    return this.readMany(call, ids, namedInstants(parseQuery(factGetQuery, query)));
  }

  /** The same for who has the instants. `shown`: of which valid instant the interval is shown, epoch milliseconds. */
  async readMany(
    call: Call,
    ids: readonly string[],
    instants: NamedInstants,
    shown: number = instants.valid ?? this.parts.clock.now(),
  ): Promise<(FactItem | null)[]> {
    const at = { ...knownAt(instants), shown };
    const { gate, reader } = this.parts;
    const factOf = new Map<string, string>();
    const readable = await gate.read(call, { kind: 'fact', ids }, async (admitted, tenant) => {
      const found = await reader.byIds(admitted, tenant, at);
      for (const [asked, fact] of found) factOf.set(asked, fact.id);
      return found.values();
    });
    const items = new Map((await this.whole.hydrate(readable)).map((fact) => [fact.id, toFactItem(fact)]));
    return ids.map((id) => items.get(factOf.get(id) ?? '') ?? null);
  }

  /** What a fact rests on. Throws `NOT_FOUND`, `INVALID_QUERY`. */
  async why(call: Call, id: string, query: unknown): Promise<FactWhy> {
    const [why] = await this.whyMany(call, [id], query);
    if (why) return why;
    throw new StrataError('NOT_FOUND', 'fact not found');
  }

  /**
   * What each of some facts rests on, in the order of the ids, null where there is none that the caller may read, or none at the instants of
   * the query. They share their round trips. Throws `INVALID_QUERY`.
   */
  async whyMany(call: Call, ids: readonly string[], query: unknown): Promise<(FactWhy | null)[]> {
    const { depth, ...instants } = parseQuery(factWhyQuery, query);
    const named = namedInstants(instants);
    const items = await this.readMany(call, ids, named);
    const facts = [...new Map(items.flatMap((fact) => (fact === null ? [] : [[fact.id, fact]]))).values()];
    const at = { ...knownAt(named), now: this.parts.clock.now() };
    const reach = { depth, ...at, direction: 'down', relation: 'derivation' } as const;
    const graphs = await this.parts.walk.graphs(call, facts.map(nodeOfFact), reach);
    const byId = new Map(facts.map(({ id }, i) => [id, graphs[i]]));
    return items.map((fact) => {
      const graph = fact === null ? undefined : byId.get(fact.id);
      if (fact === null || graph === undefined) return null;
      return { fact, support_graph: graph, narrative: factNarrative(fact, graph), narrative_model: null };
    });
  }

  /** A page of a timeline. Throws `INVALID_QUERY`, `POLICY_DENIED`. */
  timeline(call: Call, query: unknown): Promise<FactTimeline> {
    return this.timelines.page(call, query);
  }
}
