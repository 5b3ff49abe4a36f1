import type { ConceptReader } from '../../graph/concept/read.ts';
import { entityKey, type EntityLinkReader } from '../../graph/entity/link.ts';
import {
  conceptCoverageQuery,
  conceptGetQuery,
  conceptHistoryQuery,
  conceptListQuery,
  conceptRelatedQuery,
  type ConceptCoverage,
  type ConceptHistory,
  type ConceptItem,
  type ConceptPage,
  type RelatedConcepts,
  type SynthesizeResponse,
} from '../../schemas/concept.ts';
import type { AsOfQuery } from '../../schemas/as-of.ts';
import { recordQuery } from '../../schemas/record.ts';
import { OPEN_END } from '../../schemas/time.ts';
import { NO_SCOPE, scopeRef } from '../capture/scope-key.ts';
import {
  conceptBytes,
  kinship,
  share,
  toConceptItem,
  type Kinship,
  type StoredConcept,
} from '../derive/concept/item.ts';
import { EntityLinks } from '../derive/entity-links.ts';
import { StrataError } from '../errors.ts';
import { MAX_SCANNED_ROWS } from '../limits.ts';
import { KNOWN_NOW, namedInstants, type NamedInstants } from '../time/as-of.ts';
import type { Call } from './access.ts';
import type { RecordGate } from './record-gate.ts';
import { ConceptListing, type ConceptListingParts, type PagedConcept } from './concept-listing.ts';
import { ConceptSynthesis, type ConceptSynthesisParts } from './concept-synthesis.ts';
import { RelatedReading } from './concept-related.ts';
import { parseQuery } from './query-input.ts';
import { PageCursors, recordPage, type RecordWalk } from './record-page.ts';
import type { SelectionService } from './scope-selection.ts';

/** What the service needs. */
export interface ConceptParts extends ConceptListingParts, ConceptSynthesisParts {
  readonly gate: RecordGate;
  readonly selection: SelectionService;
  readonly reader: ConceptReader;
  readonly links: EntityLinkReader;
}

/** The instant of a reading, and the one that age is told from. */
interface At {
  readonly recorded: number;
  readonly now: number;
}

/** Tells what is understood of what. */
export class ConceptService {
  private readonly parts: ConceptParts;
  private readonly listing: ConceptListing;
  private readonly walks: RelatedReading;
  private readonly syntheses: ConceptSynthesis;
  private readonly places = new PageCursors<ConceptItem>('concepts');

  constructor(parts: ConceptParts) {
    this.parts = parts;
    this.listing = new ConceptListing(parts);
    this.walks = new RelatedReading(parts.reader);
    this.syntheses = new ConceptSynthesis(parts);
  }

  /** A page of concepts, newest first. Throws `INVALID_QUERY`, `POLICY_DENIED`. */
  async list(call: Call, query: unknown): Promise<ConceptPage> {
    const parsed = parseQuery(conceptListQuery, query);
    const { recorded, now } = this.instants(parsed);
    await this.parts.access.sees(call, 'understanding.read', parsed.scope);
    const { view, selection } = await this.parts.selection.choose(call, parsed.scope, parsed.view);
    if (view === 'raw') return { items: [], has_more: false };
    const { records, next, ...ambiguity } = await this.listing.page(call, selection, parsed, recorded);
    const kin = await this.kinOf(records);
    const placed = records.map(
      (concept) => [toConceptItem(concept, now, kin(concept, recorded)), concept.position] as const,
    );
    this.places.note(placed);
    const items = placed.map(([item]) => item);
    return {
      items,
      has_more: next !== null,
      ...(next === null ? {} : { next_cursor: next }),
      ...ambiguity,
      ...(selection.withheld === 0 ? {} : { withheld_scopes: selection.withheld }),
    };
  }

  /** The cursor that continues a listing, of whatever scopes, behind a concept of a page. */
  cursorOf(concept: ConceptItem): string {
    return this.places.cursorOf(concept);
  }

  /** One concept. Throws `NOT_FOUND`, `INVALID_QUERY`. */
  async get(call: Call, id: string, query: unknown): Promise<ConceptItem> {
    const at = this.instants(parseQuery(conceptGetQuery, query));
    const concept = await this.one(call, id, at);
    const kin = await this.kinOf([concept]);
    return toConceptItem(concept, at.now, kin(concept, at.recorded));
  }

  /**
   * Concepts by id in the order of the ids, null where there is none that the caller may read, or none at the instants of the query. One
   * round trip, two where rosters bind the caller. Throws `INVALID_QUERY`.
   */
  async getMany(call: Call, ids: readonly string[], query: unknown): Promise<(ConceptItem | null)[]> {
    return this.readMany(call, ids, namedInstants(parseQuery(recordQuery, query)));
  }

