import { entityKey, type EntityLinkReader } from '../../graph/entity/link.ts';
import type { EntityFilter, EntityReader } from '../../graph/entity/read.ts';
import type { GoingEntity, StoredEntity } from '../derive/entity-item.ts';
import { EntityLinks, type EntityLink } from '../derive/entity-links.ts';
import type { RecordWalk } from './record-page.ts';

/** What the listing reads. */
export interface EntityListingParts {
  readonly reader: EntityReader;
  readonly links: EntityLinkReader;
}

/** An entity of a page, at the place of the one by which it was found. */
export interface ListedEntity {
  readonly position: number;
  readonly id: string;
  readonly bytes: number;
  /** It and what goes by it in the scope. */
  readonly known: readonly GoingEntity[];
  readonly links: readonly EntityLink[];
}

/** Which entities of which scope are listed, as they were known when. */
interface Listed {
  readonly ref: string;
  readonly filter: EntityFilter;
  readonly recorded: number;
}

/**
 * Walks the entities of a scope. Those that go by one another are one entity: it stands at the place of the newest of them that is asked
 * for. One round trip more for each walk, and another one where something is linked.
 */
export function entityWalk(parts: EntityListingParts, listed: Listed): RecordWalk<ListedEntity> {
  const { ref, filter, recorded } = listed;
  return async (before, scan) => {
    const rows = await parts.reader.scan(ref, filter, recorded, { before, scan });
    const wanted = rows.flatMap(({ entity }) => (entity === null ? [] : [entity]));
    const shown = await shownAmong(parts, wanted, listed);
    return rows.map(({ position, id, entity }) => ({
      position,
      id,
      record: (entity && shown.get(entity.id)) ?? null,
    }));
  };
}

async function shownAmong(
  { reader, links: linkReader }: EntityListingParts,
  wanted: readonly StoredEntity[],
  { ref, filter, recorded }: Listed,
): Promise<Map<string, ListedEntity>> {
  const links = new EntityLinks(await linkReader.ofKeys(wanted.map(({ id }) => entityKey(ref, id))));
  const groups = new Map(
    wanted.map(({ id }) => {
      const canonical = links.canonicalAt(ref, id, recorded);
      return [id, [canonical, ...links.aliasesAt(ref, canonical, recorded)]] as const;
    }),
  );
  const keys = [...groups.values()].flatMap((ids) => (ids.length > 1 ? ids : []));
  const others = await reader.byKeys(
    [...new Set(keys)].map((id) => entityKey(ref, id)),
    recorded,
  );
  const each = new Map([...wanted, ...others].map((one) => [one.id, one]));
  return new Map(
    wanted.flatMap((entity) => {
      const { id, position } = entity;
      const [canonical = id, ...aliases] = groups.get(id) ?? [];
      const known = [canonical, ...aliases].flatMap((one) => each.get(one) ?? []);
      if (known.some((other) => isNewer(other, entity) && matches(other, filter))) return [];
      const going = known.map((one) => ({ ...one, goes_by: canonical }));
      return [[id, { position, id, bytes: 0, known: going, links: links.linksAt(ref, canonical, recorded) }]];
    }),
  );
}

function isNewer(a: StoredEntity, b: StoredEntity): boolean {
  return a.position > b.position || (a.position === b.position && a.id > b.id);
}

function matches({ names, type }: StoredEntity, { q, ...filter }: EntityFilter): boolean {
  const named = q === null || names.some(({ normalised_name }) => normalised_name.includes(q));
  return named && (filter.type === null || filter.type === type);
}
