import type { FactWalker } from '../../graph/fact/walk.ts';
import {
  entityEdgesQuery,
  entityGetQuery,
  entityListQuery,
  type EntityEdgesPage,
  type EntityItem,
  type EntityLinkRecord,
  type EntityPage,
  type EntityRelation,
} from '../../schemas/entity.ts';
import { NO_SCOPE } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import { mergedEntity, toRelation } from '../derive/entity-item.ts';
import { normalisedName } from '../derive/entity.ts';
import { StrataError } from '../errors.ts';
import { KNOWN_NOW, namedInstants, readingInstants } from '../time/as-of.ts';
import type { Call } from './access.ts';
import { ambiguityOf } from './ambiguous-names.ts';
import { entityWalk, type EntityListingParts } from './entity-listing.ts';
import type { EntityLinking } from './entity-link.ts';
import { entityPlaces, type EntityLookup } from './entity-lookup.ts';
import type { FactHydrator } from './fact-hydrator.ts';
import type { NamedEntities } from './named-entities.ts';
import { parseQuery } from './query-input.ts';
import { recordPage, writeRecordCursor, type Listing, type RecordPage } from './record-page.ts';
import type { SelectionService } from './scope-selection.ts';

/** What the service needs. */
export interface EntityParts extends EntityListingParts {
  readonly selection: SelectionService;
  readonly lookup: EntityLookup;
  readonly named: NamedEntities;
  readonly walker: FactWalker;
  readonly facts: FactHydrator;
  readonly clock: Clock;
  readonly linking: EntityLinking;
}

/** Tells what facts are about. */
export class EntityService {
  private readonly parts: EntityParts;
  /** Where items of pages stand, as long as somebody holds them. */
  private readonly cursors = new WeakMap<EntityItem | EntityRelation, string>();

  constructor(parts: EntityParts) {
    this.parts = parts;
  }

  /** A page of the entities of a scope, newest first. Throws `INVALID_QUERY`, `POLICY_DENIED`. */
  async list(call: Call, query: unknown): Promise<EntityPage> {
    const parsed = parseQuery(entityListQuery, query);
    const recorded = namedInstants(parsed).recorded ?? KNOWN_NOW;
    const selection = await this.parts.selection.select(call, parsed.scope, 'local');
    const ref = selection.scopes[0] ?? NO_SCOPE;
    const { q, type = null } = parsed;
    const filter = { q: q === undefined ? null : normalisedName(q), type };
    const [page, named] = await Promise.all([
      recordPage(entityWalk(this.parts, { ref, filter, recorded }), {
        ...parsed,
        listing: 'entities',
        sparse: filter.q !== null || type !== null,
      }),
      this.parts.named.of(call, selection, q === undefined ? [] : [q], recorded),
    ]);
    const answered = this.answer('entities', page, ({ known, links }) => mergedEntity(known, links));
    return { ...answered, ...ambiguityOf(named.flatMap(({ ambiguous }) => ambiguous)) };
  }

  /** Has an entity go by another one in a scope; see {@link EntityLinking.link}. */
  link(call: Call, body: unknown): Promise<EntityLinkRecord> {
    return this.parts.linking.link(call, body);
  }

  /** Takes a link back; see {@link EntityLinking.unlink}. */
  unlink(call: Call, id: string): Promise<EntityLinkRecord> {
    return this.parts.linking.unlink(call, id);
  }

  /**
   * One entity, put together from the scopes that the caller may read. Throws `NOT_FOUND`, `INVALID_QUERY`, `POLICY_DENIED`.
   */
  async get(call: Call, id: string, query: unknown): Promise<EntityItem> {
    const parsed = parseQuery(entityGetQuery, query);
    const recorded = namedInstants(parsed).recorded ?? KNOWN_NOW;
    const { found, links } = await this.parts.lookup.find(call, {
      text: id,
      byName: false,
      scope: parsed.scope,
      recorded,
    });
    const entity = mergedEntity(found, links);
    if (entity === null) throw entityNotFound();
    return entity;
  }

  /**
   * A page of the facts that relate an entity to another one, newest first, as they are at the instants of the query. Throws
   * `NOT_FOUND`, `INVALID_QUERY`, `POLICY_DENIED`.
   */
  async edges(call: Call, id: string, query: unknown): Promise<EntityEdgesPage> {
    const parsed = parseQuery(entityEdgesQuery, query);
    const at = readingInstants(parsed, this.parts.clock.now());
    const { found } = await this.parts.lookup.find(call, {
      text: id,
      byName: false,
      scope: parsed.scope,
      recorded: at.recorded,
    });
    if (found.length === 0) throw entityNotFound();
    const places = entityPlaces(found);
    const ids = new Set(places.map(({ id: of }) => of));
    const filter = { at, any_time: false, predicates: null, min_confidence: null };
    const page = await recordPage(
      async (before, scan) => {
        const rows = await this.parts.walker.scanEdges(places, filter, before, scan);
        return rows.map(({ position, id: fact_id, fact }) => ({
          position,
          id: fact_id,
          record: typeof fact?.object_id === 'string' ? fact : null,
        }));
      },
      { ...parsed, listing: 'relations', sparse: true },
    );
    const whole = new Map((await this.parts.facts.hydrate(page.records)).map((fact) => [fact.id, fact]));
    return this.answer('relations', page, (record) => {
      const fact = whole.get(record.id);
      return fact === undefined ? null : toRelation(fact, ids);
    });
  }

  /** The cursor that continues a page behind one of its items. */
  cursorOf(item: EntityItem | EntityRelation): string {
    const cursor = this.cursors.get(item);
    if (cursor === undefined) throw new Error('an item of no page');
    return cursor;
  }

  private answer<T extends { position: number; id: string }, Item extends EntityItem | EntityRelation>(
    listing: Listing,
    { records, next }: RecordPage<T>,
    shape: (record: T) => Item | null,
  ): { items: Item[]; has_more: boolean; next_cursor?: string } {
    const items = records.flatMap((record) => {
      const item = shape(record);
      if (item !== null) this.cursors.set(item, writeRecordCursor(listing, record));
      return item === null ? [] : [item];
    });
    return { items, has_more: next !== null, ...(next === null ? {} : { next_cursor: next }) };
  }
}

function entityNotFound(): StrataError {
  return new StrataError('NOT_FOUND', 'entity not found');
}
