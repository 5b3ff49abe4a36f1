import type { ScopeSelection } from './scope-selection.ts';
import type { Integer } from 'neo4j-driver';

import type { StoredFact } from '../src/derive/fact-item.ts';
import type { Instants } from '../src/time/bitemporal-range.ts';
import type { Reader } from './driver.ts';
import { NAME_LEVELS } from './entity/read.ts';
import { SHOWN } from './fact/read.ts';
import { LIVES, livesAt, type LifeParams } from './fact/life.ts';
import { FACT, wantedRow } from './fact/row.ts';
import { ABOUT_PLACE, type EntityKey } from './fact/walk.ts';
import type { LogOffsets } from './log-offset.ts';
import { instant, type Instant } from './instant.ts';
import { int, statement, type Params, type Real } from './statement.ts';

/** Where something goes by a name. */
export interface NamedEntityKey {
  readonly name: string;
  readonly id: string;
  readonly scope: string;
  readonly scope_ref: string;
  /** Whether it was ever linked with another entity there. */
  readonly linked: boolean;
}

/** How far names are looked for. */
export interface NameBounds {
  /** Scopes that are looked in one by one, so that nothing named there is missed. */
  readonly near: readonly string[];
  /** Names of the tenant that are looked at beyond these; 0 for none. */
  readonly scan: number;
  /** Places of each name. */
  readonly most: number;
  /** Only what was named by then, epoch milliseconds. */
  readonly recorded: number;
}

interface NamedParams extends Params {
  names: readonly string[];
  near: readonly string[];
  tenant: string;
  scopes: readonly string[];
  subtrees: readonly string[];
  recorded: Instant;
  scan: Integer;
  most: Integer;
}

const named = statement<NamedParams, NamedEntityKey>(
  'recall.named',
  'indexes entity_name_scope, entity_name_tenant, linked_entity_key; a bounded number of rows for each name',
  `UNWIND $names AS name
   CALL (name) {
     CALL (name) {
       UNWIND $near AS ref
       MATCH (m:EntityName) USING INDEX SEEK m:EntityName(scope_ref, normalised_name, position)
       WHERE m.scope_ref = ref AND m.normalised_name = name AND m.position >= 0
       RETURN m
       UNION
       MATCH (m:EntityName) USING INDEX SEEK m:EntityName(tenant, normalised_name, position)
       WHERE m.tenant = $tenant AND m.normalised_name = name AND m.position >= 0
       WITH m LIMIT $scan
       WITH m WHERE m.scope_ref IN $scopes OR any(ref IN $subtrees WHERE ref IN [${NAME_LEVELS}])
       RETURN m
     }
     WITH m WHERE m.recorded_at <= $recorded
     WITH DISTINCT m.entity_key AS key, m.id AS id, m.scope AS scope, m.scope_ref AS scope_ref LIMIT $most
     RETURN key, id, scope, scope_ref
   }
   RETURN name, id, scope, scope_ref, EXISTS { MATCH (:LinkedEntity {key: key}) } AS linked`,
);

interface AboutParams extends LifeParams {
  entities: readonly { readonly places: readonly EntityKey[] }[];
  before: Integer;
  scan: Integer;
  most: Integer;
  valid: Instant;
  recorded: Instant;
  any_time: boolean;
  predicates: readonly string[] | null;
  min_confidence: Real | null;
  inline: Integer;
  supports: Integer;
}

const about = statement<AboutParams, { fact: StoredFact }>(
  'recall.stated',
  'indexes fact_subject, walked in order once per scope, subject and class, and fact_version_fact, fact_version_resumes; constraint counter_name; a bounded number of rows',
  `${LIVES}
   UNWIND $entities AS entity
   CALL (entity, lives) {
     UNWIND entity.places AS place
     CALL (place, lives) {
       UNWIND lives AS life
       ${ABOUT_PLACE}
       WITH DISTINCT f ORDER BY f.position DESC LIMIT $scan
       ${wantedRow()}
       WITH f, known, x WHERE x IS NOT NULL
       RETURN f, known, x LIMIT $most
     }
     WITH f, known, x ORDER BY f.position DESC LIMIT $most
     RETURN f, known, x
   }
   RETURN ${FACT} AS fact`,
);

const believed = statement<
  { places: readonly EntityKey[]; before: Integer; most: Integer },
  { readonly id: string }
>(
  'recall.believed',
  'index belief_subject, walked in order once per scope and subject; a bounded number of rows',
  `UNWIND $places AS place
   CALL (place) {
     MATCH (b:Belief) USING INDEX SEEK b:Belief(scope_ref, subject_id, position)
     WHERE b.scope_ref = place.ref AND b.subject_id = place.id AND b.position <= $before
     WITH b ORDER BY b.scope_ref DESC, b.subject_id DESC, b.position DESC LIMIT $most
     RETURN b.id AS id, b.position AS position
   }
   RETURN id ORDER BY position DESC, id LIMIT $most`,
);

/** Reads what is stated of what a query names; every scope that it is handed was authorised before. */
export class StatedReader {
  private readonly reader: Reader;
  private readonly log: LogOffsets;

  constructor(reader: Reader, log: LogOffsets) {
    this.reader = reader;
    this.log = log;
  }

  /** Where in a selection something goes by normalised names. One round trip. */
  async named(
    names: readonly string[],
    tenant: string,
    { scopes, subtrees }: ScopeSelection,
    { near, scan, most, recorded }: NameBounds,
  ): Promise<NamedEntityKey[]> {
    if (names.length === 0) return [];
    const below = subtrees.map(({ ref }) => ref);
    const bounds = { near, scan: int(scan), most: int(most), recorded: instant(recorded) };
    return this.reader.read(named, { names, tenant, scopes, subtrees: below, ...bounds });
  }

  /**
   * The newest facts about each of some entities, `most` for each, as far as they are among the newest `scan` of a place; known at the
   * recorded instant and true at the valid one, or (`any_time`) whenever. One round trip.
   */
  async about(
    entities: readonly (readonly EntityKey[])[],
    { at, any_time }: { readonly at: Instants; readonly any_time: boolean },
    { scan, most }: { readonly scan: number; readonly most: number },
  ): Promise<StoredFact[]> {
    if (entities.every((places) => places.length === 0)) return [];
    const before = await this.log.bound(Number.MAX_SAFE_INTEGER, at.recorded);
    const rows = await this.reader.read(about, {
      ...SHOWN,
      ...(await livesAt(this.log, at, any_time)),
      entities: entities.map((places) => ({ places })),
      before: int(before),
      scan: int(scan),
      most: int(most),
      valid: instant(at.valid),
      recorded: instant(at.recorded),
      any_time,
      predicates: null,
      min_confidence: null,
    });
    return rows.map(({ fact }) => fact);
  }

  /** Ids of the newest beliefs about entities that began by a recorded instant, `most` for all, whatever became of them. One round trip. */
  async believed(places: readonly EntityKey[], recorded: number, most: number): Promise<string[]> {
    if (places.length === 0) return [];
    const before = await this.log.bound(Number.MAX_SAFE_INTEGER, recorded);
    const rows = await this.reader.read(believed, { places, before: int(before), most: int(most) });
    return rows.map(({ id }) => id);
  }
}
