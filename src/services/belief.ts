import type { BeliefReader } from '../../graph/belief/read.ts';
import {
  beliefGetQuery,
  beliefHistoryQuery,
  beliefListQuery,
  beliefWhyQuery,
  declareBeliefBody,
  type BeliefHistory,
  type BeliefItem,
  type BeliefPage,
  type BeliefWhy,
} from '../../schemas/belief.ts';
import { OPEN_END } from '../../schemas/time.ts';
import type { Clock } from '../clock.ts';
import {
  opinionBytes,
  toBeliefItem,
  toBeliefVersion,
  type StoredOpinion,
  type WholeBelief,
} from '../derive/belief/item.ts';
import { toDeclaredBelief } from '../derive/belief/declared.ts';
import type { KeyedIds } from '../derive/keyed-ids.ts';
import { StrataError } from '../errors.ts';
import { namedInstants, readingAt, readingInstants, type NamedInstants } from '../time/as-of.ts';
import type { Instants } from '../time/bitemporal-range.ts';
import { parseInput } from '../validation.ts';
import type { Call } from './access.ts';
import type { Feedback } from './feedback.ts';
import { BeliefListing, type BeliefListingParts } from './belief-listing.ts';
import { whyBeliefs } from './belief-why.ts';
import type { ProvenanceWalk } from './provenance-walk.ts';
import { parseQuery } from './query-input.ts';
import type { RecordGate } from './record-gate.ts';
import { PageCursors, recordPage, type RecordWalk } from './record-page.ts';
import type { SelectionService } from './scope-selection.ts';

/** What the service needs. */
export interface BeliefParts extends BeliefListingParts {
  readonly gate: RecordGate;
  readonly selection: SelectionService;
  readonly reader: BeliefReader;
  readonly walk: ProvenanceWalk;
  readonly feedback: Pick<Feedback, 'give'>;
  readonly keyedIds: KeyedIds;
  readonly clock: Clock;
}

const beliefWhyManyQuery = beliefWhyQuery.omit({ belief_id: true });

/** Status of a declaration in the audit log: the one that the operation answers with. */
const DECLARED_STATUS = 201;

/** Tells what is believed, was believed, and why. */
export class BeliefService {
  private readonly parts: BeliefParts;
  private readonly listing: BeliefListing;
  private readonly places = new PageCursors<BeliefItem>('beliefs');

  constructor(parts: BeliefParts) {
    this.parts = parts;
    this.listing = new BeliefListing(parts);
  }

  /**
   * A page of beliefs, newest first: what is believed at the instants of the query. Sparse filters may end a page early: `has_more`
   * and `next_cursor` then go on. Throws `INVALID_QUERY`, `POLICY_DENIED`.
   */
  async list(call: Call, query: unknown): Promise<BeliefPage> {
    const parsed = parseQuery(beliefListQuery, query);
    namedInstants(parsed);
    const { view, selection } = await this.parts.selection.choose(call, parsed.scope, parsed.view);
    if (view === 'raw') return { items: [], has_more: false };
    const { page, positions } = await this.listing.page(call, selection, parsed, this.parts.clock.now());
    this.places.note(positions);
    return page;
  }

  /**
   * Declares a belief; resolves when it is derived. Throws `INVALID_BODY`, `UNREGISTERED_SCOPE_TYPE`, `POLICY_DENIED`, `NOT_A_MEMBER`,
   * `DESTRUCTIVE_OPERATION_IN_PROGRESS`, `SERVER_BUSY`, `DATABASE_UNAVAILABLE`, `WAIT_TIMEOUT`, `INDEXING_FAILED`.
   */
  async declare(call: Call, body: unknown): Promise<BeliefItem> {
    const { scope, ...said } = parseInput(declareBeliefBody, body, 'INVALID_BODY');
    const content = {
      kind: 'declared_belief' as const,
      declared_belief: toDeclaredBelief({ scope, ...said }),
    };
    const event = await this.parts.feedback.give(call, { scope, content }, DECLARED_STATUS);
    const [stated] = await this.parts.reader.statedBy(event);
    const id =
      stated === undefined ? '' : this.parts.keyedIds.belief(stated.scope_ref, stated.claim, stated.value);
    // Whoever declares it is told what became of it, whether or not he may read there.
    const at = { ...readingInstants({}, this.parts.clock.now()), ahead: true };
    const found = await this.parts.reader.byIds([id], call.principal.tenant, at);
    const [belief] = await this.parts.beliefs.whole([...found.values()]);
    if (belief === undefined) throw new StrataError('NOT_FOUND', 'belief not found: its event was taken out');
    return toBeliefItem(belief);
  }

  /** The cursor that continues a listing, of whatever scopes, behind a belief of a page. */
  cursorOf(belief: BeliefItem): string {
    return this.places.cursorOf(belief);
  }

