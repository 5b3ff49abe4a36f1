import type { Driver } from 'neo4j-driver';

import type { Database, Transaction } from '../../graph/driver.ts';
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

async function unlink(ref: string, id: string): Promise<void> {
  const by = { id: `un${id}`, actor: 'user:x' };
  await new EntityLinkStore(database).unlink({ id, ref }, by, { now: Date.now(), rows: [] });
}

/** As if everything that was linked in a scope were applied. */
async function applied(ref: string): Promise<void> {
  await query(driver, 'MATCH (l:LinkEntry {scope_ref: $ref}) REMOVE l.pending_shard', { ref });
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

const NOW = { through: 10_000, now: Date.now(), goesOn: () => undefined };

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
  await applied(ref);
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
  expect(await removeLinksOf(measured, ref, gone('ent_quill', 'ent_other'), NOW)).toBe(true);
  expect(await linksOf(ref)).toEqual(['ent_quill ent_q']);
  expect(Math.min(...used)).toBeGreaterThan(0);
  expect(Math.max(...used)).toBeLessThan(2 * bytes);
});

/** The chain of three, made in one order or the other, and what of it was taken back. */
const CHAINS: readonly {
  readonly name: string;
  readonly play: (scope: string, ref: string) => Promise<unknown>;
  readonly left: readonly string[];
}[] = [
  {
    name: 'the first is linked last',
    play: async (scope) => {
      await link(scope, 'ent_b', 'ent_c');
      return link(scope, 'ent_a', 'ent_b');
    },
    left: ['ent_a ent_c'],
  },
  {
    name: 'the first is linked first, and counts from the second on',
    play: async (scope) => {
      await link(scope, 'ent_a', 'ent_b');
      return link(scope, 'ent_b', 'ent_c');
    },
    left: ['ent_a ent_c'],
  },
  {
    name: 'the first was taken back while both stood',
    play: async (scope, ref) => {
      const second = await link(scope, 'ent_b', 'ent_c');
      const first = await link(scope, 'ent_a', 'ent_b');
      await unlink(ref, first);
      await unlink(ref, second);
      return first;
    },
    left: ['ent_a ent_c'],
  },
  {
    name: 'the second was taken back before the first',
    play: async (scope, ref) => {
      const second = await link(scope, 'ent_b', 'ent_c');
      const first = await link(scope, 'ent_a', 'ent_b');
      await unlink(ref, second);
      await unlink(ref, first);
    },
    left: [],
  },
  {
    name: 'the first was taken back before the second stood',
    play: async (scope, ref) => {
      await unlink(ref, await link(scope, 'ent_a', 'ent_b'));
      await link(scope, 'ent_b', 'ent_c');
    },
    left: [],
  },
];

it.each(CHAINS)(
  'has what went by an entity that is gone go by what that one went by: $name',
  async ({ name, play, left }) => {
    const { scope, ref } = await scopeOf(name);
    const last = await play(scope, ref);
    await applied(ref);
    const of =
      'MATCH (l:EntityLink {scope_ref: $ref}) RETURN l.id AS id, l.number AS number, l.ended_id AS ended';
    const before = await query(driver, of, { ref });
    expect(await removeLinksOf(database, ref, gone('ent_b'), NOW)).toBe(true);
    expect(await linksOf(ref)).toEqual(left);
    const after = await query(driver, of, { ref });
    // From where on both stood.
    const place = before.find(({ id }) => id === last);
    expect(after.map(({ number }) => number)).toEqual(left.length === 0 ? [] : [place?.number]);
    const kept = before.filter(({ id }) => after.some((one) => one.id === id));
    expect(after.map(({ ended }) => ended)).toEqual(kept.map(({ ended }) => ended));
    const entities = await query(
      driver,
      'MATCH (m:LinkedEntity {scope_ref: $ref})-[:IN_GROUP]->(:LinkGroup) RETURN m.entity_id AS id ORDER BY id',
      { ref },
    );
    expect(entities.map(({ id }) => id)).toEqual(left.length === 0 ? [] : ['ent_a', 'ent_c']);
    expect(
      await query(driver, 'MATCH (u:LinkEntry {scope_ref: $ref}) WHERE u.entity = "ent_b" RETURN u', { ref }),
    ).toEqual([]);
  },
);

it('follows a chain of which several are gone', async () => {
  const { scope, ref } = await scopeOf('several');
  for (const [from, to] of ['cd', 'bc', 'ab']) await link(scope, `ent_${from}`, `ent_${to}`);
  await applied(ref);
  expect(await removeLinksOf(database, ref, gone('ent_b', 'ent_c'), NOW)).toBe(true);
  expect(await linksOf(ref)).toEqual(['ent_a ent_d']);
});

it('keeps the whole chain by which it is told what was forgotten of an event', async () => {
  const { scope, ref } = await scopeOf('told');
  await query(
    driver,
    `CREATE (:LogEntry {id: 'entry_told', kind: 'forget'})-[:FORGETS]->
       (:Event {id: 'evt_told', scope_ref: $ref, wal_offset: 1000, bytes: 5, envelope: 'ent_a'})`,
    { ref },
  );
  await link(scope, 'ent_b', 'ent_c');
  await link(scope, 'ent_a', 'ent_b');
  await applied(ref);
  expect(await removeLinksOf(database, ref, gone('ent_b'), NOW)).toBe(true);
  expect(await linksOf(ref)).toEqual(['ent_a ent_b', 'ent_b ent_c']);
});

