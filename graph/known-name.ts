import type { Integer } from 'neo4j-driver';

import type { KnownForm } from '../src/derive/known-names.ts';
import { MAX_AMBIGUOUS_IDS } from '../src/limits.ts';
import { KNOWN_NOW } from '../src/time/as-of.ts';
import type { Reader, Transaction } from './driver.ts';
import { FIRST, instant, storedInstant, type Instant } from './instant.ts';
import { int, statement, type Param, type Params } from './statement.ts';

/** A name that is looked up. */
export interface SoughtName {
  readonly scope_ref: string;
  readonly normalised_name: string;
  /** Place in the log before which it was given. */
  readonly before: number;
}

/** A form that is about to be given to the entity of a key. */
export interface NewForm extends Pick<KnownForm, 'normalised_name' | 'position' | 'recorded_at'> {
  readonly key: string;
}

interface KnownParams extends Params {
  sought: readonly Param[];
  given: readonly Param[];
  recorded: Instant;
  most: Integer;
}

const ORDER = 'm.entity_key, m.recorded_at, m.position, m.normalised_name';
const SEEK = 'USING INDEX SEEK m:EntityName(entity_key, recorded_at, position, normalised_name)';

// Of all forms of an entity three say what a name of it stands for at any place: the first one, since when the entity is known; the name
// itself; and the next one, from which on it goes by another.
const known = statement<KnownParams, KnownForm>(
  'name.known',
  'indexes entity_name_scope and entity_name_order, walked in order, constraint entity_name_key; a bounded number of rows for each name',
  `CALL () {
     UNWIND $sought AS one
     CALL (one) {
       MATCH (m:EntityName) USING INDEX SEEK m:EntityName(scope_ref, normalised_name, position)
       WHERE m.scope_ref = one.scope_ref AND m.normalised_name = one.normalised_name AND m.position < one.before
         AND m.given AND m.recorded_at <= $recorded
       WITH m ORDER BY m.scope_ref, m.normalised_name, m.position LIMIT $most
       RETURN m.entity_key AS key, m.recorded_at AS since, m.position AS position
     }
     RETURN key, one.normalised_name AS name, since, position
     UNION
     UNWIND $given AS one
     RETURN one.key AS key, one.normalised_name AS name, ${storedInstant('one.recorded_at')} AS since, one.position AS position
   }
   CALL (key, name, since, position) {
     MATCH (m:EntityName) ${SEEK}
     WHERE m.entity_key = key AND m.recorded_at >= ${FIRST} AND m.position >= 0 AND m.normalised_name >= ''
     WITH m ORDER BY ${ORDER} LIMIT 1
     RETURN m
     UNION
     MATCH (m:EntityName {entity_key: key, given: true, normalised_name: name})
     RETURN m
     UNION
     MATCH (m:EntityName) ${SEEK}
     WHERE m.entity_key = key AND m.recorded_at >= since AND m.position >= 0 AND m.normalised_name >= ''
       AND m.given AND (m.position > position OR m.position = position AND m.normalised_name > name)
     WITH m ORDER BY ${ORDER} LIMIT 1
     RETURN m
   }
   WITH DISTINCT m WHERE m.recorded_at <= $recorded
   RETURN m.scope_ref AS scope_ref, m.id AS id, m.normalised_name AS normalised_name, m.given AS given, m.position AS position,
     m.recorded_at.epochMillis AS recorded_at`,
);

const keep = statement<{ rows: readonly Param[] }, { kept: number }>(
  'name.keep',
  'constraint event_id',
  `UNWIND $rows AS row
   MATCH (e:Event {id: row.event_id}) WHERE e.redacted_at IS NULL
   SET e.resolved = row.resolved, e.ambiguous = row.ambiguous
   RETURN count(*) AS kept`,
);

/** Of an event, the names that stand for one of several entities. */
export interface EventAmbiguity {
  readonly event_id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
  /** JSON text, as it was kept. */
  readonly ambiguous: string;
}

const ambiguous = statement<{ ids: readonly string[] }, EventAmbiguity>(
  'name.ambiguous',
  'constraint event_id',
  `UNWIND $ids AS id
   MATCH (e:Event {id: id}) WHERE e.redacted_at IS NULL AND e.ambiguous IS NOT NULL
   RETURN e.id AS event_id, e.tenant AS tenant, e.scope AS scope, e.scope_ref AS scope_ref, e.ambiguous AS ambiguous`,
);

/** What is to be known of names. */
export interface NamesRequest {
  readonly sought: readonly SoughtName[];
  /** Forms that may be new; what is known of their entities counts for them. */
  readonly given?: readonly NewForm[];
  /** Only what was known then, epoch milliseconds; default whatever is known now. */
  readonly recorded?: number;
}

/**
 * As many forms of entities as it takes to tell what the names stand for at their places: for each name those of the
 * {@link MAX_AMBIGUOUS_IDS} entities that had it first, three of each entity at most.
 */
export async function knownForms(
  transaction: Pick<Transaction, 'run'>,
  { sought, given = [], recorded = KNOWN_NOW }: NamesRequest,
): Promise<KnownForm[]> {
  return transaction.run(known, {
    sought: sought.map(({ before, ...name }) => ({ ...name, before: int(before) })),
    given: given.map((form) => ({
      key: form.key,
      normalised_name: form.normalised_name,
      position: int(form.position),
      recorded_at: int(form.recorded_at),
    })),
    recorded: instant(recorded),
    most: int(MAX_AMBIGUOUS_IDS),
  });
}

/** What the names of an event were found to stand for, as JSON text. */
export interface ResolvedNames {
  readonly event_id: string;
  /** By name the id. */
  readonly resolved: string;
  /** The names that stand for one of several, with their ids; null where none does. */
  readonly ambiguous: string | null;
}

/** Keeps what the names of events were found to stand for, as long as their content is kept. */
export function keepResolved(transaction: Transaction, rows: readonly ResolvedNames[]): void {
  if (rows.length > 0) transaction.send(keep, { rows: rows.map((row) => ({ ...row })) });
}

/** Reads names. */
export class NameReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** As {@link knownForms}. */
  async forms(wish: NamesRequest): Promise<KnownForm[]> {
    const { reader } = this;
    if (wish.sought.length === 0) return [];
    return knownForms({ run: (text, params) => reader.read(text, params) }, wish);
  }

  /** Those of the events of which a name stands for one of several. */
  async ambiguous(ids: readonly string[]): Promise<EventAmbiguity[]> {
    return ids.length === 0 ? [] : this.reader.read(ambiguous, { ids });
  }
}

/** Has the server plan the statements of this file by running them on nothing. */
export async function planKnownNames(transaction: Transaction): Promise<void> {
  await knownForms(transaction, { sought: [] });
  await transaction.run(keep, { rows: [] });
}