  /** One belief. Throws `NOT_FOUND`, `INVALID_QUERY`. */
  async get(call: Call, id: string, query: unknown): Promise<BeliefItem> {
    const { belief } = await this.one(call, id, namedInstants(parseQuery(beliefGetQuery, query)));
    return toBeliefItem(belief);
  }

  /**
   * Beliefs by id in the order of the ids, null where there is none that the caller may read, or none at the instants of the query. One
   * round trip, and one more for large ones. Throws `INVALID_QUERY`.
   */
  async getMany(call: Call, ids: readonly string[], query: unknown): Promise<(BeliefItem | null)[]> {
    return this.readMany(call, ids, namedInstants(parseQuery(beliefGetQuery, query)));
  }

  /** The same for who has the instants. */
  async readMany(
    call: Call,
    ids: readonly string[],
    instants: NamedInstants,
  ): Promise<(BeliefItem | null)[]> {
    const { beliefs } = await this.many(call, ids, instants);
    return ids.map((id) => {
      const belief = beliefs.get(id);
      return belief === undefined ? null : toBeliefItem(belief);
    });
  }

  /** A page of the revisions of a belief, oldest first. Throws `NOT_FOUND`, `INVALID_QUERY`. */
  async history(call: Call, query: unknown): Promise<BeliefHistory> {
    const parsed = parseQuery(beliefHistoryQuery, query);
    const { belief, at } = await this.one(call, parsed.belief_id, namedInstants(parsed));
    const { records, next } = await recordPage(this.revisions(belief.id, at), {
      ...parsed,
      listing: 'revisions',
    });
    const versions = records.map(({ opinion }) => toBeliefVersion(opinion));
    return {
      current: toBeliefItem(belief),
      versions,
      items: versions,
      revision_count: belief.last.revision,
      has_more: next !== null,
      ...(next === null ? {} : { next_cursor: next }),
    };
  }

  /** What a belief rests on. Throws `NOT_FOUND`, `INVALID_QUERY`. */
  async why(call: Call, query: unknown): Promise<BeliefWhy> {
    const { depth, belief_id: id, ...instants } = parseQuery(beliefWhyQuery, query);
    const { belief, at } = await this.one(call, id, namedInstants(instants));
    const [why] = await whyBeliefs(this.parts.walk, call, [belief], { ...at, depth });
    if (why) return why;
    throw new Error('a belief without its reasons');
  }

  /**
   * What each of some beliefs rests on, in the order of the ids, null where there is none that the caller may read, or none at the instants
   * of the query. They share their round trips. Throws `INVALID_QUERY`.
   */
  async whyMany(call: Call, ids: readonly string[], query: unknown): Promise<(BeliefWhy | null)[]> {
    const { depth, ...instants } = parseQuery(beliefWhyManyQuery, query);
    const { beliefs, at } = await this.many(call, ids, namedInstants(instants));
    const whys = await whyBeliefs(this.parts.walk, call, [...beliefs.values()], { ...at, depth });
    const byId = new Map(whys.map((why) => [why.belief.id, why]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  private async one(
    call: Call,
    id: string,
    instants: NamedInstants,
  ): Promise<{ belief: WholeBelief; at: Instants }> {
    const { beliefs, at } = await this.many(call, [id], instants);
    const belief = beliefs.get(id);
    if (belief) return { belief, at };
    throw new StrataError('NOT_FOUND', 'belief not found');
  }

  private async many(
    call: Call,
    ids: readonly string[],
    instants: NamedInstants,
  ): Promise<{ beliefs: ReadonlyMap<string, WholeBelief>; at: Instants }> {
    const ahead = instants.valid === null;
    const at = readingAt(instants, this.parts.clock.now());
    const { gate, reader } = this.parts;
    const readable = await gate.read(call, { kind: 'belief', ids }, async (admitted, tenant) =>
      (await reader.byIds(admitted, tenant, { ...at, ahead })).values(),
    );
    const whole = await this.parts.beliefs.whole(readable);
    return { beliefs: new Map(whole.map((belief) => [belief.id, belief])), at };
  }

  /** Positions fall as revisions come later, as pages want it. */
  private revisions(id: string, at: Instants): RecordWalk<{ opinion: StoredOpinion; bytes: number }> {
    return async (position, scan) => {
      const after = position > OPEN_END ? 0 : OPEN_END - position;
      const walked = await this.parts.reader.revisions(id, at, { after, scan });
      return walked.map(({ key, revised_at, opinion }) => ({
        position: OPEN_END - revised_at,
        id: key,
        record: opinion === null ? null : { opinion, bytes: opinionBytes(opinion) },
      }));
    };
  }
}
