import { isDeepStrictEqual } from 'node:util';

import type { Driver } from 'neo4j-driver';

import { ConceptReader } from '../../graph/concept/read.ts';
import { instant } from '../../graph/instant.ts';
import {
  SUPPORT,
  supportOf,
  type StoredSupport,
  type SupportedConcept,
} from '../../graph/concept/support.ts';
import { VERSION, versionOf, type StoredVersion } from '../../graph/concept/version.ts';
import { ClaimWriter } from '../../graph/claim/write.ts';
import type { Database } from '../../graph/driver.ts';
import { migrate } from '../../graph/migrate.ts';
import { scopeRef } from '../../src/capture/scope-key.ts';
import type { ClaimChange } from '../../src/derive/claim/change.ts';
import type { SupportRow } from '../../src/derive/concept/support.ts';
import type { ConceptEdge } from '../../src/derive/concept/version.ts';
import type { CitingVersion, Synthesis } from '../../src/derive/concept/evolve.ts';
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
});

/** Has a fact of each id, in the scope that is told next. */
function state(ref: string): Promise<unknown> {
  return query(
    driver,
    `UNWIND range(0, 13) AS i
     MERGE (f:Statement {id: 'f' + right('0' + i, 2)}) SET f:Fact, f.position = i + 1, f.scope_ref = $ref`,
    { ref },
  );
}

afterAll(async () => {
  await database.close();
  await driver.close();
  await wipe();
});

