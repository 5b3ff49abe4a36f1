import type { ScopeSelection } from '../scope-selection.ts';
import type { Integer } from 'neo4j-driver';

import type { StoredEntity } from '../../src/derive/entity-item.ts';
import { MAX_ENTITY_PLACES } from '../../src/limits/reading.ts';
import type { Reader } from '../driver.ts';
import { NAMES } from './name.ts';
import type { LogOffsets } from '../log-offset.ts';
import { instant, type Instant } from '../instant.ts';
import { int, statement, type Params } from '../statement.ts';

/** Names of an entity of one scope that are shown at most, the newest ones: more are found by, but nobody reads them. */
const MAX_SHOWN_NAMES = 100;

/** An entity that was looked up. */
export interface FoundEntity extends StoredEntity {
  /** Whether it goes by what was asked for in this scope. */
  readonly named: boolean;
}

/** One row of a walk: an entity that is wanted, or the place of one that is not. */
export interface WalkedEntity {
  readonly position: number;
  readonly id: string;
  readonly entity: StoredEntity | null;
}

// What nothing states any more is left behind by statements that were taken out.
const KNOWN = `EXISTS { MATCH (n)<-[:SUBJECT|OBJECT|NAMED]-(s:Statement) WHERE coalesce(s.known_at, s.recorded_at) <= $recorded }`;
const ENTITY = `n {.id, .tenant, .scope, .scope_ref, .type, .position, names: ${NAMES}}`;
/** Whether a form of the name `m` of an entity was known. */
const LEARNED = 'm.recorded_at <= $recorded';

interface NameParams extends Params {
  recorded: Instant;
  names: Integer;
}

const find = statement<
  { tenant: string; ids: readonly string[]; name: string | null; most: Integer } & NameParams,
  { entity: StoredEntity; named: boolean }
>(
  'entity.find',
  'indexes entity_id, entity_name_tenant, entity_name_order; a bounded number of rows',
  `CALL () {
     UNWIND $ids AS id
     RETURN id
     UNION
     MATCH (m:EntityName) USING INDEX SEEK m:EntityName(tenant, normalised_name, position)
     WHERE m.tenant = $tenant AND m.normalised_name = $name AND m.position >= 0 AND ${LEARNED}
     WITH m ORDER BY m.tenant, m.normalised_name, m.position LIMIT $most
     RETURN DISTINCT m.id AS id
   }
   CALL (id) {
     MATCH (n:Entity) USING INDEX SEEK n:Entity(tenant, id) WHERE n.tenant = $tenant AND n.id = id AND ${KNOWN}
     WITH n LIMIT $most
     RETURN n
   }
   RETURN ${ENTITY} AS entity, n.id IN $ids OR EXISTS { (n)-[:KNOWN_AS]->(m) WHERE m.normalised_name = $name AND ${LEARNED} } AS named`,
);

const byKeys = statement<{ keys: readonly string[] } & NameParams, { entity: StoredEntity }>(
  'entity.by_keys',
  'constraint entity_key, index entity_name_order',
  `UNWIND $keys AS key
   MATCH (n:Entity {key: key}) WHERE ${KNOWN}
   RETURN ${ENTITY} AS entity`,
);

/** What goes by a name in a scope. */
export interface NamedEntity {
  readonly name: string;
  readonly id: string;
  readonly scope: string;
  readonly scope_ref: string;
}

const namedInScopes = statement<
  { refs: readonly string[]; names: readonly string[]; recorded: Instant; most: Integer },
  NamedEntity
>(
  'entity.named_in_scopes',
  'index entity_name_scope, walked in order, a bounded number of rows',
  `UNWIND $refs AS ref
   UNWIND $names AS name
   CALL (ref, name) {
     MATCH (m:EntityName) USING INDEX SEEK m:EntityName(scope_ref, normalised_name, position)
     WHERE m.scope_ref = ref AND m.normalised_name = name AND m.position >= 0 AND ${LEARNED}
     WITH m ORDER BY m.scope_ref, m.normalised_name, m.position LIMIT $most
     RETURN m
   }
   RETURN DISTINCT name, m.id AS id, m.scope AS scope, m.scope_ref AS scope_ref`,
);

/** The references of a name `m` of an entity to its scope and those above it. */
export const NAME_LEVELS = Array.from({ length: 32 }, (_, i) => `m.a${i}`).join(', ');

