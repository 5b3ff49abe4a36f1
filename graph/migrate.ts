import type { Integer } from 'neo4j-driver';

import { SHARD_COUNT } from '../src/capture/scope-key.ts';
import { StartupError } from '../src/errors.ts';
import { failureOf } from './errors.ts';
import type { Writer } from './driver.ts';
import { drawEventEdges, drawLinks } from './migrate-edges.ts';
import { convertInstants } from './migrate-instants.ts';
import { drawSupports } from './migrate-supports.ts';
import { markUploadKeys } from './migrate-upload-keys.ts';
import { stripVersions } from './migrate-versions.ts';
import { createSchemaText, FULLTEXT_ANALYZER, STORE_SCHEMA, type SchemaObject } from './schema.ts';
import { int, statement, type Params, type Statement } from './statement.ts';

/**
 * Version of the store that this code reads and writes. In the first one rows of beliefs and versions of concepts had no text, in the second
 * one facts had no class of life, in the third one the watermarks of extraction and indexing were on the shards, in the fourth one statements
 * said nothing of an assumed cardinality, and passages held words alone, without their other forms, in the fifth one versions of concepts
 * were behind what was known, and entities had one name, in the sixth one rows of facts did not say how sure these were,
 * in the seventh one events kept what names might stand for beside what they stand for, and names stood in no order, in the eighth one
 * statements were a text of values, and no edge led from a fact to the one that took its place, in the tenth one instants were numbers, and an edge led from an event to the one that it replaced, in the eleventh one
 * what supports a concept were nodes with a text, and edges led from its versions to what they cite, in the twelfth one what a value with a
 * stated end interrupted did not go on behind it, and no edge led between entities that are one, in the thirteenth one versions of concepts
 * repeated the beliefs, events and edges to others that their supports tell, and in the fourteenth one the keys of uploads were kept in plain.
 */
export const STORE_VERSION = 15;

/** The oldest version of the store that is brought over. */
const OLDEST_STORE_VERSION = 10;

/** What a store of before has for its statements, and no statement of this one needs. */
const DROPPED = [
  'INDEX episode_idle',
  'CONSTRAINT tombstone_wal_offset',
  'CONSTRAINT keyed_blob',
  'CONSTRAINT concept_support',
  'INDEX concept_support_claim',
  'INDEX concept_support_from',
  'INDEX concept_support_newest',
];

/** Wait of a start for new indexes to be filled, seconds. */
const INDEXES_START_S = 300;

/** The oldest server that this code speaks to. */
const OLDEST_SERVER = [5, 26] as const;

const readVersion = statement<Record<string, never>, { version: number | null }>(
  'migration.read_version',
  'constraint counter_name',
  "OPTIONAL MATCH (c:Counter {name: 'store_version'}) RETURN c.value AS version",
);

const setVersion = statement<{ version: Integer }, { version: number }>(
  'migration.set_version',
  'constraint counter_name',
  "MATCH (c:Counter {name: 'store_version'}) SET c.value = $version RETURN c.value AS version",
);

const seed = statement<{ version: Integer; shards: Integer; [k: string]: Integer }, { shards: number }>(
  'migration.seed',
  'constraints counter_name, shard_number and shard_intake',
  `MERGE (wal:Counter {name: 'wal'}) ON CREATE SET wal.value = 0, wal.recorded_at = 0, wal.defers = false
   MERGE (lifecycle:Counter {name: 'lifecycle'}) ON CREATE SET lifecycle.value = 0
   MERGE (access:Counter {name: 'access'}) ON CREATE SET access.value = 0
   MERGE (audit:Counter {name: 'audit'}) ON CREATE SET audit.value = 0
   MERGE (version:Counter {name: 'store_version'}) ON CREATE SET version.value = $version
   WITH 1 AS one
   UNWIND range(0, $shards - 1) AS number
   MERGE (s:Shard {number: number})
     ON CREATE SET s.epoch = 0, s.expires_at = 0, s.consolidated = 0
   MERGE (i:ShardIntake {number: number})
     ON CREATE SET i.extracted = 0, i.indexed = 0
   RETURN count(s) AS shards`,
);

const showSchema = statement<Record<string, never>, SchemaRow & { name: string }>(
  'migration.show_schema',
  'no data is read',
  `SHOW INDEXES YIELD name, type, labelsOrTypes, properties, state, owningConstraint, options
   RETURN name, type, labelsOrTypes AS labels, properties, state, owningConstraint IS NOT NULL AS is_constraint,
     options.indexConfig['fulltext.analyzer'] AS analyzer, options.indexConfig['fulltext.eventually_consistent'] AS eventually_consistent`,
);

const awaitIndexes = statement<{ seconds: Integer }, Record<string, never>>(
  'migration.await_indexes',
  'no data is read',
  'CALL db.awaitIndexes($seconds)',
  { patient: true },
);

/**
 * Brings the store to {@link STORE_VERSION}: creates what is missing, compares what is there with what is wanted.
 * Safe to run by several processes at once and on every start. Throws `StartupError` when the server is too old, the
 * store is of another version, or an index of a wanted name is defined otherwise.
 */