  /** The same for who has the recorded instant, epoch milliseconds; null for what is understood now. */
  async readMany(
    call: Call,
    ids: readonly string[],
    named: Pick<NamedInstants, 'recorded'>,
  ): Promise<(ConceptItem | null)[]> {
    const at = this.at(named);
    const found = new Map((await this.many(call, ids, at)).map((concept) => [concept.id, concept]));
    const kin = await this.kinOf([...found.values()]);
    return ids.map((id) => {
      const concept = found.get(id);
      return concept === undefined ? null : toConceptItem(concept, at.now, kin(concept, at.recorded));
    });
  }

  /** A page of the versions of a concept, oldest first. Throws `NOT_FOUND`, `INVALID_QUERY`. */
  async history(call: Call, id: string, query: unknown): Promise<ConceptHistory> {
    const parsed = parseQuery(conceptHistoryQuery, query);
    const at = this.instants(parsed);
    const current = await this.one(call, id, at);
    const { records, next } = await recordPage(this.versions(id, at.recorded), {
      ...parsed,
      listing: 'versions',
    });
    const kin = await this.kinOf([current]);
    const versions = records.map((concept) =>
      toConceptItem(concept, at.now, kin(concept, concept.version.recorded_from)),
    );
    return {
      current: toConceptItem(current, at.now, kin(current, at.recorded)),
      versions,
      items: versions,
      has_more: next !== null,
      ...(next === null ? {} : { next_cursor: next }),
    };
  }

  /** What a concept has to do with others. Throws `NOT_FOUND`, `INVALID_QUERY`. */
  async related(call: Call, id: string, query: unknown): Promise<RelatedConcepts> {
    const parsed = parseQuery(conceptRelatedQuery, query);
    const at = this.instants(parsed);
    const concept = await this.one(call, id, at);
    const page = await this.walks.page(concept, at.recorded, parsed);
    const kin = await this.kinOf([concept]);
    return { concept: toConceptItem(concept, at.now, kin(concept, at.recorded)), ...page };
  }

  /** What links make of concepts; one round trip where the entity of one was ever linked. */
  private async kinOf(
    concepts: readonly StoredConcept[],
  ): Promise<(concept: StoredConcept, recorded: number) => Kinship> {
    const keys = concepts.flatMap(({ linked, scope_ref, entity_id }) =>
      linked ? [entityKey(scope_ref, entity_id)] : [],
    );
    const { keyedIds } = this.parts;
    const links = new EntityLinks(await this.parts.links.ofKeys(keys));
    return (concept, recorded) => (concept.linked ? kinship(concept, links, recorded, keyedIds) : {});
  }

  /** How well a scope is understood. Throws `INVALID_QUERY`, `POLICY_DENIED`. */
  async coverage(call: Call, query: unknown): Promise<ConceptCoverage> {
    const { scope } = parseQuery(conceptCoverageQuery, query);
    const seen = await this.parts.access.sees(call, 'understanding.read', scope);
    const ref = seen ? scopeRef(call.principal.tenant, scope) : NO_SCOPE;
    const { concepts, partial, supports, cited } = await this.parts.reader.coverage(ref);
    return {
      scope,
      concepts,
      partial,
      supports,
      supports_cited: cited,
      coverage_score: share(cited, supports),
      ...(concepts === MAX_SCANNED_ROWS ? { _partial: true } : {}),
    };
  }

  /** Has concepts brought up to date. Throws `INVALID_BODY`, `POLICY_DENIED`, `NOT_A_MEMBER`, `NOT_FOUND`. */
  synthesize(call: Call, body: unknown): Promise<SynthesizeResponse> {
    return this.syntheses.ask(call, body);
  }

  private instants(query: AsOfQuery): At {
    return this.at(namedInstants(query));
  }

  private at({ recorded }: Pick<NamedInstants, 'recorded'>): At {
    return { recorded: recorded ?? KNOWN_NOW, now: recorded ?? this.parts.clock.now() };
  }

  private async one(call: Call, id: string, at: At): Promise<StoredConcept> {
    const [concept] = await this.many(call, [id], at);
    if (concept) return concept;
    throw new StrataError('NOT_FOUND', 'concept not found');
  }

  private async many(call: Call, ids: readonly string[], { recorded }: At): Promise<StoredConcept[]> {
    const { gate, reader } = this.parts;
    const question = { kind: 'concept', ids, capability: 'understanding.read' } as const;
    return gate.read(call, question, async (admitted, tenant) =>
      (await reader.byIds(admitted, tenant, recorded)).values(),
    );
  }

  /** Positions fall as versions come later, as pages want it. */
  private versions(id: string, recorded: number): RecordWalk<PagedConcept> {
    return async (position, scan) => {
      const after = position > OPEN_END ? 0 : OPEN_END - position;
      const walked = await this.parts.reader.versions(id, { after, recorded, scan });
      return walked.map((concept) => ({
        position: OPEN_END - concept.version.recorded_from,
        id: concept.id,
        record: { ...concept, bytes: conceptBytes(concept) },
      }));
    };
  }
}