const namedBelow = statement<
  { tenant: string; within: string; names: readonly string[]; recorded: Instant; most: Integer },
  NamedEntity
>(
  'entity.named_below',
  'index entity_name_tenant, walked in order, a bounded number of rows',
  `UNWIND $names AS name
   CALL (name) {
     MATCH (m:EntityName) USING INDEX SEEK m:EntityName(tenant, normalised_name, position)
     WHERE m.tenant = $tenant AND m.normalised_name = name AND m.position >= 0 AND ${LEARNED} AND $within IN [${NAME_LEVELS}]
     WITH m ORDER BY m.tenant, m.normalised_name, m.position LIMIT $most
     RETURN m
   }
   RETURN DISTINCT name, m.id AS id, m.scope AS scope, m.scope_ref AS scope_ref`,
);

/** Which entities a list is to show; null for any. */
export interface EntityFilter extends Params {
  /** Text that a normalised name holds. */
  readonly q: string | null;
  readonly type: string | null;
}

const scanScope = statement<
  EntityFilter & { ref: string; before: Integer; scan: Integer } & NameParams,
  WalkedEntity
>(
  'entity.scan_scope',
  'indexes entity_scope, walked in order, and entity_name_order',
  `MATCH (n:Entity) USING INDEX SEEK n:Entity(scope_ref, position) WHERE n.scope_ref = $ref AND n.position <= $before
   WITH n ORDER BY n.scope_ref DESC, n.position DESC LIMIT $scan
   RETURN n.position AS position, n.id AS id,
     CASE WHEN ($type IS NULL OR n.type = $type) AND ($q IS NULL OR EXISTS { (n)-[:KNOWN_AS]->(m) WHERE m.normalised_name CONTAINS $q AND ${LEARNED} })
       AND ${KNOWN} THEN ${ENTITY} END AS entity`,
);

/** Reads entities; what they are known as in scopes that may not be read is left out by the caller. */
export class EntityReader {
  private readonly reader: Reader;
  private readonly log: LogOffsets;

  constructor(reader: Reader, log: LogOffsets) {
    this.reader = reader;
    this.log = log;
  }

  /**
   * What goes by an id or (`name`, normalised; null for none) a name anywhere in a tenant, in every scope in which it is known: one round trip,
   * at most {@link MAX_ENTITY_PLACES} scopes for each id.
   */
  async find(
    tenant: string,
    { ids, name }: { readonly ids: readonly string[]; readonly name: string | null },
    recorded: number,
  ): Promise<FoundEntity[]> {
    const params = { tenant, ids, name, ...known(recorded), most: int(MAX_ENTITY_PLACES) };
    const rows = await this.reader.read(find, params);
    return rows.map(({ entity, named }) => ({ ...entity, named }));
  }

  /** Entities of scopes by their keys; those of which nothing is known are left out. */
  async byKeys(keys: readonly string[], recorded: number): Promise<StoredEntity[]> {
    if (keys.length === 0) return [];
    return (await this.reader.read(byKeys, { keys, ...known(recorded) })).map(({ entity }) => entity);
  }

  /** What goes by normalised names in a selection, as known at an instant: where it is more than is read, those that had the name first. */
  async named(
    { scopes, subtrees }: ScopeSelection,
    tenant: string,
    names: readonly string[],
    at: number,
  ): Promise<NamedEntity[]> {
    if (names.length === 0) return [];
    const [most, recorded] = [int(MAX_ENTITY_PLACES), instant(at)];
    const reads = subtrees.map(({ ref }) =>
      this.reader.read(namedBelow, { tenant, within: ref, names, recorded, most }),
    );
    if (scopes.length > 0)
      reads.push(this.reader.read(namedInScopes, { refs: scopes, names, recorded, most }));
    return (await Promise.all(reads)).flat();
  }

  /** At most `scan` entities of a scope from a position (inclusive) on, newest first. Fewer mean that the end was reached. */
  async scan(
    ref: string,
    filter: EntityFilter,
    recorded: number,
    { before, scan }: { readonly before: number; readonly scan: number },
  ): Promise<WalkedEntity[]> {
    const from = await this.log.bound(before, recorded);
    const walk = { before: int(from), scan: int(scan), ...known(recorded) };
    return this.reader.read(scanScope, { ref, ...filter, ...walk });
  }
}

/** As known at an instant, with how many names. */
function known(recorded: number): NameParams {
  return { recorded: instant(recorded), names: int(MAX_SHOWN_NAMES) };
}