/** `erased`: ids of statements of which nothing may stay. */
function revise(changes: readonly ClaimChange[], erased: readonly string[] = []) {
  return database.transaction(async (transaction) => {
    const ahead = new ConceptPrefetch(transaction, KEYED_IDS);
    if (erased.length > 0) {
      await ahead.keep(changes.map(({ claim }) => claim));
      new ClaimWriter(transaction).withdraw(erased, true);
    }
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
  const entities = new Map(
    (await supportsOf(ref)).map(({ concept_id, entity_id }) => [concept_id, entity_id]),
  );
  const wanted = [...entities].map(([concept_id, entity_id]) => ({
    concept_id,
    entity_id,
    scope_ref: ref,
    since: recorded_at,
  }));
  await database.transaction((transaction) => reviser.tell(transaction, wanted, new Map()));
}

/** The supports of a scope. */
async function supportsOf(ref: string): Promise<SupportRow[]> {
  const found = await query<SupportedConcept & { said: StoredSupport }>(
    driver,
    `MATCH (c:Concept {scope_ref: $ref})-[x:SUPPORTED_BY]->()
     RETURN c.id AS concept_id, c.entity_id AS entity_id, c.scope_ref AS scope_ref, ${SUPPORT} AS said`,
    { ref },
  );
  return found.map(({ said, ...concept }) => supportOf(said, concept));
}

interface FoundVersion {
  readonly id: string;
  readonly from: number;
  readonly facts: string[];
  readonly edges: ConceptEdge[];
  readonly version: StoredVersion;
}

function byWeight(a: ConceptEdge, b: ConceptEdge): number {
  return b.facts - a.facts || (`${a.to} ${a.relation}` < `${b.to} ${b.relation}` ? -1 : 1);
}

/** In the order of properties that it is made in. */
function edgeOf({ to, relation, facts }: ConceptEdge): ConceptEdge {
  return { to, relation, facts };
}

/** What the store has of the concepts of a scope. */
async function stored(ref: string): Promise<string> {
  const rows = await supportsOf(ref);
  const found = await query<FoundVersion>(
    driver,
    `MATCH (c:Concept {scope_ref: $ref})-[:HAS_VERSION]->(v)
     RETURN c.id AS id, v.recorded_from AS from, v.facts AS facts, ${VERSION} AS version,
       COLLECT { MATCH (c)-[r:RELATES]->(o:Concept) WHERE r.recorded_from <= v.recorded_from AND v.recorded_from < r.recorded_to
         RETURN {to: o.id, relation: r.relation, facts: r.weight} } AS edges ORDER BY from`,
    { ref },
  );
  const versions = new Map<string, CitingVersion[]>();
  for (const { id, from, facts, edges, version } of found) {
    const whole = { ...versionOf(version), facts, edges: edges.sort(byWeight).map(edgeOf) };
    expect(whole.recorded_from).toBe(from);
    versions.set(id, [...(versions.get(id) ?? []), whole]);
  }
  return dumped(rows, versions);
}

/** Versions that cite others than the newest of the facts to which their concept has an edge then, and edges that name other ends than they have. */
function mislinked(ref: string): Promise<unknown[]> {
  return query(
    driver,
    `MATCH (c:Concept {scope_ref: $ref})-[:HAS_VERSION]->(v)
     WITH c, v, COLLECT { MATCH (c)-[x:SUPPORTED_BY]->(f:Statement) WHERE x.recorded_from <= v.recorded_from < x.recorded_to
         RETURN f.id ORDER BY x.position DESC, f.id DESC } AS facts
     WHERE size(facts) <> v.fact_count OR facts[0..$most] <> v.facts
     RETURN c.id AS id, v.facts AS cites, facts
     UNION ALL
     MATCH (c:Concept {scope_ref: $ref})-[x:SUPPORTED_BY]->(f) WHERE x.concept_id <> c.id OR x.fact_id <> f.id
     RETURN c.id AS id, x.concept_id AS cites, f.id AS facts`,
    { ref, most: BigInt(BOUNDS.facts) },
  );
}

/** Versions that are read otherwise than they were made, by what they cite and what is found of that. */
async function misread(ref: string, made: ConceptShelf): Promise<unknown[]> {
  const [reader, rows] = [new ConceptReader(database), await supportsOf(ref)];
  const wrong: unknown[] = [];
  for (const [id, versions] of made.versions) {
    const read = await reader.versions(id, { after: 0, recorded: OPEN_END, scan: 100 });
    const expected = versions.map(({ recorded_from: at, facts, edges }) => {
      const cited = facts.flatMap((fact) =>
        rows.filter(
          ({ concept_id, fact_id, recorded }) =>
            concept_id === id && fact_id === fact && recorded.from <= at && at < recorded.to,
        ),
      );
      return { at, facts, edges, beliefs: [...new Set(cited.map(({ belief_id }) => belief_id))] };
    });
    const found = read.map(({ version, facts, edges, beliefs }) => ({
      ...{ at: version.recorded_from, facts, beliefs },
      edges: edges.slice(0, BOUNDS.edges),
    }));
    if (!isDeepStrictEqual(found, expected)) wrong.push({ id, found, expected });
  }
  return wrong;
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

/** Edges to others that begin or end where no version does. */
function misrelated(ref: string): Promise<unknown[]> {
  return query(
    driver,
    `MATCH (c:Concept {scope_ref: $ref})-[r:RELATES]->() WHERE NOT EXISTS { (c)-[:HAS_VERSION]->({recorded_from: r.recorded_from}) }
       OR (r.recorded_to <> $open AND NOT EXISTS { (c)-[:HAS_VERSION]->({recorded_from: r.recorded_to}) })
     RETURN c.id AS id, r.recorded_from AS at, r.recorded_to AS to`,
    { ref, open: instant(OPEN_END) },
  );
}

/** Concepts that are said to have other supports than they have. */
function miscounted(ref: string): Promise<unknown[]> {
  return query(
    driver,
    `MATCH (c:Concept {scope_ref: $ref})
     WITH c, COUNT { MATCH (c)-[x:SUPPORTED_BY]->() WHERE x.recorded_to = $open } AS supports WHERE supports <> c.supports
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
    await state(place.scope_ref);
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
    expect(await misread(place.scope_ref, shelf)).toEqual([]);
    const ids = new Set(spoken.flatMap(({ statement }, i) => (out[i] === true ? [statement.id] : [])));
    shelf.apply([], ids);
    await revise(logs.changes([], ids), run % 2 === 0 ? [...ids] : []);
    expect(await stored(place.scope_ref)).toBe(shelf.dump());
    expect(await mislinked(place.scope_ref)).toEqual([]);
    expect(await miscounted(place.scope_ref)).toEqual([]);
    expect(await misended(place.scope_ref)).toEqual([]);
    expect(await misrelated(place.scope_ref)).toEqual([]);
    expect(await misread(place.scope_ref, shelf)).toEqual([]);
  });
  await fc.assert(property, { numRuns: inDepth(10, 60) });
});
