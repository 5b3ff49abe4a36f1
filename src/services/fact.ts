import type { ClaimReader } from '../../graph/fact-claim.ts';
import type { FactReader } from '../../graph/fact.ts';
import type { FactWalker } from '../../graph/fact-walk.ts';
import type { EntityReader } from '../../graph/entity.ts';
import {
  factGetQuery,
  factListQuery,
  type FactItem,
  type FactPage,
  type FactTimeline,
} from '../../schemas/fact.ts';
import type { Clock } from '../clock.ts';
import { toFactItem, type StoredFact } from '../derive/fact-item.ts';
import type { PredicateNames } from '../derive/predicate-names.ts';
import { StrataError } from '../errors.ts';
import { KNOWN_NOW, namedInstants } from '../time/as-of.ts';
import type { AccessService, Call } from './access.ts';
import type { EntityLookup } from './entity-lookup.ts';
import { FactListing } from './fact-listing.ts';
import { FactTimelineReading } from './fact-timeline.ts';
import { WholeFacts } from './fact-whole.ts';
import { parseQuery } from './query-input.ts';
import { writePlaceCursor } from './record-page.ts';
import type { SelectionService } from './scope-selection.ts';

/** What the service needs. */
export interface FactParts {
  readonly access: AccessService;
  readonly selection: SelectionService;
  readonly lookup: EntityLookup;
  readonly reader: FactReader;
  readonly walker: FactWalker;
  readonly claims: ClaimReader;
  readonly entities: EntityReader;
  readonly predicates: PredicateNames;
  readonly clock: Clock;
}

/** Tells what is true, was true, and was known to be. */
export class FactService {
  private readonly parts: FactParts;
  private readonly whole: WholeFacts;
  private readonly listing: FactListing;
  private readonly timelines: FactTimelineReading;
  /** Where facts of pages stand, as long as somebody holds them. */
  private readonly positions = new WeakMap<FactItem, number>();

  constructor(parts: FactParts) {
    this.parts = parts;
    this.whole = new WholeFacts(parts.reader);
    this.listing = new FactListing({ ...parts, facts: this.whole });
    this.timelines = new FactTimelineReading({ ...parts, facts: this.whole });
  }

  /**
   * A page of facts, newest first: what is true at the instants of the query. Sparse filters may end a page early: `has_more` and
   * `next_cursor` then go on. Throws `INVALID_QUERY`, `POLICY_DENIED`.
   */
  async list(call: Call, query: unknown): Promise<FactPage> {
    const parsed = parseQuery(factListQuery, query);
    namedInstants(parsed);
    const selection = await this.parts.selection.select(call, parsed.scope, parsed.view);
    if (parsed.view === 'raw') return { items: [], has_more: false };
    const { page, positions } = await this.listing.page(call, selection, parsed, this.parts.clock.now());
    for (const [item, position] of positions) this.positions.set(item, position);
    return page;
  }

  /** The cursor that continues a listing, of whatever scopes, behind a fact of a page. */
  cursorOf(fact: FactItem): string {
    const position = this.positions.get(fact);
    if (position === undefined) throw new Error('a fact of no page');
    return writePlaceCursor({ position, id: fact.id });
  }

  /** One fact, or the one that a statement joined. Throws `NOT_FOUND`, `INVALID_QUERY`. */
  async get(call: Call, id: string, query: unknown): Promise<FactItem> {
    const [fact] = await this.getMany(call, [id], query);
    if (fact) return fact;
    throw new StrataError('NOT_FOUND', 'fact not found');
  }

  /**
   * Facts by id in the order of the ids, null where there is none that the caller may read, or none at the instants of the query.
   * One round trip, and one more for large ones. Throws `INVALID_QUERY`.
   */
  async getMany(call: Call, ids: readonly string[], query: unknown): Promise<(FactItem | null)[]> {
    const { valid, recorded } = instantsOf(query);
    const found = await this.parts.reader.byIds(ids, ownerOf(call), { valid, recorded });
    const items = await this.readable(call, [...found.values()]);
    return ids.map((id) => items.get(found.get(id)?.id ?? '') ?? null);
  }

  /** What each of the facts superseded, as known at the recorded instant of the query. Throws `INVALID_QUERY`. */
  async superseded(call: Call, ids: readonly string[], query: unknown): Promise<FactItem[][]> {
    const { recorded } = instantsOf(query);
    return this.inGroups(call, ids, await this.parts.reader.supersededBy(ids, ownerOf(call), recorded));
  }

  /** A page of a timeline. Throws `INVALID_QUERY`, `POLICY_DENIED`. */
  timeline(call: Call, query: unknown): Promise<FactTimeline> {
    return this.timelines.page(call, query);
  }

  private async inGroups(
    call: Call,
    ids: readonly string[],
    found: ReadonlyMap<string, readonly StoredFact[]>,
  ): Promise<FactItem[][]> {
    const items = await this.readable(call, [...found.values()].flat());
    return ids.map((id) =>
      [...(found.get(id) ?? [])]
        .sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
        .flatMap((fact) => items.get(fact.id) ?? []),
    );
  }

  /** Those of the facts that the caller may read, by id. */
  private async readable(call: Call, found: readonly StoredFact[]): Promise<Map<string, FactItem>> {
    const places = found.map(({ tenant, scope: path }) => ({ tenant, path }));
    const mayRead = await this.parts.access.readableNow(call, places);
    const readable = found.filter(({ tenant, scope: path }) => mayRead({ tenant, path }));
    const whole = await this.whole.whole(readable);
    return new Map(whole.map((fact) => [fact.id, toFactItem(fact)]));
  }
}

/** Reads by id look into every tenant for the operator. */
function ownerOf({ principal }: Call): string | null {
  return principal.crossTenantById ? null : principal.tenant;
}

function instantsOf(query: unknown): { valid: number | null; recorded: number } {
  const { valid, recorded } = namedInstants(parseQuery(factGetQuery, query));
  return { valid, recorded: recorded ?? KNOWN_NOW };
}
