import {
  ENTITY_TYPES,
  type EntityItem,
  type EntityLinkItem,
  type EntityRelation,
} from '../../schemas/entity.ts';
import { toRfc3339, OPEN_END } from '../../schemas/time.ts';
import type { EntityLink } from './entity-links.ts';
import { objectOf, type HydratedFact } from './fact-item.ts';

/** A form under which an entity was known in a scope. */
export interface StoredName {
  /** Null for its id, by which it was stated without a name. */
  readonly name: string | null;
  readonly normalised_name: string;
  /** Place in the log of the first statement that gave it. */
  readonly position: number;
}

/** An entity as it is known in one scope. */
export interface StoredEntity {
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
  /** The forms under which it was known, the one that was learned last first. */
  readonly names: readonly StoredName[];
  readonly type: string;
  /** Place in the log of the first statement that named it. */
  readonly position: number;
}

/** An entity of a scope with what it goes by there. */
export interface GoingEntity extends StoredEntity {
  /** Its own id, or that of the entity that it is linked with. */
  readonly goes_by: string;
}

/**
 * One entity as it is known in several scopes, with those that go by it there; null for none. Its name is the one that was learned last,
 * what else it, or what goes by it, is called are aliases; its type the newest that says anything. `links` are those by which others go
 * by it.
 */
export function mergedEntity(
  known: readonly GoingEntity[],
  links: readonly EntityLink[] = [],
): EntityItem | null {
  const newestFirst = [...known].sort((a, b) => b.position - a.position);
  const [newest] = newestFirst;
  if (newest === undefined) return null;
  const own = newestFirst.filter(({ id, goes_by }) => id === goes_by);
  const forms = [...namesOf(own), ...namesOf(newestFirst)].reverse();
  const names = new Map(forms.map(({ normalised_name, name }) => [normalised_name, name]));
  const [name = null, ...others] = [...names.values()].reverse();
  return {
    id: newest.goes_by,
    name,
    aliases: others,
    type: typeOf(newestFirst.find(({ type }) => type !== 'other')?.type),
    scopes: [...new Set(known.map(({ scope }) => scope))].sort(),
    links: links.map(toEntityLink),
  };
}

/** The names that entities were given, the one that was learned last first. */
function namesOf(known: readonly StoredEntity[]): { name: string; normalised_name: string }[] {
  return known
    .flatMap(({ names }) => names)
    .sort((a, b) => b.position - a.position)
    .flatMap(({ name, normalised_name }) => (name === null ? [] : [{ name, normalised_name }]));
}

/** The wire form of a link. */
export function toEntityLink({ id, scope, entity, same_as, recorded_at, actor }: EntityLink): EntityLinkItem {
  return {
    link_id: id,
    scope,
    entity,
    same_as,
    recorded_at: toRfc3339(recorded_at),
    linked_by: actor,
  };
}

function typeOf(type: string | undefined): EntityItem['type'] {
  return ENTITY_TYPES.find((known) => known === type) ?? 'other';
}

/** A fact as a relation of one of the entities that it names; null where its object is no entity. */
export function toRelation(fact: HydratedFact, of: ReadonlySet<string>): EntityRelation | null {
  const object = objectOf(fact);
  if (object.type !== 'entity') return null;
  const isSubject = of.has(fact.subject_id);
  const other = isSubject ? object : { id: fact.subject_id, name: fact.subject_name };
  return {
    fact_id: fact.id,
    direction: isSubject ? 'out' : 'in',
    predicate: fact.predicate,
    entity: { id: other.id, name: other.name ?? null },
    scope: fact.scope,
    confidence: fact.confidence,
    valid_from: toRfc3339(fact.valid_from),
    valid_to: fact.valid_to === OPEN_END ? null : toRfc3339(fact.valid_to),
  };
}
