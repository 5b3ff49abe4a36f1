import type { Driver } from 'neo4j-driver';

import type { Database } from '../../graph/driver.ts';
import { EntityLinkReader, EntityLinkStore, forgetLinksWithin } from '../../graph/entity/link.ts';
import { OVERDUE } from '../../graph/errors.ts';
import { EventReader } from '../../graph/event.ts';
import { RebuildAsker } from '../../graph/rebuild-ask.ts';
import { RebuildReader } from '../../graph/rebuild-read.ts';
import type { LeasedShard } from '../../graph/shard.ts';
import { OPEN_END } from '../../schemas/time.ts';
import { scopeRef, shardOf } from '../../src/capture/scope-key.ts';
import { systemClock } from '../../src/clock.ts';
import { systemIds } from '../../src/ids.ts';
import { STAGE_TRIES } from '../../src/limits.ts';
import { silentLog } from '../../src/log.ts';
import { Metrics } from '../../src/metrics.ts';
import { ClaimRebuilds } from '../../src/pipeline/claim-rebuilds.ts';
import { Consolidator } from '../../src/pipeline/consolidator.ts';
import { LinkRunner } from '../../src/pipeline/link-runner.ts';
import { LongClaim } from '../../src/pipeline/long-claim.ts';
import { patientDatabase, query, testDriver } from '../support/database.ts';
import { KEYED_IDS } from '../support/keyed-ids.ts';
import { statement } from '../support/facts.ts';
import { allDerived } from '../support/rebuild.ts';
import { startTestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { DERIVING_PATIENCE_MS } from '../support/patience.ts';

const EVENTS = 7;
const BATCH = 3;

let driver: Driver;
let database: Database;

beforeAll(async () => {
  driver = testDriver();
  const service = await startTestService({ STRATA_PIPELINE_POLL_MS: '200' });
  for (const scope of ['user:resumes', 'user:fails', 'user:late', 'user:long', 'user:ends']) {
    const items = Array.from({ length: EVENTS }, (_, i) => statement(scope, ['ent_a', 'likes', `ent_${i}`]));
    expect((await service.post('/v1/experience/bulk', { items })).status).toBe(202);
  }
  await allDerived(driver);
  await service.stop();
  database = patientDatabase();
});
afterAll(async () => {
  await database.close();
  await driver.close();
});

/** Enters a link of ent_a with ent_b; nobody applies it by itself. */
async function enter(scope: string): Promise<void> {
  const ref = scopeRef('default', scope);
  const by = { tenant: 'default', actor: 'user:x', entity: 'ent_a', same_as: 'ent_b' };
  const link = { ...by, id: `link_${ref}`, scope, scope_ref: ref, shard: shardOf(ref) };
  await new EntityLinkStore(database).link(link, () => null, { now: Date.now(), rows: [] });
}

/** The recorded times of the edge from ent_a to ent_b. */
function edges(scope: string): Promise<{ recorded_from: number; recorded_to: number }[]> {
  return query(
    driver,
    `MATCH (:Entity {id: 'ent_a', scope: $scope})-[s:SAME_AS]->(:Entity {id: 'ent_b', scope: $scope})
     RETURN s.recorded_from AS recorded_from, s.recorded_to AS recorded_to`,
    { scope },
  );
}

/** Gives the shard of a scope to a worker, as it is after the one before died. */
async function lease(scope: string, worker: string, epoch: number): Promise<LeasedShard> {
  const number = shardOf(scopeRef('default', scope));
  await query(driver, 'MATCH (s:Shard {number: $number}) SET s.owner = $worker, s.epoch = $epoch', {
    number: BigInt(number),
    worker,
    epoch: BigInt(epoch),
  });
  return { number, epoch, watermarks: { extracted: 0, indexed: 0, consolidated: 0 } };
}

function runner(worker: string, consolidator?: Pick<Consolidator, 'consolidate'>): LinkRunner {
  const asker = new RebuildAsker(database, worker);
  return new LinkRunner({
    writer: database,
    worker,
    clock: systemClock,
    log: silentLog,
    metrics: new Metrics({ version: '0', git_sha: '0', built_at: '0' }),
    consolidator: consolidator ?? new Consolidator(database, worker, KEYED_IDS),
    // Fewer than in a batch, so that its rest goes with the next one.
    replaySize: { head: (events) => Promise.resolve(events.slice(0, BATCH - 1)) },
    reader: new RebuildReader(database),
    events: new EventReader(database),
    rebuilds: new ClaimRebuilds({ asker, ids: systemIds, clock: systemClock, log: silentLog }),
    batchEvents: BATCH,
    batchBytes: 1 << 20,
  });
}

/** How many facts are those of each subject. */
async function subjects(scope: string): Promise<Record<string, number>> {
  const rows = await query<{ subject: string; facts: number }>(
    driver,
    `MATCH (f:Fact {scope: $scope})-[:HAS_VERSION]->(x) WHERE x.recorded_to = datetime('9999-12-31T23:59:59.999Z') AND x.valid_from < x.valid_to
     RETURN f.subject_id AS subject, count(*) AS facts`,
    { scope },
  );
  return Object.fromEntries(rows.map(({ subject, facts }) => [subject, facts]));
}

describe('the application of a link', () => {
  it('goes on where it was when its worker dies, and lets nothing more of that one in', async () => {
    const scope = 'user:resumes';
    await enter(scope);
    const first = await lease(scope, 'one', 100);
    const one = runner('one');
    const [due] = await one.due([first]);
    expect(await one.part(due!)).toBe(true);
    expect(await subjects(scope)).toEqual({ ent_a: EVENTS - BATCH, ent_b: BATCH });
    const second = await lease(scope, 'two', 101);
    expect(await one.part(due!)).toBe(false);
    const two = runner('two');
    for (let more = true; more;) {
      const [next] = await two.due([second]);
      more = next !== undefined && (await two.part(next));
    }
    expect(await subjects(scope)).toEqual({ ent_b: EVENTS });
    const links = new EntityLinkReader(database);
    expect(await links.isApplied(due!.id)).toBe(true);
    const link = await links.byId(due!.id);
    expect(await edges(scope)).toEqual([{ recorded_from: link?.recorded_at, recorded_to: OPEN_END }]);
  });

  it('closes the edge between the entities, whatever of their events can be derived, and takes it away with the link', async () => {
    const scope = 'user:ends';
    const ref = scopeRef('default', scope);
    await enter(scope);
    const shard = await lease(scope, 'six', 105);
    const apply = async (six: LinkRunner): Promise<void> => {
      for (let more = true; more;) {
        const [next] = await six.due([shard]);
        more = next !== undefined && (await six.part(next));
      }
    };
    await apply(runner('six'));
    const store = new EntityLinkStore(database);
    const by = { id: `unlink_${ref}`, actor: 'user:x' };
    const { outcome } = await store.unlink({ id: `link_${ref}`, ref }, by, { now: Date.now(), rows: [] });
    await apply(runner('six', { consolidate: () => Promise.reject(new Error('nothing can be derived')) }));
    expect(outcome?.ended?.recorded_at).toEqual(expect.any(Number));
    expect(await edges(scope)).toEqual([
      { recorded_from: outcome?.recorded_at, recorded_to: outcome?.ended?.recorded_at },
    ]);
    expect(await subjects(scope)).toEqual({ ent_b: EVENTS });
    await database.transaction((transaction) => forgetLinksWithin(transaction, [ref]));
    expect(await edges(scope)).toEqual([]);
  });

  it('parks what fails alone, and applies the rest', async () => {
    const scope = 'user:fails';
    await enter(scope);
    const shard = await lease(scope, 'three', 102);
    const [{ id: bad } = { id: '' }] = await query<{ id: string }>(
      driver,
      `MATCH (e:Event {scope: $scope}) RETURN e.id AS id ORDER BY e.wal_offset SKIP 4 LIMIT 1`,
      { scope },
    );
    const good = new Consolidator(database, 'three', KEYED_IDS);
    let failures = 0;
    const three = runner('three', {
      consolidate: (transaction, batch) => {
        if (!batch.events.some(({ event_id }) => event_id === bad))
          return good.consolidate(transaction, batch);
        failures += 1;
        return Promise.reject(new Error('this one is bad'));
      },
    });
    for (let more = true; more;) {
      const [next] = await three.due([shard]);
      more = next !== undefined && (await three.part(next));
    }
    expect(failures).toBeGreaterThanOrEqual(STAGE_TRIES);
    expect(await subjects(scope)).toEqual({ ent_a: 1, ent_b: EVENTS - 1 });
    const held = await query(
      driver,
      'MATCH (h:StageRetry {event_id: $bad}) RETURN h.stage AS stage, h.state AS state',
      {
        bad,
      },
    );
    expect(held).toEqual([{ stage: 'consolidated', state: 'failed' }]);
  });

  it('tries less at a time where an answer was overdue', async () => {
    const scope = 'user:late';
    await enter(scope);
    const shard = await lease(scope, 'four', 103);
    const good = new Consolidator(database, 'four', KEYED_IDS);
    const four = runner('four', {
      consolidate: (transaction, batch) =>
        batch.events.length > 1
          ? Promise.reject(Object.assign(new Error('too much'), { code: OVERDUE }))
          : good.consolidate(transaction, batch),
    });
    let overdue = 0;
    for (let more = true; more;) {
      const [next] = await four.due([shard]);
      try {
        more = next !== undefined && (await four.part(next));
      } catch (error) {
        expect(error).toMatchObject({ code: OVERDUE });
        overdue += 1;
      }
      expect(overdue).toBeLessThan(4 * EVENTS);
    }
    expect(overdue).toBeGreaterThan(1);
    expect(await subjects(scope)).toEqual({ ent_b: EVENTS });
  });

  it('is left to a rebuild of the scope where a claim of its events is too long to be replayed', async () => {
    const scope = 'user:long';
    const ref = scopeRef('default', scope);
    await enter(scope);
    const shard = await lease(scope, 'five', 104);
    const place = { tenant: 'default', scope, scope_ref: ref };
    const five = runner('five', { consolidate: () => Promise.reject(new LongClaim(place)) });
    const [due] = await five.due([shard]);
    expect(await five.part(due!)).toBe(true);
    expect(await five.due([shard])).toEqual([]);
    const links = new EntityLinkReader(database);
    expect(await links.isApplied(due!.id)).toBe(false);
    const service = await startTestService({ STRATA_PIPELINE_POLL_MS: '200' }, { keepData: true });
    await eventually('the scope is rebuilt', () => links.isApplied(due!.id), DERIVING_PATIENCE_MS);
    await service.stop();
    expect(await subjects(scope)).toEqual({ ent_b: EVENTS });
  });
});
