import { readdirSync } from 'node:fs';

import type { Driver } from 'neo4j-driver';

import { filtersVectors, VectorIndexes } from '../../graph/embedding/vector-index.ts';
import { migrate } from '../../graph/migrate.ts';
import { STORE_SCHEMA } from '../../graph/schema.ts';
import { declaredStatements, type Statement } from '../../graph/statement.ts';
import { inDepth, LONG } from '../support/depth.ts';
import { patientDatabase, query, testDatabase, testDriver, wipe } from '../support/database.ts';

// How: load every statement, EXPLAIN each on an empty store, on a young one and on a large one, and walk its plan. A full scan, a
// sort over rows that no LIMIT bounds, or an index that is walked from its beginning to where the rows lie fails the test, so that a
// new statement cannot slip in with one.

/** What is seeded: so many events, from a number on, in so many scopes. */
interface Seed {
  readonly from: number;
  readonly to: number;
  readonly scopes: number;
}

/** All in one scope, as on the first day. */
const YOUNG: Seed = { from: 1, to: 1_000, scopes: 1 };
/** On every day hardly more than the young one, with something of every kind. */
const LARGE: Seed = { from: 1_001, to: inDepth(1_100, 11_000), scopes: inDepth(50, 1_000) };

const SCANS =
  /AllNodesScan|NodeByLabelScan|NodeIndexScan|RelationshipsScan|RelationshipTypeScan|RelationshipIndexScan|IndexContainsScan|IndexEndsWithScan/;
const SORTS = /^(Partial)?(Sort|Top)/;
/** From a concept (`c` in all statements), which may have a hundred thousand supports, to all of them. */
const HUB_WALKS = /^\(c\)-\[\w*:SUPPORTED_BY\b/;
const BOUNDS = /^(Limit|ExhaustiveLimit|(Partial)?Top)/;

/** Reviewed exceptions: the operator that a statement may have, and why. */
const EXCEPTIONS: Readonly<Record<string, { operator: RegExp; reason: string }>> = {
  'passage.search': {
    operator: SORTS,
    reason: 'the rows come from a full-text query that is handed the limit',
  },
  'embedding.compare': {
    operator: SORTS,
    reason: 'the rows come from a full-text query that is handed the number that is compared',
  },
  'name.known': {
    operator: /^Walk$/,
    reason: 'of the names of an entity that are walked only those are passed over that the same instant gave',
  },
  'entity_link.events_naming': {
    operator: /^Top/,
    reason:
      'no request waits for it: the statements of an entity stand in no order, and are looked at once for each batch',
  },
  'record.every_edge': {
    operator: /^(Sort|Walk)$/,
    reason:
      'what an export asks for: every edge of a few nodes, whatever their number, and of a belief every revision',
  },
  'record.same_as': {
    operator: /^Top$/,
    reason: 'the links of one entity stand in no order; of them only as many are kept as are asked for',
  },
};

interface Plan {
  operatorType: string;
  arguments: { Details?: string };
  children: Plan[];
}

function faultsOf(plan: Plan): string[] {
  const operator = plan.operatorType.replace(/@.*$/, '');
  const below = plan.children.flatMap(faultsOf);
  if (SCANS.test(operator)) return [...below, operator];
  if (SORTS.test(operator) && !plan.children.some(isBounded)) return [...below, operator];
  if (operator === 'Expand(All)' && HUB_WALKS.test(plan.arguments.Details ?? ''))
    return [...below, 'HubWalk'];
  if (operator === 'Filter' && plan.children.some((child) => walksUpTo(child, plan)))
    return [...below, 'Walk'];
  return below;
}

/** The indexes that a plan goes by, by label and properties. */
function indexesOf({ arguments: { Details: details = '' }, children }: Plan): string[] {
  const own = [...details.matchAll(/(?:RANGE INDEX|UNIQUE) [^:]*:(\w+)\(([^)]*)\)/g)];
  return [...own.map(([, label, properties]) => `${label}(${properties})`), ...children.flatMap(indexesOf)];
}