/** What may be the matter with an event that names an entity, and whether the links of that stay for it; null: until it is consolidated. */
const EVENTS: readonly [what: string, made: string, stays: boolean | null][] = [
  ['was cancelled', "CREATE (:LogEntry {id: $ref + 'cancel'})-[:CANCELS]->(e)", true],
  ['was replaced', "CREATE (e)-[:SUPERSEDED_BY]->(:Event {id: $ref + 'later'})", true],
  ['is held', "CREATE (:StageRetry {id: $ref + 'held', event_id: e.id, state: 'deferred'})", true],
  ['enrichment gave back', "CREATE (:EnrichmentRetry {event_id: e.id, state: 'held'})", true],
  [
    'enrichment is to ask about',
    'CREATE (:EnrichmentProgress {scope_ref: $ref, open_shard: 0, served: 0, after: e.wal_offset - 1})',
    true,
  ],
  ['enrichment has asked about', 'CREATE (:EnrichmentProgress {scope_ref: $ref, after: 0})', false],
  ['is yet to be consolidated', 'SET e.wal_offset = 6000 + e.wal_offset', null],
  ['is consolidated', 'SET e.text = e.envelope', false],
];

/** Everything of a scope up to this offset is consolidated. */
async function consolidated(ref: string, through: number): Promise<void> {
  const params = { shard: BigInt(shardOf(ref)), through: BigInt(through) };
  await query(driver, 'MATCH (s:Shard {number: $shard}) SET s.consolidated = $through', params);
}

/** An event of a scope that names `ent_b`. */
async function naming(ref: string, offset: number, made = 'SET e.text = e.envelope'): Promise<void> {
  await query(
    driver,
    `CREATE (e:Event {id: $ref + 'evt', scope_ref: $ref, wal_offset: $offset, bytes: 5, envelope: 'ent_b'}) WITH e ${made}`,
    { ref, offset: BigInt(offset) },
  );
}

it.each(EVENTS)(
  'links of what an event names that %s stay where not all is derived',
  async (what, made, stays) => {
    const { scope, ref } = await scopeOf(`event ${what}`);
    await consolidated(ref, 5000);
    await naming(ref, 2000 + EVENTS.findIndex(([name]) => name === what), made);
    await link(scope, 'ent_b', 'ent_c');
    await applied(ref);
    expect(await removeLinksOf(database, ref, gone('ent_b'), NOW)).toBe(stays !== null);
    expect(await linksOf(ref)).toEqual(stays === false ? [] : ['ent_b ent_c']);
    if (stays !== null) return;
    await consolidated(ref, 10_000);
    expect(await removeLinksOf(database, ref, gone('ent_b'), NOW)).toBe(true);
    expect(await linksOf(ref)).toEqual([]);
  },
);

it('keeps the links of what was named meanwhile, by one event or by more than are looked at with the log held', async () => {
  for (const [name, many] of [
    ['one', 1],
    ['many', 1_500],
  ] as const) {
    const { scope, ref } = await scopeOf(`meanwhile ${name}`);
    await consolidated(ref, 5000);
    await link(scope, 'ent_b', 'ent_c');
    await link(scope, 'ent_b2', 'ent_c2');
    await applied(ref);
    const first = many === 1 ? 20_000 : 30_000;
    const captured = async () => {
      await query(
        driver,
        `UNWIND range(1, $many) AS i
         CREATE (:Event {id: $ref + i, scope_ref: $ref, wal_offset: $first + i, bytes: 5, envelope: CASE i WHEN $many THEN 'ent_b ' ELSE '' END})
         WITH max($first + i) AS head
         MATCH (wal:Counter {name: 'wal'}) SET wal.value = head`,
        { ref, many: BigInt(many), first: BigInt(first) },
      );
    };
    let did = false;
    const meanwhile = {
      read: database.read.bind(database),
      transactionRepeatable: async <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => {
        if (!did) await captured();
        did = true;
        return database.transactionRepeatable(work);
      },
    };
    expect(await removeLinksOf(meanwhile, ref, gone('ent_b', 'ent_b2'), NOW)).toBe(true);
    expect(await linksOf(ref)).toEqual(['ent_b ent_c']);
  }
});

it('leaves the links of an entity of which something is stated again', async () => {
  const { scope, ref } = await scopeOf('again');
  await link(scope, 'ent_b', 'ent_c');
  await applied(ref);
  await query(driver, "CREATE (:Entity {key: $ref + ' ent_b'})", { ref });
  expect(await removeLinksOf(database, ref, gone('ent_b'), NOW)).toBe(true);
  expect(await linksOf(ref)).toEqual(['ent_b ent_c']);
});

it('waits for links that are still to be applied', async () => {
  const { scope, ref } = await scopeOf('waits');
  const second = await link(scope, 'ent_b', 'ent_c');
  await link(scope, 'ent_a', 'ent_b');
  await applied(ref);
  await unlink(ref, second);
  expect(await removeLinksOf(database, ref, gone('ent_b'), NOW)).toBe(false);
  expect(await linksOf(ref)).toEqual(['ent_a ent_b', 'ent_b ent_c']);
  await applied(ref);
  expect(await removeLinksOf(database, ref, gone('ent_b'), NOW)).toBe(true);
  expect(await linksOf(ref)).toEqual([]);
});
