import type { ConceptReader } from '../../graph/concept/read.ts';
import type { ConceptWalker, WalkedTopics } from '../../graph/concept/walk.ts';
import type { ConceptListQuery } from '../../schemas/concept.ts';
import { conceptBytes, type StoredConcept } from '../derive/concept/item.ts';
import type { KeyedIds } from '../derive/keyed-ids.ts';
import type { AccessService, Call } from './access.ts';
import { ambiguityOf } from './ambiguous-names.ts';
import type { AskedEntity, NamedEntities } from './named-entities.ts';
import { recordPage, type RecordPage, type RecordWalk } from './record-page.ts';
import type { ReadableSelection } from './scope-selection.ts';

/** What the listing needs. */
export interface ConceptListingParts {
  readonly access: AccessService;
  readonly walker: ConceptWalker;
  readonly reader: Pick<ConceptReader, 'byIds'>;
  readonly named: NamedEntities;
  readonly keyedIds: KeyedIds;
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
  ): Promise<RecordPage<PagedConcept> & ReturnType<typeof ambiguityOf>> {
    const texts = query.topic === undefined ? [] : [query.topic];
    const [topic = null] = await this.parts.named.of(call, selection, texts, recorded);
    const page = await recordPage(this.walk(call, selection, topic, recorded), {
      ...query,
      listing: 'concepts',
    });
    return { ...page, ...ambiguityOf(topic?.ambiguous ?? []) };
  }

  /**
   * Walks the concepts of a selection, or (`topic`) those of an entity, over places: what is understood is read only where it may be, which
   * the right to read a scope does not say.
   */
  walk(
    call: Call,
    selection: ReadableSelection,
    topic: AskedEntity | null,
    recorded: number,
  ): RecordWalk<PagedConcept> {
    const topics = topic && topicsOf(call, selection, { topic, ids: this.parts.keyedIds });
    return async (position, rows) => {
      const walked = await this.parts.walker.scan({ selection, topics }, recorded, position, rows);
      const scopes = walked.flatMap(({ scope }) => (scope === null ? [] : [scope]));
      const mayRead = selection.check === null ? null : await selection.check(scopes);
      const understood = await this.understoodIn(call, scopes);
      const admitted = walked.filter(
        ({ scope }) => scope !== null && understood(scope) && (mayRead === null || mayRead(scope)),
      );
      const concepts = await this.parts.reader.byIds(
        admitted.map(({ id }) => id),
        null,
        recorded,
      );
      return walked.map(({ position: at, id }) => {
        const concept = concepts.get(id);
        const wanted = concept !== undefined && (topic?.wants(concept.scope, concept.entity_id) ?? true);
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

/** The concepts of what is asked for: by their ids in the scopes that are read for themselves, by the entities in what lies below others. */
function topicsOf(
  { principal }: Call,
  { scopes }: ReadableSelection,
  { topic, ids }: { readonly topic: AskedEntity; readonly ids: KeyedIds },
): WalkedTopics {
  return {
    ids: scopes.flatMap((ref) => topic.ids.map((id) => ids.concept(ref, id))),
    entities: topic.ids,
    tenant: principal.tenant,
  };
}
