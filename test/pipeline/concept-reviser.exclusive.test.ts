import type { Driver } from 'neo4j-driver';

import { instant } from '../../graph/instant.ts';
import { CONSTANT_SUPPORT } from '../../graph/concept/support.ts';
import { VERSION, versionOf, type StoredVersion } from '../../graph/concept/version.ts';
import type { Database } from '../../graph/driver.ts';
import { migrate } from '../../graph/migrate.ts';
import { scopeRef } from '../../src/capture/scope-key.ts';
import type { ClaimChange } from '../../src/derive/claim/change.ts';
import type { ConceptVersion, Synthesis } from '../../src/derive/concept/evolve.ts';
import { ConceptReviser } from '../../src/pipeline/concept-reviser.ts';
import { ConceptPrefetch } from '../../src/pipeline/concept-prefetch.ts';
import { BOUNDS, ClaimLogs, ConceptShelf, dumped, tale, type Spoken } from '../derive/concept-story.ts';
import { OPEN_END } from '../../schemas/time.ts';
import { patientDatabase, query, testDriver, wipe } from '../support/database.ts';
import { KEYED_IDS } from '../support/keyed-ids.ts';
import fc from '../support/property.ts';
import { inDepth } from '../support/depth.ts';

let driver: Driver;
let database: Database;
/** In parts of two, so that there are several. */
const reviser = new ConceptReviser(BOUNDS, 2);

beforeAll(async () => {
  await wipe();
  driver = testDriver();
  database = patientDatabase();
  await migrate(database, await database.serverVersion());
  await query(
    driver,
    `UNWIND range(0, 13) AS i
     CREATE (:Statement:Fact {id: 'f' + right('0' + i, 2), position: i + 1})`,
  );
});

afterAll(async () => {
  await database.close();
  await driver.close();
  await wipe();
});

function revise(changes: readonly ClaimChange[]) {
  return database.transaction(async (transaction) => {
    const ahead = new ConceptPrefetch(transaction, KEYED_IDS);
    await ahead.ask(changes);
    return reviser.write(transaction, await reviser.plan(transaction, changes, ahead));
  });
}

/** Has an entry in the log, and every concept of the scope brought up to date. */
async function synthesize(ref: string, { id, recorded_at, topics, force }: Synthesis): Promise<void> {
  await query(
    driver,
    'CREATE (:Synthesis {id: $key, scope_ref: $ref, recorded_at: datetime({epochMillis: $at}), topics: $topics, force: $force})',
    { key: id, ref, at: BigInt(recorded_at), topics, force },
  );
  const said = (await supportsOf(ref)).map((x) => CONSTANT_SUPPORT.row(x.said));
  const entities = new Map(said.map(({ concept_id, entity_id }) => [concept_id, entity_id]));
  const wanted = [...entities].map(([concept_id, entity_id]) => ({
    concept_id,
    entity_id,
    scope_ref: ref,
    since: recorded_at,
  }));
  await database.transaction((transaction) => reviser.tell(transaction, wanted, new Map()));
}

/** The properties of the supports of a scope. */
async function supportsOf(ref: string): Promise<{ said: string; [name: string]: any }[]> {
  const found = await query<{ x: { said: string; [name: string]: any } }>(
    driver,
    'MATCH (x:ConceptSupport) RETURN properties(x) AS x',
  );
  return found.flatMap(({ x }) => (CONSTANT_SUPPORT.row(x.said).scope_ref === ref ? [x] : []));
}

/** What the store has of the concepts of a scope. */
async function stored(ref: string): Promise<string> {
  const rows = (await supportsOf(ref)).map(
    ({ recorded_from: from, recorded_to: to, closed_by = null, said, ...row }) => {
      const { recorded_from, ...told } = CONSTANT_SUPPORT.row(said);
      // What it is found by is what its text says.
      expect({ ...told, recorded_from }).toMatchObject({ ...row, recorded_from: from });
      return { ...told, closed_by, recorded: { from, to } };
    },
  );
  const found = await query<{ id: string; from: number; version: StoredVersion }>(
    driver,
    `MATCH (c:Concept {scope_ref: $ref})-[:HAS_VERSION]->(v) RETURN c.id AS id, v.recorded_from AS from, ${VERSION} AS version ORDER BY from`,
    { ref },
  );
  const versions = new Map<string, ConceptVersion[]>();
  for (const { id, from, version } of found) {
    const whole = versionOf(version);
    expect(whole.recorded_from).toBe(from);
    versions.set(id, [...(versions.get(id) ?? []), whole]);
  }
  return dumped(rows, versions);
}

/** Versions whose edges do not say what they cite for the first time. */
async function mislinked(ref: string): Promise<unknown[]> {
  const rows = await query<{ facts: string[]; before: string[]; cites: string[] }>(
    driver,
    `MATCH (c:Concept {scope_ref: $ref}) OPTIONAL MATCH (c)-[:HAS_VERSION]->(v)
     CALL (c, v) {
       OPTIONAL MATCH (c)-[:HAS_VERSION]->(p) WHERE p.recorded_from < v.recorded_from
       RETURN p ORDER BY p.recorded_from DESC LIMIT 1
     }
     RETURN v.facts AS facts, coalesce(p.facts, []) AS before, COLLECT { MATCH (v)-[:SUPPORTED_BY]->(f) RETURN f.id } AS cites`,
    { ref },
  );
  return rows.filter(({ facts, before, cites }) => {
    const fresh = facts.filter((id) => !before.includes(id));
    return fresh.sort().join() !== [...cites].sort().join();
  });
}

