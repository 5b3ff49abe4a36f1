import type { Driver } from 'neo4j-driver';

import type { Database } from '../../graph/driver.ts';
import { EntityLinkStore } from '../../graph/entity/link.ts';
import { removeLinksOf } from '../../graph/entity/link-removal.ts';
import { migrate } from '../../graph/migrate.ts';
import { boltParameters, type Params, type Statement } from '../../graph/statement.ts';
import { scopeRef, shardOf } from '../../src/capture/scope-key.ts';
import { patientDatabase, query, testDriver, wipe } from '../support/database.ts';

// Which links go with entities that are gone, and what of the store is read for that.

let driver: Driver;
let database: Database;

beforeAll(async () => {
  await wipe();
  driver = testDriver();
  database = patientDatabase();
  await migrate(database, await database.serverVersion());
});
afterAll(async () => {
  await database.close();
  await driver.close();
});

/** A scope that is known, and in which nothing is derived. */
async function scopeOf(name: string): Promise<{ scope: string; ref: string }> {
  const scope = `org:links/ws:${name}`;
  const ref = scopeRef('default', scope);
  await query(driver, 'MERGE (:Scope {ref: $ref})', { ref });
  return { scope, ref };
}

async function link(scope: string, entity: string, same_as: string): Promise<string> {
  const ref = scopeRef('default', scope);
  const by = { tenant: 'default', actor: 'user:x', entity, same_as };
  const id = `link_${entity}_${same_as}_${ref}`;
  const entry = { ...by, id, scope, scope_ref: ref, shard: shardOf(ref) };
  await new EntityLinkStore(database).link(entry, () => null, { now: Date.now(), rows: [] });
  return id;
}

/** The links of a scope. */
async function linksOf(ref: string): Promise<string[]> {
  const rows = await query<{ link: string }>(
    driver,
    "MATCH (l:EntityLink {scope_ref: $ref}) RETURN l.entity + ' ' + l.same_as AS link ORDER BY link",
    { ref },
  );
  return rows.map((row) => row.link);
}

const gone = (...ids: string[]) => ({
  ids: new Set(ids),
  names: new Map<string, ReadonlySet<string>>(),
  forms: new Set(ids),
  shared: false,
});

it('looks for names in what was partly forgotten, one text at a time', async () => {
  const { scope, ref } = await scopeOf('texts');
  const bytes = 500_000;
  await query(
    driver,
    `CREATE (entry:LogEntry {id: 'entry_texts', kind: 'forget'})
     WITH entry
     UNWIND range(1, 40) AS i
     CREATE (e:Event {id: 'evt_texts_' + i, scope_ref: $ref, wal_offset: i, bytes: $bytes,
       envelope: $text + CASE WHEN i = 40 THEN 'Ent_Quill' ELSE '' END})
     CREATE (entry)-[:FORGETS]->(e)`,
    { ref, text: ' '.repeat(bytes), bytes },
  );
  await link(scope, 'ent_quill', 'ent_q');
  await link(scope, 'ent_other', 'ent_o');
  await query(driver, 'MATCH (l:LinkEntry {scope_ref: $ref}) REMOVE l.pending_shard', { ref });
  const used: number[] = [];
  const measured = {
    // The server says how much memory a statement took.
    read: async <P extends Params, R>(asked: Statement<P, R>, params: P): Promise<R[]> => {
      const session = driver.session();
      const text = asked.text.replace(/^CYPHER \S+/, '$& PROFILE');
      const { profile } = (await session.run(text, boltParameters(params))).summary;
      await session.close();
      used.push(Number(profile && profile.arguments.GlobalMemory));
      return database.read(asked, params);
    },
    transactionRepeatable: database.transactionRepeatable.bind(database),
  };
  await removeLinksOf(measured, ref, gone('ent_quill', 'ent_other'), Date.now());
  expect(await linksOf(ref)).toEqual(['ent_quill ent_q']);
  expect(Math.min(...used)).toBeGreaterThan(0);
  expect(Math.max(...used)).toBeLessThan(2 * bytes);
});
