import type { Driver } from 'neo4j-driver';

import { OPEN_SUPPORT, openedParam } from '../../graph/concept/support.ts';
import type { Database } from '../../graph/driver.ts';
import { migrate } from '../../graph/migrate.ts';
import { OPEN_END } from '../../schemas/time.ts';
import { SynthesisWriter } from '../../graph/synthesis.ts';
import { scopeRef, shardOf } from '../../src/capture/scope-key.ts';
import { systemClock } from '../../src/clock.ts';
import { ConceptReviser } from '../../src/pipeline/concept-reviser.ts';
import { SynthesisRunner } from '../../src/pipeline/synthesis.ts';
import { STAGE_TRIES } from '../../src/limits.ts';
import { silentLog } from '../../src/log.ts';
import { KEYED_IDS } from '../support/keyed-ids.ts';
import { patientDatabase, query, testDriver, wipe } from '../support/database.ts';

const SCOPE = 'user:many';
const REF = scopeRef('default', SCOPE);
const SHARD = {
  number: shardOf(REF),
  epoch: 7,
  watermarks: { extracted: 0, indexed: 0, consolidated: 0 },
};

let driver: Driver;
let database: Database;

beforeAll(async () => {
  await wipe();
  driver = testDriver();
  database = patientDatabase();
  await migrate(database, await database.serverVersion());
  const supports = [1, 2, 3, 4, 5].map((i) =>
    openedParam({
      scope_ref: REF,
      concept_id: `concept_${i}`,
      entity_id: `ent_${i}`,
      entity_name: null,
      other_id: null,
      relation: null,
      fact_id: `fact_${i}`,
      claim: `k${i}`,
      belief_id: `b${i}`,
      position: i,
      recorded: { from: 10, to: OPEN_END },
      caused_by: `evt_${i}`,
      closed_by: null,
      stance: 'supported',
      confidence: 0.75,
      events: [`evt_${i}`],
      newest_at: 10,
      text: 'so it is',
    }),
  );
  await query(
    driver,
    `MATCH (s:Shard {number: $number}) SET s.owner = 'me', s.epoch = $epoch
     CREATE (:Scope {ref: $ref, tenant: 'default', path: $scope})
     WITH s UNWIND range(1, size($supports)) AS i
     CREATE (:Concept {id: 'concept_' + i, entity_id: 'ent_' + i, tenant: 'default', scope: $scope, scope_ref: $ref, position: i, recorded_at: datetime({epochMillis: 10})})
     CREATE (:Statement:Fact {id: 'fact_' + i, scope_ref: $ref})
     WITH $supports[i - 1] AS row
     ${OPEN_SUPPORT}`,
    { number: BigInt(SHARD.number), epoch: BigInt(SHARD.epoch), ref: REF, scope: SCOPE, supports },
  );
});

afterAll(async () => {
  await database.close();
  await driver.close();
  await wipe();
});

function runner(concepts: Pick<ConceptReviser, 'tell'> = new ConceptReviser()): SynthesisRunner {
  return new SynthesisRunner({
    writer: database,
    worker: 'me',
    clock: systemClock,
    log: silentLog,
    concepts,
    keyedIds: KEYED_IDS,
    batch: 2,
    onFrame: () => undefined,
  });
}

async function enter(id: string, force = true): Promise<void> {
  const entry = { id, tenant: 'default', scope: SCOPE, scope_ref: REF, shard: SHARD.number, actor: 'user:a' };
  expect(
    await new SynthesisWriter(database).enter({ ...entry, topics: null, force }, systemClock.now()),
  ).toBe(true);
}

async function framesOf(id: string): Promise<string[]> {
  const rows = await query<{ type: string; data: string }>(
    driver,
    'MATCH (f:LifecycleEvent {job_id: $id}) RETURN f.type AS type, f.data AS data ORDER BY f.sequence',
    { id },
  );
  return rows.map(({ type, data }) => {
    const { concepts, versions } = JSON.parse(data) as Record<string, number>;
    return `${type} ${concepts} ${versions}`;
  });
}

/** The versions of all concepts: of which, its number, and what brought it about. */
async function versions(): Promise<{ id: string; number: number; caused_by: string }[]> {
  return query(
    driver,
    'MATCH (v:ConceptVersion) RETURN v.concept_id AS id, v.version AS number, v.caused_by AS caused_by ORDER BY id, v.recorded_from',
  );
}

async function versionsOf(id: string): Promise<number> {
  return (await versions()).filter(({ caused_by }) => caused_by === id).length;
}

describe('a synthesis', () => {
  it('goes on where another process stopped, and does nothing twice', async () => {
    // What it tells is behind what supports it: that is told though nothing is forced.
    await enter('syn_resumed', false);
    const [due] = await runner().due([SHARD]);
    expect(due).toEqual({ id: 'syn_resumed', shard: SHARD });
    // Each part by a process of its own, as if the one before had died.
    expect(await runner().part(due!)).toBe(true);
    expect(await versionsOf('syn_resumed')).toBe(2);
    expect(await runner().part({ ...due!, shard: { ...SHARD, epoch: 6 } })).toBe(false);
    expect(await runner().part(due!)).toBe(true);
    expect(await runner().part(due!)).toBe(true);
    expect(await runner().part(due!)).toBe(false);
    expect(await runner().due([SHARD])).toEqual([]);
    expect(await framesOf('syn_resumed')).toEqual([
      'synthesis_progress 2 2',
      'synthesis_progress 4 4',
      'synthesis_complete 5 5',
    ]);
    expect(await versionsOf('syn_resumed')).toBe(5);
  });

  it('waits until what stands in front of it is consolidated', async () => {
    await query(
      driver,
      `MATCH (c:Counter {name: 'wal'}) SET c.value = 3
       CREATE (:Event {id: 'evt_waits', shard: $number, wal_offset: 3})`,
      { number: BigInt(SHARD.number) },
    );
    await enter('syn_waits');
    const [due] = await runner().due([SHARD]);
    expect(await runner().part(due!)).toBe(false);
    await query(driver, 'MATCH (s:Shard {number: $number}) SET s.consolidated = 3', {
      number: BigInt(SHARD.number),
    });
    for (let more = true; more;) more = await runner().part(due!);
    expect((await framesOf('syn_waits')).at(-1)).toBe('synthesis_complete 5 5');
  });

  it('is given up when it fails by itself again and again, and says so', async () => {
    await enter('syn_failing');
    const failing = runner({ tell: () => Promise.reject(new Error('no way')) });
    const [due] = await failing.due([SHARD]);
    for (let tries = 0; tries < STAGE_TRIES; tries += 1) expect(await failing.part(due!)).toBe(true);
    expect(await failing.due([SHARD])).toEqual([]);
    expect(await framesOf('syn_failing')).toEqual(['synthesis_failed 0 0']);
    expect(await versionsOf('syn_failing')).toBe(0);
  });
});