export async function migrate(database: Writer, serverVersion: string): Promise<void> {
  refuseOldServer(serverVersion);
  const version = await storedVersion(database);
  await declareSchema(database, INDEXES_START_S);
  if (version !== null && version < STORE_VERSION) await bringOver(database);
  await database.writeRepeatable(seed, { version: int(STORE_VERSION), shards: int(SHARD_COUNT) });
}

/**
 * Creates the constraints and indexes that are missing, waits so many seconds for them to be filled, and compares what is there with what
 * is wanted. Throws `StartupError` when an index of a wanted name is defined otherwise, the driver's error when the wait is over.
 */
export async function declareSchema(database: Writer, waitSeconds: number): Promise<void> {
  const existing = await schemaByName(database);
  for (const object of STORE_SCHEMA) {
    if (!existing.has(object.name)) await create(database, object);
  }
  await awaitFilledIndexes(database, waitSeconds);
  await compare(database);
}

/** Waits so many seconds for every index to be filled; throws the driver's error when that is over. */
export async function awaitFilledIndexes(database: Writer, waitSeconds: number): Promise<void> {
  await database.read(awaitIndexes, { seconds: int(waitSeconds) });
}

/** The version of the store, null of an empty database; refuses one that cannot be brought over. */
async function storedVersion(database: Writer): Promise<number | null> {
  const version = (await database.read(readVersion, {}))[0]?.version ?? null;
  if (version !== null && version > STORE_VERSION) {
    throw new StartupError(
      `This database was written by a newer Strata (store version ${version}; this one knows ${STORE_VERSION}). Start that version.`,
    );
  }
  if (version !== null && version < OLDEST_STORE_VERSION) {
    throw new StartupError(
      `This database was written by a Strata from before its first release (store version ${version}; this one needs ${STORE_VERSION}). ` +
        'Nothing in it was changed: start that version, or give this one an empty database (NEO4J_URI, or STRATA_DATA_DIR).',
    );
  }
  return version;
}

function dropping(what: string): Statement<Params, unknown> {
  return { name: 'migration.drop', reliesOn: 'none', patient: true, text: `DROP ${what} IF EXISTS` };
}

async function bringOver(database: Writer): Promise<void> {
  await convertInstants(database);
  await drawEventEdges(database);
  await drawSupports(database);
  await drawLinks(database);
  await stripVersions(database);
  await markUploadKeys(database);
  for (const what of DROPPED) await database.writeRepeatable(dropping(what), {});
  await database.writeRepeatable(setVersion, { version: int(STORE_VERSION) });
}

function refuseOldServer(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < OLDEST_SERVER[0] || (major === OLDEST_SERVER[0] && minor < OLDEST_SERVER[1])) {
    throw new StartupError(
      `Neo4j ${version} is too old: Strata needs ${OLDEST_SERVER.join('.')} or newer (NEO4J_URI).`,
    );
  }
}

async function create(database: Writer, object: SchemaObject): Promise<void> {
  const text: Statement<Params, unknown> = {
    name: `schema.${object.name}`,
    reliesOn: 'none',
    patient: true,
    text: createSchemaText(object),
  };
  try {
    await database.writeRepeatable(text, {});
  } catch (error) {
    // Two processes that start at once may both find it missing; whoever comes second is told that it is there now.
    if (failureOf(error) === 'permanent' && isAlreadyThere(error)) return;
    throw error;
  }
}

function isAlreadyThere(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && /EquivalentSchemaRuleAlreadyExists|AlreadyExists/.test(code);
}

interface SchemaRow {
  type: string;
  labels: string[] | null;
  properties: string[] | null;
  state: string;
  is_constraint: boolean;
  analyzer: string | null;
  eventually_consistent: boolean | null;
}

async function schemaByName(database: Writer): Promise<Map<string, SchemaRow>> {
  const rows = await database.read(showSchema, {});
  return new Map(rows.map((row) => [row.name, row]));
}

async function compare(database: Writer): Promise<void> {
  const existing = await schemaByName(database);
  for (const object of STORE_SCHEMA) {
    const found = existing.get(object.name);
    const wanted = wantedForm(object);
    const is = found ? formOf(found) : 'missing';
    if (is !== wanted) {
      throw new StartupError(
        `Index ${object.name} is ${is}, but has to be ${wanted}. Drop it (DROP INDEX or DROP CONSTRAINT) and start again.`,
      );
    }
  }
}

/** What a schema object has to look like in `SHOW INDEXES`, in words that an error can show. */
function wantedForm({ kind, label, properties }: SchemaObject): string {
  const place = `${label}(${properties.join(',')}) ONLINE`;
  if (kind === 'fulltext') return `FULLTEXT ${FULLTEXT_ANALYZER} eventually consistent ${place}`;
  return `${kind === 'unique' ? 'CONSTRAINT' : 'INDEX'} ${place}`;
}

function formOf(found: SchemaRow): string {
  const place = `${found.labels?.join() ?? ''}(${found.properties?.join() ?? ''}) ${found.state}`;
  if (found.type === 'FULLTEXT') {
    return `FULLTEXT ${found.analyzer ?? ''} ${found.eventually_consistent === true ? 'eventually consistent' : 'consistent'} ${place}`;
  }
  if (found.type !== 'RANGE') return `${found.type} ${place}`;
  return `${found.is_constraint ? 'CONSTRAINT' : 'INDEX'} ${place}`;
}
