import { ENTITY_TYPES, type EntityItem, type EntityRelation } from '../../schemas/entity.ts';
import { toRfc3339, OPEN_END } from '../../schemas/time.ts';
import { objectOf, type WholeFact } from './fact-item.ts';

/** An entity as it is known in one scope. */
export interface StoredEntity {
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
  readonly name: string | null;
  readonly type: string;
  /** Place in the log of the first statement that named it. */
  readonly position: number;
}

/**
 * One entity as it is known in several scopes; null for none. Its name is the one of the scope that came to know it last, what else
 * it is called are aliases; its type the newest that says anything.
 */
export function mergedEntity(known: readonly StoredEntity[]): EntityItem | null {
  const newestFirst = [...known].sort((a, b) => b.position - a.position);
  const [newest] = newestFirst;
  if (newest === undefined) return null;
  const names = newestFirst.flatMap(({ name }) => (name === null ? [] : [name]));
  const [name = null, ...others] = [...new Set(names)];
  return {
    id: newest.id,
    name,
    aliases: others,
    type: typeOf(newestFirst.find(({ type }) => type !== 'other')?.type),
    scopes: [...new Set(known.map(({ scope }) => scope))].sort(),
  };
}

function typeOf(type: string | undefined): EntityItem['type'] {
  return ENTITY_TYPES.find((known) => known === type) ?? 'other';
}

/** A fact as a relation of one of the entities that it names; null where its object is no entity. */
export function toRelation(fact: WholeFact, of: string): EntityRelation | null {
  const object = objectOf(fact);
  if (object.type !== 'entity') return null;
  const isSubject = fact.subject_id === of;
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