/** Versions that end at another instant than the next one begins, and concepts that do not say what their last version says. */
function misended(ref: string): Promise<unknown[]> {
  return query(
    driver,
    `MATCH (c:Concept {scope_ref: $ref})-[:HAS_VERSION]->(v)
     WITH c, v ORDER BY v.recorded_from
     WITH c, collect(v) AS versions
     UNWIND range(0, size(versions) - 1) AS i
     WITH c, versions[i] AS v, versions[-1] AS newest, coalesce(versions[i + 1].recorded_from, $open) AS ends
     WHERE v.recorded_to <> ends OR c {.version, .name, .summary, .stance, .confidence, .coverage, .partial, .recorded_from}
       <> newest {.version, .name, .summary, .stance, .confidence, .coverage, .partial, .recorded_from}
     RETURN c.id AS id, v.recorded_from AS at, v.recorded_to AS to, ends`,
    { ref, open: instant(OPEN_END) },
  );
}

/** Versions at whose instants the edges of the concept are others than those that the version tells. */
function misrelated(ref: string): Promise<unknown[]> {
  return query(
    driver,
    `MATCH (c:Concept {scope_ref: $ref})-[:HAS_VERSION]->(v)
     WITH c, v, COLLECT { UNWIND range(0, size(v.relates_to) - 1) AS i
         RETURN v.relates_to[i] + ' ' + v.relations[i] + ' ' + toString(v.weights[i]) AS edge ORDER BY edge } AS told,
       COLLECT { MATCH (c)-[r:RELATES]->(o:Concept) WHERE r.recorded_from <= v.recorded_from AND v.recorded_from < r.recorded_to
         RETURN o.id + ' ' + r.relation + ' ' + toString(r.weight) AS edge ORDER BY edge } AS edges
     WHERE told <> edges
     RETURN c.id AS id, v.recorded_from AS at, told, edges
     UNION
     MATCH (c:Concept {scope_ref: $ref})-[r:RELATES]->() WHERE NOT EXISTS { (c)-[:HAS_VERSION]->({recorded_from: r.recorded_from}) }
       OR (r.recorded_to <> $open AND NOT EXISTS { (c)-[:HAS_VERSION]->({recorded_from: r.recorded_to}) })
     RETURN c.id AS id, r.recorded_from AS at, null AS told, r.recorded_to AS edges`,
    { ref, open: instant(OPEN_END) },
  );
}

/** Concepts that are said to have other supports than they have. */
function miscounted(ref: string): Promise<unknown[]> {
  return query(
    driver,
    `MATCH (c:Concept {scope_ref: $ref})
     WITH c, COUNT { MATCH (x:ConceptSupport {concept_id: c.id}) WHERE x.recorded_to = $open } AS supports WHERE supports <> c.supports
     RETURN c.id AS id, supports, c.supports AS said`,
    { ref, open: instant(OPEN_END) },
  );
}

it('keeps the same concepts to the byte as the pure derivation, whatever the transactions', async () => {
  let run = 0;
  const flags = fc.array(fc.boolean(), { minLength: 14, maxLength: 14 });
  const property = fc.asyncProperty(tale, flags, flags, async ({ spoken, syntheses }, cuts, out) => {
    const scope = `user:run${(run += 1)}`;
    const place = { tenant: 'default', scope, scope_ref: scopeRef('default', scope) };
    const [shelf, logs] = [new ConceptShelf(place), new ClaimLogs(place)];
    const waiting = [...syntheses];
    let part: Spoken[] = [];
    for (const [i, one] of spoken.entries()) {
      part.push(one);
      if (i < spoken.length - 1 && cuts[i] !== true) continue;
      shelf.apply(part);
      await revise(logs.changes(part));
      part = [];
      while (waiting[0] && waiting[0].recorded_at <= one.statement.recorded_at) {
        const next = waiting.shift()!;
        shelf.synthesize(next);
        await synthesize(place.scope_ref, next);
      }
    }
    expect(await stored(place.scope_ref)).toBe(shelf.dump());
    expect(await mislinked(place.scope_ref)).toEqual([]);
    expect(await miscounted(place.scope_ref)).toEqual([]);
    expect(await misended(place.scope_ref)).toEqual([]);
    expect(await misrelated(place.scope_ref)).toEqual([]);
    const ids = new Set(spoken.flatMap(({ statement }, i) => (out[i] === true ? [statement.id] : [])));
    shelf.apply([], ids);
    await revise(logs.changes([], ids));
    expect(await stored(place.scope_ref)).toBe(shelf.dump());
    expect(await mislinked(place.scope_ref)).toEqual([]);
    expect(await miscounted(place.scope_ref)).toEqual([]);
    expect(await misended(place.scope_ref)).toEqual([]);
    expect(await misrelated(place.scope_ref)).toEqual([]);
  });
  await fc.assert(property, { numRuns: inDepth(10, 60) });
});