/** Whether an index is walked from its beginning, and a filter above it passes the rows over that lie before what is looked for. */
function walksUpTo({ operatorType, arguments: { Details: seek = '' } }: Plan, filter: Plan): boolean {
  if (!/^(Node(Unique)?|(Und|D)irectedRelationship)IndexSeek/.test(operatorType)) return false;
  const [, variable = ''] = /(?:RANGE INDEX|UNIQUE) (?:\(\w*\)<?-\[)?(\w+):/.exec(seek) ?? [];
  return [...seek.matchAll(/(\w+) IS NOT NULL/g)].some(([, property = '']) =>
    // What is compared with a literal of the text is true of all rows.
    new RegExp(`\\b${variable}\\.${property}\\W? [<>]=? (?!\\W*\\$auto)`).test(
      filter.arguments.Details ?? '',
    ),
  );
}

function isBounded(plan: Plan): boolean {
  return BOUNDS.test(plan.operatorType) || plan.children.some(isBounded);
}

async function seed(driver: Driver, { from, to, scopes }: Seed): Promise<void> {
  const bounds = { from: BigInt(from), to: BigInt(to), scopes: BigInt(scopes) };
  const events = `UNWIND range($from, $to) AS i
    WITH i, 'c' + toString(i % $scopes) AS ref
    CALL (i, ref) {
      CREATE (e:Event {id: 'evt_' + i, tenant: 'default', scope: 'user:' + ref, scope_ref: ref, a0: 'root', a1: ref, shard: i % 64,
        wal_offset: i, recorded_at: datetime({epochMillis: i}), observed_at: datetime({epochMillis: i}), caller: 'user:a', observed_actor: 'user:a', subject: 'user:a',
        modality: 'conversation', content_kind: 'text', labels: ['x'], envelope: '{}', bytes: 2, batch_id: 'b', idempotency_key: 'k' + i})
      CREATE (:IdempotencyKey {tenant: 'default', scope_ref: ref, key: 'k' + i, event_id: e.id, wal_offset: i, recorded_at: i,
        body_hash: 'b', hint_hash: 'h'})
      CREATE (:LifecycleEvent {sequence: i, type: 'captured', tenant: 'default', scope: e.scope, scope_ref: ref, event_id: e.id,
        wal_offset: i, actor: 'user:a', modality: 'conversation', batch_id: 'b', job_id: 'j', ts: i, data: '{}'})
      CREATE (:Passage {event_id: e.id, kind: 'turn', tenant: 'default', scope_ref: ref, wal_offset: i, text: 'word ' + i,
        window_1: 'word', window_3: 'word', thread: ref, place: i / $scopes, segment: i / $scopes / 32, scope_tokens: ['root', ref],
        tags: ['m1'], observed_day: 'd20260101', recorded_day: 'r20260101'})-[:OF]->(e)
    } IN TRANSACTIONS OF 2000 ROWS`;
  await query(driver, events, bounds);
  const facts = `UNWIND range($from, $to) AS i
    WITH i, 'c' + toString(i % $scopes) AS ref
    CALL (i, ref) {
      MATCH (e:Event {id: 'evt_' + i})
      CREATE (f:Statement:Fact {id: 'fact_' + i, fact_id: 'fact_' + i, tenant: 'default', scope: 'user:' + ref, scope_ref: ref,
        a0: 'root', a1: ref, shard: i % 64, claim: 'k' + toString(i % 20), cardinality: 'one', assumed_predicate: 'p' + toString(i % 7), position: i, life_class: i % 9, recorded_at: datetime({epochMillis: i}),
        event_id: e.id, kind: 'asserted', value: 'v', stated_from: datetime({epochMillis: i}), stated_to: datetime({epochMillis: 9}), valid_from: datetime({epochMillis: i}), valid_to: datetime({epochMillis: 9}), subject_id: 'ent_' + toString(i % 50),
        predicate: 'p', text: 'N p o', term: '{}', object_id: 'ent_o', stated_confidence: 1.0, extractor: 'triple'})-[:STATED_IN]->(e)
      CREATE (f)-[:DERIVED_FROM {recorded_from: datetime({epochMillis: i}), recorded_to: datetime({epochMillis: 9})}]->(e)
      CREATE (f)-[:HAS_VERSION]->(:FactVersion {fact_id: f.id, claim: f.claim, tenant: 'default', scope_ref: ref, valid_from: datetime({epochMillis: i}), valid_to: datetime({epochMillis: 9}),
        recorded_from: datetime({epochMillis: i}), recorded_to: datetime({epochMillis: 9}), confidence: 1.0})
      WITH *
      OPTIONAL MATCH (older:Statement {id: 'fact_' + (i - 1)})
      FOREACH (o IN CASE WHEN older IS NULL THEN [] ELSE [older] END | CREATE (o)-[:SUPERSEDED_BY {valid_at: datetime({epochMillis: i}), recorded_from: datetime({epochMillis: i - 1}), recorded_to: datetime({epochMillis: 9})}]->(f))
      CREATE (n:Entity {key: ref + ' ' + i, id: 'ent_' + toString(i % 50), tenant: 'default', scope: f.scope, scope_ref: ref, a0: 'root',
        a1: ref, name: 'N', type: 'other', position: i})
      CREATE (n)-[:KNOWN_AS]->(:EntityName {entity_key: n.key, given: true, id: n.id, tenant: 'default', scope: f.scope, scope_ref: ref,
        a0: 'root', a1: ref, name: 'N', normalised_name: 'n' + toString(i % 50), position: i, recorded_at: datetime({epochMillis: i})})
      CREATE (f)-[:SUBJECT]->(n)
      CREATE (b:Belief {id: 'belief_' + i, tenant: 'default', scope: f.scope, scope_ref: ref, a0: 'root', a1: ref, claim: f.claim, value: 'v',
        subject_id: f.subject_id, predicate: 'p', object: '{}', object_id: 'ent_o', position: i, recorded_at: datetime({epochMillis: i})})
      CREATE (b)-[:HAS_REVISION]->(x:BeliefRevision {belief_id: b.id, claim: f.claim, valid_from: datetime({epochMillis: i}), valid_to: datetime({epochMillis: 9}),
        recorded_from: datetime({epochMillis: i}), recorded_to: datetime({epochMillis: 9}), stance: 'supported', confidence: 0.7, lower: 0.5, upper: 0.9, holds_from: datetime({epochMillis: i}), holds_to: datetime({epochMillis: 9}),
        revised_at: datetime({epochMillis: i}), caused_by: e.id, revision: 1})-[:WEIGHED {weight: 1.0, polarity: 'supports'}]->(f)
      CREATE (b)-[:SUPPORTED_BY {weight: 1.0, polarity: 'supports', recorded_from: datetime({epochMillis: i}), recorded_to: datetime({epochMillis: 9})}]->(f)
      CREATE (b)-[:ABOUT]->(n)
    } IN TRANSACTIONS OF 2000 ROWS`;
  await query(driver, facts, bounds);
}

/** What only a store has that was used for long. */
async function seedRest(driver: Driver): Promise<void> {
  await seedScopes(driver);
  await seedConcepts(driver);
  await query(
    driver,
    `MATCH (e:Event {id: 'evt_1'}), (later:Event {id: 'evt_2'})
     CREATE (e)-[:SUPERSEDED_BY]->(later) CREATE (:LogEntry {id: 'l', kind: 'cancel'})-[:CANCELS]->(e)`,
  );
}

async function seedScopes(driver: Driver): Promise<void> {
  await query(
    driver,
    `UNWIND range(0, $scopes - 1) AS i
     CREATE (:Scope {ref: 'c' + i, tenant: 'default', path: 'user:c' + i, a0: 'root'})
     CREATE (:ReleasedKey {tenant: 'default', scope_ref: 'c' + i, key: 'old', event_id: 'evt_1', wal_offset: 1})
     CREATE (:StageRetry {id: 'h' + i, event_id: 'evt_' + i, scope_ref: 'c' + i, shard: i % 64, state: 'failed', stage: 'indexed', reason: 'r'})
     CREATE (:Passage:SessionPassage {kind: 'session', thread: 'c' + i, segment: 0, tenant: 'default', scope_ref: 'c' + i, session_text: 'word',
       scope_tokens: ['root', 'c' + i]})
     CREATE (:PassageScope {scope_ref: 'c' + i})
     CREATE (:Worker {id: 'w' + i, expires_at: 0})
     CREATE (:Blob {id: 'blob_' + i, tenant: 'default', uploader: 'user:a', held: true, body_id: 'body_' + i})
     CREATE (:BlobBody {id: 'body_' + i})
     CREATE (:BlobBody {id: 'due_' + i, remove_at: i})
     CREATE (:BlobChunk {body_id: 'body_' + i, index: 0})
     CREATE (:BlobUse {blob_id: 'blob_' + i, event_id: 'evt_' + i, tenant: 'default', scope: 'user:c' + i, scope_ref: 'c' + i, wal_offset: i})`,
    { scopes: BigInt(LARGE.scopes) },
  );
}

async function seedConcepts(driver: Driver): Promise<void> {
  const concepts = `UNWIND range($from, $to) AS i
    WITH i, 'c' + toString(i % $scopes) AS ref
    CALL (i, ref) {
      MATCH (f:Statement {id: 'fact_' + i})
      CREATE (c:Concept {id: 'concept_' + i, tenant: 'default', scope: f.scope, scope_ref: ref, a0: 'root', a1: ref,
        entity_id: f.subject_id, position: i, recorded_at: datetime({epochMillis: i}), recorded_from: datetime({epochMillis: i}), version: 1, partial: true, fact_count: 1, cited_count: 1})
      CREATE (c)-[:HAS_VERSION]->(:ConceptVersion {concept_id: c.id, recorded_from: datetime({epochMillis: i}), recorded_to: datetime({epochMillis: 9}), version: 1, facts: [f.id]})
      WITH * MATCH (hub:Concept {id: 'concept_' + toString($from + (i - $from) % 50)})
      CREATE (hub)-[:SUPPORTED_BY {concept_id: hub.id, fact_id: f.id, claim: f.claim, belief_id: 'belief_' + i, position: i,
        recorded_from: datetime({epochMillis: i}), recorded_to: datetime({epochMillis: 9}), stance: 'supported', text: 'N p o'}]->(f)
      WITH * MATCH (o:Concept {id: 'concept_' + toString($from)})
      CREATE (c)-[:RELATES {relation: 'co_occurs', weight: 1, recorded_from: datetime({epochMillis: i}), recorded_to: datetime({epochMillis: 9})}]->(o)
      CREATE (:LogEntry:Synthesis {id: 'synthesis_' + i, scope_ref: ref, recorded_at: datetime({epochMillis: i}), shard: i % 64, force: false})
    } IN TRANSACTIONS OF 2000 ROWS`;
  const { from, to, scopes } = LARGE;
  await query(driver, concepts, { from: BigInt(from), to: BigInt(to), scopes: BigInt(scopes) });
}

describe('plans of the named statements', () => {
  let driver: Driver;
  let statements: Statement[];
  let onEmptyStore: string[];
  let onYoungStore: string[];

  beforeAll(async () => {
    await wipe();
    const directory = new URL('../../graph/', import.meta.url);
    for (const file of readdirSync(directory, { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.ts')) await import(new URL(file, directory).href);
    // What is waited for however long it takes goes through all that there is, once.
    statements = [...declaredStatements().values()].filter(
      ({ cypher25, patient }) => (cypher25 !== true || takesCypher25()) && patient !== true,
    );
    driver = testDriver();
    const database = patientDatabase();
    const version = await database.serverVersion();
    await migrate(database, version);
    // Without its indexes the server explains no search for vectors.
    await new VectorIndexes(database, version).ensure(3);
    await database.close();
    if (LONG) onEmptyStore = await faultyStatements();
    await seed(driver, YOUNG);
    await counted();
    // To explain all statements takes a minute: on every day only the last store, which is hardly older.
    if (LONG) onYoungStore = await faultyStatements();
    await seed(driver, LARGE);
    await seedRest(driver);
    await counted();
  });

  afterAll(async () => {
    await driver.close();
    await wipe();
  });

  /** Has the server count what it plans by. */
  async function counted(): Promise<void> {
    await query(driver, 'CALL db.prepareForReplanning()');
  }

  const used = new Set<string>();

  async function faultyStatements(): Promise<string[]> {
    const faults: string[] = [];
    for (const { name, text } of statements) {
      if (text.startsWith('SHOW')) continue;
      const plan = await explain(driver, text);
      for (const index of indexesOf(plan)) used.add(index);
      const allowed = EXCEPTIONS[name]?.operator;
      const found = faultsOf(plan).filter((operator) => !(allowed?.test(operator) ?? false));
      if (found.length > 0) faults.push(`${name}: ${found.join(', ')}`);
    }
    return faults;
  }

  it('scan no label and sort nothing unbounded', async () => {
    expect(await faultyStatements()).toEqual([]);
    expect(statements.length).toBeGreaterThan(30);
  });

  it('use every index that there is', () => {
    const declared = STORE_SCHEMA.filter(({ kind }) => kind === 'range' || kind === 'edges');
    const idle = declared.filter(({ label, properties }) => !used.has(`${label}(${properties.join(', ')})`));
    expect(idle.map(({ name }) => name)).toEqual([]);
  });

  if (LONG)
    it('are as good when they are made on an empty or a young store, since they are kept', () => {
      expect(onEmptyStore).toEqual([]);
      expect(onYoungStore).toEqual([]);
    });

  it('need every exception that the list grants', async () => {
    for (const [name, { operator }] of Object.entries(EXCEPTIONS)) {
      const statement = statements.find((candidate) => candidate.name === name);
      expect(statement?.name).toBe(name);
      expect(
        faultsOf(await explain(driver, statement?.text ?? '')).some((found) => operator.test(found)),
      ).toBe(true);
    }
  });

  it('would be caught scanning, sorting or walking', async () => {
    const scan = await explain(driver, 'MATCH (e:Event) WHERE e.caller = $x RETURN e');
    const sort = await explain(
      driver,
      'MATCH (e:Event) WHERE e.scope_ref = $x AND e.wal_offset > 0 RETURN e ORDER BY e.caller',
    );
    const hub = await explain(driver, 'MATCH (c:Concept {id: $x})-[s:SUPPORTED_BY]->(f) RETURN f.id');
    expect(faultsOf(hub)).toEqual(['HubWalk']);
    expect(faultsOf(scan)).not.toEqual([]);
    expect(faultsOf(sort)).not.toEqual([]);
    const seek = {
      operatorType: 'NodeIndexSeek',
      arguments: { Details: 'RANGE INDEX e:Event(a, b) WHERE a = $p.a AND b IS NOT NULL, e.b' },
      children: [],
    };
    const above = (Details: string): Plan => ({
      operatorType: 'Filter',
      arguments: { Details },
      children: [seek],
    });
    expect(faultsOf(above('cache[e.b] > after'))).toEqual(['Walk']);
    const edges = {
      operatorType: 'DirectedRelationshipIndexSeek',
      arguments: { Details: 'RANGE INDEX (n)-[e:T(a, b)]->() WHERE a = $p.a AND b IS NOT NULL' },
      children: [],
    };
    expect(faultsOf({ ...above('e.b > after'), children: [edges] })).toEqual(['Walk']);
    expect(faultsOf(above('cache[e.b] > $autoint_0'))).toEqual([]);
    expect(faultsOf(above('cache[e.b] > -$autoint_0'))).toEqual([]);
    expect(faultsOf(above('e.b >= $p.after'))).toEqual(['Walk']);
    const walk = await explain(
      driver,
      'MATCH (e:Event) WHERE e.scope_ref = $x AND e.wal_offset IS NOT NULL RETURN e.wal_offset',
    );
    expect(JSON.stringify(walk)).toMatch(
      /RANGE INDEX e:Event\(scope_ref, wal_offset\) WHERE [^"]* wal_offset IS NOT NULL/,
    );
  });
});

function takesCypher25(): boolean {
  return filtersVectors(testDatabase().version);
}

async function explain(driver: Driver, text: string): Promise<Plan> {
  const session = driver.session({ database: testDatabase().database });
  try {
    // Planned anew on each store, and not taken from the one before.
    const { summary } = await session.run(`EXPLAIN ${text.replace('replan=skip', 'replan=force')}`);
    if (summary.plan === false) throw new Error(`no plan for ${text}`);
    return summary.plan;
  } finally {
    await session.close();
  }
}
