import type { ConceptWalker, WalkedTopics } from '../../graph/concept-walk.ts';
import type { EntityReader } from '../../graph/entity.ts';
import type { ConceptListQuery } from '../../schemas/concept.ts';
import { conceptBytes, type StoredConcept } from '../derive/concept-item.ts';
import { conceptIdOf } from '../derive/concept-support.ts';
import { normalisedName } from '../derive/entity.ts';
import type { AccessService, Call } from './access.ts';
import { idSpellings } from './entity-lookup.ts';
import { recordPage, type RecordPage, type RecordWalk } from './record-page.ts';
import type { ReadableSelection } from './scope-selection.ts';

/** What the listing needs. */
export interface ConceptListingParts {
  readonly access: AccessService;
  readonly walker: ConceptWalker;
  readonly entities: EntityReader;
}

/** A concept of a page, with about how many bytes it makes of an answer. */
export type PagedConcept = StoredConcept & { readonly bytes: number };

/** Pages through concepts, newest first. */
export class ConceptListing {
  private readonly parts: ConceptListingParts;

  constructor(parts: ConceptListingParts) {
    this.parts = parts;
  }

  /** A page of the concepts of a selection as they were understood at a recorded instant. */
  async page(
    call: Call,
    selection: ReadableSelection,
    query: ConceptListQuery,
    recorded: number,
  ): Promise<RecordPage<PagedConcept>> {
    const topics = query.topic === undefined ? null : await this.topicsOf(call, selection, query.topic);
    return recordPage(this.walk(call, selection, topics, recorded), query);
  }

  /** The concepts of what a name or id stands for in the scopes that are read. */
  private async topicsOf(call: Call, selection: ReadableSelection, text: string): Promise<WalkedTopics> {
    const { tenant } = call.principal;
    const named = await this.parts.entities.named(selection, tenant, [normalisedName(text)]);
    const mayRead = selection.check === null ? null : await selection.check(named.map(({ scope }) => scope));
    const readable = named.filter(({ scope }) => mayRead === null || mayRead(scope));
    const entities = [...new Set([...idSpellings(text), ...readable.map(({ id }) => id)])];
    const ids = selection.scopes.flatMap((ref) => entities.map((id) => conceptIdOf(ref, id)));
    return { ids, entities, tenant };
  }

  /** Leaves of each row its place alone when it may not be read. */
  private walk(
    call: Call,
    selection: ReadableSelection,
    topics: WalkedTopics | null,
    recorded: number,
  ): RecordWalk<PagedConcept> {
    return async (position, rows) => {
      const walked = await this.parts.walker.scan({ selection, topics }, recorded, position, rows);
      const shown = walked.flatMap(({ concept }) => (concept === null ? [] : [concept.scope]));
      const mayRead = selection.check === null ? null : await selection.check(shown);
      const understood = await this.understoodIn(call, shown);
      return walked.map(({ position: at, id, concept }) => {
        const wanted =
          concept !== null && understood(concept.scope) && (mayRead === null || mayRead(concept.scope));
        return { position: at, id, record: wanted ? { ...concept, bytes: conceptBytes(concept) } : null };
      });
    };
  }

  /** Which scopes let the caller read what is understood in them, whatever else he may read there. */
  private async understoodIn(call: Call, paths: readonly string[]): Promise<(path: string) => boolean> {
    const { access } = this.parts;
    const places = await access.placesOf(call, [...new Set(paths)]);
    const allowed = new Set(
      places
        .filter((place) => access.decideAt(call.principal, 'understanding.read', place).outcome === 'allowed')
        .map(({ path }) => path),
    );
    return (path) => allowed.has(path);
  }
}
